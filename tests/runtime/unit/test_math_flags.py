"""weft_math.h returns equal bits with any compiler flags of a game, or refuses to compile.

The test in C, test_math.c, is compiled once without these flags; the functions are compiled with
them. The linker gets them too, because -Ofast makes a program treat the smallest numbers as zero.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from compilers import C_COMPILERS, RUNTIME, Compiler

MATH = sorted((RUNTIME / "math").glob("*.c"))
GCC = C_COMPILERS[0]

# They allow a product and a sum in one operation, or any order and no care for what is special.
FLAGS = ("-O3 -march=native -ffp-contract=fast", "-Ofast -march=native")


def compiled(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture(scope="module")
def test_object(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("math") / "test_math.o"
    source = Path(__file__).with_name("test_math.c")
    compiled("gcc", "-std=c11", "-c", source, "-I", RUNTIME, "-o", path)
    return path


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("compiler", C_COMPILERS, ids=lambda compiler: compiler.name)
def test_bits_are_equal(compiler: Compiler, flags: str, test_object: Path, tmp_path: Path) -> None:
    objects = [tmp_path / f"{source.stem}.o" for source in MATH]
    for source, to in zip(MATH, objects, strict=True):
        compiled(compiler.name, "-std=c11", *flags.split(), "-c", source, "-o", to)
    program = tmp_path / "program"
    compiled(compiler.name, *flags.split(), *objects, test_object, "-lcmocka", "-o", program)
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_doubles_with_further_digits_are_refused() -> None:
    """In words where the functions are asked for; the rest of the runtime gets on without them."""
    flags = ("-mfpmath=387",)
    header = RUNTIME / "weft_math.h"
    said = GCC.run([header], [], *flags)
    assert "on x86 -msse2 -mfpmath=sse" in said
    assert GCC.run([RUNTIME / "weft.c"], [], *flags) == ""
