"""Every kind of edit of a schema: a save made before the edit is loaded after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from edits import CONVERTED, OWN, REFUSED, after, before
from edits.edit import Edit
from mend import mended
from probes import SAVE, WORLD, probe, refused

pytestmark = pytest.mark.xdist_group("evolution")  # they share programs


def converted(
    folder: Path, before: str, after: str, made: str, asked: str, world: str = WORLD
) -> list[str]:
    """Returns the answers of a second world that loads what was made in the first."""
    assert probe(before).tell(f"{made}\nsave {SAVE}\n", folder) == []
    return probe(after, world).tell(f"load {SAVE}\n{asked}\n", folder)


A = "[component.body.fields]\n"


# ---- the table of edits: all that saves come through in one pair of schemas


def spawned(edits: tuple[Edit, ...]) -> str:
    """A script that makes the two entities of each."""
    return f"spawn {2 * len(edits)}"


def test_saves_come_to_what_the_table_says(tmp_path: Path) -> None:
    made = "\n".join([spawned(CONVERTED), *(edit.made for edit in CONVERTED)])
    assert probe(before(CONVERTED), own=OWN).tell(f"{made}\nsave {SAVE}\n", tmp_path) == []
    asked = "\n".join(edit.asked for edit in CONVERTED if edit.asked)
    answers = iter(probe(after(CONVERTED), own=OWN).tell(f"load {SAVE}\n{asked}\n", tmp_path))
    found = {edit.id: tuple(next(answers, "") for _ in edit.answers) for edit in CONVERTED}
    assert found == {edit.id: edit.answers for edit in CONVERTED}
    assert list(answers) == []


def test_values_that_do_not_suit_are_refused(tmp_path: Path) -> None:
    for edit in CONVERTED:
        if edit.unfit:
            made = "\n".join([spawned(CONVERTED), edit.made, edit.unfit])
            assert probe(before(CONVERTED), own=OWN).tell(f"{made}\nsave {SAVE}\n", tmp_path) == []
            answers = probe(after(CONVERTED), own=OWN).tell(f"load {SAVE}\nstats\n", tmp_path)
            assert answers == [refused(edit.refusal), "0 0 0 0"]


def test_what_is_something_else_now_is_refused(tmp_path: Path) -> None:
    made = "\n".join([spawned(REFUSED), *(edit.made for edit in REFUSED)])
    assert probe(before(REFUSED)).tell(f"{made}\nsave {SAVE}\n", tmp_path) == []
    for edit in REFUSED:
        answers = probe(edit.after).tell(f"load {SAVE}\nstats\n", tmp_path)
        assert answers == [refused(edit.refusal), "0 0 0 0"]


# ---- storage and layout, each to each

SEVERAL = "spawn 4\nadd 0 body\nadd 2 body\nadd 3 body\nset 0 body.x 5\nset 2 body.x 6\n"


@pytest.mark.parametrize("was", ["", 'layout = "soa"', 'storage = "sparse"'])
@pytest.mark.parametrize("now", ["", 'layout = "soa"', 'storage = "sparse"'])
def test_storage_and_layout_change(tmp_path: Path, was: str, now: str) -> None:
    head, rest = "[component.body]\n", '[component.other.fields]\nz = "u8"\n'
    before = f'{head}{was}\n{A}x = "u8"\ny = "u16"\n{rest}'
    after = f'{head}{now}\n{A}y = "u32"\nx = "u8"\n{rest}'
    made = f"{SEVERAL}add 3 other\nset 3 other.z 8\nset 2 body.y 600"
    asked = "get 0 body.x\nget 2 body.x\nget 2 body.y\nget 3 body.x\nhas 1 body\nget 3 other.z"
    answers = ["5", "6", "600", "0", "no", "8"]
    assert converted(tmp_path, before, after, made, asked) == answers


# ---- types of the game's own, which change in C alone


def test_members_of_an_extern_change_places(tmp_path: Path) -> None:
    fields = 'a = "u16", b = "u16", c = "u32"'
    schema = (
        '[extern.pair]\nheader = "own.h"\nc = "own_pair"\nsize = 8\nalign = 4\n'
        f'fields = {{ {fields} }}\n{A}x = "pair"\ny = "pair[2]"'
    )
    was, now = (
        f"#pragma once\n#include <stdint.h>\ntypedef struct {{ {members} }} own_pair;\n"
        for members in ("uint16_t a, b; uint32_t c;", "uint32_t c; uint16_t b, a;")
    )
    paths = [f"body.{field}.{member}" for field in ("x", "y[0]", "y[1]") for member in "abc"]
    made = "".join(f"set 0 {path} {i}\n" for i, path in enumerate(paths))
    first = f"spawn 1\nadd 0 body\n{made}save {SAVE}\n"
    assert probe(schema, own=was).tell(first, tmp_path) == []
    asked = "".join(f"get 0 {path}\n" for path in paths)
    answers = probe(schema, own=now).tell(f"load {SAVE}\n{asked}", tmp_path)
    assert answers == [str(i) for i in range(len(paths))]


def test_items_of_a_list_in_an_extern_change_places(tmp_path: Path) -> None:
    schema = (
        '[extern.bag]\nheader = "own.h"\nc = "own_bag"\nsize = 8\nalign = 4\n'
        f'fields = {{ all = "u8[..2]" }}\n{A}x = "bag"'
    )
    was, now = (
        "#pragma once\n#include <stdint.h>\n"
        f"typedef struct {{ struct {{ uint32_t count; {members} }} all; }} own_bag;\n"
        for members in ("uint8_t items[2]; uint16_t kind;", "uint16_t kind; uint8_t items[2];")
    )
    made = "spawn 1\nadd 0 body\nset 0 body.x.all.count 2\n"
    made += f"set 0 body.x.all[0] 7\nset 0 body.x.all[1] 8\nsave {SAVE}\n"
    assert probe(schema, own=was).tell(made, tmp_path) == []
    asked = "get 0 body.x.all.count\nget 0 body.x.all[0]\nget 0 body.x.all[1]\n"
    assert probe(schema, own=now).tell(f"load {SAVE}\n{asked}", tmp_path) == ["2", "7", "8"]


# ---- handles

LINKS = f'{A}to = "entity"'


@pytest.mark.parametrize(("index", "generation"), [(32, 32), (20, 12), (10, 6), (4, 30)])
@pytest.mark.parametrize(("index_now", "generation_now"), [(32, 32), (20, 12), (10, 6), (4, 30)])
def test_the_width_of_handles_changes(
    tmp_path: Path, index: int, generation: int, index_now: int, generation_now: int
) -> None:
    def world(index: int, generation: int) -> str:
        bits = f"index_bits = {index}, generation_bits = {generation}"
        return f"{WORLD}entity = {{ {bits} }}\nmax_entities = 15\n"

    path = tmp_path / "evolve.save"
    made = f"spawn 3\nadd 0 body\nlink 0 body.to 2\nadd 1 body\ndespawn 1\nsave {path}\nhash\n"
    first = probe(LINKS, world(index, generation)).tell(made)
    asked = f"load {path}\nget 0 body.to\nstats\nhash\n"
    answers = probe(LINKS, world(index_now, generation_now)).tell(asked)
    assert answers[:2] == ["entity 2", "2 3 1 0"]
    assert (answers[2:] == first) == ((index, generation) == (index_now, generation_now))


@pytest.mark.parametrize("now", [(32, 32), (20, 12), (10, 12)])
def test_a_handle_that_never_was_stays_as_it_is(tmp_path: Path, now: tuple[int, int]) -> None:
    was, is_now = (
        f"{WORLD}entity = {{ index_bits = {index}, generation_bits = {generation} }}\n"
        "max_entities = 15\n"
        for index, generation in ((20, 12), now)
    )
    made = (
        f"spawn 2\nadd 0 body\nlink 0 body.to 5:0\nadd 1 body\nlink 1 body.to 2000:0\nsave {SAVE}"
    )
    assert probe(LINKS, was).tell(made, tmp_path) == []
    answers = probe(LINKS, is_now).tell(f"load {SAVE}\nget 0 body.to\nget 1 body.to", tmp_path)
    assert answers == ["entity 5", "none" if now[0] == 10 else "entity 2000"]


def test_too_many_indices_are_refused(tmp_path: Path) -> None:
    small = f"{WORLD}entity = {{ index_bits = 3, generation_bits = 8 }}\nmax_entities = 8\n"
    why = "the save has 9 entities, and max_entities is 8 now"
    answers = converted(tmp_path, LINKS, LINKS, "spawn 9", "stats", small)
    assert answers == [refused(why), "0 0 0 0"]


def test_too_many_indices_of_the_dead_are_refused(tmp_path: Path) -> None:
    small = f"{WORLD}entity = {{ index_bits = 3, generation_bits = 8 }}\nmax_entities = 8\n"
    made = "spawn 9\n" + "".join(f"despawn {i}\n" for i in range(4, 9))
    why = "the save has 9 indices, and there are 8 now; raise index_bits"
    answers = converted(tmp_path, LINKS, LINKS, made, "stats", small)
    assert answers == [refused(why), "0 0 0 0"]


@pytest.mark.parametrize("bits", [(32, 32), (16, 16)])
def test_more_indices_than_a_world_has_of_its_own_are_loaded(
    tmp_path: Path, bits: tuple[int, int]
) -> None:
    """A world of 20 entities has 4,096 indices where handles are wide, and the save has 6,000."""
    wide = f"{WORLD}entity = {{ index_bits = {bits[0]}, generation_bits = {bits[1]} }}\n"
    made = "spawn 6000\n" + "".join(f"despawn {i}\n" for i in range(5990))
    assert probe(LINKS, f"{wide}max_entities = 7000\n").tell(f"{made}save {SAVE}", tmp_path) == []
    asked = f"load {SAVE}\nstats\nspawn 10\nstats\nsave again\nload again\nstats\n"
    answers = probe(LINKS, f"{wide}max_entities = 20\n").tell(asked, tmp_path)
    assert answers == ["10 6000 5990 0", "20 6000 5980 0", "20 6000 5980 0"]


ONCE = f"{WORLD}entity = {{ index_bits = 15, generation_bits = 1 }}\nmax_entities = 15\n"


def test_a_generation_that_does_not_fit_is_refused_where_somebody_lives(tmp_path: Path) -> None:
    made = "spawn 2\ndespawn 1\nspawn 1"
    answers = converted(tmp_path, LINKS, LINKS, made, "stats", ONCE)
    why = "entity 1:2 does not fit into handles of 15 bits of index and 1 of generation"
    assert answers == [refused(why), "0 0 0 0"]


@pytest.mark.parametrize(
    ("handle", "now"),
    [("1", "entity 1"), ("32767", "entity 32767"), ("32768", "none"), ("1:2", "none")],
)
def test_a_handle_in_a_field_that_does_not_fit_is_none(
    tmp_path: Path, handle: str, now: str
) -> None:
    made = f"spawn 2\nadd 0 body\nlink 0 body.to {handle}"
    assert converted(tmp_path, LINKS, LINKS, made, "get 0 body.to", ONCE) == [now]


def test_a_handle_with_more_bits_than_there_were_does_not_become_one(tmp_path: Path) -> None:
    narrow = f"{WORLD}entity = {{ index_bits = 8, generation_bits = 4 }}\nmax_entities = 15\n"
    made = f"spawn 2\nadd 0 body\nlink 0 body.to 77:15\nsave {SAVE}"
    assert probe(LINKS, narrow).tell(made, tmp_path) == []
    save = bytearray((tmp_path / SAVE).read_bytes())
    assert save.count(b"\x4d\x0f") == 1
    at = save.index(b"\x4d\x0f") + 1
    save[at] |= 0x10  # a generation of 5 bits, which the 16 bits of a handle can hold
    (tmp_path / SAVE).write_bytes(mended(save, at))
    wide = f"{WORLD}entity = {{ index_bits = 20, generation_bits = 12 }}\nmax_entities = 15\n"
    assert probe(LINKS, wide).tell(f"load {SAVE}\nget 0 body.to", tmp_path) == ["none"]


def test_a_free_index_whose_generations_are_used_up_now_retires(tmp_path: Path) -> None:
    made = "spawn 3\ndespawn 1"
    answers = converted(tmp_path, LINKS, LINKS, made, "stats\nspawn 1\nstats", ONCE)
    assert answers == ["2 3 0 1", "3 4 0 1"]


# ---- handles whose widths follow max_entities

WIDE = f"{WORLD}entity = {{ index_bits = 32, generation_bits = 32 }}\n"
TINY = f"{WORLD}max_entities = 60\n"  # 6 + 10 bits; WORLD has 20 + 12
UNFIT = "entity {} does not fit into handles of {} bits of index and {} of generation"
FEW = "the save has {} indices, and there are {} now; raise index_bits"


@pytest.mark.parametrize(("now", "last"), [(WORLD, 4095), (TINY, 1023)], ids=["32", "16"])
def test_wide_saves_load_into_the_default(tmp_path: Path, now: str, last: int) -> None:
    """Index 3 is free with the generation behind the last one, so it retires; 4 has one left."""
    made = (
        f"spawn 3\nadd 0 body\nlink 0 body.to 7:{last}\nadd 1 body\nlink 1 body.to 7:{last + 1}\n"
        f"add 2 body\nlink 2 body.to 1048576:1\n"
        f"spawn_at 3:{last}\ndespawn 3:{last}\nspawn_at 4:{last - 1}\ndespawn 4:{last - 1}\n"
        f"stats\nsave {SAVE}"
    )
    assert probe(LINKS, WIDE).tell(made, tmp_path) == ["3 5 2 0"]
    links = "".join(f"get {i} body.to\n" for i in range(3))
    asked = f"load {SAVE}\n{links}stats\nspawn 1\nadd 4:{last} body\nspawn 1\nstats\nsave {SAVE}"
    answers = ["entity 7", "none", "none", "3 5 1 1", "5 6 0 1"]
    assert probe(LINKS, now).tell(asked, tmp_path) == answers
    back = probe(LINKS, WIDE).tell(f"load {SAVE}\n{links}stats\nspawn 1\nstats", tmp_path)
    assert back == ["entity 7", "none", "none", "5 6 0 1", "6 7 0 1"]  # once retired, retired


@pytest.mark.parametrize(
    ("now", "alive", "why"),
    [
        (WORLD, "3:4096", UNFIT.format("3:4096", 20, 12)),
        (WORLD, "1048576:1", FEW.format(1048577, 1048576)),
        (TINY, "3:1024", UNFIT.format("3:1024", 6, 10)),
        (TINY, "64:1", FEW.format(65, 64)),
    ],
)
def test_wide_saves_are_refused_if_the_default_cannot_hold_who_lives(
    tmp_path: Path, now: str, alive: str, why: str
) -> None:
    made = f"spawn_at {alive}\nsave {SAVE}"
    assert probe(LINKS, WIDE).tell(made, tmp_path) == []
    answers = probe(LINKS, now).tell(f"load {SAVE}\nstats", tmp_path)
    assert answers == [refused(why), "0 0 0 0"]


# ---- same schema


def test_a_save_comes_back_as_it_was(tmp_path: Path) -> None:
    schema = f'[enum.job]\nvalues = ["idle", "dig"]\n{A}job = "job"\ntext = "char[6]"\n'
    schema += 'list = "u16[..4]"\nto = "entity"\n'
    schema += '[component.heat]\nstorage = "sparse"\n[component.heat.fields]\nt = "f32"\n'
    schema += '[component.mark]\n[singleton.day.fields]\nd = "u8"\n'
    made = "spawn 9\n" + "".join(f"add {i} body\ntext {i} body.job dig\n" for i in (1, 4, 8))
    made += "add 4 heat\nset 4 heat.t 1.5\nadd 1 heat\nadd 2 mark\ndespawn 3\ndespawn 8\n"
    path = tmp_path / "evolve.save"
    before = probe(schema).tell(f"{made}hash\nsave {path}\nspawn 3\nadd 3 body\nhash\n")
    after = probe(schema).tell(f"spawn 20\nload {path}\nhash\nspawn 3\nadd 3 body\nhash\n")
    assert after == before
