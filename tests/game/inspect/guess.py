"""The time of refusing a token does not depend on how much of it is right: callgrind counts
instructions.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(
    ("port", "host", "origin", "taken"),
    [
        ("80", "127.0.0.1", "http://127.0.0.1", True),
        ("80", "localhost", "http://localhost", True),
        ("80", "127.0.0.1:80", "http://127.0.0.1:80", True),
        ("80", "127.0.0.1", "http://127.0.0.1:81", False),
        ("80", "127.0.0.1:", "http://127.0.0.1", False),
        ("80", "evil.example", "http://127.0.0.1", False),
        ("80", "127.0.0.1", "https://127.0.0.1", False),
        ("8080", "127.0.0.1", "http://127.0.0.1:8080", False),
        ("8080", "127.0.0.1:8080", "http://127.0.0.1", False),
        ("8080", "127.0.0.1:8080", "http://127.0.0.1:8080", True),
    ],
)
def test_browsers_leave_out_the_port_of_http(
    port: str, host: str, origin: str, taken: bool
) -> None:
    command = [built("build/inspect/guess"), port, host, origin]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said == ("taken\n" if taken else "refused\n")
