"""Random schemas, random edits, random worlds: a load gives the same result as a slow converter
that is written from SAVES.md alone.
"""

from __future__ import annotations

import json
import random
import struct
import tomllib
from collections.abc import Sequence
from math import nextafter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from agreement import disagreements
from converter import F32_END, NOT_FINITE, WHOLE, Kept, number_now
from dense_pairs import LOST, dense_pair
from edits.edit import UNSUITED
from examples import ASKED, examples, long_after
from model.model import Model
from model.scalars import NUMBER_TYPES
from probes import SAVE, Probe, probe, refused
from random_edits import Pair, pairs
from random_scripts import ENTITIES, NUMBERS, made, read
from reader import read as read_save
from toml_text import toml
from verdict import changes, worst
from verdict.change import Verdict

WORLDS = 6  # of each pair
CHANGES, TYPES = 4, 6  # in each pair, at least
DENSE, DENSE_WORLDS = 2, 12
WHOLES = tuple(range(128))  # they fit into all but a bool
MILD = (0, 1, 2, 3, 100)  # fit almost everywhere
WORLD = '[world]\nname = "evolve"\nphases = ["only"]\n'
WIDTHS = (
    *[WORLD] * 3,
    f"{WORLD}max_entities = 1000\nentity = {{ index_bits = 16, generation_bits = 8 }}\n",
    f"{WORLD}max_entities = 12\nentity = {{ index_bits = 4, generation_bits = 2 }}\n",
    f"{WORLD}max_entities = 8\nentity = {{ index_bits = 3, generation_bits = 12 }}\n",
)
DEFAULTS: dict[str, tuple[Any, ...]] = {"bool": (True,), "f32": (0.1, -2.5), "f64": (0.1, 1e300)}
DEFAULTS |= {f"u{bits}": (7, 2**bits - 1) for bits in (8, 16, 32, 64)}
DEFAULTS |= {f"i{bits}": (-7, -(2 ** (bits - 1))) for bits in (8, 16, 32)} | {"i64": (-7,)}


def with_defaults(schema: str, dice: random.Random) -> str:
    """Gives some of the fields that are numbers a default."""
    document = tomllib.loads(schema)
    for kind in ("struct", "component", "singleton"):
        for thing in document.get(kind, {}).values():
            for field in thing.get("fields", {}).values():
                kinds = DEFAULTS.get(field["type"].split("[")[0], ())
                if not kinds or ".." in field["type"] or dice.random() < 0.5:
                    continue
                count = field["type"].partition("[")[2].rstrip("]")
                value: Any = kinds[0]
                if count.isdigit():
                    value = [dice.choice(kinds) for _ in range(int(count))]
                elif count:
                    names = document["enum"][count]["values"]
                    first = names[0]["name"] if isinstance(names[0], dict) else names[0]
                    value = {first: dice.choice(kinds)}
                field["default"] = value
    return toml(document).decode()


def lived(model: Model, seed: int, numbers: Sequence[float]) -> str:
    """A script for a world whose entities come and go, and hang on one another."""
    dice = random.Random(seed)
    lines = [made(model, seed, numbers).partition("\nsave ")[0]]
    for relation in model.data.relations:
        for _ in range(ENTITIES):
            one, other = (dice.randrange(ENTITIES) for _ in range(2))
            lines.append(f"attach {one} {other} {relation}")
    for entity in dice.sample(range(ENTITIES), dice.randrange(4)):
        lines.append(f"despawn {entity}")
        lines += [f"spawn {dice.randrange(2)}"]
    return "\n".join([*lines, f"save {SAVE}", "json before.json", ""])


def compare(folder: Path, schema: str, told: list[str]) -> bool:
    """Returns whether the save was loaded. Asserts that the converter says the same."""
    before = read_save((folder / SAVE).read_bytes())
    assert disagreements(before, json.loads((folder / "before.json").read_text())) == []
    kept = Kept(before, tomllib.loads(schema))
    expected = None if kept.refused else kept.result()
    if kept.refused:
        assert told and "the schema cannot take that save" in told[0], kept.refused
        met = [names for names in kept.refused if all(f"'{name}'" in told[0] for name in names)]
        assert met, (kept.refused, told[0])
        return False
    assert told == []
    after = read_save((folder / "after.save").read_bytes())
    assert disagreements(after, json.loads((folder / "after.json").read_text())) == []
    assert expected == {name: after[name] for name in expected or {}}
    return True


