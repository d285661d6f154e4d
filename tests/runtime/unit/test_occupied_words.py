"""Which words of a mask are not 0 is found alike by vectors and without, in compiled programs."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from compilers import C_COMPILERS, RUNTIME, Compiler

FLAGS = ("-O1 -fsanitize=address,undefined", "-O3 -march=native")


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("compiler", C_COMPILERS, ids=lambda compiler: compiler.name)
def test_the_words_are_those_of_a_look_at_each(
    compiler: Compiler, flags: str, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    source = Path(__file__).with_name("occupied_words.c")
    command = [compiler.name, "-std=c11", *flags.split(), "-I", RUNTIME, source, "-o", program]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (built.returncode, built.stderr) == (0, "")
    assert subprocess.run([program], check=False).returncode == 0
