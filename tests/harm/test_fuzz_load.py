"""A fuzzer that knows the format, on loading.

The programs are those that `ninja test` has built.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from schema_files import ROOT

BUILT = ROOT / "build/fuzzer/harm"
RUNS = 5000  # saves that the fuzzer makes up


def run(*command: str | Path) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stderr


def test_a_fuzzer_finds_nothing(tmp_path: Path) -> None:
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    run(BUILT / "seeds", corpus / "now", "12")
    run(BUILT / "before/seeds", corpus / "before", "8")
    assert len(list(corpus.iterdir())) == 20
    left = f"-artifact_prefix={tmp_path}/"
    words = ("-seed=1", "-max_len=16384", "-timeout=60", left, corpus)
    said = run(BUILT / "fuzz_load", f"-runs={RUNS}", *words)
    assert f"Done {RUNS} runs" in said
