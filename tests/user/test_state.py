"""The example of state between calls says what its page says, in C and compiled with sanitizers."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from built import ROOT, built
from command import CommandLine
from compilers import SANITIZERS

PAGE = (ROOT / "schema/MORE.md").read_text(encoding="utf-8")
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
BUILDS = {
    "gcc": (["gcc", "-O2", "-DNDEBUG"], "build/clang/libweft.a"),
    "asan": (["clang", "-g1", *SANITIZERS], "build/asan/libweft.a"),
}


def block(name: str) -> str:
    found = re.search(rf"^```\w+ {re.escape(name)}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


@pytest.mark.parametrize("build", BUILDS)
def test_the_example_says_what_its_page_says(build: str, tmp_path: Path) -> None:
    compiler, library = BUILDS[build]
    (tmp_path / "stock.toml").write_text(block("stock.toml"), encoding="utf-8")
    (tmp_path / "main.c").write_text(block("main.c"), encoding="utf-8")
    done = CommandLine().run("generate", tmp_path / "stock.toml", "--out", tmp_path)
    assert done.code == 0, done.err
    generated = sorted((tmp_path / "market").glob("*.c"))
    folders = ["-I", ROOT / "runtime", "-I", tmp_path / "market"]
    flags = ["-std=c11", "-ffp-contract=off", *WARNINGS, *folders, "-pthread"]
    sources = [tmp_path / "main.c", *generated, built(library)]
    subprocess.run([*compiler, *flags, *sources, "-lm", "-o", tmp_path / "main"], check=True)
    ran = subprocess.run([tmp_path / "main"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, block("market.txt")), ran.stderr
