"""The JSON Schema of schema files accepts what the parser accepts and refuses what it refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from json_schemas.language import FILE_NAME, language
from parse import parse
from parse.keys import FILE, Bits, Choice, Form, Key, Keys, Listed, Named, Plain, tables
from parse.reader import Table
from schema_files import BAD, ROOT, good_files, mistakes, read, structural
from source.source import Report
from toml_text import pairs

# Values of every type of TOML that JSON has too, and of what is inside.
VALUES: tuple[Any, ...] = (
    "text", "", "f32", "char[8]", "f32[..4]", "char", "f32[", 3, 1.5, True,
    [], ["text"], [3], [["text"]], {}, {"x": "f32"}, {"x": 3}, {"x": {}}, {"x": {"type": "f32"}},
    {"read": ["text"]}, {"read": "text"},
)  # fmt: skip

GOOD: dict[Plain, Any] = {
    Plain.TEXT: "text",
    Plain.FLAG: True,
    Plain.INTEGER: 8,
    Plain.NUMBER: 1.5,
    Plain.NAMES: ["text"],
    Plain.TYPE: "f32",
    Plain.TARGET: "self",
    Plain.VALUE: 1,
    Plain.VALUES: {},
}


def good(form: Form) -> Any:
    """A value that the form allows."""
    if isinstance(form, Plain):
        return GOOD[form]
    if isinstance(form, Choice):
        return form.options[0]
    if isinstance(form, Bits):
        return form.most
    if isinstance(form, Named):
        return {"x": good(form.thing)}
    if isinstance(form, Listed):
        return ["x"]
    return {key.name: good(key.form) for key in form.keys if key.required}


def places(form: Form, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Keys]]:
    """Every table of keys, with one way to it."""
    if isinstance(form, Keys):
        yield path, form
        for key in form.keys:
            yield from places(key.form, (*path, key.name))
    if isinstance(form, Named):
        yield from places(form.thing, (*path, "x"))
        if form.nested:
            yield from places(form.nested, (*path, "x.x"))


def document(path: tuple[str, ...], value: object) -> dict[str, Any]:
    """A whole file with that value at the path and, on the way, all that is required."""
    whole: dict[str, Any] = {"world": {"name": "text"}}
    inner: Any = whole
    form: Form = FILE
    for index, name in enumerate(path):
        if isinstance(form, Keys):
            form = next((key.form for key in form.keys if key.name == name), Plain.VALUE)
        elif isinstance(form, Named):
            form = form.nested if form.nested and "." in name else form.thing
        last = index == len(path) - 1
        inner[name] = value if last else {**good(form), **inner.get(name, {})}
        inner = inner[name]
    return whole


CASES = [
    pytest.param((*path, key.name), id=".".join((*path, key.name)))
    for path, table in places(FILE)
    for key in table.keys
]


@pytest.mark.parametrize("file", good_files())
def test_takes_every_good_schema(file: str) -> None:
    assert mistakes(read(ROOT / file)) == []


def bad_files() -> list[str]:
    """Bad schemas of one file with a mistake that its structure alone shows."""
    found = sorted(path.name for path in BAD.glob("*.toml") if structural(path))
    return [name for name in found if not name.startswith("toml-syntax")]


# The root file lacks [world]. No single file shows that, since those that are imported have none.
WITHOUT_WORLD = {"missing-key-empty.toml", "missing-key-world.toml", "not-utf8.toml"}


@pytest.mark.parametrize("file", sorted(set(bad_files()) - WITHOUT_WORLD))
def test_refuses_every_schema_of_bad_structure(file: str) -> None:
    assert mistakes(read(BAD / file))


def test_there_are_bad_schemas_of_every_kind_of_structure() -> None:
    names = " ".join(bad_files())
    for id in ("unknown-key", "missing-key", "wrong-type", "unknown-value", "bad-type"):
        assert id in names


@pytest.mark.parametrize("path", CASES)
def test_takes_for_each_key_what_the_parser_takes(path: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "schema.toml"
    for value in VALUES:
        whole = document(path, value)
        file.write_text("\n".join(pairs(whole)), encoding="utf-8")
        assert bool(mistakes(whole)) == bool(structural(file)), (value, mistakes(whole))


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=".".join(path)) for path, _ in places(FILE)]
)
def test_every_table_has_no_other_keys(path: tuple[str, ...], tmp_path: Path) -> None:
    whole = (
        document((*path, "frobnicate"), 1) if path else {"world": {"name": "a"}, "frobnicate": 1}
    )
    file = tmp_path / "schema.toml"
    file.write_text("\n".join(pairs(whole)), encoding="utf-8")
    assert "unknown-key" in structural(file)
    assert mistakes(whole)


def test_every_table_that_is_parsed_is_one_of_these(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key is known to the parser alone: what it expects anywhere is in the one table."""
    seen: set[tuple[Key, ...]] = set()
    usual = Table.expect

    def expect(self: Table, keys: Iterable[Key], *, help: str = "") -> None:
        seen.add(tuple(keys))
        usual(self, tuple(keys), help=help)

    monkeypatch.setattr(Table, "expect", expect)
    for file in good_files():
        parse(str(ROOT / file), Report())
    assert seen == {table.keys for table in tables(FILE)}


def descriptions(schema: Any) -> Iterator[tuple[str, str]]:
    """Every property in a JSON Schema with what is said of it."""
    if isinstance(schema, dict):
        for name, inner in schema.get("properties", {}).items():
            yield name, inner.get("description", "")
        for inner in schema.values():
            yield from descriptions(inner)
    if isinstance(schema, list):
        for inner in schema:
            yield from descriptions(inner)


def test_every_key_is_described() -> None:
    said = list(descriptions(json.loads(language())))
    assert len(said) > 40
    assert [name for name, doc in said if not re.fullmatch(r"\S.*[.>]", doc)] == []


def test_the_committed_file_is_what_comes_out() -> None:
    assert (ROOT / "schema" / FILE_NAME).read_text(encoding="utf-8") == language()


@pytest.mark.parametrize("file", sorted((ROOT / "schema").glob("*.toml")), ids=lambda p: p.name)
def test_the_sample_names_its_schema_in_its_first_line(file: Path) -> None:
    assert file.read_text(encoding="utf-8").startswith(f"#:schema ./{FILE_NAME}\n")
