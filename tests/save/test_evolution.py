"""Every kind of edit of a schema: a save made before it, loaded after it."""

from __future__ import annotations

from pathlib import Path

import pytest

from probes import WORLD, probe


def carried(
    folder: Path, before: str, after: str, made: str, asked: str, world: str = WORLD
) -> list[str]:
    """What the second world answers that loads what was made in the first."""
    path = folder / "evolve.save"
    assert probe(before).tell(f"{made}\nsave {path}\n") == []
    return probe(after, world).tell(f"load {path}\n{asked}\n")


A = "[component.body.fields]\n"
ONE = "spawn 1\nadd 0 body\n"


# ---- fields


@pytest.mark.parametrize(
    ("before", "after", "made", "asked", "answers"),
    [
        pytest.param('x = "i32"', 'x = "i32"\ny = { type = "u8", default = 7 }',
                     "set 0 body.x -5", "get 0 body.x\nget 0 body.y", ["-5", "7"], id="added"),
        pytest.param('x = "i32"\ny = "u8"', 'y = "u8"', "set 0 body.y 9",
                     "get 0 body.y", ["9"], id="removed"),
        pytest.param('x = "u8"\ny = "f64"\nz = "u16"', 'z = "u16"\nx = "u8"\ny = "f64"',
                     "set 0 body.x 1\nset 0 body.y 2.5\nset 0 body.z 3",
                     "get 0 body.x\nget 0 body.y\nget 0 body.z", ["1", "2.5", "3"],
                     id="reordered"),
        pytest.param('x = "i32"', 'left = { type = "i32", was = "x" }', "set 0 body.x 5",
                     "get 0 body.left", ["5"], id="renamed"),
        pytest.param('x = "u8[2]"', 'x = { type = "u8[4]", default = [1, 2, 3, 4] }',
                     "set 0 body.x[0] 9\nset 0 body.x[1] 8",
                     "get 0 body.x[0]\nget 0 body.x[1]\nget 0 body.x[2]\nget 0 body.x[3]",
                     ["9", "8", "3", "4"], id="array-grown"),
        pytest.param('x = "u8[4]"', 'x = "u8[2]"', "set 0 body.x[1] 8\nset 0 body.x[3] 7",
                     "get 0 body.x[0]\nget 0 body.x[1]", ["0", "8"], id="array-shrunk"),
        pytest.param('x = "u16[..2]"', 'x = "u16[..9]"',
                     "set 0 body.x.count 2\nset 0 body.x[1] 300",
                     "get 0 body.x.count\nget 0 body.x[1]", ["2", "300"], id="list-grown"),
        pytest.param('x = "u16[..9]"', 'x = "u32[..2]"',
                     "set 0 body.x.count 2\nset 0 body.x[1] 300",
                     "get 0 body.x.count\nget 0 body.x[1]", ["2", "300"], id="list-shrunk"),
        pytest.param('x = "char[16]"', 'x = "char[4]"', "text 0 body.x abc", "get 0 body.x",
                     ["abc"], id="text-shrunk"),
        pytest.param('x = "char[4]"', 'x = "char[40]"', "text 0 body.x abc", "get 0 body.x",
                     ["abc"], id="text-grown"),
        pytest.param('x = "u8"', 'x = { type = "u8", save = false, default = 4 }',
                     "set 0 body.x 9", "get 0 body.x", ["4"], id="not-saved-any-more"),
        pytest.param('x = { type = "u8", save = false, default = 4 }', 'x = "u8"',
                     "set 0 body.x 9", "get 0 body.x", ["0"], id="was-not-saved"),
    ],
)  # fmt: skip
def test_fields(
    tmp_path: Path, before: str, after: str, made: str, asked: str, answers: list[str]
) -> None:
    assert carried(tmp_path, A + before, A + after, ONE + made, asked) == answers


@pytest.mark.parametrize(
    ("was", "value", "now", "answer"),
    [
        ("u8", "255", "u64", "255"),
        ("i8", "-128", "i64", "-128"),
        ("i64", "-128", "i8", "-128"),
        ("u32", "65535", "u16", "65535"),
        ("u16", "127", "i8", "127"),
        ("i32", "127", "u8", "127"),
        ("bool", "1", "u8", "1"),
        ("u8", "1", "bool", "1"),
        ("u32", "16777216", "f32", "16777216"),
        ("f64", "-3", "i8", "-3"),
        ("f32", "0.5", "f64", "0.5"),
        ("f64", "0.1", "f32", "0.10000000149011612"),
    ],
)
def test_numbers_that_fit(tmp_path: Path, was: str, value: str, now: str, answer: str) -> None:
    made = f"{ONE}set 0 body.x {value}"
    asked = carried(tmp_path, f'{A}x = "{was}"', f'{A}x = "{now}"', made, "get 0 body.x")
    assert asked == [answer]


