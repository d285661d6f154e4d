"""Thousands of random worlds are scheduled and judged by an independent computation, which looks at
every possible row and table.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import pytest

from examples import long_after
from model.code import (
    Access,
    Lookup,
    Loop,
    Messages,
    Query,
    Reach,
    Schedule,
    Selection,
    System,
    Tree,
)
from model.data import Component, Event, Hook, Rules, Singleton, Stored
from model.declared import Declared
from model.expressions import Expr, Op
from model.model import Data, Kept, Model, World
from model.refs import Ref
from model.types import Field
from parse.field_types import read_type, resolve
from schedule import PhaseSchedule, make_schedule
from schedule.ambiguity import to_settle
from schedule.flushes import sees_commands
from source.source import Place

HERE = Place("random.toml", 1, 1, 1)
BATCHES, WORLDS_IN_BATCH = 8, 500

Row = frozenset[str]  # who has what
Pair = tuple[str, str]


# ---- random worlds


def refs(names: list[str]) -> tuple[Ref, ...]:
    return tuple(Ref(name, HERE) for name in names)


def some(rng: random.Random, names: list[str], most: int) -> list[str]:
    return rng.sample(names, rng.randint(0, min(most, len(names))))


def component(rng: random.Random, name: str, before: list[Component]) -> Component:
    kind = rng.choice(["table", "table", "tag", "tag", "sparse"])
    type = resolve(read_type("u8"), {}, {})
    assert type
    fields = () if kind == "tag" else (Field(Declared("x", HERE), type),)
    ruled = [] if kind == "sparse" else [c.name for c in before if c.stored.storage != "sparse"]
    related = some(rng, ruled, 2)
    cut = rng.randint(0, len(related))
    storage = "sparse" if kind == "sparse" else "table"
    requires, excludes = refs(related[:cut]), refs(related[cut:])
    hooks = (Hook("on_add", refs(["on_add"])),) if rng.random() < 0.1 else ()
    rules = Rules(requires=requires, excludes=excludes)
    return Component(Declared(name, HERE), fields, Stored(storage), rules, hooks)


def expression(rng: random.Random, names: list[str], depth: int = 0) -> Expr:
    kind = rng.choice([Op.HAS, Op.NOT, Op.AND, Op.AND, Op.OR, Op.XOR] if depth < 3 else [Op.HAS])
    if kind is Op.HAS:
        return Expr(Op.HAS, HERE, Ref(rng.choice(names), HERE))
    count = 1 if kind is Op.NOT else rng.randint(2, 3)
    return Expr(kind, HERE, operands=tuple(expression(rng, names, depth + 1) for _ in range(count)))


def selection(rng: random.Random, components: list[Component], *, tags: bool) -> Selection:
    chosen = rng.sample(components, rng.randint(0, min(3, len(components))))
    roles: dict[str, list[str]] = {"read": [], "write": [], "optional": []}
    for one in chosen:
        possible = ["optional", *(["write"] if tags else [])] if one.is_tag else list(roles)
        roles[rng.choice(possible)].append(one.name)
    where = expression(rng, [c.name for c in components]) if rng.random() < 0.6 else None
    return Selection(refs(roles["read"]), refs(roles["write"]), refs(roles["optional"]), where)


def system(rng: random.Random, name: str, model: Model, before: list[str]) -> System:
    with_values = [c.name for c in model.data.components.values() if not c.is_tag]
    found, ordered = some(rng, with_values, 2), some(rng, before, 2)
    things, cut = some(rng, list(model.data.kept.singletons), 1), rng.randint(0, 1)
    tags = [c.name for c in model.data.components.values() if c.is_tag and rng.random() < 0.05]
    asks_parents = rng.random() < 0.3
    said_after = rng.random() < 0.7  # the other way round than the schema has them, else
    return System(
        Declared(name, HERE),
        Schedule(
            phase=Ref(rng.choice(["one", "two"]), HERE),
            after=refs(ordered) if said_after else (),
            before=() if said_after else refs(ordered),
            flush=rng.random() < 0.08,
        ),
        selection(rng, list(model.data.components.values()), tags=True),
        Reach(
            singletons=Access(refs(things[:cut]), refs(things[cut:])),
            lookup=Lookup(
                read=() if asks_parents else refs(found[:cut]),
                write=refs(found[cut:] + tags) if rng.random() < 0.4 else (),
            ),
            queries=refs(some(rng, list(model.code.queries), 1)) if rng.random() < 0.4 else (),
        ),
        Messages(
            hears=refs(some(rng, list(model.data.events), 1)) if rng.random() < 0.2 else (),
            emits=refs(some(rng, list(model.data.events), 2)) if rng.random() < 0.2 else (),
            commands=rng.random() < 0.5,
        ),
        Loop(tree=Tree(parent=refs(found[:cut]) if asks_parents else ())),
    )


def world(rng: random.Random) -> Model:
    """A world whose systems can all have rows and whose orders go in no circle, as `check` asks."""
    components: list[Component] = []
    for name in "abcdef"[: rng.randint(2, 6)]:
        components.append(component(rng, name, components))
    model = Model(
        World(Declared("w", HERE), phases=refs(["one", "two"])),
        data=Data(
            components={c.name: c for c in components},
            kept=Kept({name: Singleton(Declared(name, HERE), ()) for name in ("clock", "score")}),
            events={name: Event(Declared(name, HERE), (), 1) for name in ("born", "died")},
        ),
    )
    rows = all_rows(model)
    for name in ("p", "q"):
        query = Query(Declared(name, HERE), selection(rng, components, tags=False))
        if rows_of(rows, model, query.selection):
            model.code.queries[name] = query
    for number in range(rng.randint(2, 7)):
        one = system(rng, f"s{number}", model, list(model.code.systems))
        if rows_of(rows, model, one.selection):
            model.code.systems[one.name] = one
            if circular(model):
                del model.code.systems[one.name]
    return model


# ---- what there can be, by looking at all of it


def all_rows(model: Model) -> list[Row]:
    """Every set of components that the rules let an entity have."""
    names = list(model.data.components)
    sets = (frozenset(chosen) for n in range(len(names) + 1) for chosen in combinations(names, n))
    return [row for row in sets if allowed(model, row)]


def allowed(model: Model, row: Row) -> bool:
    return all(
        {r.name for r in model.data.components[name].rules.requires} <= row
        and not {r.name for r in model.data.components[name].rules.excludes} & row
        for name in row
    )


def holds(expr: Expr, row: Row) -> bool:
    if expr.ref:
        return expr.ref.name in row
    values = [holds(operand, row) for operand in expr.operands]
    if expr.op is Op.NOT:
        return not values[0]
    if expr.op is Op.XOR:
        return sum(values) % 2 == 1
    return all(values) if expr.op is Op.AND else any(values)


def columns(model: Model, chosen: Selection) -> set[str]:
    listed = {ref.name for ref in chosen.read + chosen.write}
    return {name for name in listed if not model.data.components[name].is_tag}


def rows_of(rows: list[Row], model: Model, chosen: Selection) -> list[Row]:
    needed = columns(model, chosen)
    return [r for r in rows if needed <= r and (not chosen.where or holds(chosen.where, r))]


def tables(rows: list[Row], model: Model) -> set[Row]:
    """The tables of some rows: what they have of table components."""
    decisive = {c.name for c in model.data.components.values() if c.is_table}
    return {row & decisive for row in rows}


def walked(rows: list[Row], model: Model, chosen: Selection) -> set[Row]:
    """The tables that a walk may look into: only what its `and` says outright keeps it away."""
    parts = [chosen.where] if chosen.where else []
    if chosen.where and chosen.where.op is Op.AND:
        parts = list(chosen.where.operands)
    plain = [p for p in parts if p.ref or (p.op is Op.NOT and p.operands[0].ref)]
    found = tables(rows, model)
    for part in plain:
        ref = part.ref or part.operands[0].ref
        assert ref
        if model.data.components[ref.name].is_table:
            found = {table for table in found if holds(part, table)}
    needed = columns(model, chosen)
    return {t for t in found if all(n in t for n in needed if model.data.components[n].is_table)}


# ---- what systems touch and which conflict


HOOKS = "hooks"  # a name for all of them: they are called one after the other


@dataclass(frozen=True)
class Touch:
    name: str
    writes: bool
    chosen: Selection | None  # whose rows; None: all
    emits: bool = False  # writes what only those who hear it see
    guessed: bool = False  # a hook may do it, or not


def touches(model: Model, one: System) -> Iterator[Touch]:
    inside = [model.code.queries[ref.name].selection for ref in one.reach.queries]
    for chosen in (one.selection, *inside):
        for ref in chosen.read + chosen.optional:
            yield Touch(ref.name, False, chosen)
        for ref in chosen.write:
            yield Touch(ref.name, True, chosen)
            if model.data.components[ref.name].is_tag:
                yield from (
                    Touch(tag, False, chosen) for tag in tags_that_are_tested(model, ref.name)
                )
        for ref in chosen.where.refs() if chosen.where else ():
            if model.data.components[ref.name].is_tag:
                yield Touch(ref.name, False, chosen)
    for ref in one.reach.lookup.read + one.reach.singletons.read + one.loop.tree.parent:
        yield Touch(ref.name, False, None)
    for ref in one.reach.lookup.write + one.reach.singletons.write:
        yield Touch(ref.name, True, None)
    for ref in one.reach.lookup.write:
        if model.data.components[ref.name].is_tag:
            yield from (Touch(tag, False, None) for tag in tags_that_are_tested(model, ref.name))
    for ref in one.messages.hears:
        yield Touch(ref.name, False, None)
    for ref in one.messages.emits:
        yield Touch(ref.name, True, None, emits=True)
    written = [
        model.data.components[ref.name] for ref in one.selection.write + one.reach.lookup.write
    ]
    if any(component.is_tag and component.hooks for component in written):
        yield Touch(HOOKS, True, None)
        yield from (Touch(name, False, None, guessed=True) for name in model.data.components)
        yield from (Touch(name, False, None, guessed=True) for name in model.data.kept.singletons)


def tags_that_are_tested(model: Model, tag: str) -> set[str]:
    """A tag on which it may depend whether a row may get or lose another one."""
    needs = {name: {r.name for r in c.rules.requires} for name, c in model.data.components.items()}
    for _ in needs:
        for name in needs:
            needs[name] |= {far for near in needs[name] for far in needs[near]}
    whole = needs[tag] | {tag}
    against = {
        name
        for name, c in model.data.components.items()
        for r in c.rules.excludes
        if r.name in whole
    } | {r.name for name in whole for r in model.data.components[name].rules.excludes}
    above = {name for name in needs if tag in needs[name]}
    return {name for name in whole | against | above if model.data.components[name].is_tag} - {tag}


def clash(model: Model, rows: list[Row], one: Touch, other: Touch, *, careful: bool) -> bool:
    """Returns whether two systems meet. `careful`: also on words of tables looked into in vain."""
    if one.name != other.name or not (one.writes or other.writes) or (one.emits and other.emits):
        return False
    if one.chosen is None or other.chosen is None:
        return True
    ours, theirs = (rows_of(rows, model, touch.chosen) for touch in (one, other) if touch.chosen)
    if not model.data.components[one.name].is_tag:
        return any(one.name in row for row in set(ours) & set(theirs))
    if careful:
        return bool(walked(rows, model, one.chosen) & walked(rows, model, other.chosen))
    return bool(tables(ours, model) & tables(theirs, model))


def conflict(
    model: Model, rows: list[Row], pair: Pair, *, careful: bool, guesses: bool = True
) -> bool:
    """Returns whether two systems meet. `guesses`: also by what a hook might read."""
    ours, theirs = (
        [
            touch
            for touch in touches(model, model.code.systems[name])
            if guesses or not touch.guessed
        ]
        for name in pair
    )
    return any(clash(model, rows, one, other, careful=careful) for one in ours for other in theirs)


# ---- orders


def declared(model: Model) -> set[Pair]:
    said = set()
    for one in model.code.systems.values():
        said |= {
            (ref.name, one.name) for ref in one.schedule.after if ref.name in model.code.systems
        }
        said |= {
            (one.name, ref.name) for ref in one.schedule.before if ref.name in model.code.systems
        }
    phase = {one.name: one.schedule.phase.name for one in model.code.systems.values()}
    return {(one, other) for one, other in said if phase[one] == phase[other]}


def chained(pairs: set[Pair]) -> set[Pair]:
    found = set(pairs)
    while more := {(a, d) for a, b in found for c, d in found if b == c} - found:
        found |= more
    return found


def circular(model: Model) -> bool:
    return any(one == other for one, other in chained(declared(model)))


def in_turn(model: Model, phase: str) -> list[str]:
    left = [one.name for one in model.code.systems.values() if one.schedule.phase.name == phase]
    ordered = []
    while left:
        free = [name for name in left if not any((b, name) in declared(model) for b in left)]
        ordered.append(free[0])
        left.remove(free[0])
    return ordered


def waits(phase: PhaseSchedule) -> set[Pair]:
    return {(wait.earlier.name, wait.later.name) for wait in phase.waits}


def flushed_between(model: Model, ordered: list[str], pair: Pair) -> bool:
    """Returns whether commands are applied behind the first of two and before the other."""
    one, other = (ordered.index(name) for name in pair)
    return any(model.code.systems[name].schedule.flush for name in ordered[one + 1 : other + 1])


def decides_commands(model: Model, pair: Pair) -> bool:
    one, other = (model.code.systems[name] for name in pair)
    return (one.messages.commands and other.schedule.flush) or (
        one.schedule.flush and other.messages.commands
    )


# ---- the tests


def judge(model: Model) -> tuple[int, int]:
    """Says of how many pairs it was, and how many of them may run in parallel."""
    rows, said = all_rows(model), chained(declared(model))
    pairs = free = 0
    unsettled = set()
    for phase in make_schedule(model):
        ordered = [one.name for one in phase.systems]
        assert ordered == in_turn(model, phase.name)
        all_pairs = set(combinations(ordered, 2))
        together = {pair for pair in all_pairs if not flushed_between(model, ordered, pair)}
        before = chained(waits(phase))
        assert before <= together
        assert said & together <= before
        assert not {pair for pair in said if pair[::-1] in all_pairs}
        must = {p for p in together if conflict(model, rows, p, careful=False)}
        may = {p for p in all_pairs if conflict(model, rows, p, careful=True)}
        assert must <= may & together <= before
        assert before <= chained((may | said) & together)
        for wait in waits(phase):
            assert wait not in chained(waits(phase) - {wait}), "said though it follows"
        for pair in all_pairs:
            one, other = (model.code.systems[name] for name in pair)
            assert sees_commands(phase, one, other) == (pair not in together)
        known = {p for p in may if conflict(model, rows, p, careful=True, guesses=False)}
        unsettled |= {p for p in all_pairs if p in known or decides_commands(model, p)} - said
        pairs, free = pairs + len(together), free + len(together - before)
    asked = {(pair.earlier.name, pair.later.name) for pair in to_settle(model)}
    assert asked <= unsettled <= chained(asked | said)
    for pair in asked:
        assert pair not in chained((asked - {pair}) | said), "asked though it follows"
    return pairs, free


@pytest.mark.parametrize("batch", long_after(3, range(BATCHES)))
def test_what_conflicts_is_ordered_and_nothing_else(batch: int) -> None:
    pairs = free = 0
    for number in range(WORLDS_IN_BATCH):
        found = judge(world(random.Random(f"{batch} {number}")))
        pairs, free = pairs + found[0], free + found[1]
    assert pairs > WORLDS_IN_BATCH  # and they are neither all ordered nor all free
    assert pairs / 6 < free < pairs * 4 / 5


@pytest.mark.parametrize("batch", long_after(1, range(2)))
def test_each_wait_has_a_reason(batch: int) -> None:
    for number in range(WORLDS_IN_BATCH):
        model = world(random.Random(f"reasons {batch} {number}"))
        rows, said = all_rows(model), declared(model)
        for phase in make_schedule(model):
            for wait in phase.waits:
                pair = wait.earlier.name, wait.later.name
                assert wait.declared == (pair in said)
                assert bool(wait.meetings) == conflict(model, rows, pair, careful=True)


def test_steps_hold_what_can_run_at_once() -> None:
    worlds = [world(random.Random(f"steps {number}")) for number in range(200)]
    for phase in (phase for model in worlds for phase in make_schedule(model)):
        before, at = chained(waits(phase)), {}
        for index, step in enumerate(phase.steps()):
            assert step
            at |= {one.name: index for one in step}
        assert set(at) == {one.name for one in phase.systems}
        for segment in phase.segments:
            first = min(at[one.name] for one in segment)
            for system in segment:
                earlier = [at[a] for a, b in before if b == system.name]
                assert at[system.name] == max(earlier, default=first - 1) + 1
