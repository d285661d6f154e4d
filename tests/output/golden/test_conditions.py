"""No compiler warns about the C code of `where` and `when`, whatever their shape.

test_filters.py checks that the code is right. Here every kind of reader gets random expressions of
every operator, over everything that they can test.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from check import check
from compilers import DEMANDING
from emit.emit import render
from examples import long_after
from generated import write_files, write_whole
from parse import parse
from plan import make_plan
from source.source import Report
from toml_text import Table, toml

READERS = 48

FIELDS = {"fields": {"x": "f32"}}
NAMES = ("aos", "soa", "tag", "mark", "rare", "few")
HAS = [*NAMES, "tree"]
ASKED = [
    *HAS,
    *("root(tree)", "leaf(tree)"),
    *(f"{kind}({name})" for kind in ("added", "removed") for name in HAS),
    *(f"changed({name})" for name in ("aos", "soa", "rare", "few", "tree", "clock")),
]
WHEN = ["game == menu", "game == play", "pause == on", "changed(clock)", "changed(score)"]


def expression(dice: random.Random, atoms: list[str], depth: int) -> str:
    if depth == 0 or dice.random() < 0.2:
        return dice.choice(atoms)
    op, inside = dice.choice("!&|^&|"), depth - 1
    if op == "!":
        return f"!({expression(dice, atoms, inside)})"
    count = dice.choice((2, 2, 3))
    return f" {op} ".join(f"({expression(dice, atoms, inside)})" for _ in range(count))


def asking(dice: random.Random, atoms: list[str]) -> str:
    """Is about few things usually, so that its parts meet."""
    count = min(dice.choice((1, 2, 3, 6)), len(atoms))
    return expression(dice, dice.sample(atoms, count), dice.choice((1, 2, 3)))


def document(dice: random.Random) -> Table:
    made: Table = {
        "world": {"name": "w", "phases": ["p"]},
        "state": {"game": {"values": ["menu", "play"]}, "pause": {"values": ["off", "on"]}},
        "component": {
            "aos": FIELDS,
            "soa": {**FIELDS, "layout": "soa"},
            "tag": {},
            "mark": {},
            "rare": {**FIELDS, "storage": "sparse"},
            "few": {**FIELDS, "storage": "sparse"},
        },
        "singleton": {"clock": FIELDS, "score": FIELDS},
        "relation": {"tree": {"on_parent_despawn": "detach"}},
        **{kind: {} for kind in ("query", "listener", "index", "system")},
    }
    for i in range(READERS):
        where = {"where": asking(dice, ASKED), "rows": dice.choice(("mask", "runs", "list"))}
        kind = ("query", "query", "system", "system", "listener", "index")[i % 6]
        if kind == "index":
            where = {"of": "aos", "ordered": "x", "where": asking(dice, HAS)}
        elif dice.random() < 0.7:
            where["read"] = dice.sample(["aos", "soa"], dice.choice((1, 2)))
        if kind == "system":
            where |= {"phase": "p", "when": asking(dice, WHEN)}
        made[kind][f"{kind}{i}"] = where
    return made


def files_of(made: Table, file: Path) -> dict[str, str]:
    """Generates it without the readers that check refuses, for instance since none can match."""
    while True:
        file.write_bytes(toml(made))
        report = Report()
        parsed = parse(str(file), report)
        check(parsed, report)
        if not report.errors:
            return render(make_plan(parsed.model))
        lines = file.read_text(encoding="utf-8").split("\n")
        for found in report.diagnostics():
            heads = [line for line in lines[: found.place.line] if line.startswith("[")]
            kind, name = (word.strip('"') for word in heads[-1].strip("[]").split("."))
            refused: Any = made[kind].pop(name, None) if found.severity == "error" else None
            assert refused is None or kind in ("query", "listener", "index", "system")


@pytest.mark.parametrize("seed", long_after(1, range(10)))
def test_no_compiler_warns(seed: int, tmp_path: Path) -> None:
    made = document(random.Random(seed))
    folder = write_files(files_of(made, tmp_path / "s.toml"), tmp_path) / "w"
    assert sum(len(made[kind]) for kind in ("query", "listener", "index", "system")) > READERS / 2
    for compiler in DEMANDING:
        is_c = compiler.language[-1] != "c++"
        assert compiler.run([write_whole(folder) if is_c else folder / "w.h"], [folder]) == ""
