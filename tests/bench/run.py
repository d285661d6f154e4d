"""Runs the bench in several builds, one after the other, and joins their figures in one file.

    run.py JSON PROGRAM...

Each program is bound to the last processor that this process may use; workloads with workers leave
it. Exit 1 if a program failed; the figures of the others are written nevertheless.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from progress import Progress


def measure(program: Path) -> tuple[bool, list[dict[str, Any]]]:
    """Returns whether it went well, and its figures; none if it left no complete list."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figures.json"
        done = subprocess.run([program, "--json", path], check=False)
        try:
            return done.returncode == 0, json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            print(f"{program}: {error}", file=sys.stderr)
            return False, []


def main(arguments: list[str]) -> int:
    if len(arguments) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    good = True
    figures: list[dict[str, Any]] = []
    programs = arguments[1:]
    progress = Progress(len(programs))
    for program in programs:
        progress.begin(program, stays=True)  # the program has a line of its own below it
        went_well, found = measure(Path(program))
        good &= went_well
        figures += found
    lines = ",\n".join("  " + json.dumps(figure) for figure in figures)
    Path(arguments[0]).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
