"""A game may compile JSON and reflection as one file, `runtime/weft_json.c`."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from compilers import C_COMPILERS, RUNTIME, Compiler

WHOLE = RUNTIME / "weft_json.c"
ROOMS = ("reflect", "json")


def parts() -> list[Path]:
    names = re.findall(r'^#include "(.+\.c)"$', WHOLE.read_text(encoding="utf-8"), re.MULTILINE)
    return [RUNTIME / name for name in names]


def test_it_has_every_part_once() -> None:
    assert sorted(parts()) == sorted(
        path for room in ROOMS for path in (RUNTIME / room).glob("*.c")
    )


@pytest.mark.parametrize("compiler", C_COMPILERS, ids=lambda compiler: compiler.name)
def test_no_part_minds_the_others(compiler: Compiler) -> None:
    assert compiler.run([WHOLE], []) == ""


def test_no_part_calls_a_later_one(tmp_path: Path) -> None:
    """Of what a part lacks, the parts before it have all that any part has."""
    names: list[tuple[set[str], set[str]]] = []
    for part in parts():
        made = tmp_path / "part.o"
        command = ["gcc", "-std=c11", "-O1", f"-I{RUNTIME}", "-c", part, "-o", made]
        subprocess.run(command, check=True)
        done = subprocess.run(["nm", made], capture_output=True, text=True, check=True)
        symbols = [line.split()[-2:] for line in done.stdout.splitlines()]
        has = {name for kind, name in symbols if kind in "TDRB"}
        lacks = {name for kind, name in symbols if kind == "U"}
        names.append((has, lacks))
    for index, (_, lacks) in enumerate(names):
        later = set().union(*(has for has, _ in names[index + 1 :]))
        assert lacks & later == set(), parts()[index]
