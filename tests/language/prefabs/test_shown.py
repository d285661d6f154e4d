"""`python3 codegen prefabs` prints exactly the expected files here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-B", str(ROOT / "codegen"), "prefabs", *arguments],
        capture_output=True,
        encoding="utf-8",
        cwd=HERE,
        check=False,
    )


@pytest.mark.parametrize("name", ["", "wheel", "tank", "heavy_tank", "convoy"])
def test_prefabs_are_shown_exactly_so(name: str, update: bool) -> None:
    expected = HERE / f"{name or 'all'}.txt"
    done = run("tank.toml", *filter(None, [name]))
    assert (done.returncode, done.stderr) == (0, "")
    if update:
        expected.write_text(done.stdout, encoding="utf-8")
    assert done.stdout == expected.read_text(encoding="utf-8")


def test_an_unknown_prefab_is_refused_with_the_nearest_name() -> None:
    done = run("tank.toml", "heavy_tnak")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "error: 'heavy_tnak' is not a prefab of tank.toml\nhelp: did you mean 'heavy_tank'?\n"
    )


def test_a_wrong_schema_is_refused() -> None:
    done = run("wheels.toml", "wheel")
    assert done.returncode == 1
    assert "[missing-key]" in done.stderr
