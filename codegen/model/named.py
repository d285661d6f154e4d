"""Lists everything in a schema that has a name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from model.code import Partial
from model.data import Component, Event, Link, Singleton
from model.model import Model
from model.types import ExternType, Field, StructType
from source.source import Place


class Named(NamedTuple):
    kind: str  # "component", "field", "value", "phase", "world"
    name: str
    place: Place
    owner: tuple[str, str] = ("", "")  # kind and name of the declaration around it
    doc: str = ""

    @property
    def what(self) -> str:
        """Returns it as the user knows it: "field 'x' of component 'position'"."""
        kind, name = self.owner
        return f"{self.kind} '{self.name}'" + (f" of {kind} '{name}'" if kind else "")


def declarations(model: Model) -> Iterator[Named]:
    """Yields every declaration that has its own table in the schema."""
    enums = {name: enum for name, enum in model.types.enums.items() if enum.kind == "enum"}
    kinds = (
        ("enum", enums),
        ("struct", model.types.structs),
        ("extern", model.types.externs),
        ("component", model.data.components),
        ("singleton", model.data.kept.singletons),
        ("state", model.data.kept.states),
        ("resource", model.data.kept.resources),
        ("event", {name: one for name, one in model.data.events.items() if one.kind == "event"}),
        ("input", {name: one for name, one in model.data.events.items() if one.kind == "input"}),
        ("prefab", model.data.prefabs),
        ("query", model.code.queries),
        ("listener", model.code.listeners),
        ("index", model.code.indexes),
        ("system", model.code.systems),
        ("relation", model.data.relations),
        ("link", model.data.links),
    )
    for kind, declared in kinds:
        for name, item in declared.items():
            yield Named(kind, name, item.place, doc=item.doc)


Shaped: TypeAlias = StructType | Component | Singleton | Event | Link | Partial


def structs(model: Model) -> Iterator[tuple[str, Shaped]]:
    """Yields every declaration that becomes a C struct with the schema's fields, and its kind."""
    for struct in model.types.structs.values():
        yield "struct", struct
    for component in model.data.components.values():
        yield "component", component
    for singleton in model.data.kept.singletons.values():
        yield "singleton", singleton
    for event in model.data.events.values():
        yield event.kind, event
    for link in model.data.links.values():
        yield "link", link
    for system in model.code.systems.values():
        if system.loop.partial:
            yield "partial", system.loop.partial


def with_fields(
    model: Model,
) -> Iterator[tuple[str, Shaped | ExternType]]:
    """Yields every declaration with fields, including externs, and its kind."""
    yield from structs(model)
    for extern in model.types.externs.values():
        yield "extern", extern


def fields(model: Model) -> Iterator[tuple[Named, Field]]:
    """Yields the fields of generated structs. The fields of an extern belong to the game.

    Parts of prefabs are fields of hidden components.
    """
    for kind, struct in structs(model):
        what, owner = "field", (kind, struct.name)
        if isinstance(struct, Component) and struct.of_prefab:
            what, owner = "part", ("prefab", struct.of_prefab)
        for field in struct.fields:
            yield Named(what, field.name, field.place, owner), field


def everything(model: Model) -> Iterator[Named]:
    yield Named("world", model.world.name, model.world.place)
    for phase in model.world.phases:
        yield Named("phase", phase.name, phase.place)
    yield from declarations(model)
    for enum in model.types.enums.values():
        for value in enum.values:
            yield Named("value", value.name, value.place, (enum.kind, enum.name), value.doc)
    for component in model.data.components.values():
        for hook in component.hooks:
            for function in hook.functions:
                owner = ("component", component.name)
                yield Named("hook", function.name, function.place, owner)
    for relation in model.data.relations.values():
        for hook in relation.hooks:
            for function in hook.functions:
                owner = ("relation", relation.name)
                yield Named("hook", function.name, function.place, owner)
    for link in model.data.links.values():
        for hook in link.hooks:
            for function in hook.functions:
                yield Named("hook", function.name, function.place, ("link", link.name))
    for named, _ in fields(model):
        yield named
