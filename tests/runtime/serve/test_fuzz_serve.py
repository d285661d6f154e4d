"""Runs a fuzzer that knows the methods on the inspector without a socket."""

from __future__ import annotations

import random
import re
import subprocess
from pathlib import Path

import pytest

from built import built
from examples import SEED, rounds

FUZZER = "build/fuzzer/serve/fuzz_serve"
RUNS = rounds(90)  # worlds that are asked, and some calls to each


@pytest.mark.rounds
def test_a_fuzzer_finds_nothing(tmp_path: Path) -> None:
    """Each byte decides something, so any bytes are a beginning."""
    dice = random.Random(1)
    for kind in range(16):
        begun = bytes([kind % 8, kind]) + dice.randbytes(300)
        (tmp_path / f"begun{kind}").write_bytes(begun)
    done = subprocess.run(
        [
            built(FUZZER),
            f"-runs={RUNS}",
            f"-seed={SEED}",
            "-max_len=600",
            "-timeout=60",
            str(tmp_path),
        ],
        cwd=tmp_path,  # where it would leave what it found
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    runs = re.search(r"Done (\d+) runs", done.stderr)
    assert runs and int(runs[1]) >= RUNS  # it repeats a run to look for a leak
