"""A game may compile the runtime as one file, and JSON with access by name as a second file."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from calls import definitions, uses
from compilers import C_COMPILERS, RUNTIME, Compiler

# Each with the folders that it has. value/ is in both: most games read no values by name.
WHOLES = {
    "weft.c": (
        "base",
        "math",
        "store",
        "value",
        "world",
        "record",
        "query",
        "edit",
        "copy",
        "index",
        "run",
        "fragment",
        "save",
        "part",
    ),
    "weft_json.c": ("value", "reflect", "select", "insight", "json"),
}

# Words that windows.h makes macros of; in one file it is included before most parts.
WINDOWS = ["-Dfar=", "-Dnear=", "-Dsmall=char", "-Dinterface=struct", "-DIN=", "-DOUT="]


def parts(whole: str) -> list[Path]:
    text = (RUNTIME / whole).read_text(encoding="utf-8")
    return [RUNTIME / name for name in re.findall(r'^#include "(.+\.c)"$', text, re.MULTILINE)]


def test_every_part_is_in_one_of_them() -> None:
    every = [path for whole in WHOLES for path in parts(whole)]
    folders = {folder for whole in WHOLES for folder in WHOLES[whole]}
    assert sorted(every) == sorted(
        path for folder in folders for path in (RUNTIME / folder).rglob("*.c")
    )


@pytest.mark.parametrize("whole", WHOLES)
def test_it_goes_folder_by_folder(whole: str) -> None:
    found = [path.relative_to(RUNTIME).parts[0] for path in parts(whole)]
    assert set(found) == set(WHOLES[whole])
    assert found == sorted(found, key=WHOLES[whole].index)


@pytest.mark.parametrize("whole", WHOLES)
@pytest.mark.parametrize(
    "flags",
    [[], ["-DWEFT_HARD"], ["-DNDEBUG"], ["-DWEFT_UNOBSERVED"], WINDOWS],
    ids=["debug", "hard", "release", "unobserved", "words of Windows"],
)
@pytest.mark.parametrize("compiler", C_COMPILERS, ids=lambda compiler: compiler.name)
def test_no_part_minds_the_others(whole: str, flags: list[str], compiler: Compiler) -> None:
    assert compiler.run([RUNTIME / whole], [], *flags) == ""


@pytest.mark.parametrize("whole", WHOLES)
def test_no_part_uses_a_later_one(whole: str) -> None:
    arrows = uses(RUNTIME)
    defines = {part: definitions(part) for part in parts(whole)}
    everything = set().union(*defines.values())
    defined: set[str] = set()
    for part, names in defines.items():
        module = part.relative_to(RUNTIME).with_suffix("").as_posix()
        defined |= names
        used = set().union(*arrows[module].values()) if arrows[module] else set()
        assert not used & (everything - defined), part
