"""A declaration that becomes another kind, for every pair of kinds: `check` predicts what a load
does.

Saves store components and tags in one list, singletons and states in a second, events and inputs in
a third, relations in a fourth, and links in a fifth. Within a list a declaration keeps its name and
so its data. A declaration that moves to another list loses its data. Saves do not store any other
kinds.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from pathlib import Path

import pytest

from lock_files import Recorded
from probes import SAVE, WORLD, Probe, probe

pytestmark = pytest.mark.xdist_group("evolution")  # they share programs


@dataclass(frozen=True)
class Kind:
    declared: str
    among: str = ""  # the list of saves that it is in; "": saves do not contain it
    made: str = ""
    asked: str = ""
    empty: tuple[str, ...] = ()  # what is answered where a save has nothing
    kept: tuple[str, ...] = ()  # and where it has what was made


TELLS = '[system.told]\nphase = "only"\nhears = ["x"]\n'
KINDS = {
    "component": Kind(
        '[component.x]\nfields = { n = "u8" }\n',
        "components", "add 0 x\nset 0 x.n 7\n", "has 0 x\n", ("no",), ("yes",),
    ),
    "tag": Kind("[component.x]\n", "components", "add 0 x\n", "has 0 x\n", ("no",), ("yes",)),
    "singleton": Kind(
        '[singleton.x]\nfields = { n = "u8" }\n',
        "singletons", "set - x.n 7\n", "get - x.n\n", ("0",), ("7",),
    ),
    "state": Kind(
        '[state.x]\nvalues = ["a", "b"]\n', "singletons", "", "get - x.now\n", ("a",), ("a",)
    ),
    "event": Kind(
        f'[event.x]\nfields = {{ n = "u8" }}\n{TELLS}'
        '[system.shout]\nphase = "only"\nafter = ["told"]\nemits = ["x"]\n',
        "events", "tick\ntick\n", "tick\n", ("told",), ("told 1",),
    ),
    "input": Kind(
        f'[input.x]\nfields = {{ n = "u8" }}\n{TELLS}',
        "events", "ask put_x\n", "tick\n", ("told",), ("told 7",),
    ),
    "relation": Kind(
        '[relation.x]\non_parent_despawn = "detach"\n',
        "relations", "attach 0 1 x\n", "parent 0 x\n", ("none",), ("entity 1",),
    ),
    "link": Kind(
        '[link.x]\nfields = { n = "u8" }\n',
        "links", "tie 0 1 x 7\n", "tied 0 1 x\n", ("none",), ("7",),
    ),
    "resource": Kind('[resource.x]\nheader = "own.h"\nc = "struct x_of_game"\n'),
    "listener": Kind('[listener.x]\nhears = ["news"]\n'),
    "enum": Kind('[enum.x]\nvalues = ["a", "b"]\n'),
    "struct": Kind('[struct.x]\nfields = { n = "u8" }\n'),
    "prefab": Kind("[prefab.x]\ncomponents = { other = {} }\n"),
    "query": Kind('[query.x]\nread = ["other"]\n'),
    "system": Kind('[system.x]\nphase = "only"\n'),
}  # fmt: skip
OTHERS = """[component.other]
fields = { n = "u8" }
[event.news]
fields = { n = "u8" }
"""


def schema(kind: str) -> str:
    return OTHERS + KINDS[kind].declared


def made_of(kind: str) -> Probe:
    return probe(schema(kind), own="struct x_of_game;\n")


@pytest.fixture(scope="module")
def saves(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A folder for each kind, with a save of a world that has something in x."""
    made = {}
    for kind, one in KINDS.items():
        made[kind] = tmp_path_factory.mktemp(kind)
        made_of(kind).tell(f"spawn 2\n{one.made}save {SAVE}\n", made[kind])
        assert (made[kind] / SAVE).exists()
    return made


@pytest.mark.parametrize("before, after", product(KINDS, KINDS))
def test_check_tells_what_a_load_does(
    before: str, after: str, saves: dict[str, Path], tmp_path: Path
) -> None:
    was, now = KINDS[before], KINDS[after]
    carried = bool(was.among) and was.among == now.among
    answers = made_of(after).tell(f"load {SAVE}\n{now.asked}", saves[before])
    kept = now.kept
    if was.among == "events":
        kept = was.kept
    elif was.among == "singletons" and before != after:
        kept = now.empty  # a field of another name is lost, and a state has its first value
    assert tuple(answers) == (kept if carried else now.empty)

    recorded = Recorded(tmp_path, WORLD)
    recorded.lock(schema(before))
    summary, *lines = recorded.verdicts(schema(after))
    said = [line.strip() for line in lines]
    called = {"tag": "component"}.get(before, before)
    is_gone = [line for line in said if f"{called} 'x' was removed: saves lose it" in line]
    other = [line for line in said if "'x' was a" in line and "before: saves keep it" in line]
    assert bool(is_gone) == (bool(was.among) and not carried)
    assert bool(other) == (carried and before != after and was.among != "components")
    loses = bool(is_gone) or (carried and before != after and not lossless(before, after))
    assert ("loads with losses" in summary) == loses, said


def lossless(before: str, after: str) -> bool:
    return {before, after} == {"event", "input"} or (before, after) == ("tag", "component")


@pytest.mark.parametrize("field", ['"entity"', '"f32"', '"u8[2]"', '{ type = "x_of" }'])
def test_a_field_that_a_state_has_too_is_refused_by_both(field: str, tmp_path: Path) -> None:
    old = f'[enum.x_of]\nvalues = ["a", "b"]\n[singleton.x]\nfields = {{ now = {field} }}\n'
    now = '[state.x]\nvalues = ["a", "b"]\n'
    assert probe(old).tell(f"spawn 1\nsave {SAVE}\n", tmp_path) == []
    (answer,) = probe(now).tell(f"load {SAVE}\nget - x.now\n", tmp_path)[:1]
    recorded = Recorded(tmp_path, WORLD)
    recorded.lock(old)
    summary, *_ = recorded.verdicts(now)
    if "x_of" in field:
        assert (answer, summary) == ("a", "a save of release 1 loads completely")
    else:
        assert "values cannot be converted" in answer
        assert summary == "a save of release 1 is refused"


def test_an_input_with_another_name_and_other_fields_becomes_an_event(tmp_path: Path) -> None:
    old = OTHERS + KINDS["input"].declared
    heard = '[system.told]\nphase = "only"\nhears = ["y"]\n'
    now = f'{OTHERS}[event.y]\nwas = "x"\nfields = {{ n = "u16" }}\n{heard}'
    assert probe(old).tell(f"ask put_x\nsave {SAVE}\n", tmp_path) == []
    assert probe(now).tell(f"load {SAVE}\ntick\n", tmp_path) == ["told 7"]
    recorded = Recorded(tmp_path, WORLD)
    recorded.lock(old)
    summary, *lines = recorded.verdicts(now)
    assert summary == "a save of release 1 loads completely"
    assert any("event 'y' was renamed from input 'x': saves keep it" in line for line in lines)
