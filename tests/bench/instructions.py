"""Counts the instructions of the bench with callgrind. The counts are equal on any machine.

    instructions.py PROGRAM JSON [FILTER]

Each side of a comparison runs once after one warm-up, and repeats its work less often than when it
is timed. Workloads with several threads are left out because their counts depend on which thread
waits. The JSON file lists the instructions per item of both sides, by workload and size.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

PLACE = "bench_count_here"  # is called where what is timed begins and where it ends


def total(dump: Path) -> int:
    """Reads how many instructions a dump of callgrind has in all."""
    found = re.search(r"^(?:totals|summary): (\d+)", dump.read_text(encoding="utf-8"), re.MULTILINE)
    return int(found[1]) if found else 0


def side(dumps: Path, first: int, end: int) -> int:
    """Adds up what lies between a beginning and the end behind it; dumps are numbered from 1 on."""
    return sum(total(Path(f"{dumps}.{place + 1}")) for place in range(first + 1, end, 2))


def rows(counts: str, dumps: Path) -> Iterator[dict[str, object]]:
    for line in counts.splitlines():
        workload, *numbers = line.split()
        n, items, first, middle, end = map(int, numbers)
        weft, limit = side(dumps, first, middle), side(dumps, middle, end)
        yield {
            "workload": workload,
            "n": n,
            "instructions": round(weft / items, 3),
            "limit_instructions": round(limit / items, 3) if end > middle else None,
        }


def count(program: Path, wanted: list[str]) -> list[dict[str, object]]:
    with tempfile.TemporaryDirectory() as folder:
        counts, dumps = Path(folder) / "counts", Path(folder) / "dump"
        command: list[str | Path] = [
            "valgrind", "--tool=callgrind", "--dump-line=no", f"--dump-before={PLACE}",
            f"--callgrind-out-file={dumps}", program, "--quick", "--count", counts,
        ]  # fmt: skip
        for name in wanted:
            command += ["--filter", name]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return list(rows(counts.read_text(encoding="utf-8"), dumps))


def main(arguments: list[str]) -> int:
    if len(arguments) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        found = count(Path(arguments[0]), arguments[2:])
    except FileNotFoundError:
        print("instructions.py needs valgrind", file=sys.stderr)
        return 1
    lines = ",\n".join("  " + json.dumps(row) for row in found)
    Path(arguments[1]).write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    for row in found:
        print(*row.values(), sep="\t")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
