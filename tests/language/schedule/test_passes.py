"""A pass consists of systems that find each other's bytes in the cache, which requires tables in
which both have rows. Systems over the same columns of different tables are not joined.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from generated import model_of
from schedule import make_schedule, with_passes

WORLD = """
world = { name = "w", phases = ["go"] }
component.place = { fields = { x = "f32", y = "f32" } }
component.speed = { fields = { x = "f32", y = "f32", z = "f32" } }
component.land = { fields = { a = "f32" }, excludes = ["sea"] }
component.sea = { fields = { a = "f32" } }
"""


def passes(systems: list[tuple[str, str, str]], folder: Path) -> list[tuple[list[str], list[int]]]:
    """The systems of each pass, and how many bytes of a row each finds. A system is given as what
    it writes, what it reads, and its where."""
    lines = []
    for i, (write, read, where) in enumerate(systems):
        lists = f"write = {write.split()}, read = {read.split()}, where = {where!r}"
        lines.append(f'system.s{i} = {{ phase = "go", parallel = true, {lists} }}\n')
    file = folder / "passes.toml"
    file.write_text(WORLD + "".join(lines).replace(", where = ''", ""), encoding="utf-8")
    model = model_of(file, strict=False)
    [phase] = with_passes(model, make_schedule(model))
    return [([system.name for system in one.systems], list(one.saved)) for one in phase.passes]


@pytest.mark.parametrize(
    ("systems", "expected"),
    [
        ([("place", "", ""), ("place", "", "")], [(["s0", "s1"], [0, 8])]),
        ([("place", "land", ""), ("place", "land", "")], [(["s0", "s1"], [0, 12])]),
        ([("place", "land", ""), ("place", "sea", "")], []),
        ([("place", "", "land"), ("place", "", "sea")], []),
        ([("place", "", "!land"), ("place", "land", "")], []),
        ([("place", "", "!land"), ("place", "sea", "")], [(["s0", "s1"], [0, 8])]),
        ([("place", "", ""), ("speed", "", "")], []),
        # One between them that shares no table with either finds nothing.
        (
            [("place", "land", ""), ("place", "sea", ""), ("place", "land", "")],
            [(["s0", "s1", "s2"], [0, 0, 12])],
        ),
        # What several have touched is found once, and only what a shared table has.
        (
            [("place", "land", ""), ("speed", "sea", ""), ("place speed", "sea", "")],
            [(["s1", "s2"], [0, 16])],
        ),
        (
            [("place", "land", ""), ("place speed", "", ""), ("speed", "land", "")],
            [(["s0", "s1", "s2"], [0, 8, 16])],
        ),
    ],
)
def test_a_pass_is_of_systems_that_share_tables(
    systems: list[tuple[str, str, str]],
    expected: list[tuple[list[str], list[int]]],
    tmp_path: Path,
) -> None:
    assert passes(systems, tmp_path) == expected
