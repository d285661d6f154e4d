"""Draws the schedule of a phase: a row for each step, and an arrow to each system that waits.

The systems of a row can run at the same time. Rows go downwards, so that the picture is only as
wide as its widest row. No arrow crosses a system.
"""

from __future__ import annotations

from dataclasses import dataclass

from schedule import PhaseSchedule
from schedule.text import reasons

LETTER = 8  # pixels of a letter
HEIGHT = 30  # of a box
GAP = 34  # between rows
MARGIN = 12  # between systems of a row
ARROW_GAP = 3  # between parallel arrows


@dataclass(frozen=True)
class Size:
    width: int  # in pixels
    height: int


@dataclass(frozen=True)
class Box:
    name: str
    row: int
    column: int
    x: int
    y: int
    size: Size

    @property
    def middle(self) -> int:
        return self.x + self.size.width // 2

    @property
    def text_y(self) -> int:
        return self.y + 20


@dataclass(frozen=True)
class Arrow:
    path: str
    title: str


@dataclass(frozen=True)
class Picture:
    phase: str
    words: str  # for readers who cannot see it
    size: Size
    boxes: list[Box]
    arrows: list[Arrow]
    flushes: list[int]  # the heights of the flushes


def draw(phase: PhaseSchedule) -> Picture:
    steps = phase.steps()
    names = [system.name for step in steps for system in step]
    width = max([LETTER * len(name) + 20 for name in names], default=0)
    boxes = {
        system.name: Box(
            system.name,
            row,
            column,
            MARGIN + column * (width + MARGIN),
            MARGIN + row * (HEIGHT + GAP),
            Size(width, HEIGHT),
        )
        for row, step in enumerate(steps)
        for column, system in enumerate(step)
    }
    cuts = [boxes[one[0].name].y for one in phase.segments[1:]]
    counts = [len(step) for step in steps]
    widest = max(counts, default=0)
    return Picture(
        phase=phase.name,
        words="; then ".join(", ".join(system.name for system in step) for step in steps),
        size=Size(
            MARGIN + widest * (width + MARGIN),
            MARGIN + len(steps) * (HEIGHT + GAP) - GAP + MARGIN if steps else 0,
        ),
        boxes=list(boxes.values()),
        arrows=[
            Arrow(
                _path(boxes[wait.earlier.name], boxes[wait.later.name], counts),
                f"{wait.later.name} waits for {wait.earlier.name}: {'; '.join(reasons(wait))}",
            )
            for wait in phase.waits
        ],
        flushes=[y - GAP // 2 for y in cuts],
    )


def _path(one: Box, other: Box, counts: list[int]) -> str:
    """Returns a line from the lower edge of a box to the upper edge of another one.

    `counts` contains the number of boxes of each row, from the left.
    """
    begin, end = one.y + HEIGHT, other.y - 2
    between = counts[one.row + 1 : other.row]
    path = f"M{one.middle} {begin}"
    if not between:
        return f"{path} {_turn(one.middle, begin, other.middle, end)}"
    x, lowest = _pass(one, other, max(between)), other.y - GAP
    turn = _turn(one.middle, begin, x, begin + GAP)
    return f"{path} {turn} V{lowest} {_turn(x, lowest, other.middle, end)}"


def _turn(x: int, begin: int, x_end: int, end: int) -> str:
    """Returns a curve that is vertical at both ends."""
    bend = (end - begin) // 2
    return f"C{x} {begin + bend} {x_end} {end - bend} {x_end} {end}"


def _pass(one: Box, other: Box, free: int) -> int:
    """Returns where a line crosses the rows between two boxes. Columns from `free` on are empty."""
    if one.column >= free:
        return one.middle
    if other.column >= free:
        return other.middle
    edge = one.x - MARGIN if other.column < one.column else one.x + one.size.width
    return edge + MARGIN // 2 + (one.row % 3 - 1) * ARROW_GAP
