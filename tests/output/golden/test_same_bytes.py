"""A schema gives equal bytes in any process, folder and on any day."""

from __future__ import annotations

import hashlib
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from generated import GOLDEN, ROOT, Generated, generate_all, generate_cases, golden_cases

SUPPORT = ROOT / "tests" / "support"

# Generates the schemas that its arguments name, and prints a digest of each file.
PROGRAM = f"""
import sys
sys.path[:0] = [{str(ROOT / "codegen")!r}, {str(SUPPORT)!r}]
from pathlib import Path
from generated import generate
import hashlib
for schema in sys.argv[1:]:
    for path, text in generate(Path(schema)).files.items():
        print(hashlib.sha256(text.encode()).hexdigest(), path)
"""

# Every one differs from this process in something that must not matter.
ELSEWHERE = {
    "another process": ("0", GOLDEN, {}),
    "hash seed 1": ("1", GOLDEN, {}),
    "hash seed 4711, from the root": ("4711", Path("/"), {}),
    "from the folder above, in another place": (
        "random",
        GOLDEN.parent,
        {"TZ": "Asia/Kathmandu", "LC_ALL": "C", "LANG": "", "HOME": "/", "USER": "somebody"},
    ),
}


def digests(things: list[Generated]) -> list[str]:
    return [
        f"{hashlib.sha256(text.encode()).hexdigest()} {path}"
        for thing in things
        for path, text in thing.files.items()
    ]


@pytest.mark.parametrize("where", ELSEWHERE)
def test_the_same_bytes_come_out(where: str) -> None:
    seed, folder, environment = ELSEWHERE[where]
    schemas = [GOLDEN / case / "schema.toml" for case in golden_cases()]
    relative = [os.path.relpath(schema, folder) for schema in schemas]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *relative],
        cwd=folder,
        env={**os.environ, **environment, "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == digests(generate_cases())


def test_nothing_of_this_machine_or_day_is_printed() -> None:
    words = [str(ROOT), str(Path.home()), socket.gethostname()]
    volatile = re.compile(
        "|".join([r"\b20\d\d-\d\d-\d\d\b", r"\b\d\d:\d\d\b", *map(re.escape, words)])
    )
    found = {
        path: volatile.findall(text)
        for thing in generate_all()
        for path, text in thing.files.items()
        if volatile.search(text)
    }
    assert not found
