"""Names that were given to something else: older saves would be read into the wrong place, so
`check` reports an error.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from lock_files import Recorded, codegen
from probes import SAVE, WORLD, probe

pytestmark = pytest.mark.xdist_group("evolution")  # they share programs

BODY = "[component.body.fields]\n"

FIRST = f"""\
{BODY}x = "u8"
[enum.job]
values = ["idle", "haul"]
[component.worker.fields]
job = "job"
[component.mark.fields]
n = "u8"
"""
MADE = "spawn 1\nadd 0 body\nset 0 body.x 5\nadd 0 worker\ntext 0 worker.job haul\nadd 0 mark\n"


@pytest.fixture
def world(tmp_path: Path) -> Recorded:
    return Recorded(tmp_path, WORLD)


@dataclass(frozen=True)
class Reuse:
    """A name of the first schema: what has it there, what that became, who has it in the third."""

    first: str
    renamed: str
    reused: str
    what: str
    asked: str  # of who has the name now: it has what was in the save
    asked_renamed: str
    answer: str


REUSES = (
    Reuse(
        'x = "u8"', 'y = { type = "u8", was = "x" }', 'y = "u8"\nx = "f32"',
        "field 'x' of component 'body' is not the 'x' that was renamed to 'y'",
        "get 0 body.x", "get 0 body.y", "5",
    ),
    Reuse(
        '"haul"', '{ name = "carry", was = "haul" }', '"haul", "carry"',
        "value 'haul' of enum 'job' is not the 'haul' that was renamed to 'carry'",
        "get 0 worker.job", "get 0 worker.job", "haul",
    ),
    Reuse(
        "[component.mark.fields]", '[component.dot]\nwas = "mark"\n[component.dot.fields]',
        '[component.dot.fields]\nn = "u8"\n[component.mark.fields]',
        "component 'mark' is not the 'mark' that was renamed to 'dot'",
        "has 0 mark", "has 0 dot", "yes",
    ),
)  # fmt: skip
LOST = replace(REUSES[0], reused='x = "u8"')  # y is lost as well


@pytest.mark.parametrize("reuse", [*REUSES, LOST], ids=["field", "value", "component", "lost"])
def test_a_name_that_was_given_to_something_else_is_an_error(world: Recorded, reuse: Reuse) -> None:
    world.lock(FIRST)
    world.lock(FIRST.replace(reuse.first, reuse.renamed))
    world.write(FIRST.replace(reuse.first, reuse.reused))
    done = codegen("check", world.schema, "--saves")
    assert done.returncode == 1
    misread = [line for line in done.stderr.splitlines() if "[save-misread]" in line]
    assert len(misread) == 1
    assert f"error: {reuse.what}: saves of release 1 load the old" in misread[0]
    assert "a save of release 1 is misread\n" in done.stdout
    assert codegen("lock", world.schema).returncode == 1 and world.releases() == ["1", "2"]


def test_saves_are_misread_as_was_said(tmp_path: Path) -> None:
    second = third = FIRST
    for reuse in REUSES:
        second = second.replace(reuse.first, reuse.renamed)
        third = third.replace(reuse.first, reuse.reused)
    assert probe(FIRST).tell(f"{MADE}save {SAVE}\n", tmp_path) == []
    asked = "\n".join(reuse.asked_renamed for reuse in REUSES)
    meant = ["carry" if reuse.answer == "haul" else reuse.answer for reuse in REUSES]
    assert probe(second).tell(f"load {SAVE}\n{asked}\n", tmp_path) == meant
    asked = "\n".join(reuse.asked for reuse in REUSES)
    answers = [reuse.answer for reuse in REUSES]
    assert probe(third).tell(f"load {SAVE}\n{asked}\n", tmp_path) == answers


def test_a_name_that_came_back_is_itself(world: Recorded) -> None:
    world.lock(BODY + 'x = "u8"')
    world.lock(BODY + 'y = { type = "u8", was = "x" }')
    world.write(BODY + 'x = { type = "u8", was = "y" }')
    assert codegen("check", world.schema).stderr == ""
    world.add()
    world.write(BODY + 'x = "u8"')
    lost = "field 'y' of component 'body' was removed: saves of release 2 lose it"
    done = codegen("check", world.schema)
    assert done.returncode == 0 and lost in done.stderr and "misread" not in done.stderr
