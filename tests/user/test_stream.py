"""The world of 64 regions (stream/test_stream.c) is streamed with 2,000 animals in each region."""

from __future__ import annotations

import subprocess

import pytest

from built import built


@pytest.mark.long
def test_a_large_world_is_streamed_for_10_000_ticks() -> None:
    command = [built("build/clang/stream/test_stream"), "2000", "10000"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "1 passed, 0 failed"
