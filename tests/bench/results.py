"""Writes the figures of a run into the page of this machine, and all targets into RESULTS.md.

results.py JSON FOLDER

FOLDER contains `machines/`, with a page for each machine, RESULTS.md and STORAGE.md. In the last
two only the text between two comments is replaced.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from figures import Figure, amount, read, size

END = "<!-- end -->\n"

# STORAGE.md's table of the kinds of storage: workload and size of a component in tables, of one
# that is laid out in soa (one field of it), of a sparse one, of a tag.
Cell = tuple[str, int] | None
COSTS: dict[str, tuple[Cell, Cell, Cell, Cell]] = {
    "a loop over all of 100k, a row": (("iter2", 100_000), ("soa_x", 100_000), None, None),
    "a loop where 99 % of 1M have it, a match": (None, None, None, ("tag_99", 1_000_000)),
    "a loop where half of 1M have it, a match": (None, None, None, ("tag_50", 1_000_000)),
    "a loop where 1 % of 1M have it, a match": (
        ("iter_sparse_table", 10_000),
        None,
        ("iter_sparse_component", 10_000),
        ("tag_1", 1_000_000),
    ),
    "adding and removing it, a pair": (
        ("add_remove_table", 100_000),
        None,
        ("add_remove_sparse", 100_000),
        ("add_remove_tag", 100_000),
    ),
    "such a pair through commands": (
        ("commands_table", 100_000),
        None,
        ("commands_sparse", 100_000),
        ("commands_tag", 100_000),
    ),
}


def processor(key: str) -> str:
    """Returns what the kernel says of the processor."""
    cpu = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    found = re.search(rf"^{key}\s*: (.*)$", cpu, re.MULTILINE)
    return found[1] if found else "?"


def page_name() -> str:
    """Names the kind of machine as its makers do, in a word where they have one."""
    name = processor("model name")
    known = re.search(r"EPYC|Xeon|Ryzen|Core", name)
    return known[0].lower() if known else re.sub(r"\W+", "-", name).strip("-").lower() or "other"


def machine() -> Iterator[str]:
    """Yields lines that tell the machine it was measured on, without a date."""
    levels = caches()
    gcc = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True).stdout
    kind = f"family {processor('cpu family')}, model {processor('model')}"
    yield f"- {processor('model name')}, {kind}, {os.cpu_count()} processors"
    if levels:
        yield "- caches of all together: " + ", ".join(f"{level} {kib}" for level, kib in levels)
    yield f"- {gcc.splitlines()[0]}, Linux {kernel()}, pages of 4 KiB unless the program asks"


def caches() -> list[tuple[str, str]]:
    """Levels and sizes; none where the system does not show them, as in a bare chroot."""
    said = subprocess.run(["lscpu"], capture_output=True, text=True, check=False).stdout
    return re.findall(r"^(L\S+) cache: +(.*?)(?: \(|$)", said, re.MULTILINE)


def kernel() -> str:
    return Path("/proc/sys/kernel/osrelease").read_text(encoding="utf-8").strip()


def target(figure: Figure) -> str:
    parts = [f"{figure.ratio_max:g} x" if figure.ratio_max is not None else ""]
    parts.append(amount(figure.value_max, figure.unit) if figure.value_max is not None else "")
    return ", ".join(part for part in parts if part)


def verdict(figure: Figure) -> str:
    if figure.met is None:
        return ""
    missed = "**missed**, by the limit too" if figure.out_of_reach else "**missed**"
    return "met" if figure.met else missed


def counts(figure: Figure) -> str:
    """Tells the instructions of an item, and behind a stroke those of the limit."""
    if figure.instructions is None:
        return ""
    limit = figure.limit_instructions
    return f"{figure.instructions:.3g}" + (f" / {limit:.3g}" if limit is not None else "")


def row(figure: Figure, counted: bool) -> str:
    spread = ""
    if figure.ratio_low is not None and figure.ratio_high is not None:
        spread = f"{figure.ratio_low:.2f}-{figure.ratio_high:.2f}"
    cells = (
        figure.workload,
        size(figure.n),
        amount(figure.value, figure.unit),
        amount(figure.limit, figure.unit) if figure.limit is not None else "",
        f"{figure.ratio:.2f}" if figure.ratio is not None else "",
        spread,
        target(figure),
        verdict(figure),
    )
    if counted:
        cells += (counts(figure),)
    return "| " + " | ".join(cells) + " |"


def table(figures: list[Figure]) -> Iterator[str]:
    counted = any(figure.instructions is not None for figure in figures)
    more = " instructions / limit |" if counted else ""
    yield "| workload | n | Weft | limit | ratio | p10-p90 | target | |" + more
    yield "|---|---|---|---|---|---|---|---|" + "---|" * counted
    yield from (row(figure, counted) for figure in figures)


def page(figures: list[Figure]) -> str:
    lines = ["# All figures", "", *machine(), ""]
    for plain in (False, True):
        chosen = [figure for figure in figures if figure.plain == plain]
        if chosen:
            lines += [f"## `gcc {chosen[0].flags}`", "", *table(chosen), ""]
    return "\n".join(lines)


@dataclass(frozen=True)
class Asked:
    """A row of a machine's page for which a target is set."""

    workload: str
    n: str
    target: str
    figure: str  # that the target is about
    met: bool


