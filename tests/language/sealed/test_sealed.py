"""A system can use only what its schema grants: any other access does not compile.

Each C file here defines the system of its name in sealed.toml. Its head lists the error of each
compiler. The file compiles with granted.toml, so it contains no other mistake. A compiler sees all
of them as one file because most of its time goes into the world's headers.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compilers import COMPILERS, Compiler
from generated import generate

HERE = Path(__file__).parent
FILES = sorted(HERE.glob("*.c"))

# C++ compilers complain as those of C do where a file says nothing else.
SAME_AS = {"g++": "gcc", "clang++": "clang"}


def expected(file: Path, compiler: str) -> str:
    """The complaint as a regular expression."""
    head = file.read_text(encoding="utf-8").split("#include")[0]
    said = dict(re.findall(r"^// (\S+): (.*)$", head, re.MULTILINE))
    return str(said.get(compiler) or said[SAME_AS[compiler]])


def complaints(compiler: Compiler, schema: str, out: Path, *flags: str) -> dict[str, list[str]]:
    folder = generate(HERE / schema).write(out)
    whole = out / "whole.c"
    lines = (f'#include "{file}"\n#undef WORLD\n' for file in FILES)  # which some define
    whole.write_text("".join(lines), encoding="utf-8")
    all_errors = ["-ferror-limit=0"] if "clang" in compiler.name else []
    said = compiler.errors([whole], [folder], *all_errors, *flags)
    assert said.keys() - {whole.name} <= {file.name for file in FILES}
    return {file.name: said.get(file.name, []) for file in FILES}


@pytest.mark.parametrize("compiler", COMPILERS, ids=lambda compiler: compiler.name)
def test_seed_F10_what_is_not_granted_does_not_compile(compiler: Compiler, tmp_path: Path) -> None:
    said = complaints(compiler, "sealed.toml", tmp_path)
    wrong = {
        file.name: said[file.name] or "no complaint"
        for file in FILES
        if not any(re.search(expected(file, compiler.name), text) for text in said[file.name])
    }
    assert not wrong


@pytest.mark.parametrize("compiler", COMPILERS, ids=lambda compiler: compiler.name)
def test_what_is_granted_compiles(compiler: Compiler, tmp_path: Path) -> None:
    said = complaints(compiler, "granted.toml", tmp_path, "-DGRANTED")
    assert not {name: texts for name, texts in said.items() if texts}


def test_every_system_has_its_file() -> None:
    for schema in ("sealed.toml", "granted.toml"):
        assert sorted(generate(HERE / schema).model.code.systems) == [file.stem for file in FILES]
