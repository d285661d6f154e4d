"""Every kind of edit of a schema: a part that was saved before the edit is loaded after it.

The entities of a part are copied, or they left the world and return. A world whose entities are
away is saved too, so that a program with the later schema knows them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from edits import CONVERTED, OWN, REFUSED, after, before
from edits.edit import Edit
from probes import SAVE, WORLD, probe, refused

# They share programs with test_evolution.py.
pytestmark = pytest.mark.xdist_group("evolution")

ALONE = "alone.save"  # the world without the entities that are away
SAVED = {"copies": f"part_save {SAVE}\n", "away": f"part_away {SAVE}\nsave {ALONE}\n"}
LOADED = {"copies": f"part_load {SAVE}\n", "away": f"load {ALONE}\npart_load {SAVE}\n"}
NOT_OF_PARTS = ("singleton", "state")  # they are of the world itself, whose save keeps them

both = pytest.mark.parametrize("way", list(SAVED))


def of_parts(edits: Iterable[Edit], way: str) -> list[Edit]:
    return [edit for edit in edits if way == "away" or not edit.id.startswith(NOT_OF_PARTS)]


def converted(
    folder: Path,
    way: str,
    before: str,
    after: str,
    made: str,
    asked: str,
    was: str = WORLD,
    now: str = WORLD,
) -> list[str]:
    """Returns the answers of a second world that loads what left the first."""
    assert probe(before, was).tell(f"{made}\n{SAVED[way]}", folder) == []
    return probe(after, now).tell(f"{LOADED[way]}{asked}\n", folder)


# ---- the table of edits


def spawned(edits: tuple[Edit, ...]) -> str:
    """A script that makes the two entities of each."""
    return f"spawn {2 * len(edits)}"


@both
def test_parts_come_to_what_the_table_says(tmp_path: Path, way: str) -> None:
    made = "\n".join([spawned(CONVERTED), *(edit.made for edit in CONVERTED)])
    assert probe(before(CONVERTED), own=OWN).tell(f"{made}\n{SAVED[way]}", tmp_path) == []
    some = of_parts(CONVERTED, way)
    assert len(some) > 60
    asked = "\n".join(edit.asked for edit in some if edit.asked)
    answers = iter(probe(after(CONVERTED), own=OWN).tell(f"{LOADED[way]}{asked}\n", tmp_path))
    found = {edit.id: tuple(next(answers, "") for _ in edit.answers) for edit in some}
    assert found == {edit.id: edit.answers for edit in some}
    assert list(answers) == []


@both
def test_values_that_do_not_suit_are_refused(tmp_path: Path, way: str) -> None:
    for edit in of_parts(CONVERTED, "copies"):
        if edit.unfit:
            made = "\n".join([spawned(CONVERTED), edit.made, edit.unfit])
            first = probe(before(CONVERTED), own=OWN)
            assert first.tell(f"{made}\n{SAVED[way]}", tmp_path) == []
            answers = probe(after(CONVERTED), own=OWN).tell(f"{LOADED[way]}stats\n", tmp_path)
            assert answers[0] == refused(edit.refusal)
            assert answers[1].startswith("0 ")  # and nothing has changed, which the probe compares
            assert len(answers) == 2


def test_what_is_something_else_now_is_refused(tmp_path: Path) -> None:
    made = "\n".join([spawned(REFUSED), *(edit.made for edit in REFUSED)])
    assert probe(before(REFUSED)).tell(f"{made}\n{SAVED['copies']}", tmp_path) == []
    some = of_parts(REFUSED, "copies")
    assert len(some) > 3
    for edit in some:
        answers = probe(edit.after).tell(f"{LOADED['copies']}stats\n", tmp_path)
        assert answers == [refused(edit.refusal), "0 0 0 0"]


# ---- storage and layout, each to each

A = "[component.body.fields]\n"
SEVERAL = "spawn 4\nadd 0 body\nadd 2 body\nadd 3 body\nset 0 body.x 5\nset 2 body.x 6\n"


@both
@pytest.mark.parametrize("was", ["", 'layout = "soa"', 'storage = "sparse"'])
@pytest.mark.parametrize("now", ["", 'layout = "soa"', 'storage = "sparse"'])
def test_storage_and_layout_change(tmp_path: Path, way: str, was: str, now: str) -> None:
    head, rest = "[component.body]\n", '[component.other.fields]\nz = "u8"\n'
    before = f'{head}{was}\n{A}x = "u8"\ny = "u16"\n{rest}'
    after = f'{head}{now}\n{A}y = "u32"\nx = "u8"\n{rest}'
    made = f"{SEVERAL}add 3 other\nset 3 other.z 8\nset 2 body.y 600"
    asked = "get 0 body.x\nget 2 body.x\nget 2 body.y\nget 3 body.x\nhas 1 body\nget 3 other.z"
    answers = ["5", "6", "600", "0", "no", "8"]
    assert converted(tmp_path, way, before, after, made, asked) == answers


# ---- handles

LINKS = f'{A}to = "entity"'
WIDTHS = [(32, 32), (20, 12), (10, 6), (4, 30)]


def of_width(index: int, generation: int, most: int = 15) -> str:
    bits = f"index_bits = {index}, generation_bits = {generation}"
    return f"{WORLD}entity = {{ {bits} }}\nmax_entities = {most}\n"


@pytest.mark.parametrize("was", WIDTHS)
@pytest.mark.parametrize("now", WIDTHS)
def test_the_width_of_handles_changes(
    tmp_path: Path, was: tuple[int, int], now: tuple[int, int]
) -> None:
    made = "spawn 3\nadd 0 body\nlink 0 body.to 2\nadd 1 body\ndespawn 1"
    asked = "stats\nget 0 body.to\nhas 1 body"
    args = (LINKS, LINKS, made, asked, of_width(*was), of_width(*now))
    assert converted(tmp_path, "away", *args)[:2] == ["2 3 1 0", "entity 2"]
    # A part contains no dead entity, so the copies have the indices 0 and 1.
    assert converted(tmp_path, "copies", *args)[:2] == ["2 2 0 0", "entity 1"]


@pytest.mark.parametrize("now", [(32, 32), (20, 12), (10, 12)])
def test_a_handle_of_nobody_stays_or_becomes_none(tmp_path: Path, now: tuple[int, int]) -> None:
    made = "spawn 2\nadd 0 body\nlink 0 body.to 5:0\nadd 1 body\nlink 1 body.to 2000:0"
    asked = "get 0 body.to\nget 1 body.to"
    args = (LINKS, LINKS, made, asked, of_width(20, 12), of_width(*now))
    far = "none" if now[0] == 10 else "entity 2000"
    assert converted(tmp_path, "away", *args) == ["entity 5", far]
    assert converted(tmp_path, "copies", *args) == ["none", "none"]


UNFIT = "entity {} does not fit into handles of {} bits of index and {} of generation"
FEW = "the save has {} indices, and there are {} now; raise index_bits"


@pytest.mark.parametrize(
    ("now", "alive", "why"),
    [
        (of_width(20, 12), "3:4096", UNFIT.format("3:4096", 20, 12)),
        (of_width(20, 12), "1048576:1", FEW.format(1048577, 1048576)),
        (of_width(6, 10), "3:1024", UNFIT.format("3:1024", 6, 10)),
        (of_width(6, 10), "64:1", FEW.format(65, 64)),
    ],
)
def test_parts_are_refused_if_handles_do_not_fit(
    tmp_path: Path, now: str, alive: str, why: str
) -> None:
    made = f"spawn_at {alive}"
    was = f"{WORLD}entity = {{ index_bits = 32, generation_bits = 32 }}\n"
    answers = converted(tmp_path, "copies", LINKS, LINKS, made, "stats", was, now)
    assert answers == [refused(why), "0 0 0 0"]


def test_too_many_entities_are_refused(tmp_path: Path) -> None:
    why = "the save has 9 entities, and max_entities is 8 now"
    was, now = of_width(10, 6), of_width(10, 6, 8)
    answers = converted(tmp_path, "copies", LINKS, LINKS, "spawn 9", "stats", was, now)
    assert answers == [refused(why), "0 0 0 0"]


def test_a_part_returns_to_an_index_that_only_a_large_save_has_brought(tmp_path: Path) -> None:
    """A world of 20,000 entities has 80,000 indices of its own, and the save has 1,100,000."""
    schema = f'{A}text = "char[64]"'
    spawned = "spawn 16000\n" + "".join(f"add {i} body\n" for i in range(16000))
    made = f"{spawned}spawn_at 1099999:1\nsave big.save"
    assert probe(schema, of_width(32, 32, 300_000)).tell(made, tmp_path) == []
    dead = "".join(f"despawn {i}\n" for i in range(16000))
    asked = f"load big.save\n{dead}part_away {SAVE}\npart_load {SAVE}\nstats"
    answers = probe(schema, of_width(32, 32, 20_000)).tell(asked, tmp_path)
    assert answers == ["1 16001 16000 0"]
    assert (tmp_path / SAVE).stat().st_size < 1000