def asked(place: Path) -> Iterator[Asked]:
    """Yields the rows of a page that have a verdict."""
    for line in place.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.split("|")[1:9]]
        if len(cells) == 8 and cells[7].strip("-"):
            workload, n, value, _, ratio, _, target, said = cells
            figure = ratio if target.endswith("x") else value
            yield Asked(workload, n, target, figure, said == "met")


def comparison(pages: list[Path]) -> str:
    """Returns a table of all targets, with what came of them on each machine."""
    found = [{(row.workload, row.n): row for row in asked(place)} for place in pages]
    keys = dict.fromkeys(key for rows in found for key in rows)
    links = [f"[{place.stem}](machines/{place.name})" for place in pages]
    lines = ["| workload | n | target | " + " | ".join(links) + " |"]
    lines.append("|---|---|---|" + "---|" * len(pages))
    for key in keys:
        rows = [one.get(key) for one in found]
        target = next(row.target for row in rows if row)
        shown = [(row.figure if row.met else f"**{row.figure}**") if row else "" for row in rows]
        lines.append(f"| {key[0]} | {key[1]} | {target} | " + " | ".join(shown) + " |")
    return "\n".join(lines) + "\n"


def costs(figures: list[Figure]) -> str:
    found = {(figure.workload, figure.n): figure for figure in figures if not figure.plain}
    lines = ["| | table | one field in soa | sparse | tag |", "|---|---|---|---|---|"]
    for what, cells in COSTS.items():
        shown = [found.get(cell) if cell else None for cell in cells]
        texts = [amount(figure.value, figure.unit) if figure else "" for figure in shown]
        lines.append(f"| {what} | " + " | ".join(texts) + " |")
    return "\n".join(lines) + "\n"


def write_section(path: Path, begin: str, words: str) -> bool:
    """Replaces what stands behind a mark; false: it is not there."""
    before, mark, rest = path.read_text(encoding="utf-8").partition(begin)
    _, end, after = rest.partition(END)
    if not mark or not end:
        print(f"{path} has no '{begin.strip()}' with an end", file=sys.stderr)
        return False
    path.write_text(f"{before}{mark}\n{words}\n{end}{after}", encoding="utf-8")
    return True


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    figures, folder = read(Path(arguments[0])), Path(arguments[1])
    machines = folder / "machines"
    machines.mkdir(exist_ok=True)
    (machines / f"{page_name()}.md").write_text(page(figures), encoding="utf-8")
    targets = comparison(sorted(machines.glob("*.md")))
    done = write_section(folder / "RESULTS.md", "<!-- targets -->\n", targets)
    done &= write_section(folder / "STORAGE.md", "<!-- costs -->\n", costs(figures))
    return 0 if done else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
