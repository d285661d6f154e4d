"""Loans to a game in C++ are tracked as in C."""

from __future__ import annotations

import subprocess
from pathlib import Path

from built import built
from compilers import LINKERS, RUNTIME, SANITIZERS, WARNINGS
from generated import generate, write_whole

HERE = Path(__file__).resolve().parent


def said_by(*command: str | Path) -> str:
    return subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    ).stdout


def test_loans_in_cpp(tmp_path: Path) -> None:
    lend = generate(HERE / "loans.toml").write(tmp_path)
    object, program = tmp_path / "lend.o", tmp_path / "program"
    flags = (*WARNINGS, *SANITIZERS, f"-I{RUNTIME}", f"-I{lend}")
    made = said_by("clang", "-std=c11", *flags, "-c", write_whole(lend), "-o", object)
    assert made == ""
    game = (HERE / "lend.cpp", object, built("build/asan/libweft.a"))
    linked = said_by(
        "clang++", "-std=c++20", *flags, *game, LINKERS["clang++"], "-o", program, "-pthread"
    )
    assert linked == ""
    done = subprocess.run([program], capture_output=True, text=True, check=False)
    assert (done.stdout + done.stderr, done.returncode) == ("", 0)
