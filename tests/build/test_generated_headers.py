"""Every generated header and every public one can be included alone, in C and in C++.

The C sources themselves are compiled by both compilers in `ninja test`; this is about what a game
may include, in any order, with its own warnings on.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
COMPILERS = {
    "gcc": ["gcc", "-std=c11", "-x", "c"],
    "clang": ["clang", "-std=c11", "-x", "c"],
    "g++": ["g++", "-std=c++17", "-x", "c++"],
    "clang++": ["clang++", "-std=c++17", "-x", "c++"],
}


def worlds() -> list[Path]:
    """The folders of generated code: the colony's, and those that the tests have had generated."""
    folders = [*(ROOT / "generated").iterdir(), *(ROOT / "build" / "generated").glob("*")]
    return sorted(folder for folder in folders if folder.is_dir())


HEADERS = [header for world in worlds() for header in sorted(world.glob("*.h"))]


@pytest.mark.parametrize("compiler", COMPILERS)
@pytest.mark.parametrize("header", HEADERS, ids=lambda header: header.name)
def test_it_compiles_alone(header: Path, compiler: str) -> None:
    folders = [header.parent, ROOT / "runtime", ROOT / "tests" / "game"]
    command = [*COMPILERS[compiler], *WARNINGS, *(f"-I{folder}" for folder in folders)]
    done = subprocess.run(
        [*command, "-fsyntax-only", "-"],
        input=f'#include "{header.name}"\n',
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
