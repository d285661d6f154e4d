"""Draws the pictures of these pages: `python3 schema/explanation/draw.py` writes them again.

Each picture follows the light or dark mode of the reader's system. A test compares the files with
what this draws.
"""

from __future__ import annotations

from html import escape
from pathlib import Path

STYLE = """
.paper { fill: #ffffff; } .ink { fill: #1f2328; } .dim { fill: #59636e; } .rule { stroke: #8c959f; fill: none; }
.box { fill: #eef1f4; stroke: #8c959f; } .a { fill: #cfe3fb; stroke: #3a7bc8; } .b { fill: #d6f0d8; stroke: #3f8f4a; }
.c { fill: #fbe3c4; stroke: #b5762a; } .d { fill: #f3d3dc; stroke: #b04a68; } .arrow { stroke: #59636e; fill: none; }
.head { fill: #59636e; }
@media (prefers-color-scheme: dark) {
.paper { fill: #16191d; } .ink { fill: #e6e9ec; } .dim { fill: #a3adb8; } .rule { stroke: #6b7580; }
.box { fill: #262b31; stroke: #6b7580; } .a { fill: #1d3b5c; stroke: #6aa5e8; } .b { fill: #1f4426; stroke: #6fbf7b; }
.c { fill: #4d3717; stroke: #d79a4a; } .d { fill: #4b2430; stroke: #dd7f9b; } .arrow { stroke: #a3adb8; }
.head { fill: #a3adb8; }
}
text { font: 14px system-ui, sans-serif; } .small { font-size: 12px; } .bold { font-weight: 600; }
.mono { font-family: ui-monospace, monospace; font-size: 13px; }
"""


