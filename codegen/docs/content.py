"""The content of the page: an entry for each declaration, with links in both directions."""

from __future__ import annotations

from dataclasses import dataclass, field

from docs.facts import facts_of, links_of, uses_of
from docs.picture import Picture, draw
from docs.words import Fact, Names, Words
from model.code import System
from model.data import Component
from model.model import Model
from model.types import Field, Value
from schedule import make_schedule, with_passes
from schedule.text import reasons

# The kinds in the order of the page. Kinds that are not listed follow.
TITLES = {
    "system": "Systems",
    "query": "Queries",
    "listener": "Listeners",
    "index": "Indexes",
    "component": "Components",
    "tag": "Tags",
    "singleton": "Singletons",
    "extern": "Types of the game",
}


@dataclass(frozen=True)
class FieldRow:
    name: str
    type: Words
    unit: str
    range: str
    default: str
    doc: Words


@dataclass(frozen=True)
class ValueRow:
    """A value of an enum."""

    name: str
    doc: Words


@dataclass(frozen=True)
class Entry:
    """A declaration of the schema."""

    kind: str
    name: str
    doc: Words
    facts: list[Fact]
    fields: list[FieldRow] = field(default_factory=list)
    values: list[ValueRow] = field(default_factory=list)  # the values of an enum, by number

    @property
    def anchor(self) -> str:
        return f"{self.kind}-{self.name}"


@dataclass(frozen=True)
class Group:
    """The declarations of one kind."""

    kind: str
    title: str
    entries: list[Entry]


@dataclass(frozen=True)
class Content:
    name: str
    doc: Words
    facts: list[Fact]
    pictures: list[Picture]
    groups: list[Group]


def make_content(model: Model) -> Content:
    names = Names(model)
    schedule = with_passes(model, make_schedule(model))
    waits = {
        (wait.earlier.name, wait.later.name): "; ".join(reasons(wait))
        for phase in schedule
        for wait in phase.waits
    }
    links = links_of(model, names, waits)
    kinds = [*TITLES, *(kind for kind in names.kinds.values() if kind not in TITLES)]
    declared: dict[str, list[str]] = {kind: [] for kind in kinds}
    for name, kind in names.kinds.items():
        declared[kind].append(name)
    declared["system"] = [system.name for phase in schedule for system in phase.systems]
    groups = [
        Group(kind, _title(kind), [_entry(model, kind, name, names, links) for name in found])
        for kind, found in declared.items()
        if found
    ]
    return Content(
        name=model.world.name,
        doc=names.doc(model.world.doc),
        facts=_world_facts(model),
        pictures=[draw(phase) for phase in schedule],
        groups=groups,
    )


def _title(kind: str) -> str:
    return TITLES.get(kind, f"{kind.capitalize()}s")


def _world_facts(model: Model) -> list[Fact]:
    world = model.world
    step = [Fact("a tick takes", [f"{world.ticks.step.text} s"])] if world.ticks.step else []
    return [
        Fact("phases", [", ".join(phase.name for phase in world.phases) or "none"]),
        Fact("entities", [f"at most {world.entities.max:,} at once"]),
        Fact("handles", [f"{world.entities.index_bits} + {world.entities.generation_bits} bits"]),
        *step,
    ]


def _entry(
    model: Model, kind: str, name: str, names: Names, links: dict[tuple[str, str], list[Fact]]
) -> Entry:
    item = names.item(name)
    facts = [*facts_of(model, names, kind, item), *links.get((kind, name), [])]
    partial = item.loop.partial if isinstance(item, System) else None
    of = partial.fields if partial else getattr(item, "fields", ())
    fields = [one for one in of if isinstance(one, Field)]
    if not isinstance(item, Component) or not item.is_tag:
        facts += uses_of(model, names, kind, name)
    return Entry(
        kind=kind,
        name=name,
        doc=names.doc(item.doc),
        facts=facts,
        fields=[_field(names, one) for one in fields],
        values=[ValueRow(one.name, names.doc(one.doc)) for one in model.types.enums[name].values]
        if name in model.types.enums
        else [],
    )


def _field(names: Names, one: Field) -> FieldRow:
    return FieldRow(
        name=one.name,
        type=names.type(one.type),
        unit=one.unit,
        range=_range(one),
        default="" if one.default is None else _value(one.default),
        doc=[*names.doc(one.doc), *([] if one.save else [" (not saved)"])],
    )


def _range(one: Field) -> str:
    if one.range.min is not None and one.range.max is not None:
        return f"{one.range.min} to {one.range.max}"
    if one.range.min is not None:
        return f"at least {one.range.min}"
    return "" if one.range.max is None else f"at most {one.range.max}"


def _value(value: Value) -> str:
    """Returns a default as TOML writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(_value(one) for one in value)}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name} = {_value(one)}' for name, one in value.items())} }}"
    return str(value)
