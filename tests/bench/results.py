"""Puts the figures of a run into RESULTS.md, between its marks; the words around them stay.

results.py JSON RESULTS.md
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from figures import Figure, amount, read, size

BEGIN, END = "<!-- figures -->\n", "<!-- end of figures -->\n"


def machine() -> Iterator[str]:
    """What it was measured on, without a date."""
    cpu = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    name = re.search(r"^model name\s*: (.*)$", cpu, re.MULTILINE)
    family = re.search(r"^cpu family\s*: (.*)$", cpu, re.MULTILINE)
    cores = len(re.findall(r"^processor", cpu, re.MULTILINE))
    caches = subprocess.run(["lscpu"], capture_output=True, text=True, check=True).stdout
    levels = re.findall(r"^(L\S+) cache: +(.*?)(?: \(|$)", caches, re.MULTILINE)
    gcc = subprocess.run(["gcc", "--version"], capture_output=True, text=True, check=True).stdout
    yield f"- {name[1] if name else '?'}, family {family[1] if family else '?'}, {cores} processors"
    yield "- caches of all together: " + ", ".join(f"{level} {kib}" for level, kib in levels)
    yield f"- {gcc.splitlines()[0]}, Linux {kernel()}, pages of 4 KiB unless the program asks"


def kernel() -> str:
    return Path("/proc/sys/kernel/osrelease").read_text(encoding="utf-8").strip()


def target(figure: Figure) -> str:
    parts = [f"{figure.ratio_max:g} x" if figure.ratio_max is not None else ""]
    parts.append(amount(figure.value_max, figure.unit) if figure.value_max is not None else "")
    return ", ".join(part for part in parts if part)


def row(figure: Figure) -> str:
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
        {None: "", True: "met", False: "**missed**"}[figure.met],
    )
    return "| " + " | ".join(cells) + " |"


def table(figures: list[Figure]) -> Iterator[str]:
    yield "| workload | n | Weft | limit | ratio | p10-p90 | target | |"
    yield "|---|---|---|---|---|---|---|---|"
    yield from map(row, figures)


def section(figures: list[Figure]) -> str:
    lines = [*machine(), ""]
    for plain in (False, True):
        chosen = [figure for figure in figures if figure.plain == plain]
        if chosen:
            lines += [f"## `gcc {chosen[0].flags}`", "", *table(chosen), ""]
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    source, results = map(Path, arguments)
    text = results.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        print(f"{results} does not have both marks", file=sys.stderr)
        return 1
    results.write_text(f"{before}{BEGIN}\n{section(read(source))}\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