@pytest.mark.parametrize(
    ("was", "value", "now"),
    [
        ("u16", "256", "u8"),
        ("i8", "-1", "u64"),
        ("u8", "128", "i8"),
        ("i16", "-129", "i8"),
        ("u8", "2", "bool"),
        ("u32", "16777217", "f32"),
        ("f64", "1.5", "i32"),
        ("f64", "1e300", "f32"),
        ("f64", "1e300", "u64"),
    ],
)
def test_numbers_that_do_not_fit(tmp_path: Path, was: str, value: str, now: str) -> None:
    made = f"{ONE}set 0 body.x {value}"
    answers = carried(tmp_path, f'{A}x = "{was}"', f'{A}x = "{now}"', made, "stats")
    assert answers == [
        "the schema cannot take that save: the save cannot be carried over: field 'x' of component "
        f"'body' holds a number of type {was} that {now} cannot hold",
        "0 0 0 0",
    ]


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ('x = "u8"', 'x = "entity"', "was u8 in the save and is entity now"),
        ('x = "u8"', 'x = "u8[2]"', "was u8 in the save and is u8[2] now"),
        ('x = "u8[2]"', 'x = "u8[..2]"', "was u8[2] in the save and is u8[..2] now"),
        ('x = "char[2]"', 'x = "u8[2]"', "was char[2] in the save and is u8[2] now"),
    ],
)
def test_what_is_something_else_now_is_refused(
    tmp_path: Path, before: str, after: str, words: str
) -> None:
    answers = carried(tmp_path, A + before, A + after, ONE, "")
    assert answers == [
        "the schema cannot take that save: the save cannot be carried over: field 'x' of component "
        f"'body' {words}, which values cannot be carried over to; give the new field another name"
    ]


def test_a_list_or_text_that_is_too_long_is_refused(tmp_path: Path) -> None:
    start = "the schema cannot take that save: the save cannot be carried over: "
    made = f"{ONE}set 0 body.x.count 3"
    answers = carried(tmp_path, f'{A}x = "u8[..4]"', f'{A}x = "u8[..2]"', made, "")
    words = "field 'x' of component 'body' has 3 items, and there is room for 2 now"
    assert answers == [start + words]
    made = f"{ONE}text 0 body.x abcd"
    answers = carried(tmp_path, f'{A}x = "char[8]"', f'{A}x = "char[4]"', made, "")
    words = "field 'x' of component 'body' has 4 bytes, and there is room for 3 now"
    assert answers == [start + words]


# ---- enums and structs

JOB = '[enum.job]\nvalues = ["idle", "dig", "haul"]\n' + A + 'job = "job"'


@pytest.mark.parametrize(
    ("values", "answer"),
    [
        ('["haul", "idle", "dig"]', "haul"),
        ('["idle", "haul"]', "haul"),
        ('["rest", "idle", "dig", "haul", "sing"]', "haul"),
        ('["idle", "dig", { name = "carry", was = "haul" }]', "carry"),
    ],
)
def test_values_of_an_enum_go_by_name(tmp_path: Path, values: str, answer: str) -> None:
    after = f'[enum.work]\ntype = "u32"\nvalues = {values}\n{A}job = "work"'
    made = f"{ONE}text 0 body.job haul"
    assert carried(tmp_path, JOB, after, made, "get 0 body.job") == [answer]


def test_a_removed_value_that_is_in_use_is_refused(tmp_path: Path) -> None:
    after = '[enum.job]\nvalues = ["idle", "dig"]\n' + A + 'job = "job"'
    made = f"{ONE}text 0 body.job haul"
    assert carried(tmp_path, JOB, after, made, "") == [
        "the schema cannot take that save: the save cannot be carried over: field 'job' of "
        "component 'body' is 'haul', which enum 'job' does not have any more"
    ]


