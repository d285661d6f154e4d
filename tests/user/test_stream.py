"""The world of 64 regions (stream/test_stream.c) is streamed with other numbers than its own."""

from __future__ import annotations

import subprocess

import pytest

from built import built


@pytest.mark.parametrize(
    ("animals", "ticks"), [(7, 150), pytest.param(2000, 10000, marks=pytest.mark.long)]
)
def test_a_world_is_streamed(animals: int, ticks: int) -> None:
    command = [built("build/clang/stream/test_stream"), str(animals), str(ticks)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "1 passed, 0 failed"
