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

# For whoever reads what clang prints: ccache in front of it would hand it another file.
UNCACHED = {**os.environ, "CCACHE_DISABLE": "1"}

# Linkers that take half as long as the usual ones, most of all with sanitizers (tests/build.ninja).
LINKERS = {"gcc": "-fuse-ld=gold", "clang": "-fuse-ld=lld", "clang++": "-fuse-ld=lld"}

# These end a program at stray accesses and undefined behaviour, of pointers too.
SANITIZERS = ("-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")

# Ours, and what a demanding game has.
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror")

_ERROR = re.compile(r"^(.+?):\d+:\d+: (?:fatal )?error: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Compiler:
    name: str
    language: tuple[str, ...]

    def run(self, files: Sequence[Path], folders: Iterable[Path], *flags: str) -> str:
        """Returns what it says of C or C++ files; "" if there is nothing wrong with any of them."""
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
        """Returns what it says of each file, by name: the texts of all errors in order."""
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

# clang's -Weverything without what is about other things than the code of functions.
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
    """One that warns of all that it can, but not in the headers of the runtime."""

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

# They begin with one of each language and of each make, which `ninja test` asks; others are left
# to `ninja test-long` where the code differs little for them.
EACH_FIRST = (C_COMPILERS[0], CPP_COMPILERS[1], C_COMPILERS[1], CPP_COMPILERS[0])

# A header that lacks something lacks it for any compiler: gcc, the fastest of them,
# tries each header alone, and the others see all headers of a world in one file. This holds for C++
# too, since nothing that is generated has lines for C++ alone (tests/build asserts it).
ALONE = (C_COMPILERS[0],)
