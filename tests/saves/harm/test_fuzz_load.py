"""A fuzzer that knows the format of saves loads earlier findings and new random saves."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from built import built
from examples import SEED, rounds
from schema_files import ROOT

FUZZER, SEEDS = "build/fuzzer/harm/fuzz_load", "build/fuzzer/harm/seeds"
FOUND = ROOT / "tests/saves/harm/found"
CORPUS = ROOT / "tests/saves/harm/corpus"  # parts that the fuzzer made up, which cover most code
RUNS = rounds(3000)  # saves that the fuzzer makes up


def run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stderr


def test_what_was_found_does_no_harm() -> None:
    found = sorted([*FOUND.glob("*.save"), *CORPUS.glob("*.part")])
    assert len(found) > 20
    assert run(built(FUZZER), *found).count("Executed ") == len(found)


@pytest.mark.rounds
def test_a_fuzzer_finds_nothing(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    run(built(SEEDS), corpus)
    assert len(list(corpus.iterdir())) == 26
    left = f"-artifact_prefix={tmp_path}/"
    words = (
        f"-seed={SEED}",
        "-max_len=16384",
        "-mutate_depth=2",
        "-timeout=60",
        left,
        corpus,
        FOUND,
        CORPUS,
    )
    said = run(built(FUZZER), f"-runs={RUNS}", *words)
    assert f"Done {RUNS} runs" in said
