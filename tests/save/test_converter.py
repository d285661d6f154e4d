"""Random schemas, random edits, random worlds: what is there after a load is what a slow converter
says, which knows of saves only what SAVES.md says."""

from __future__ import annotations

import json
import random
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from agreement import disagreements
from converter import Kept
from examples import examples
from model import Model
from probes import SAVE, probe
from random_edits import Pair, pairs
from random_scripts import ENTITIES, NUMBERS, made, read
from reader import read as read_save
from toml_text import toml
from verdict import changes, worst
from verdict.change import Verdict

WORLDS = 6  # of each pair
CHANGES, TYPES = 4, 6  # in each pair, at least
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
    """The same with defaults for some of the fields that are numbers."""
    document = tomllib.loads(schema)
    for kind in ("struct", "component", "singleton"):
        for thing in document.get(kind, {}).values():
            for field in thing.get("fields", {}).values():
                kinds = DEFAULTS.get(field["type"].split("[")[0], ())
                if not kinds or ".." in field["type"] or dice.random() < 0.5:
                    continue
                count = field["type"].partition("[")[2].rstrip("]")
                value = [dice.choice(kinds) for _ in range(int(count))] if count else kinds[0]
                field["default"] = value
    return toml(document).decode()


def lived(model: Model, seed: int) -> str:
    """A script for a world whose entities come and go, and hang on one another."""
    dice = random.Random(seed)
    lines = [made(model, seed, MILD if seed % 3 else NUMBERS).partition("\nsave ")[0]]
    for relation in model.relations:
        for _ in range(ENTITIES):
            one, other = (dice.randrange(ENTITIES) for _ in range(2))
            lines.append(f"attach {one} {other} {relation}")
    for entity in dice.sample(range(ENTITIES), dice.randrange(4)):
        lines.append(f"despawn {entity}")
        lines += [f"spawn {dice.randrange(2)}"]
    return "\n".join([*lines, f"save {SAVE}", "json before.json", ""])


def compare(folder: Path, schema: str, told: list[str]) -> bool:
    """Whether it was loaded; asserts that it was what the converter says, or refused for what it
    says."""
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
    """Whether there is much to carry over, and most of it can be: but for one in four pairs."""
    found = changes(was, now)
    types = {
        field.type.text
        for things in (was.components, was.structs, was.singletons)
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
        for name in ("after.save", "after.json"):
            (folder / name).unlink(missing_ok=True)
        old.tell(lived(model, world), folder)
        told = new.tell(f"load {SAVE}\nsave after.save\njson after.json\n", folder)
        loaded = compare(folder, is_ + after, told)
        event("loaded" if loaded else "refused")
