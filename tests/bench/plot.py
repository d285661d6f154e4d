"""Draws the figures of the bench as an SVG: ratios to the limit on a logarithmic scale.

    plot.py JSON SVG

A row is a workload of one size. The dot is the median of the ratio, the line reaches from the tenth
to the ninetieth percentile, and the bar across is the target. Filled marks are the fast build,
hollow ones the plain build. Figures that have a target but no limit are drawn below as shares of
the target.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from figures import Figure, amount, read, size

ROW = 22  # pixels, all of these
NAME_WIDTH = 250
PLOT_WIDTH = 560
TEXT_WIDTH = 330
MARGIN = 24
HEAD = 96
LOW, HIGH = 0.25, 32.0  # ends of the scale; what lies beyond stands at the end
TICKS = (0.25, 0.5, 1, 1.5, 2, 4, 8, 16, 32)

MET, MISSED, FREE = "#2a7f3f", "#c0392b", "#5b6770"


@dataclass(frozen=True)
class Row:
    label: str
    dots: tuple[Figure, ...]
    scale: tuple[float | None, ...]  # of each dot: where it stands
    target: float | None  # where the bar stands
    text: str


def at(ratio: float) -> float:
    """Where a ratio stands, in pixels from the left."""
    share = math.log(min(max(ratio, LOW), HIGH) / LOW) / math.log(HIGH / LOW)
    return MARGIN + NAME_WIDTH + share * PLOT_WIDTH


def color(figure: Figure) -> str:
    return FREE if figure.met is None else MET if figure.met else MISSED


def target_ratio(figure: Figure) -> float | None:
    """The nearer of the targets, as a ratio to the limit."""
    shares = [figure.ratio_max] if figure.ratio_max is not None else []
    if figure.value_max is not None and figure.limit:
        shares.append(figure.value_max / figure.limit)
    return min(shares, default=None)


def target_text(figure: Figure) -> str:
    parts = [f"{figure.ratio_max:g} x"] if figure.ratio_max is not None else []
    if figure.value_max is not None:
        parts.append(amount(figure.value_max, figure.unit))
    return f"  (target {', '.join(parts)})" if parts else ""


def compared(figures: list[Figure]) -> Iterator[Row]:
    """Yields figures that have a limit: one row for both builds."""
    for figure in figures:
        if figure.plain or figure.is_step or figure.limit is None or figure.ratio is None:
            continue
        same = [
            other for other in figures if (other.workload, other.n) == (figure.workload, figure.n)
        ]
        targets = [target for target in map(target_ratio, same) if target is not None]
        text = f"{amount(figure.value, figure.unit)} / {amount(figure.limit, figure.unit)}"
        text += f" = {figure.ratio:.2f}"
        yield Row(
            f"{figure.workload}  {size(figure.n)}",
            tuple(same),
            tuple(other.ratio for other in same),
            targets[0] if targets else None,
            text + "".join(map(target_text, same)),
        )


def alone(figures: list[Figure]) -> Iterator[Row]:
    for figure in figures:
        if figure.limit is None and figure.value_max is not None:
            share = figure.value / figure.value_max
            text = amount(figure.value, figure.unit) + target_text(figure)
            yield Row(f"{figure.workload}  {size(figure.n)}", (figure,), (share,), 1.0, text)


# ---- SVG


def text(x: float, y: float, words: str, more: str = "") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, stroke: str, width: float = 1) -> str:
    return (
        f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{stroke}" stroke-width="{width:g}"/>'
    )


def drawn(row: Row, y: float) -> Iterator[str]:
    yield text(MARGIN + NAME_WIDTH - 12, y + 4, row.label, 'text-anchor="end"')
    if row.target is not None:
        yield line(at(row.target), y - 8, at(row.target), y + 8, "#222222", 2.5)
    for figure, place in zip(row.dots, row.scale, strict=True):
        if place is None:
            continue
        if figure.ratio_low is not None and figure.ratio_high is not None and not figure.plain:
            low, high = at(figure.ratio_low), at(figure.ratio_high)
            yield line(low, y, high, y, color(figure), 2)
        fill = "#ffffff" if figure.plain else color(figure)
        yield (
            f'<circle cx="{at(place):.1f}" cy="{y:.1f}" r="{4 if figure.plain else 5}" '
            f'fill="{fill}" stroke="{color(figure)}" stroke-width="1.5"/>'
        )
    yield text(MARGIN + NAME_WIDTH + PLOT_WIDTH + 16, y + 4, row.text)


def axis(top: float, bottom: float) -> Iterator[str]:
    for tick in TICKS:
        yield line(at(tick), top, at(tick), bottom, "#b0b8be" if tick == 1 else "#e3e7ea")
        yield text(at(tick), top - 6, f"{tick:g}", 'text-anchor="middle" fill="#5b6770"')


def panel(title: str, rows: list[Row], top: float) -> Iterator[str]:
    bottom = top + len(rows) * ROW
    yield text(MARGIN, top - 24, title, 'font-weight="bold"')
    yield from axis(top, bottom)
    for i, row in enumerate(rows):
        yield from drawn(row, top + (i + 0.5) * ROW)


def draw(figures: list[Figure]) -> str:
    first, second = list(compared(figures)), list(alone(figures))
    flags = sorted({figure.flags for figure in figures if not figure.plain})
    plain = sorted({figure.flags for figure in figures if figure.plain})
    middle = HEAD + len(first) * ROW + 70
    height = middle + len(second) * ROW + MARGIN
    width = 2 * MARGIN + NAME_WIDTH + PLOT_WIDTH + TEXT_WIDTH
    key = f"filled: {' '.join(flags)} | hollow: {' '.join(plain)} | bar: target | "
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        'font-family="DejaVu Sans, Helvetica, sans-serif" font-size="12" fill="#20282e">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        text(MARGIN, 28, "Weft beside plain arrays", 'font-size="18" font-weight="bold"'),
        text(MARGIN, 48, f"{key}green: met, red: missed, grey: none", 'fill="#5b6770"'),
        *panel("Time, as a multiple of the limit's", first, HEAD),
        *panel("Figures without a limit, as a share of the target", second, middle),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def main(arguments: list[str]) -> int:
    if len(arguments) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    source, target = map(Path, arguments)
    if not source.exists():
        print(f"{source} is not there: run `ninja bench` first", file=sys.stderr)
        return 1
    target.write_text(draw(read(source)), encoding="utf-8")
    print(f"drawn: {target}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
