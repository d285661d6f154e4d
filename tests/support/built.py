"""Gives tests in Python the products of Ninja: the runtime as a library, and test programs.

`ninja test` builds them before pytest begins. If a test runs alone, missing products are built
first. Existing ones are used as they are.
"""

from __future__ import annotations

import fcntl
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


@cache
def built(target: str) -> Path:
    """Returns the file of a target of build.ninja, for example `build/asan/libweft.a`."""
    path = ROOT / target
    if not path.exists():
        (ROOT / "build").mkdir(exist_ok=True)
        with open(ROOT / "build" / "pytest.lock", "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # several workers of pytest may need it at once
            if not path.exists():
                _build(target)
    return path


def _build(target: str) -> None:
    done = subprocess.run(
        ["ninja", target],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
