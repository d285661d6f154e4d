"""A fuzzer writes expressions; sanitizers report any access outside of memory."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from built import built
from examples import SEED, rounds
from schema_files import ROOT

RUNS = rounds(5000)  # texts that it makes up
SEEDS = (
    "place & !marked & place.x > 0.5",
    'grip.pack[1] == alive | (label.text == "new" ^ hot)',
    "!(fever.left <= 2) & part_of == 3:1 | scalars.mood == angry",
)


@pytest.mark.rounds
def test_a_fuzzer_finds_nothing(tmp_path: Path) -> None:
    for number, seed in enumerate(SEEDS):
        (tmp_path / f"seed{number}").write_text(seed, encoding="utf-8")
    words = f"-dict={ROOT / 'tests/runtime/select/select.dict'}"
    fuzzer = built("build/fuzzer/fuzz_select")
    done = subprocess.run(
        [
            fuzzer,
            f"-runs={RUNS}",
            f"-seed={SEED}",
            "-max_len=600",
            "-timeout=60",
            words,
            str(tmp_path),
        ],
        cwd=tmp_path,  # where it would leave what it found
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert f"Done {RUNS} runs" in done.stderr
