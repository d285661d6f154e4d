"""Schemas at the limits of the language give code that compiles."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from check import check
from check.texts import MAX_DOC_BYTES
from compilers import C_COMPILERS, EACH_FIRST, Compiler
from emit.emit import render
from examples import long_after
from generated import write_files
from parse import parse
from parse.field_types import MAX_ITEMS
from parse.where import MAX_LENGTH
from plan import make_plan
from plan.text import LITERAL_BYTES, char_array, string_literal
from source.source import Report
from toml_text import Table, toml

EVERY_BYTE = "".join(map(chr, range(1, 128))) + "éß€𝄞"


def generate(schema: Table, out: Path) -> Path:
    file = out / "schema.toml"
    file.write_bytes(toml(schema))
    report = Report()
    parsed = parse(str(file), report)
    check(parsed, report)
    assert report.render() == ""
    return write_files(render(make_plan(parsed.model)), out) / parsed.model.world.name


def complaints(compiler: Compiler, folder: Path) -> str:
    in_c = compiler in C_COMPILERS
    files = sorted(folder.glob("*.c")) if in_c else [folder / f"{folder.name}.h"]
    return compiler.run(files, [folder])


def long_texts() -> Table:
    """Texts as long as they may be, and a `where` that is longer still as it is printed."""
    doc = (EVERY_BYTE * MAX_DOC_BYTES).encode()[:MAX_DOC_BYTES].decode("utf-8", "ignore")
    field = {"type": f"char[{MAX_ITEMS}]", "doc": doc, "unit": doc}
    text = (EVERY_BYTE * MAX_ITEMS).encode()[: MAX_ITEMS - 1].decode("utf-8", "ignore")
    where = "a" + "&(a|b)" * ((MAX_LENGTH - 1) // 6)
    return {
        "world": {"name": "w", "phases": ["p"]},
        "component": {
            "a": {"doc": doc},
            "b": {"doc": doc, "fields": {"x": {**field, "default": text}}},
            "c": {"fields": {"x": f"char[{LITERAL_BYTES + 2}]"}},
        },
        "prefab": {"d": {"doc": doc, "components": {"c": {"x": "é" * (LITERAL_BYTES // 2 + 1)}}}},
        "query": {"e": {"doc": doc, "read": ["b"], "where": where}},
        "system": {"f": {"doc": doc, "phase": "p", "read": ["b"], "where": where}},
    }


def long_filters() -> Table:
    """More table components than brackets may nest, joined by each operator."""
    names = [f"c{i}" for i in range(300)]
    fields = {"fields": {"x": "u8"}}
    return {
        "world": {"name": "w", "phases": ["p"]},
        "component": {**dict.fromkeys(names, fields), "t": {}},
        "query": {
            "odd": {"where": "^".join(names)},
            "odd_rows": {"where": "t^" + "^".join(names)},
            "odd_not": {"where": "!(" + "^".join(names[::2]) + ")"},
            "odd_deep": {"where": "(!" * 31 + names[0] + f"^{names[1]})" * 31},
            "all": {"where": "&".join(names)},
            "any": {"where": "t|" + "|".join(names)},
        },
    }


def many_of_a_kind(most: int) -> Table:
    count = range(most)
    fields = {"fields": {"x": "u8"}}
    return {
        "world": {"name": "w", "phases": [f"p{i}" for i in count]},
        "enum": {f"e{i}": {"values": ["a"]} for i in count},
        "struct": {f"s{i}": fields for i in count},
        "component": {f"c{i}": fields for i in count},
        "singleton": {f"g{i}": fields for i in count},
        "prefab": {f"b{i}": {"components": {f"c{i}": {}}} for i in count},
        "query": {f"q{i}": {"read": [f"c{i}"]} for i in count},
        "system": {f"y{i}": {"phase": f"p{i}", "commands": True, "every": 1.0} for i in count},
    }


Schema = Callable[[], Table]


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Schema], Path]:
    """The code of a schema, which the generator makes once for all tests that ask for it."""

    @cache
    def folder(schema: Schema) -> Path:
        return generate(schema(), tmp_path_factory.mktemp(schema.__name__))

    return folder


@pytest.mark.xdist_group("long texts")  # their code takes longer to generate than to compile
@pytest.mark.parametrize("compiler", long_after(2, EACH_FIRST), ids=lambda compiler: compiler.name)
@pytest.mark.parametrize("schema", [long_texts, long_filters])
def test_it_compiles(
    schema: Schema, compiler: Compiler, generated: Callable[[Schema], Path]
) -> None:
    assert complaints(compiler, generated(schema)) == ""


@pytest.mark.xdist_group("long texts")
def test_the_long_where_is_longer_than_a_literal(generated: Callable[[Schema], Path]) -> None:
    text = (generated(long_texts) / "w_schema.c").read_text(encoding="utf-8")
    assert ".where = (const char[]){" in text
    assert max(map(len, re.findall(r'"((?:\\.|[^"\\])*)"', text))) >= MAX_DOC_BYTES


def test_a_long_text_has_the_same_bytes(tmp_path: Path) -> None:
    """Spelt out byte by byte it is what the literal is."""
    file = tmp_path / "same.c"
    file.write_text(
        "#include <string.h>\n"
        f"static const char spelt[] = {char_array(EVERY_BYTE)};\n"
        f"static const char literal[] = {string_literal(EVERY_BYTE)};\n"
        "int main(void) { return sizeof spelt != sizeof literal || "
        "memcmp(spelt, literal, sizeof literal); }\n",
        encoding="utf-8",
    )
    subprocess.run(["gcc", "-o", tmp_path / "same", file], check=True)
    assert subprocess.run([tmp_path / "same"], check=False).returncode == 0


def test_few_columns_have_a_function_that_moves_them(tmp_path: Path) -> None:
    """More than six are moved by the loops of the runtime."""
    names = [f"c{i}" for i in range(7)]
    schema: Table = {
        "world": {"name": "w"},
        "component": {name: {"fields": {"x": "u8"}} for name in names},
        "prefab": {
            "six": {"components": {name: {} for name in names[:6]}},
            "seven": {"components": {name: {} for name in names}},
        },
    }
    code = (generate(schema, tmp_path) / "w_schema.c").read_text(encoding="utf-8")
    assert "shift_six(" in code
    assert "shift_seven(" not in code


def test_many_of_every_kind(tmp_path: Path) -> None:
    """With as many as make several words of every set; the true limit would take a minute."""
    folder = generate(many_of_a_kind(200), tmp_path)
    assert complaints(C_COMPILERS[0], folder) == ""
