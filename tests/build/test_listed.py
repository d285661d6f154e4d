"""Nothing is left out by hand: what has to be listed in a build file is all there."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDERS = (
    "runtime",
    "generated/colony",
    "tests/game",
    "tests/runtime/unit",
    "tests/runtime/world",
    "tests/fuzz",
    "tests/runtime/hooks",
    "tests/saves/harm",
)
BUILDS = ("build", "build/clang", "build/asan", "build/hard")
IN_EVERY_BUILD = ("generated/colony/", "tests/game/")
ONE_FILE = {"runtime/weft.c", "runtime/weft_json.c"}


def files_of(folder: str) -> list[Path]:
    """The C files of a folder; those of the runtime lie in its folders (see test_one_file.py)."""
    return sorted((ROOT / folder).glob("*/**/*.c" if folder == "runtime" else "*.c"))


@pytest.fixture(scope="module")
def compiled() -> set[tuple[str, str]]:
    """Every (build, source) that Ninja knows how to compile."""
    text = subprocess.run(
        ["ninja", "-t", "compdb"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    found = set()
    for entry in json.loads(text):
        source = entry["file"].removeprefix("./")
        if source.endswith(".c"):
            parts = Path(entry["output"]).parts
            build = "/".join(parts[:2]) if "/".join(parts[:2]) in BUILDS else parts[0]
            found.add((build, source))
    return found


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_c_file_is_compiled(folder: str, compiled: set[tuple[str, str]]) -> None:
    here = {path.relative_to(ROOT).as_posix() for path in files_of(folder)}
    assert here
    assert here <= {source for _, source in compiled}


@pytest.mark.parametrize("build", BUILDS)
def test_every_build_has_all_of_it(build: str, compiled: set[tuple[str, str]]) -> None:
    here = {source for where, source in compiled if where == build}
    wanted = {
        source
        for _, source in compiled
        if source.startswith(IN_EVERY_BUILD) and not Path(source).name.startswith("test_")
    }
    parts = {path.relative_to(ROOT).as_posix() for path in files_of("runtime")}
    assert wanted <= here
    assert parts <= here or here >= ONE_FILE


def test_the_runtime_is_built_in_both_forms_by_both_compilers() -> None:
    text = (ROOT / "tests/build.ninja").read_text(encoding="utf-8")
    forms = re.findall(r"^runtime = (.+)\ncc = (.+)$", text, re.MULTILINE)
    assert set(forms) == {
        (form, compiler)
        for form in ("runtime/weft.ninja", "tests/parts.ninja")
        for compiler in ("gcc", "clang")
    }
