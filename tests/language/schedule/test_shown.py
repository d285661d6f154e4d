"""`python3 codegen schedule` prints exactly the expected files here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
SCHEMAS = {"colony": ROOT / "schema/colony.toml"} | {p.stem: p for p in HERE.glob("*.toml")}


def shown(schema: Path, *options: str, seed: str = "0") -> str:
    done = subprocess.run(
        [sys.executable, "-B", str(ROOT / "codegen"), "schedule", str(schema), *options],
        env={**os.environ, "PYTHONHASHSEED": seed},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize("case", SCHEMAS)
@pytest.mark.parametrize(("option", "suffix"), [((), "txt"), (("--dot",), "dot")])
def test_schedule_is_shown_exactly_so(
    case: str, option: tuple[str, ...], suffix: str, update: bool
) -> None:
    expected = HERE / f"{case}.{suffix}"
    said = shown(SCHEMAS[case], *option)
    if update:
        expected.write_text(said, encoding="utf-8")
    assert said == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("option", [(), ("--dot",)])
def test_it_is_the_same_every_time(option: tuple[str, ...]) -> None:
    said = {shown(SCHEMAS["colony"], *option, seed=seed) for seed in ("1", "2", "3")}
    assert len(said) == 1


def test_every_expected_text_has_its_schema() -> None:
    texts = {path.stem for suffix in ("txt", "dot") for path in HERE.glob(f"*.{suffix}")}
    assert texts == set(SCHEMAS)