def test_structs_change_inside(tmp_path: Path) -> None:
    before = '[struct.p.fields]\nx = "u8"\ny = "u16"\n'
    after = '[struct.q.fields]\ny = "u32"\nz = { type = "u8", default = 6 }\nx = "u8"\n'
    fields = '{A}one = "{s}"\nmany = "{s}[2]"\nlist = "{s}[..3]"'
    made = (
        f"{ONE}set 0 body.one.y 300\nset 0 body.many[1].y 301\n"
        "set 0 body.list.count 2\nset 0 body.list[1].x 5"
    )
    asked = (
        "get 0 body.one.y\nget 0 body.one.z\nget 0 body.many[1].y\nget 0 body.many[1].z\n"
        "get 0 body.list.count\nget 0 body.list[1].x\nget 0 body.list[1].z"
    )
    answers = carried(
        tmp_path,
        before + fields.format(A=A, s="p"),
        after + fields.format(A=A, s="q"),
        made,
        asked,
    )
    assert answers == ["300", "6", "301", "6", "2", "5", "6"]


# ---- components, tags, singletons

SEVERAL = "spawn 4\nadd 0 body\nadd 2 body\nadd 3 body\nset 0 body.x 5\nset 2 body.x 6\n"


def test_components_come_go_and_are_renamed(tmp_path: Path) -> None:
    before = f'{A}x = "u8"\n[component.gone.fields]\ny = "u8"\n[component.mark]\n'
    after = '[component.fresh.fields]\nz = "u8"\n[component.frame]\nwas = "body"\n'
    after += '[component.frame.fields]\nx = "u8"\n[component.flag]\nwas = "mark"\n'
    made = f"{SEVERAL}add 0 gone\nadd 1 gone\nadd 3 mark"
    asked = "get 0 frame.x\nget 2 frame.x\nhas 1 frame\nhas 3 flag\nhas 2 flag\nhas 0 fresh\nstats"
    assert carried(tmp_path, before, after, made, asked) == [
        "5", "6", "no", "yes", "no", "no", "4 4 0 0",
    ]  # fmt: skip


@pytest.mark.parametrize("was", ["", 'layout = "soa"', 'storage = "sparse"'])
@pytest.mark.parametrize("now", ["", 'layout = "soa"', 'storage = "sparse"'])
def test_storage_and_layout_change(tmp_path: Path, was: str, now: str) -> None:
    head, rest = "[component.body]\n", '[component.other.fields]\nz = "u8"\n'
    before = f'{head}{was}\n{A}x = "u8"\ny = "u16"\n{rest}'
    after = f'{head}{now}\n{A}y = "u32"\nx = "u8"\n{rest}'
    made = f"{SEVERAL}add 3 other\nset 3 other.z 8\nset 2 body.y 600"
    asked = "get 0 body.x\nget 2 body.x\nget 2 body.y\nget 3 body.x\nhas 1 body\nget 3 other.z"
    answers = ["5", "6", "600", "0", "no", "8"]
    assert carried(tmp_path, before, after, made, asked) == answers


def test_a_tag_gets_fields_and_a_component_loses_all(tmp_path: Path) -> None:
    tag, full = "[component.body]\n", f'{A}x = {{ type = "u8", default = 3 }}\n'
    made = "spawn 2\nadd 1 body"
    answers = carried(tmp_path, tag, full, made, "has 0 body\nget 1 body.x")
    assert answers == ["no", "3"]
    assert carried(tmp_path, full, tag, made, "has 0 body\nhas 1 body") == ["no", "yes"]


def test_what_is_required_now_comes_along(tmp_path: Path) -> None:
    before = f'{A}x = "u8"\n[component.mark]\n[component.place.fields]\nz = "u8"\n'
    after = before.replace("[component.mark]\n", '[component.mark]\nrequires = ["place"]\n')
    after = after.replace('z = "u8"', 'z = { type = "u8", default = 4 }')
    made = f"{SEVERAL}add 3 mark"
    asked = "get 3 place.z\nhas 2 place\nget 2 body.x"
    assert carried(tmp_path, before, after, made, asked) == ["4", "no", "6"]


def test_what_is_excluded_now_is_refused(tmp_path: Path) -> None:
    before = f'{A}x = "u8"\n[component.mark]\n'
    after = before + 'excludes = ["body"]\n'
    assert carried(tmp_path, before, after, f"{SEVERAL}add 3 mark", "") == [
        "the schema cannot take that save: the save has entities with both 'body' and 'mark', "
        "which exclude each other now"
    ]


