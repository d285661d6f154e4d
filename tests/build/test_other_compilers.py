"""Without `__GNUC__`, as with MSVC, headers use no extension that gcc and clang add to C. This
holds for each kind of vectors, which MSVC announces by the same macros as gcc.

The headers of C are included first, because they would hide attributes from an unknown compiler.
After them a GNU compiler goes on without its macros.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from compilers import C_COMPILERS, ROOT, RUNTIME, WARNINGS, Compiler

# Macros tell of the vectors of a machine: those of `/arch:AVX512`, and what they lead to here.
WIDEST = ("-mavx512f", "-mavx512cd", "-mavx512bw", "-mavx512dq", "-mavx512vl")

SYSTEM = ("inttypes", "limits", "math", "stdarg", "stdbool", "stddef", "stdint", "stdio", "stdlib")
FORGET = "#undef __GNUC__\n#undef __SIZEOF_INT128__\n"

# A world with an index of each kind has the most vectors, and the colony has the rest.
LAND = ROOT / "build/generated/land"
FOLDERS = (LAND, ROOT / "generated/colony", ROOT / "tests/game")

ADDED = re.compile(
    r"\b(__attribute__|__builtin_\w+|__atomic_\w+|__extension__|__typeof__|__thread)\b"
)
LINE = re.compile(r'^# \d+ "(.*?)"')


def source(out: Path, *, forget: bool) -> Path:
    headers = [f"<{name}.h>" for name in (*SYSTEM, "string")]
    ours = ['"weft.h"', '"weft_json.h"', '"land.h"', '"colony.h"']
    lines = [f"#include {header}\n" for header in headers]
    lines += [FORGET * forget, *(f"#include {header}\n" for header in ours)]
    file = out / "game.c"
    file.write_text("".join(lines), encoding="utf-8")
    return file


def words_added(compiler: Compiler, file: Path) -> set[str]:
    """Returns the words of GNU C in what this leads to of Weft's own files."""
    include = [f"-I{folder}" for folder in (RUNTIME, *FOLDERS)]
    command = [compiler.name, "-std=c11", "-E", *WIDEST, *include, file]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found, ours = set[str](), False
    for line in said.splitlines():
        if marker := LINE.match(line):
            ours = marker[1].startswith(str(ROOT)) or marker[1] == str(file)
        elif ours:
            found.update(ADDED.findall(line))
    return found - {"__builtin_offsetof"}  # which <stddef.h> of gcc has for offsetof


def test_nothing_is_used_that_another_compiler_lacks(tmp_path: Path) -> None:
    gcc = C_COMPILERS[0]
    with_it = words_added(gcc, source(tmp_path, forget=False))
    assert {"__attribute__", "__builtin_prefetch"} <= with_it  # so they would be found
    assert words_added(gcc, source(tmp_path, forget=True)) == set()


@pytest.mark.parametrize("compiler", C_COMPILERS, ids=lambda compiler: compiler.name)
def test_headers_compile_without_it(compiler: Compiler, tmp_path: Path) -> None:
    file = source(tmp_path, forget=True)
    assert compiler.run([file], FOLDERS, *WIDEST, *WARNINGS, "-O2") == ""