class Picture:
    """An SVG that is built from the top, with sizes in pixels."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self._size, self._title = (width, height), title
        self._parts: list[str] = []

    def box(self, x: float, y: float, width: float, height: float, kind: str = "box") -> None:
        self._parts.append(
            f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="4"/>'
        )

    def text(self, x: float, y: float, text: str, kind: str = "ink", anchor: str = "start") -> None:
        said = f' text-anchor="{anchor}"' if anchor != "start" else ""
        self._parts.append(f'<text class="{kind}" x="{x:g}" y="{y:g}"{said}>{escape(text)}</text>')

    def label(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        text: str,
        kind: str = "box",
        font: str = "ink",
    ) -> None:
        self.box(x, y, width, height, kind)
        self.text(x + width / 2, y + height / 2 + 5, text, font, "middle")

    def line(
        self, x: float, y: float, to_x: float, to_y: float, kind: str = "rule", dashed: bool = False
    ) -> None:
        dash = ' stroke-dasharray="4 4"' if dashed else ""
        self._parts.append(f'<path class="{kind}"{dash} d="M{x:g} {y:g}L{to_x:g} {to_y:g}"/>')

    def arrow(self, x: float, y: float, to_x: float, to_y: float) -> None:
        self._parts.append(
            f'<path class="arrow" marker-end="url(#head)" d="M{x:g} {y:g}L{to_x:g} {to_y:g}"/>'
        )

    def svg(self) -> str:
        width, height = self._size
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">',
                f"<title>{escape(self._title)}</title>",
                f"<style>{STYLE}</style>",
                '<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
                'orient="auto"><path class="head" d="M0 0L10 5L0 10z"/></marker></defs>',
                f'<rect class="paper" width="{width}" height="{height}" rx="8"/>',
                *self._parts,
                "</svg>\n",
            ]
        )


def phase() -> Picture:
    made = Picture(760, 310, "A phase with three systems on two threads, and the flush at its end")
    for y, name in ((70, "thread 1"), (120, "thread 2")):
        made.text(20, y + 22, name, "dim")
        made.line(96, y + 17, 740, y + 17)
    made.label(100, 70, 150, 34, "starve", "a")
    made.label(100, 120, 110, 34, "gather", "b")
    made.label(256, 70, 120, 34, "eat", "c")
    made.label(216, 120, 160, 34, "walk", "b")
    made.text(100, 50, "phase `live`".replace("`", ""), "ink bold")
    made.line(96, 58, 380, 58)
    made.text(100, 236, "each system records its commands", "dim small")
    for x in (150, 230, 300, 340):
        made.line(x, 160, x, 204, dashed=True)
        made.box(x - 6, 206, 12, 12, "d")
    made.label(392, 70, 104, 84, "flush", "d")
    made.arrow(352, 212, 440, 158)
    made.text(400, 190, "commands are applied in the order", "dim small")
    made.text(400, 206, "of the systems, then of the rows", "dim small")
    made.label(520, 70, 120, 34, "die", "a")
    made.text(520, 50, "phase end", "ink bold")
    made.line(512, 58, 736, 58)
    made.label(652, 70, 84, 84, "flush", "d")
    made.text(
        100,
        268,
        "eat waits for starve, because both write hunger. walk waits for gather, because gather writes velocity.",
        "dim small",
    )
    made.text(
        100,
        288,
        "Rows are added and removed only in a flush, so no system sees a row move.",
        "dim small",
    )
    return made


def turns() -> Picture:
    made = Picture(760, 300, "Two readers of changes see each change once, at their own turns")
    made.text(20, 40, "tick", "dim")
    for tick in range(1, 7):
        x = 60 + tick * 105
        made.text(x, 40, str(tick), "dim", "middle")
        made.line(x + 52, 52, x + 52, 230, dashed=True)
    made.text(20, 84, "writes", "dim")
    for tick, row in ((1, "3"), (2, "7"), (4, "3"), (5, "9")):
        made.label(60 + tick * 105 - 46, 64, 72, 30, f"row {row}", "c")
    made.text(20, 140, "draw", "ink")
    for tick, seen in ((1, "3"), (2, "7"), (3, "-"), (4, "3"), (5, "9"), (6, "-")):
        made.label(60 + tick * 105 - 30, 118, 80, 34, seen, "a")
    made.text(20, 202, "minimap", "ink")
    for tick, seen in ((3, "3, 7"), (6, "3, 9")):
        made.label(60 + tick * 105 - 30, 180, 80, 34, seen, "b")
    made.text(
        20,
        254,
        "draw has a turn in each tick, minimap in every third one. Each of them has its own change bits,",
        "dim small",
        "start",
    )
    made.text(
        20,
        274,
        "so each sees every row that was written since its last turn, and no row twice.",
        "dim small",
    )
    return made


def table() -> Picture:
    made = Picture(760, 430, "A table with columns, a tag as a bitset, and a sparse component")
    made.text(20, 34, "A table: all rabbits that have the same components", "ink bold")
    columns = (("handle", "mono"), ("position", "a"), ("velocity", "b"), ("hunger", "c"))
    for number, (name, kind) in enumerate(columns):
        x = 90 + number * 150
        made.text(x + 66, 62, name, "ink", "middle")
        for row in range(4):
            value = (f"{7 + row}:1", f"{row}, {2 * row}", "1, 0", f"0.{row + 2}")[number]
            made.label(
                x, 72 + row * 28, 132, 26, value, kind if kind != "mono" else "box", "mono ink"
            )
    for row in range(4):
        made.text(76, 90 + row * 28, f"row {row}", "dim small", "end")
    made.text(20, 222, "A tag: one bit for each row of the table", "ink bold")
    made.text(76, 256, "asleep", "ink", "end")
    for row, bit in enumerate("0110"):
        made.label(90 + row * 34, 238, 32, 28, bit, "d" if bit == "1" else "box", "mono ink")
    made.text(250, 257, "64 rows share a word, so a system can skip 64 rows at a time", "dim small")
    made.text(
        20,
        308,
        "A sparse component: values beside the tables, for what few entities have",
        "ink bold",
    )
    made.text(76, 342, "values", "ink", "end")
    made.text(76, 376, "owners", "ink", "end")
    for slot, (value, owner) in enumerate(
        (("days 2", "8:1"), ("days 5", "31:4"), ("days 1", "12:2"))
    ):
        made.label(90 + slot * 96, 324, 92, 28, value, "c", "mono ink")
        made.label(90 + slot * 96, 358, 92, 28, owner, "box", "mono ink")
    made.text(400, 342, "no row moves when it is added or removed;", "dim small")
    made.text(400, 362, "an index by entity finds the slot", "dim small")
    made.text(
        20,
        414,
        "Adding a table component moves the row to another table. Tags and sparse components move nothing.",
        "dim small",
    )
    return made


def fused() -> Picture:
    made = Picture(
        760, 270, "A pass runs several systems on one block of rows before the next block"
    )
    for x, title in ((20, "one system after the other"), (400, "a pass, block by block")):
        made.text(x, 34, title, "ink bold")
    systems = (("system 1", "a"), ("system 2", "b"), ("system 3", "c"))
    for number, (name, kind) in enumerate(systems):
        made.text(20, 80 + number * 46, name, "ink")
        for block in range(4):
            order = number * 4 + block + 1
            made.label(90 + block * 66, 58 + number * 46, 62, 34, str(order), kind)
    for block in range(4):
        for number, (name, kind) in enumerate(systems):
            order = block * 3 + number + 1
            made.label(470 + block * 66, 58 + number * 46, 62, 34, str(order), kind)
            if block == 0:
                made.text(400, 80 + number * 46, name, "ink")
    made.text(90, 222, "rows 0 ...", "dim small")
    made.text(470, 222, "rows 0 ...", "dim small")
    made.text(
        20,
        250,
        "The numbers are the order of work. In a pass the second system finds its rows still in the cache.",
        "dim small",
    )
    return made


def saves() -> Picture:
    made = Picture(760, 330, "A save meets a later schema: fields are matched by name")
    made.text(30, 34, "the save of release 1", "ink bold")
    made.text(480, 34, "the schema of today", "ink bold")
    rows = (
        ("hunger.level  f32", "appetite.level  f32", 'was = "hunger"', "a"),
        ("health.points  i16", "health.points  i32", "wider numbers are converted", "b"),
        ("", "appetite.rate  f32 = 0.25", "new: the default", "c"),
        ("velocity  aos", "velocity  soa", "another layout", "b"),
        ("fleas.count  u8", "", "removed: `weft check` warns before the release", "d"),
    )
    for number, (old, new, why, kind) in enumerate(rows):
        y = 54 + number * 50
        if old:
            made.label(30, y, 210, 34, old, kind, "mono ink")
        if new:
            made.label(480, y, 250, 34, new, kind, "mono ink")
        if old and new:
            made.arrow(244, y + 17, 476, y + 17)
            made.text(360, y + 11, why, "dim small", "middle")
        else:
            made.text(360 if new else 252, y + 21, why, "dim small", "middle" if new else "start")
    made.text(
        30,
        316,
        "What cannot be carried over without guessing is refused, with the name of the field.",
        "dim small",
    )
    return made


def handle() -> Picture:
    made = Picture(760, 240, "The bits of a handle: an index and a generation")
    made.text(30, 34, "a handle of 32 bits", "ink bold")
    made.label(30, 50, 250, 40, "generation: 12 bits", "c")
    made.label(284, 50, 446, 40, "index: 20 bits", "a")
    made.text(30, 108, "bit 31", "dim small")
    made.text(730, 108, "bit 0", "dim small", "end")
    made.text(30, 142, "records", "ink bold")
    for number, (generation, row) in enumerate(
        (("1", "table 0, row 4"), ("3", "table 2, row 0"), ("2", "free"))
    ):
        x = 110 + number * 208
        made.label(x, 122, 40, 32, generation, "c", "mono ink")
        made.label(x + 42, 122, 152, 32, row, "box")
        made.text(x + 96, 172, f"index {number}", "dim small", "middle")
    made.text(
        30,
        204,
        "The index finds the record. The handle is alive if its generation equals that of the record.",
        "dim small",
    )
    made.text(
        30,
        224,
        "A despawn raises the generation of the record, so every copy of the handle is refused from then on.",
        "dim small",
    )
    return made


PICTURES = {
    "phase": phase,
    "turns": turns,
    "table": table,
    "pass": fused,
    "saves": saves,
    "handle": handle,
}


def drawn() -> dict[str, str]:
    """Returns the text of each file."""
    return {f"{name}.svg": draw().svg() for name, draw in PICTURES.items()}


if __name__ == "__main__":
    for name, text in drawn().items():
        Path(__file__).with_name(name).write_text(text, encoding="utf-8")
