"""`saves diff` finds the differences of two saves, whose worlds a script has changed in between."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from built import ROOT, built
from command import Saves
from mend import mended
from probes import probe
from reader import read

pytestmark = pytest.mark.xdist_group("evolution")  # they share programs

EXACT = ROOT / "tests/saves/exact/world.save"
SEEDS = 4
SCHEMA = """
[enum.metal]
values = ["iron", "gold"]
[component.body.fields]
held = "u8[metal]"
x = "f32"
marks = "u8[3]"
list = "u16[..4]"
[component.needs]
layout = "soa"
fields = { hunger = "f32", thirst = "f64" }
[component.heat]
storage = "sparse"
fields = { x = "i8", who = "entity" }
[component.lit]
[relation.inside]
on_parent_despawn = "detach"
[singleton.sky.fields]
days = "u32"
hoard = "u8[metal]"
"""
MADE = """\
spawn 5
add 0 body
add 1 body
add 2 body
add 2 needs
add 3 needs
add 3 heat
add 4 lit
set 0 body.x 0.4
attach 0 1 inside
save a.save
"""
CHANGED = """\
set 0 body.x 0.41
set 1 body.marks[2] 7
set 2 body.held[gold] 5
set 3 needs.hunger 2
set 3 heat.x -3
set - sky.days 3
set - sky.hoard[iron] 4
save values.save
add 1 lit
remove 4 lit
remove 2 body
attach 0 2 inside
despawn 3
spawn 1
tick
save b.save
"""
VALUES = """\
sky.days: 0 -> 3
sky.hoard[iron]: 0 -> 4
body.x of 0:1: 0.4 -> 0.41
body.marks[2] of 1:1: 0 -> 7
body.held[gold] of 2:1: 0 -> 5
needs.hunger of 3:1: 0.0 -> 2.0
heat.x of 3:1: 0 -> -3
"""
ENTITIES = """\
tick: 0 -> 1
3:1 is only in values.save
3:2 is only in b.save
2:1 has body only in values.save
4:1 has lit only in values.save
1:1 has lit only in b.save
inside of 0:1: 1:1 -> 2:1
"""


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("differ")
    assert probe(SCHEMA).tell(MADE + CHANGED, folder) == []
    return folder


def test_equal_saves_are_told_by_the_exit_code(saved: Path) -> None:
    done = Saves().run("diff", saved / "a.save", saved / "a.save")
    assert (done.code, done.out, done.err) == (0, "", "")


def test_values_that_differ_are_told_by_component_field_and_entity(saved: Path) -> None:
    done = Saves().run("diff", saved / "a.save", saved / "values.save")
    assert (done.code, done.out, done.err) == (1, VALUES, "")


def test_elements_are_shown_by_the_names_that_paths_have(saved: Path) -> None:
    shown = Saves().run("show", saved / "values.save")
    assert "days = 3, hoard[iron] = 4, hoard[gold] = 0" in shown.out


def test_children_are_shown_from_the_first_to_the_last(tmp_path: Path) -> None:
    script = "spawn 4\nattach 2 0 inside\nattach 3 0 inside\nattach 1 0 inside\nsave family.save\n"
    assert probe(SCHEMA).tell(script, tmp_path) == []  # each becomes the first child
    shown = Saves().run("show", tmp_path / "family.save", "--entity", "0:1")
    assert shown.out == "0:1\n  inside: parent of 1:1, 3:1, 2:1\n"


def test_entities_tags_and_links_that_differ_are_told(saved: Path) -> None:
    done = Saves().run("diff", saved / "values.save", saved / "b.save")
    assert done.code == 1
    assert done.out.startswith(ENTITIES)
    rest = done.out.removeprefix(ENTITIES).splitlines()
    assert all(line.startswith(("free indices: ", "clocks.")) for line in rest)


def test_a_world_that_reads_the_json_of_a_save_is_as_it_was(saved: Path, tmp_path: Path) -> None:
    out = tmp_path / "world.json"
    assert Saves().run("export", saved / "values.save", "--to", "json", "--out", out).code == 0
    assert probe(SCHEMA).tell("read world.json\nsave again.save\n", tmp_path) == []
    done = Saves().run("diff", saved / "values.save", tmp_path / "again.save")
    assert done.code == 0, done.out


def test_a_limit_cuts_the_list_and_not_the_code(saved: Path) -> None:
    done = Saves().run("diff", saved / "a.save", saved / "values.save", "--limit", "1")
    more = "… 6 more; --limit 0 shows all\n"
    assert (done.code, done.out) == (1, VALUES.splitlines(keepends=True)[0] + more)


def test_schemas_that_differ_are_told(tmp_path: Path) -> None:
    later = tmp_path / "later.save"
    data = bytearray(EXACT.read_bytes())
    at = data.index(b"worn")
    data[at : at + 4] = b"wear"
    later.write_bytes(mended(data, at))
    done = Saves().run("diff", EXACT, later, "--limit", "4")
    assert done.code == 1
    assert done.out.splitlines() == [
        "schema.structs.speck.fields.worn is only in world.save",
        "schema.structs.speck.fields.wear is only in later.save",
        "sky.list[0].worn is only in world.save",
        "sky.list[0].wear is only in later.save",
        "… 22 more; --limit 0 shows all",
    ]


def test_random_worlds_differ_as_their_values_do(tmp_path: Path) -> None:
    dump = built("build/clang/json/narrow/dump")
    paths = [tmp_path / name for name in ("a.save", "b.save")]
    lines = 0
    for seed in range(SEEDS):
        for path, number in zip(paths, (seed, seed + SEEDS), strict=True):
            subprocess.run([dump, str(number), path], capture_output=True, check=True)
        done = Saves().run("diff", *paths, "--limit", "0")
        told = done.out.replace('"', "").splitlines()
        found = {line for line in told if BY_ENTITY.search(line)}
        expected = set(differences(*(read(path.read_bytes()) for path in paths)))
        assert found == expected
        lines += len(found)
    assert lines > 100


BY_ENTITY = re.compile(r"^\w+[.\[][^ ]* of \d+:\d+[: ]|^\d+:\d+ (is|has \w+) only in")


def differences(one: Any, other: Any) -> Iterator[str]:
    """The lines about entities that a diff has, from the values one by one."""
    here, there = (
        {entity["id"]: entity["components"] for entity in save["entities"]} for save in (one, other)
    )
    for first, second, name in ((here, there, "a.save"), (there, here, "b.save")):
        for handle in first.keys() - second.keys():
            yield f"{handle} is only in {name}"
        for handle in first.keys() & second.keys():
            for component in first[handle].keys() - second[handle].keys():
                yield f"{handle} has {component} only in {name}"
    for handle in here.keys() & there.keys():
        for component in here[handle].keys() & there[handle].keys():
            values = here[handle][component], there[handle][component]
            yield from _changes(component, handle, *values)


def _changes(path: str, handle: str, one: Any, other: Any) -> Iterator[str]:
    if isinstance(one, dict):
        by_enum = path.endswith(".by_mood")  # the only such array of that world
        for name in one:
            inside = f"{path}[{name}]" if by_enum else f"{path}.{name}"
            yield from _changes(inside, handle, one[name], other[name])
    elif isinstance(one, list):
        if len(one) != len(other):
            yield f"{path} of {handle}: {len(one)} items -> {len(other)}"
        for i, pair in enumerate(zip(one, other, strict=False)):
            yield from _changes(f"{path}[{i}]", handle, *pair)
    elif one != other:
        yield f"{path} of {handle}: {_text(one)} -> {_text(other)}"


def _text(value: Any) -> str:
    return "none" if value is None else json.dumps(value).replace('"', "")


def test_what_is_no_save_is_unreadable(saved: Path) -> None:
    done = Saves().run("diff", saved / "a.save", ROOT / "README.md")
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(
        f"error: {ROOT}/README.md: this is not a save\nhelp: use a file that "
    )
