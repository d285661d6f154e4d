"""Lets compilers check C and C++, many files in one run, without writing objects."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which

ROOT = Path(__file__).parent.parent.parent
RUNTIME = ROOT / "runtime"

# For tests that read clang's output: ccache would give clang another file.
UNCACHED = {**os.environ, "CCACHE_DISABLE": "1"}

# Linkers that take half as long as the usual ones, most of all with sanitizers (tests/build.ninja).
LINKERS = {"gcc": "-fuse-ld=gold", "clang": "-fuse-ld=lld", "clang++": "-fuse-ld=lld"}

# These end a program at invalid accesses and undefined behaviour, also of pointers.
SANITIZERS = ("-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

# Our own flags, which a demanding game uses too.
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")

_ERROR = re.compile(r"^(.+?):\d+:\d+: (?:fatal )?error: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Compiler:
    name: str
    language: tuple[str, ...]

    def run(self, files: Sequence[Path], folders: Iterable[Path], *flags: str) -> str:
        """Returns the compiler's messages about C or C++ files, or "" if there are none."""
        include = [f"-I{folder}" for folder in (RUNTIME, *folders)]
        done = subprocess.run(
            [self.name, *self.language, *WARNINGS, "-fsyntax-only", *flags, *include, *files],
            env={**os.environ, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0 or done.stdout, f"{self.name} failed without a word"
        return done.stdout if done.returncode != 0 else ""

    def errors(
        self, files: Sequence[Path], folders: Iterable[Path], *flags: str
    ) -> dict[str, list[str]]:
        """Returns the errors of each file by its name: their texts in order."""
        found: dict[str, list[str]] = {file.name: [] for file in files}
        for path, text in _ERROR.findall(self.run(files, folders, *flags)):
            found.setdefault(Path(path).name, []).append(text)
        return found


C_COMPILERS = (
    Compiler("gcc", ("-std=c11", "-x", "c")),
    Compiler("clang", ("-std=c11", "-x", "c")),
)
CPP_COMPILERS = (
    Compiler("g++", ("-std=c++17", "-x", "c++")),
    Compiler("clang++", ("-std=c++17", "-x", "c++")),
)
COMPILERS = C_COMPILERS + CPP_COMPILERS

# clang's -Weverything without the warnings that are not about the code of functions.
EVERYTHING = (
    "-Weverything",
    "-Wno-bad-function-cast",
    "-Wno-c++98-compat",
    "-Wno-cast-function-type-strict",
    "-Wno-declaration-after-statement",
    "-Wno-missing-prototypes",
    "-Wno-missing-variable-declarations",
    "-Wno-padded",
    "-Wno-pre-c11-compat",
    "-Wno-unknown-warning-option",
    "-Wno-unsafe-buffer-usage",
    "-Wno-unused-macros",
)


@dataclass(frozen=True)
class Demanding(Compiler):
    """A compiler with all its warnings on, except in the headers of the runtime."""

    def run(self, files: Sequence[Path], folders: Iterable[Path], *flags: str) -> str:
        return super().run(files, folders, "-isystem", str(RUNTIME), *flags)


DEMANDING = (
    Compiler("gcc", ("-std=c11", "-x", "c", "-Wparentheses")),
    *(
        Demanding(name, ("-std=c11", "-x", "c", *EVERYTHING))
        for name in ("clang", "clang-19")
        if which(name)
    ),
    Compiler("g++", ("-std=c++20", "-x", "c++")),
    Compiler("clang++", ("-std=c++20", "-x", "c++")),
)

# The first ones, one for each language and vendor, run in `ninja test`. `ninja test-long` runs the
# others if the code differs little for them.
EACH_FIRST = (C_COMPILERS[0], CPP_COMPILERS[1], C_COMPILERS[1], CPP_COMPILERS[0])

# A header that lacks an include lacks it for any compiler. gcc, the fastest, compiles each header
# alone, and the others compile all headers of a world in one file. This holds for C++ too, because
# no generated header has lines for C++ alone (tests/build asserts it).
ALONE = (C_COMPILERS[0],)
