"""Reports which branches of the runtime its C tests take. `ninja coverage` runs the tests first.

Writes build/coverage/branches.txt, with every line that has a branch which no test takes, and
prints the share of each folder. The last line is the sum; a sum less than LEAST is a failure.

A branch is a way out of a condition, as gcov counts them in unoptimised code. Branches that no test
can take are listed in unreachable.toml, each with the reason; they do not count.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "bench"))
from progress import Progress

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build/coverage"
PAGE = BUILD / "branches.txt"
UNREACHABLE = ROOT / "tests/coverage/unreachable.toml"
LEAST = 95.0  # percent
BUNCH = 40

# A call that reports a refusal is false, and this side of `||` never true: `fits || refuse(why)`.
REFUSAL = re.compile(
    r"\|\|\s*(?!weft_busy)\w*"
    r"(?:refuse\w*|_REFUSE|_drop|damaged|fail_\w+|WRONG|_wants|_missing)\("
)

Line = tuple[str, int]  # of a file


def gcov(counts: list[Path]) -> str:
    """The reports on these, a line each; "": gcov fails. Counts of an earlier build do not fit
    the notes of this one."""
    command = ["gcov", "--json-format", "--branch-probabilities", "--stdout", *counts]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def reports() -> Iterator[dict[str, list[dict[str, object]]]]:
    """The report of gcov on each object, in bunches, since it is slow to start."""
    counts = sorted(path.relative_to(ROOT) for path in BUILD.rglob("*.gcda"))
    bunches = range(0, len(counts), BUNCH)
    progress = Progress(len(bunches))
    for first in bunches:
        progress.begin(f"reading what {BUNCH} objects have counted")
        bunch = counts[first : first + BUNCH]
        said = gcov(bunch) or "".join(gcov([one]) for one in bunch)
        yield from map(json.loads, said.splitlines())
    progress.end()


def taken() -> dict[Line, list[int]]:
    """How often each branch of each line of the runtime was taken, over all objects. A line of a
    header is compiled in many, and not always to as many branches: those with the most count."""
    counts: dict[Line, list[int]] = {}
    for report in reports():
        for file in report["files"]:
            name = str(file["file"]).removeprefix("./")
            if not name.startswith("runtime/"):
                continue
            here: dict[Line, list[int]] = defaultdict(list)
            for line in file["lines"]:  # type: ignore[attr-defined]
                here[name, line["line_number"]] += [b["count"] for b in line["branches"]]
            for at, branches in here.items():
                known = counts.get(at, [])
                if len(known) == len(branches):
                    counts[at] = [a + b for a, b in zip(known, branches, strict=True)]
                elif len(known) < len(branches):
                    counts[at] = branches
    return {at: branches for at, branches in counts.items() if branches}


# ---- what no test can take


def unreachable() -> dict[tuple[str, str], int]:
    """By file and line of code how many of its branches are left out."""
    entries = tomllib.loads(UNREACHABLE.read_text(encoding="utf-8"))["branch"]
    return {(entry["file"], entry["code"]): entry["count"] for entry in entries}


def code_of(at: Line) -> str:
    return lines_of(at[0])[at[1] - 1].strip()


@cache
def lines_of(file: str) -> list[str]:
    return (ROOT / file).read_text(encoding="utf-8").splitlines()


def refuses(at: Line) -> bool:
    """True: the statement that the line is in ends by reporting what is wrong."""
    statement = ""
    for line in lines_of(at[0])[at[1] - 1 :]:
        statement += line
        if line.rstrip().endswith((";", "{")):
            break
    return REFUSAL.search(statement) is not None


def without_unreachable(counts: dict[Line, list[int]]) -> dict[Line, list[int]]:
    """The branches that count. An entry leaves out as many as it says, and only such as were not
    taken: one that a test takes after all is counted."""
    left_out = unreachable()
    kept = {}
    for at, branches in counts.items():
        missed = branches.count(0)
        out = min(missed, left_out.get((at[0], code_of(at)), 0) + refuses(at))
        kept[at] = sorted(branches, reverse=True)[: len(branches) - out]
    return kept


def stale(counts: dict[Line, list[int]]) -> list[str]:
    """Entries of which there is no such line any more, or that are taken."""
    missed: Counter[tuple[str, str]] = Counter()
    for at, branches in counts.items():
        missed[at[0], code_of(at)] = max(missed[at[0], code_of(at)], branches.count(0))
    return [
        f"{file}: {code}" for (file, code), n in unreachable().items() if missed[file, code] < n
    ]


# ---- the page


def write_page(counts: dict[Line, list[int]]) -> None:
    lines = [
        f"{at[0]}:{at[1]}: {branches.count(0)} of {len(branches)} not taken: {code_of(at)}"
        for at, branches in sorted(counts.items())
        if 0 in branches
    ]
    PAGE.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def share(counts: Iterable[list[int]]) -> tuple[int, int]:
    """How many branches are taken, of how many."""
    flat = [count for branches in counts for count in branches]
    return len(flat) - flat.count(0), len(flat)


def main() -> int:
    everything = taken()
    counts = without_unreachable(everything)
    write_page(counts)
    folders = sorted({Path(file).parent.as_posix() for file, _ in counts})
    for folder in folders:
        here = (b for (file, _), b in counts.items() if Path(file).parent.as_posix() == folder)
        some, of = share(here)
        print(f"{folder}: {some} of {of} branches, {100 * some / of:.1f} %")
    old = stale(everything)
    for entry in old:
        print(f"unreachable.toml leaves out what is taken, or no longer there: {entry}")
    some, of = share(counts.values())
    left_out = sum(map(len, everything.values())) - of
    percent = 100 * some / of
    print(
        f"{some} of {of} branches are taken, {percent:.1f} %; {left_out} are left out ({PAGE.name})"
    )
    return 1 if old or percent < LEAST else 0


if __name__ == "__main__":
    sys.exit(main())
