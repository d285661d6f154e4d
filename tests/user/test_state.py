"""Partials are merged, and `ctx->user` counts turns: built and run, also with sanitizers."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from built import ROOT, built
from command import CommandLine
from compilers import SANITIZERS

SMALL = ROOT / "tests/user/small"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
BUILDS = {
    "gcc": (["gcc", "-O2", "-DNDEBUG"], "build/clang/libweft.a"),
    "asan": (["clang", "-g1", *SANITIZERS], "build/asan/libweft.a"),
}


@pytest.mark.parametrize("build", BUILDS)
def test_a_market_adds_up_its_stalls(build: str, tmp_path: Path) -> None:
    compiler, library = BUILDS[build]
    done = CommandLine().run("generate", SMALL / "market.toml", "--out", tmp_path)
    assert done.code == 0, done.err
    generated = sorted((tmp_path / "market").glob("*.c"))
    folders = ["-I", ROOT / "runtime", "-I", tmp_path / "market"]
    flags = ["-std=c11", "-ffp-contract=off", *WARNINGS, *folders, "-pthread"]
    sources = [SMALL / "market.c", *generated, built(library)]
    subprocess.run([*compiler, *flags, *sources, "-lm", "-o", tmp_path / "main"], check=True)
    ran = subprocess.run([tmp_path / "main"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, (SMALL / "market.txt").read_text()), ran.stderr
