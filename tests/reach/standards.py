"""No installed compiler, in any standard of C and C++, warns about the runtime, generated code or
games. COMPILERS.md lists the compilers that were tried.

`ninja test-reach-all` optimises as well, because gcc then finds more to warn about.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from shutil import which

import pytest

from compilers import RUNTIME, WARNINGS
from installed import ROOT, also

COLONY = ROOT / "generated/colony"
GAME = ROOT / "tests/game"
CALLS = Path(__file__).parent / "calls.cpp"
INCLUDES = [flag for folder in (COLONY, RUNTIME, GAME) for flag in ("-I", str(folder))]
SOURCES = [RUNTIME / "weft.c", RUNTIME / "weft_json.c", *sorted(COLONY.glob("*.c"))]
GAMES = sorted(file for file in GAME.glob("*.c") if not file.name.startswith("test_"))

C_STANDARDS = ("-std=c11", "-std=c17", "-std=c2x")
CPP_STANDARDS = ("-std=c++20", "-std=c++2b")

# clang's -Weverything has advice that contradicts itself or the language: to write C and C++ of
# before 2011, to have no bytes between members, and to index no pointers.
EVERYTHING = (
    "-Weverything",
    "-Wno-unknown-warning-option",
    "-Wno-padded",
    "-Wno-c++98-compat",
    "-Wno-unsafe-buffer-usage",
)
EVERYTHING_C = (
    *EVERYTHING,
    "-Wno-declaration-after-statement",
    "-Wno-pre-c11-compat",
    "-Wno-cast-function-type-strict",
)
EVERYTHING_CPP = (*EVERYTHING, "-Wno-c++98-compat-pedantic", "-Wno-c++20-compat")
EVERYTHING_GCC_CPP = ("-Wuseless-cast", "-Wzero-as-null-pointer-constant", "-Wsign-conversion")


def here(stem: str, versions: range) -> list[str]:
    """The names of the compilers that are here, one for each version."""
    named: dict[str, str] = {}
    for name in (stem, *(f"{stem}-{version}" for version in versions)):
        if which(name):
            command = [name, "--version"]
            said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            named.setdefault(re.findall(r"\d+\.\d+\.\d+", said)[0], name)
    return list(named.values())


C_COMPILERS = (*here("gcc", range(11, 17)), *here("clang", range(14, 22)))
CLANGS = [name for name in C_COMPILERS if name.startswith("clang")]
CPP_COMPILERS = (*here("g++", range(11, 17)), *here("clang++", range(14, 22)))


# Found before conftest.py puts others in front of them.
COMMANDS = {name: which(name) or name for name in (*C_COMPILERS, *CPP_COMPILERS)}


def says(compiler: str, files: list[Path], *flags: str | Path) -> str:
    done = subprocess.run(
        [COMMANDS[compiler], *INCLUDES, *flags, *files],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0 or done.stdout
    return done.stdout


@pytest.mark.parametrize("compiler", C_COMPILERS)
@pytest.mark.parametrize("standard", C_STANDARDS)
def test_c(compiler: str, standard: str) -> None:
    flags = (standard, "-fsyntax-only", "-pthread", *WARNINGS)
    assert says(compiler, [*SOURCES, *GAMES], *flags) == ""


@pytest.mark.parametrize("compiler", CPP_COMPILERS)
@pytest.mark.parametrize("standard", CPP_STANDARDS)
def test_cpp(compiler: str, standard: str) -> None:
    strictest = EVERYTHING_GCC_CPP if compiler.startswith("g++") else EVERYTHING_CPP
    flags = (standard, "-fsyntax-only", "-DCPP", "-Wold-style-cast", *WARNINGS, *strictest)
    assert says(compiler, [CALLS], *flags) == ""


@pytest.mark.parametrize("compiler", CLANGS)
def test_a_game_in_c_with_everything_that_clang_has(compiler: str, tmp_path: Path) -> None:
    game = tmp_path / "game.c"
    game.write_text('#include "colony.h"\n#include "weft_math.h"\n', encoding="utf-8")
    flags = ("-std=c11", "-fsyntax-only", *WARNINGS, *EVERYTHING_C)
    assert says(compiler, [game], *flags) == ""


# The only header of C that those of Weft include and that clang does not bring along.
STRING_H = """#pragma once
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
void *memcpy(void *to, const void *from, size_t bytes);
void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *at, int byte, size_t bytes);
int memcmp(const void *a, const void *b, size_t bytes);
int strcmp(const char *a, const char *b);
size_t strlen(const char *text);
#ifdef __cplusplus
}
#endif
"""
# The headers of C that libstdc++ asks for where <world>.hpp includes it.
CSTDLIB = '#pragma once\nextern "C" int rand();\nnamespace std { using ::rand; }\n'
FEATURES_H = "#define __GLIBC_PREREQ(a, b) 0\n"
CL = ("--driver-mode=cl", "--target=x86_64-pc-windows-msvc", "/W4", "/WX", "-fsyntax-only")


@pytest.mark.parametrize("compiler", CLANGS)
@pytest.mark.parametrize("standard", ["/std:c11", "/std:c17", "/std:c++20"])
def test_by_the_rules_of_msvc(compiler: str, standard: str, tmp_path: Path) -> None:
    """As far as clang knows them without the headers of Windows."""
    (tmp_path / "string.h").write_text(STRING_H, encoding="utf-8")
    game = tmp_path / ("game.cpp" if "+" in standard else "game.c")
    game.write_text('#include "weft.h"\n#include "colony.h"\n', encoding="utf-8")
    assert says(compiler, [game], *CL, standard, "-I", tmp_path) == ""


def folders_of_cpp() -> list[str]:
    """The folders in which g++ finds the headers of C++."""
    command = ["g++", "-E", "-v", "-x", "c++", "/dev/null"]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    return re.findall(r"^ (/\S+/c\+\+/\d+)$", said, re.MULTILINE)


@pytest.mark.parametrize("compiler", CLANGS)
@pytest.mark.parametrize("standard", ["/std:c++20", "/std:c++latest"])
def test_the_header_for_cpp_by_the_rules_of_msvc(
    compiler: str, standard: str, tmp_path: Path
) -> None:
    """Without headers of Windows: libstdc++ stands in, which needs little of the library of C."""
    for name, text in (("string.h", STRING_H), ("cstdlib", CSTDLIB), ("features.h", FEATURES_H)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    standing_in = [f"-imsvc{folder}" for folder in (tmp_path, *folders_of_cpp())]
    library = ("-D__STRICT_ANSI__", "-Xclang", "-ffreestanding", *standing_in)
    for strictest in ((), EVERYTHING_CPP):
        flags = (*CL, standard, "/EHsc", "-DCPP", *library, *strictest, "--")
        assert says(compiler, [CALLS], *flags) == ""


if also("all"):

    @pytest.mark.parametrize("compiler", C_COMPILERS)
    @pytest.mark.parametrize("level", ["-O2", "-O3"])
    def test_optimised(compiler: str, level: str, tmp_path: Path) -> None:
        for source in SOURCES:
            out = tmp_path / f"{source.stem}.o"
            assert says(compiler, [source], "-std=c11", level, *WARNINGS, "-c", "-o", out) == ""
