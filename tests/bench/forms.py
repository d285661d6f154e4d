"""Compares the runtime compiled as one file with the runtime compiled in parts.

    forms.py ONE_FILE PARTS [TEXT] [--rounds N]

Runs both programs of the bench in turn, only with workloads whose names contain TEXT, and compares
each workload round by round. The compile times are measured in turn as well. All times are
processor time. Exit 1 if a program fails.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
FLAGS = ("-std=c11", "-O2", "-ffp-contract=off", "-pthread")
WHOLES = ("weft.c", "weft_json.c")

Figures = dict[tuple[str, int], float]


def seconds_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def compile_seconds(sources: list[Path]) -> float:
    """The processor time of compiling each source to an object of its own."""
    before = seconds_of_children()
    for source in sources:
        command = ["gcc", *FLAGS, "-c", source, "-o", os.devnull]
        subprocess.run(command, check=True, env={**os.environ, "CCACHE_DISABLE": "1"})
    return seconds_of_children() - before


def compare_compiling(rounds: int) -> None:
    runtime = ROOT / "runtime"
    whole = [runtime / name for name in WHOLES]
    parts = [path for path in sorted(runtime.rglob("*.c")) if path not in whole]
    pairs = [(compile_seconds(whole), compile_seconds(parts)) for _ in range(rounds)]
    one, many = (median(pair[i] for pair in pairs) for i in (0, 1))
    ratio = median(one / many for one, many in pairs)
    print(
        f"compiling: {one:.2f} s as {len(whole)} files, {many:.2f} s as {len(parts)}: {ratio:.2f}"
    )


def measure(program: Path, text: str) -> Figures:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "figures.json"
        command = [program, "--quick", "--filter", text, "--json", path]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        rows = json.loads(path.read_text(encoding="utf-8"))
    return {(row["workload"], row["n"]): row["value"] for row in rows if row["value"]}


def compare_running(one_file: Path, parts: Path, rounds: int, text: str) -> None:
    """Prints a row a workload, the one that loses most by being one file first."""
    ratios: dict[tuple[str, int], list[float]] = {}
    for number in range(rounds):
        order = (one_file, parts) if number % 2 == 0 else (parts, one_file)
        figures = {program: measure(program, text) for program in order}
        for row, value in figures[one_file].items():
            ratios.setdefault(row, []).append(value / figures[parts][row])
    for (workload, n), found in sorted(ratios.items(), key=lambda item: -median(item[1])):
        print(f"{workload:26} {n:9} {median(found):6.3f}   {min(found):.3f}-{max(found):.3f}")
    print(f"all: {median(median(found) for found in ratios.values()):.3f}")


def main() -> int:
    parser = argparse.ArgumentParser(description="One file beside parts.")
    parser.add_argument("one_file", type=Path)
    parser.add_argument("parts", type=Path)
    parser.add_argument("text", nargs="?", default="")
    parser.add_argument("--rounds", type=int, default=5)
    asked = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    try:
        compare_compiling(asked.rounds)
        compare_running(asked.one_file, asked.parts, asked.rounds, asked.text)
    except subprocess.CalledProcessError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
