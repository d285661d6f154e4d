"""All that stands in the page: an entry for each declaration, with links both ways."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from docs.facts import facts_of, links_of, uses_of
from docs.picture import Picture, draw
from docs.words import Fact, Names, Words
from model.model import Component, Field, Model, Value
from schedule import make_schedule, with_passes
from schedule.text import reasons

GROUPS = (
    ("system", "Systems"),
    ("query", "Queries"),
    ("component", "Components"),
    ("tag", "Tags"),
    ("singleton", "Singletons"),
    ("event", "Events"),
    ("relation", "Relations"),
    ("prefab", "Prefabs"),
    ("enum", "Enums"),
    ("struct", "Structs"),
    ("extern", "Types of the game"),
)


@dataclass(frozen=True)
class FieldRow:
    name: str
    type: Words
    unit: str
    range: str
    default: str
    doc: Words


@dataclass(frozen=True)
class Entry:
    """A declaration of the schema."""

    kind: str
    name: str
    doc: Words
    facts: list[Fact]
    fields: list[FieldRow] = field(default_factory=list)
    values: list[str] = field(default_factory=list)  # of an enum, by number

    @property
    def anchor(self) -> str:
        return f"{self.kind}-{self.name}"


@dataclass(frozen=True)
class Group:
    """The declarations of a kind."""

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
    declared = {kind: list(_declared(model, kind)) for kind, _ in GROUPS}
    declared["system"] = [system.name for phase in schedule for system in phase.systems]
    groups = [
        Group(kind, title, [_entry(model, kind, name, names, links) for name in declared[kind]])
        for kind, title in GROUPS
        if declared[kind]
    ]
    return Content(
        name=model.world.name,
        doc=names.doc(model.world.doc),
        facts=_world_facts(model),
        pictures=[draw(phase) for phase in schedule],
        groups=groups,
    )


def _declared(model: Model, kind: str) -> Iterable[str]:
    if kind in ("component", "tag"):
        return (c.name for c in model.components.values() if c.is_tag == (kind == "tag"))
    kinds: dict[str, Iterable[str]] = {
        "system": model.systems,
        "query": model.queries,
        "singleton": model.singletons,
        "event": model.events,
        "relation": model.relations,
        "prefab": model.prefabs,
        "enum": model.enums,
        "struct": model.structs,
        "extern": model.externs,
    }
    return kinds[kind]


def _world_facts(model: Model) -> list[Fact]:
    world = model.world
    step = [Fact("a tick takes", [f"{world.step.text} s"])] if world.step else []
    return [
        Fact("phases", [", ".join(phase.name for phase in world.phases) or "none"]),
        Fact("entities", [f"at most {world.max_entities:,} at once"]),
        Fact("handles", [f"{world.index_bits} + {world.generation_bits} bits"]),
        *step,
    ]


def _entry(
    model: Model, kind: str, name: str, names: Names, links: dict[tuple[str, str], list[Fact]]
) -> Entry:
    item = names.item(kind, name)
    facts = [*facts_of(model, names, kind, item), *links.get((kind, name), [])]
    fields: tuple[Field, ...] = getattr(item, "fields", ())
    if not isinstance(item, Component) or not item.is_tag:
        facts += uses_of(model, names, kind, name)
    return Entry(
        kind=kind,
        name=name,
        doc=names.doc(item.doc),
        facts=facts,
        fields=[_field(names, one) for one in fields],
        values=[value.name for value in getattr(item, "values", ())],
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
    if one.min is not None and one.max is not None:
        return f"{one.min} to {one.max}"
    if one.min is not None:
        return f"at least {one.min}"
    return "" if one.max is None else f"at most {one.max}"


def _value(value: Value) -> str:
    """Writes a default as TOML has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return f"[{', '.join(_value(one) for one in value)}]"
    if isinstance(value, dict):
        return f"{{ {', '.join(f'{name} = {_value(one)}' for name, one in value.items())} }}"
    return str(value)