def says_much(was: Model, now: Model, dice: random.Random) -> bool:
    """Returns whether there is much to convert, and most of it can be, except in a quarter."""
    found = changes(was, now)
    types = {
        field.type.text
        for things in (was.data.components, was.types.structs, was.data.kept.singletons)
        for thing in things.values()
        for field in thing.fields
    }
    refused = worst(found) is Verdict.REFUSED
    return len(found) >= CHANGES and len(types) >= TYPES and (not refused or dice.random() < 0.25)


@examples(8, slow=True)
@given(pair=pairs(), seed=st.integers(0, 2**32))
def test_a_load_gives_what_a_slow_converter_gives(
    tmp_path_factory: pytest.TempPathFactory, pair: Pair, seed: int
) -> None:
    dice = random.Random(f"{seed} {pair}")
    folder = tmp_path_factory.mktemp("pair")
    was, is_ = dice.choice(WIDTHS), dice.choice(WIDTHS)
    before, after = with_defaults(pair.before, dice), with_defaults(pair.after, dice)
    model = read(folder, "before", before, was)
    assume(says_much(model, read(folder, "after", after, is_), dice))
    old, new = probe(before, was), probe(after, is_)
    first = dice.randrange(2**32)
    for world in range(first, first + WORLDS):
        script = lived(model, world, MILD if world % 3 else NUMBERS)
        loaded = converted(folder, old, new, script, is_ + after)
        event("loaded" if loaded else "refused")


def converted(folder: Path, old: Probe, new: Probe, script: str, schema: str) -> bool:
    """Returns whether a world that a script makes was loaded by that schema; see compare."""
    for name in ("after.save", "after.json"):
        (folder / name).unlink(missing_ok=True)
    old.tell(script, folder)
    told = new.tell(f"load {SAVE}\nsave after.save\njson after.json\n", folder)
    return compare(folder, schema, told)


# ---- everything at once


def spoilt(script: str, dice: random.Random) -> str:
    """With a few values that may not suit what they are converted to, or with none of them."""
    lines = [line for line in script.splitlines() if dice.random() < 0.02 or LOST not in line]
    numbers = [i for i, line in enumerate(lines) if line.startswith("set ")]
    for i in dice.sample(numbers, dice.choice((3, 9, 30))):
        lines[i] = f"{lines[i].rpartition(' ')[0]} {dice.choice(NUMBERS)}"
    return "\n".join([*lines, ""])


def unspoilt(script: str) -> str:
    return "\n".join(line for line in script.splitlines() if LOST not in line) + "\n"


@pytest.mark.parametrize("seed", long_after(1, range(ASKED or DENSE)))
def test_a_load_of_everything_at_once_does_too(seed: int, tmp_path: Path) -> None:
    dice = random.Random(f"everything {seed}")
    pair = dense_pair(seed)
    was, is_ = WIDTHS[0], dice.choice(WIDTHS[-3:-1])
    before, after = pair.before, with_defaults(pair.after, dice)
    model = read(tmp_path, "before", before, was)
    read(tmp_path, "after", after, is_)
    old, new = probe(before, was), probe(after, is_)
    loaded = 0
    for world in range(DENSE_WORLDS):
        script = lived(model, world, WHOLES)
        script = unspoilt(script) if world % 3 else spoilt(script, dice)
        loaded += converted(tmp_path, old, new, script, is_ + after)
    assert loaded >= DENSE_WORLDS // 2


# ---- numbers of every type as those of every other

