"""Sentences of pages and generated comments hold, checked by a program (statements.c)."""

from __future__ import annotations

import subprocess
from pathlib import Path

from built import ROOT, built
from command import CommandLine

HERE = Path(__file__).resolve().parent


def test_sentences_of_pages_hold(tmp_path: Path) -> None:
    done = CommandLine().run("generate", HERE / "statements.toml", "--out", tmp_path)
    assert done.code == 0, done.err
    generated = sorted((tmp_path / "farm").glob("*.c"))
    command = ["gcc", "-std=c11", "-g1", "-I", ROOT / "runtime", "-I", tmp_path / "farm"]
    sources = [HERE / "statements.c", *generated, built("build/clang/libweft.a")]
    subprocess.run([*command, *sources, "-lm", "-pthread", "-o", tmp_path / "main"], check=True)
    ran = subprocess.run([tmp_path / "main"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "all of them hold\n"), ran.stderr
