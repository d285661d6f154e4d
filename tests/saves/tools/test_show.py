"""`saves show` prints a save exactly as expected."""

from __future__ import annotations

import pytest

from built import ROOT
from command import Saves
from saves.progress import Progress

EXACT = ROOT / "tests/saves/exact/world.save"
PART = ROOT / "tests/saves/exact/part.save"
AWAY = ROOT / "tests/saves/exact/away.save"

ALL = """\
: a save of world 'exact', BYTES bytes, by Weft 1.0.0
tick 2; handles of 6 + 2 bits
5 entities, 3 free indices, 2 retired

tables
  1 rows  shapes
  1 rows  numbers, shapes
  … 3 more; --limit 0 shows all

components
  numbers  4 (table)
  shapes   4 (table)
  … 6 more; --limit 0 shows all

relations
  carried_by  4 links
  follows     0 links

links
  owes   7 links
  knows  4 links

events waiting
  rumor  5 (listen has not heard 5)

singletons
  sky    days = 1048576, wind = 0.1, list = [{"kind": 1, "at": 2, "worn": true}], text = "up"
  tally  not saved

systems that are switched off
  rest
"""

ENTITY = """\
1:1
  numbers: f = -0.1, u = 18446744073709551614, i = -9223372036854775807, \
luck.state = [369342713, 2259738056, 3398647466, 4078509010], f32 = 1.5, \
u32 = 16909061, i32 = -70001, u16 = 1287, i16 = -301, u8 = 202, i8 = -99, yes = false, \
rest = [1, 1, 2, 0, 0]
  shapes: to = 4:1, mood = glad, code = one, one.kind = 7, one.at = 168496141, one.worn = true, \
tile.kind = 9, tile.width = 258, tile.height = 3, text = "name of b", ends = ["4:1", "1:1", null], \
moods = ["angry", "calm", "glad"], shorts = [-2], bonds = [{"to": "1:1", "mood": "glad"}], \
pair = [{"kind": 0, "at": 1, "worn": false}, {"kind": 1, "at": 4294967294, "worn": false}]
  bulk: not saved
  fever: left = -10, kind = 5, from = 1:1
  tags: marked
  carried_by: child of 0:1
  carried_by: parent of 2:1
  owes: from 0:1  since = 72623859790382856, to = 0:1, note = "ab", dues = []
  owes: to 0:1  since = 72623859790382857, to = 1:1, note = "ab", dues = [300]
  owes: to 2:1  since = 72623859790382857, to = 1:1, note = "ab", dues = [300]
  knows: with 4:1
  knows: with 5:1
"""


def shown(*options: str) -> str:
    done = Saves().run("show", EXACT, *options)
    assert (done.code, done.err) == (0, "")
    return done.out


def refusal(*options: str) -> str:
    done = Saves().run("show", EXACT, *options)
    assert (done.code, done.out) == (2, "")
    return done.err


def test_all_of_a_save() -> None:
    size = f"{EXACT.stat().st_size:,}"
    assert shown("--limit", "2") == f"{EXACT}{ALL.replace('BYTES', size)}"
    assert "more" not in shown("--limit", "0")


def test_a_part_of_a_world() -> None:
    done = Saves().run("show", PART)
    head = f"{PART}: a part of world 'exact', {PART.stat().st_size:,} bytes, by Weft 1.0.0"
    fate = "taken out of the world, with 1 link to others: a load brings them back"
    lines = done.out.splitlines()
    assert lines[:2] == [head, f"4 entities, {fate}; handles of 6 + 2 bits"]
    assert "singletons" not in lines


def test_who_is_away_is_counted() -> None:
    lines = Saves().run("show", AWAY).out.splitlines()
    assert lines[2] == "1 entities, 3 free indices, 2 retired, 4 away"


def test_a_part_differs_by_what_it_lacks() -> None:
    lines = Saves().run("diff", EXACT, AWAY).out.splitlines()
    away = [line.split()[0] for line in lines if line.endswith("is away only in away.save")]
    gone = [line.split()[0] for line in lines if line.endswith("is only in world.save")]
    assert len(away) == 4
    assert away == gone
    assert Saves().run("diff", PART, PART).out == ""
    lines = Saves().run("diff", EXACT, PART).out.splitlines()
    assert any(line.startswith("part: none -> {") for line in lines)


def test_one_entity() -> None:
    assert shown("--entity", "1:1") == ENTITY
    assert "carried_by: parent of" in shown("--entity", "0:1")


def test_the_entities_of_a_component() -> None:
    values = "  1:1  left = -10, kind = 5, from = 1:1\n"
    more = "  … 2 more; --limit 0 shows all\n"
    assert shown("--component", "fever", "--limit", "1") == f"fever: 3 entities\n{values}{more}"
    assert shown("--component", "marked") == "marked: 3 entities\n  4:1\n  5:1\n  1:1\n"
    assert shown("--component", "ghost").startswith("ghost: 2 entities\n  ")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--entity", "1:2"), "entity 1:2 does not exist: 1:1 lives at its index"),
        (("--entity", "9:1"), "entity 9:1 does not exist: nothing lives at index 9"),
        (
            ("--entity", "me"),
            "'me' is not an entity: write its index and generation, for example 12:3",
        ),
        (("--component", "fevr"), "'fevr' is not a component of this save: did you mean 'fever'?"),
    ],
)
def test_what_is_not_there_is_refused(options: tuple[str, str], words: str) -> None:
    assert refusal(*options) == f"error: {words}\n"


def test_progress_is_shown_after_two_seconds_and_wiped_away() -> None:
    told: list[str] = []
    now = [0.0]
    progress = Progress(told.append, lambda: now[0])
    for second in (1.0, 1.9, 2.0, 2.05, 2.3):
        now[0] = second
        progress.step("writing", round(second * 20), 50)
    assert told == ["\rwriting: 80 %\x1b[K", "\rwriting: 92 %\x1b[K"]
    progress.end()
    progress.end()
    assert told[2:] == ["\r\x1b[K"]
    silent = Progress(None, lambda: now[0])
    silent.step("writing", 1, 2)
    silent.end()