def test_save_false(tmp_path: Path) -> None:
    before = f'{A}x = "u8"\n[component.mark]\n[singleton.day.fields]\nd = "u8"\n'
    after = "[component.body]\nsave = false\n[component.body.fields]\n"
    after += 'x = { type = "u8", default = 2 }\n'
    after += "[component.mark]\nsave = false\n[singleton.day]\nsave = false\n"
    after += '[singleton.day.fields]\nd = { type = "u8", default = 1 }\n'
    made = f"{SEVERAL}add 3 mark\nset - day.d 9"
    asked = "get 2 body.x\nhas 1 body\nhas 3 mark\nget - day.d"
    assert carried(tmp_path, before, after, made, asked) == ["2", "no", "no", "1"]
    made = f"{SEVERAL.replace('5', '7')}add 3 mark\nset - day.d 9"
    assert carried(tmp_path, after, before, made, asked) == ["0", "no", "no", "0"]
    assert carried(tmp_path, after, after, made, asked) == ["2", "no", "no", "1"]


def test_singletons_come_go_and_are_renamed(tmp_path: Path) -> None:
    before = '[singleton.day.fields]\nd = "u8"\n[singleton.gone.fields]\ne = "u8"\n'
    after = '[singleton.fresh.fields]\nf = { type = "u8", default = 3 }\n[singleton.date]\n'
    after += 'was = "day"\n[singleton.date.fields]\nd = "u16"\n'
    made = "set - day.d 200\nset - gone.e 1"
    answers = carried(tmp_path, before, after, made, "get - date.d\nget - fresh.f")
    assert answers == ["200", "3"]


def test_relations_come_back_and_are_renamed(tmp_path: Path) -> None:
    before = '[relation.below]\non_parent_despawn = "detach"\n'
    after = '[relation.under]\nwas = "below"\non_parent_despawn = "detach"\n'
    made = "spawn 4\nattach 2 1\nattach 3 1\nattach 1 0"
    answers = carried(tmp_path, before, after, made, "parent 2\nparent 3\nparent 1")
    assert answers == ["entity 1", "entity 1", "entity 0"]


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


def test_too_many_indices_are_refused(tmp_path: Path) -> None:
    small = f"{WORLD}entity = {{ index_bits = 3, generation_bits = 8 }}\nmax_entities = 8\n"
    assert carried(tmp_path, LINKS, LINKS, "spawn 9", "stats", small) == [
        "the schema cannot take that save: the save has 9 entities, and max_entities is 8 now",
        "0 0 0 0",
    ]


# ---- same schema


def test_a_save_comes_back_as_it_was(tmp_path: Path) -> None:
    schema = f'{JOB}\ntext = "char[6]"\nlist = "u16[..4]"\nto = "entity"\n'
    schema += '[component.heat]\nstorage = "sparse"\n[component.heat.fields]\nt = "f32"\n'
    schema += '[component.mark]\n[singleton.day.fields]\nd = "u8"\n'
    made = "spawn 9\n" + "".join(f"add {i} body\ntext {i} body.job dig\n" for i in (1, 4, 8))
    made += "add 4 heat\nset 4 heat.t 1.5\nadd 1 heat\nadd 2 mark\ndespawn 3\ndespawn 8\n"
    path = tmp_path / "evolve.save"
    before = probe(schema).tell(f"{made}hash\nsave {path}\nspawn 3\nadd 3 body\nhash\n")
    after = probe(schema).tell(f"spawn 20\nload {path}\nhash\nspawn 3\nadd 3 body\nhash\n")
    assert after == before


def test_paths_that_cannot_be_are_said_in_words(tmp_path: Path) -> None:
    start = "a file cannot be read or written: the save "
    none = tmp_path / "no" / "evolve.save"
    assert probe(LINKS).tell(f"load {none}\nsave {none}\nload {tmp_path}\nsave {tmp_path}\n") == [
        f"{start}'{str(none)[:100]}' cannot be opened: No such file or directory",
        f"{start}'{str(none)[:100]}' cannot be made: No such file or directory",
        f"{start}'{str(tmp_path)[:100]}' cannot be read: Is a directory",
        f"{start}'{str(tmp_path)[:100]}' cannot take its name: Is a directory",
    ]
    assert list(tmp_path.iterdir()) == []
