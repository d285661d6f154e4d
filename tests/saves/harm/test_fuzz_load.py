"""A fuzzer that knows the format, on loading: what it found once, and some that it makes up.

The programs are those that `ninja test` has built.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from schema_files import ROOT

BUILT = ROOT / "build/fuzzer/harm"
FOUND = ROOT / "tests/saves/harm/found"
RUNS = 5000  # saves that the fuzzer makes up


def run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stderr


def test_what_was_found_does_no_harm() -> None:
    found = sorted(FOUND.glob("*.save"))
    assert found
    assert run(BUILT / "fuzz_load", *found).count("Executed ") == len(found)


def test_a_fuzzer_finds_nothing(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    run(BUILT / "seeds", corpus)
    assert len(list(corpus.iterdir())) == 20
    left = f"-artifact_prefix={tmp_path}/"
    words = ("-seed=1", "-max_len=16384", "-mutate_depth=2", "-timeout=60", left, corpus, FOUND)
    said = run(BUILT / "fuzz_load", f"-runs={RUNS}", *words)
    assert f"Done {RUNS} runs" in said
