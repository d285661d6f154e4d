"""Verdicts on random edits of random schemas are right: a load is never worse than its verdict, a
save with the verdict "refused" is refused, and data without a verdict is unchanged.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from examples import examples
from model.graph import closure
from model.model import Model
from model.types import Base, Field
from probes import SAVE, probe
from random_edits import Pair, pairs
from random_scripts import ENTITIES, leaves, made, read
from verdict import changes, worst
from verdict.change import Change, Verdict

MARK = "no verb 'mark'"  # what the probe says between what is made and what is asked


def asked(model: Model) -> list[str]:
    lines = []
    for component in model.data.components.values():
        for entity in range(ENTITIES):
            lines.append(f"has {entity} {component.name}")
            paths = leaves(model, component.fields, component.name)
            lines += [f"get {entity} {path}" for path, _ in paths]
    for singleton in model.data.kept.singletons.values():
        lines += [f"get - {path}" for path, _ in leaves(model, singleton.fields, singleton.name)]
    return lines


def untouched(was: Model, now: Model, found: list[Change]) -> set[str]:
    """Components and singletons that no change has anything to do with."""
    named = {name for change in found for name in quoted(change.what)}
    requires = {
        c.name: [ref.name for ref in c.rules.requires] for c in now.data.components.values()
    }
    named |= {needed for name in named for needed in closure(requires, name)}
    kept = [
        *(
            component
            for name, component in now.data.components.items()
            if name in was.data.components
        ),
        *(
            singleton
            for name, singleton in now.data.kept.singletons.items()
            if name in was.data.kept.singletons
        ),
    ]
    return {thing.name for thing in kept if not named & {thing.name, *types(now, thing.fields)}}


def quoted(text: str) -> set[str]:
    """The names in a text."""
    return set(re.findall(r"'(\w+)'", text))


def types(model: Model, fields: tuple[Field, ...]) -> set[str]:
    """Enums and structs, down to the innermost."""
    found = set()
    for field in fields:
        found |= {field.type.name, field.type.by}  # an array by an enum, if it is one
        if field.type.base is Base.STRUCT:
            found |= types(model, model.types.structs[field.type.name].fields)
    return found


@examples(8, slow=True)
@given(pair=pairs(), seed=st.integers(0, 2**32))
def test_verdicts_come_true(
    tmp_path_factory: pytest.TempPathFactory, pair: Pair, seed: int
) -> None:
    folder = tmp_path_factory.mktemp("pair")
    was, now = read(folder, "before", pair.before), read(folder, "after", pair.after)
    found = changes(was, now)
    assume(len(found) >= 3)
    verdict = worst(found)
    event(f"{verdict.text}: {len(found)} changes")

    questions = dict.fromkeys(asked(was))
    told = probe(pair.before).tell(made(was, seed) + "\n".join(questions) + "\n", folder)
    before = dict(zip(questions, told[told.index(MARK) + 1 :], strict=True))
    questions = dict.fromkeys(asked(now))
    told = probe(pair.after).tell(f"load {SAVE}\nmark\n" + "\n".join(questions) + "\n", folder)
    refusal = "".join(told[: told.index(MARK)])
    after = dict(zip(questions, told[told.index(MARK) + 1 :], strict=True))

    if refusal:
        assert "the schema cannot take that save" in refusal
        suspects = [change for change in found if change.fate.verdict >= Verdict.MAY_REFUSE]
        assert any(quoted(change.what) & quoted(refusal) for change in suspects), refusal
        return
    assert verdict < Verdict.REFUSED
    same = untouched(was, now, found)
    for line, answer in before.items():
        thing = line.split()[2].split(".")[0]
        if thing in same and line in after:
            assert after[line] == answer, line
