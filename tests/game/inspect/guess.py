"""A guess at the token tells nothing by the time that it takes: callgrind counts instructions.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from built import built

TOKEN = 32


def instructions(folder: Path, right: int, length: int) -> int:
    """Counts what the judgement of a guess takes, and sees that only the right one is taken."""
    counts = folder / f"{right}.{length}"
    command = [
        "valgrind", "--tool=callgrind", "--toggle-collect=serve_pass_refusal",
        f"--callgrind-out-file={counts}", str(built("build/inspect/guess")), str(right),
        str(length),
    ]  # fmt: skip
    said = subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip()
    assert said == ("taken" if right == length == TOKEN else "refused")
    found = re.search(r"^(?:summary|totals): (\d+)", counts.read_text(), re.MULTILINE)
    assert found
    return int(found[1])


def test_no_part_of_the_token_is_told_by_time(tmp_path: Path) -> None:
    counted = {instructions(tmp_path, right, TOKEN) for right in (0, 1, 8, 16, 31)}
    assert len(counted) == 1
    assert min(counted) > TOKEN
    assert len({instructions(tmp_path, right, 20) for right in (0, 10, 20)}) == 1
    assert len({instructions(tmp_path, right, 40) for right in (0, 10, 32)}) == 1
    assert instructions(tmp_path, TOKEN, TOKEN) > 0
