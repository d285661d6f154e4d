"""A helper that systems and a hook share by grants is built and run, in C and in C++."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from built import ROOT, built
from command import CommandLine

SMALL = ROOT / "tests/user/small"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
CPP_WARNINGS = ["-Wsign-conversion", "-Wold-style-cast", "-Wmissing-declarations"]
LANGUAGES = {"c": ["-std=c11"], "cpp": ["-std=c++20", *CPP_WARNINGS]}
COMPILERS = {"gcc": "c", "clang": "c", "g++": "cpp", "clang++": "cpp"}


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_helper_serves_systems_and_a_hook(compiler: str, tmp_path: Path) -> None:
    language = COMPILERS[compiler]
    for name in ("mill.toml", f"mill.{language}"):
        shutil.copy(SMALL / name, tmp_path)
    done = CommandLine().run("generate", tmp_path / "mill.toml", "--out", tmp_path)
    assert done.code == 0, done.err
    folders = ["-I", ROOT / "runtime", "-I", tmp_path / "mill"]
    objects = [*folders, "-ffp-contract=off", "-pthread"]
    generated = sorted((tmp_path / "mill").glob("*.c"))
    subprocess.run(["gcc", "-std=c11", *objects, "-c", *generated], cwd=tmp_path, check=True)
    game = [*LANGUAGES[language], *WARNINGS, tmp_path / f"mill.{language}"]
    linked = [*sorted(tmp_path.glob("*.o")), built("build/clang/libweft.a"), "-lm"]
    subprocess.run([compiler, *objects, *game, *linked, "-o", "mill.out"], cwd=tmp_path, check=True)
    ran = subprocess.run([tmp_path / "mill.out"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, (SMALL / "mill.txt").read_text()), ran.stderr