CAPACITY = 8  # of an array of such numbers
ENDS = [2**bits + near for bits in (7, 8, 15, 16, 24, 31, 32, 53, 63, 64) for near in (-1, 0, 1)]
EDGES: tuple[Any, ...] = (0, 1, 2, *ENDS, *(-end for end in (1, *ENDS)), 2**64 - 2**11)
FRACTIONS = (0.5, -0.5, 1.5, -1.5, 0.1, 1e300, -1e300, 2.0**127, F32_END, -F32_END)
FRACTIONS += (nextafter(F32_END, 0), -nextafter(F32_END, 0))


def numbers_of(kind: str) -> list[Any]:
    """Returns the numbers at the edge of some type that a type can hold."""
    if kind in WHOLE:
        return [edge for edge in EDGES if WHOLE[kind][0] <= edge <= WHOLE[kind][1]]
    finite = {
        _single(edge) if kind == "f32" else float(edge)
        for edge in (*EDGES, *FRACTIONS)
        if kind == "f64" or abs(edge) < F32_END
    }
    return [*sorted(finite), *NOT_FINITE]


def _single(value: float) -> float:
    single: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return single


def schema_of_numbers(becomes: bool) -> str:
    """A component for each type, an array in it for each type that it becomes."""
    text = ""
    for was in NUMBER_TYPES:
        text += f"[component.from_{was}.fields]\n"
        for now in NUMBER_TYPES:
            text += f'to_{now} = "{now if becomes else was}[{CAPACITY}]"\n'
    return text


def set_value(entity: int, was: str, now: str, place: int, value: Any) -> str:
    path = f"from_{was}.to_{now}[{place}]"
    if was in ("i64", "u64"):
        return f"whole {entity} {path} {was} {value}"
    return f"set {entity} {path} {value!r}".replace("'", "")


def test_every_number_becomes_every_other_or_is_refused(tmp_path: Path) -> None:
    before, after = schema_of_numbers(False), schema_of_numbers(True)
    old, new = probe(before), probe(after)
    pairs = [(was, now) for was in NUMBER_TYPES for now in NUMBER_TYPES]
    entities = 1 + max(len(numbers_of(was)) for was in NUMBER_TYPES) // CAPACITY
    lines = [f"spawn {entities}"]
    lines += [f"add {i} from_{was}" for i in range(entities) for was in NUMBER_TYPES]
    for was, now in pairs:
        fit = [one for one in numbers_of(was) if number_now(was, one, now) is not None]
        lines += [
            set_value(i // CAPACITY, was, now, i % CAPACITY, one) for i, one in enumerate(fit)
        ]
    script = "\n".join([*lines, f"save {SAVE}", "json before.json", ""])
    assert old.tell(script, tmp_path) == []  # all could be set
    assert converted(tmp_path, old, new, script, WORLD + after)

    lines, asked, expected = ["spawn 1"], [], []
    for was, now in pairs:
        lines.append(f"add 0 from_{was}")
        for i, one in enumerate(unfit(was, now)):
            name = f"{was}_{now}{i}.save"
            lines += [set_value(0, was, now, CAPACITY - 1, one), f"save {name}"]
            asked.append(f"load {name}")
            why = f"field 'to_{now}' of component 'from_{was}' of entity 0:1 holds a number of type"
            why += f" {was} that {now} cannot hold{UNSUITED}"
            expected.append(refused(why).replace(SAVE, name))
        lines.append(f"remove 0 from_{was}")
    assert old.tell("\n".join([*lines, ""]), tmp_path) == []
    assert new.tell("\n".join([*asked, ""]), tmp_path) == expected


def unfit(was: str, now: str) -> list[Any]:
    """Returns what a type holds and another does not: fractions, and wholes nearest to what that
    holds and furthest from it."""
    found = [one for one in numbers_of(was) if number_now(was, one, now) is None]
    odd = [one for one in found if one in NOT_FINITE]
    finite = sorted((one for one in found if one not in odd), key=abs)
    parts = [one for one in finite if one != int(one)]
    low, high = ([one for one in finite if (one < 0) is below] for below in (True, False))
    wholes = ([one for one in side if one not in parts] for side in (low, high))
    return [*odd, *parts[:2], *(one for side in wholes for one in (*side[:2], *side[2:][-1:]))]
