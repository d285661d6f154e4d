"""Lists what a system reads and writes while its phase runs.

A Resource is a thing that two systems may conflict over: the values of a component, the bits of a
tag, a singleton, an event. An Access is how a system uses a resource, and on which rows. A new sort
of resource needs a Kind and a part of `accesses`.

Some things need no access. Only commands change which entities have a table or sparse component,
and the parents of entities. Commands are applied between phases or at a flush, when no system runs.
Each system records its commands in a buffer of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from model.code import Selection, System
from model.expressions import Expr, Op
from model.graph import closure
from model.model import Model
from model.readers import Readers, written_links
from model.refs import Ref
from model.satisfy import Facts
from model.trees import ENDS, link_tags, shown_tag


class Kind(StrEnum):
    VALUES = "values"  # values of a component; each row has its own memory
    BITS = "bits"  # bits of a tag; 64 rows of a table share a word
    ADDED = "additions"  # change bits of a component that has readers
    CHANGED = "changes"
    SINGLETON = "singleton"
    STATE = "state"  # the next value; the current one is constant during a phase
    RESOURCE = "resource"
    LINK = "link"  # values of links
    EVENT = "event"
    HOOKS = "hooks"  # functions of the game, which must not run in parallel
    COMMANDS = "commands"  # if a flush applies them


class Mode(StrEnum):
    READ = "read"
    WRITE = "write"
    ADD = "add"  # adds to what others read, each in a separate place

    def meets(self, other: Mode) -> bool:
        """Returns whether one of two accesses must wait for the other."""
        return Mode.WRITE in (self, other) or {self, other} == {Mode.READ, Mode.ADD}


# a hook may read anything, because the schema does not say what it reads
BY_HOOKS = "lets hooks read"


class Resource(NamedTuple):
    kind: Kind
    name: str


class Rows(NamedTuple):
    """The rows of a selection: they have the needed components and match the `where`."""

    needs: tuple[str, ...]
    where: Expr | None


class Access(NamedTuple):
    resource: Resource
    mode: Mode
    verb: str  # in words: "writes", "looks up"
    rows: Rows | None = None  # None if it may be any row, or the resource has no rows
    query: str = ""  # the query or index that it goes through; "" for its own columns


def accesses(model: Model, known: Facts, readers: Readers, system: System) -> tuple[Access, ...]:
    """Returns all accesses of a system. For one resource, writes come first."""
    found = [
        *_selected(model, known, system.selection, ""),
        *_looked_up(model, Mode.WRITE, "looks up and writes", system.reach.lookup.write),
        *_looked_up_rulers(model, known, system),
        *_looked_up(model, Mode.READ, "looks up", system.reach.lookup.read),
        *_looked_up(model, Mode.READ, "reads of parents", system.loop.tree.parent),
        *_singletons(model, Mode.WRITE, "writes", system.reach.singletons.write),
        *_singletons(model, Mode.READ, "reads", system.reach.singletons.read),
        *_resources(model, Mode.WRITE, "writes", system.reach.resources.write),
        *_resources(model, Mode.READ, "reads", system.reach.resources.read),
        *_links(model, Mode.WRITE, "writes", written_links(system)),
        *_links(model, Mode.READ, "reads", system.reach.links.read),
        *_over(model, system),
        *_states(model, system),
        *_events(model, Mode.ADD, "emits", system.messages.emits),
        *_events(model, Mode.READ, "hears", system.messages.hears),
    ]
    for ref in system.reach.queries:
        if ref.name in model.code.queries:
            found += _selected(model, known, model.code.queries[ref.name].selection, ref.name)
    for ref in system.reach.indexes:
        if ref.name in model.code.indexes:
            found += _selected(model, known, model.code.indexes[ref.name].selection, ref.name)
    found += [*_hooks(model, system)]
    found += [*_changes(model, readers, system, found)]
    found.sort(key=lambda access: access.mode is Mode.READ)
    return tuple(dict.fromkeys(found))


def _selected(model: Model, known: Facts, selection: Selection, query: str) -> Iterator[Access]:
    rows = _rows(model, selection)
    asked = selection.where.refs() if selection.where else ()
    where = tuple(ref for ref in asked if not model.has_values(ref.name))
    listed = (
        (selection.write, Mode.WRITE, "writes"),
        (selection.read, Mode.READ, "reads"),
        (selection.optional, Mode.READ, "reads"),
        (where, Mode.READ, "filters by"),
    )
    for refs, mode, verb in listed:
        for ref in refs:
            component = model.data.components.get(ref.name)
            if component:
                kind = Kind.BITS if component.is_tag else Kind.VALUES
                yield Access(Resource(kind, ref.name), mode, verb, rows, query)
    for ref in selection.write:
        for tag in _ruling(model, known, ref.name):
            yield Access(Resource(Kind.BITS, tag), Mode.READ, "depends on", rows, query)


def _hooks(model: Model, system: System) -> Iterator[Access]:
    """Writing a tag calls its hooks immediately. All other hooks run between phases.

    Hooks may read the whole world, so they wait for every system that writes something.
    """
    written = [model.data.components.get(ref.name) for ref in system.selection.write]
    written += [model.data.components.get(ref.name) for ref in system.reach.lookup.write]
    if not any(tag and tag.is_tag and tag.hooks for tag in written):
        return
    yield Access(Resource(Kind.HOOKS, "hooks"), Mode.WRITE, "calls")
    for component in model.data.components.values():
        kind = Kind.BITS if component.is_tag else Kind.VALUES
        yield Access(Resource(kind, component.name), Mode.READ, BY_HOOKS)
    for singleton in model.data.kept.singletons:
        yield Access(Resource(Kind.SINGLETON, singleton), Mode.READ, BY_HOOKS)
    for link in model.data.links:
        yield Access(Resource(Kind.LINK, link), Mode.READ, BY_HOOKS)


_CHANGES = {Kind.ADDED: "added", Kind.CHANGED: "changed"}


def _changes(
    model: Model, readers: Readers, system: System, found: list[Access]
) -> Iterator[Access]:
    """Writing a watched component sets its change bits, which a reader may read on any row."""
    watched = readers.groups()
    for access in found:
        kind = Kind.ADDED if access.resource.kind is Kind.BITS else Kind.CHANGED
        name = access.resource.name
        if access.mode is Mode.WRITE and (_CHANGES[kind], name) in watched:
            resource = Resource(kind, name)
            yield Access(resource, Mode.WRITE, access.verb, access.rows, access.query)
    for ref in written_links(system):
        for end, tag in zip(ENDS, link_tags(ref.name), strict=True):
            if ("changed", tag) in watched:
                name = f"{end}({ref.name})"
                yield Access(Resource(Kind.CHANGED, name), Mode.WRITE, "writes")
    for view in readers.of(system.name, False):
        kind = Kind.CHANGED if view.watch.kind == "changed" else Kind.ADDED
        name = shown_tag(model, view.watch.component)
        yield Access(Resource(kind, name), Mode.READ, "watches")
    for ref in system.reach.indexes:
        for view in readers.of_index(ref.name):
            kind = Kind.CHANGED if view.watch.kind == "changed" else Kind.ADDED
            name = shown_tag(model, view.watch.component)
            yield Access(Resource(kind, name), Mode.READ, "finds by")


def _rows(model: Model, selection: Selection) -> Rows:
    """Returns the rows of a selection. A written tag may be missing."""
    refs = selection.read + selection.write
    with_values = (ref.name for ref in refs if model.has_values(ref.name))
    return Rows(tuple(dict.fromkeys(with_values)), _lasting(selection.where))


_LASTING = (Op.HAS, Op.ROOT, Op.LEAF)


def _lasting(where: Expr | None) -> Expr | None:
    """Returns the part of a `where` that depends only on the components and tags of a row.

    Each reader sees different changes, so `added` and `changed` only mean that the component
    exists. `removed` is dropped, and so is `changed_parent`, which is about another row. Links of
    relations stay until commands are applied.
    """
    if where is None:
        return None
    parts = where.operands if where.op is Op.AND else (where,)
    kept = tuple(
        Expr(Op.HAS, part.place, ref=part.ref) if part.op in (Op.ADDED, Op.CHANGED) else part
        for part in parts
        if part.op in (Op.ADDED, Op.CHANGED) or all(atom.op in _LASTING for atom in part.atoms())
    )
    if not kept:
        return None
    return kept[0] if len(kept) == 1 else Expr(Op.AND, where.place, operands=kept)


def _ruling(model: Model, known: Facts, tag: str) -> list[str]:
    """Returns the tags that decide whether a tag may be set on a row.

    Writing a tag reads the tags that it requires, so it conflicts with systems that remove those.
    """
    if model.has_values(tag):
        return []
    needed = closure(known.requires, tag)
    against = {other for name in needed for other in known.excludes.get(name, ())}
    ruling = {*needed, *against} - {tag}
    return [name for name in model.data.components if name in ruling and not model.has_values(name)]


def _looked_up(model: Model, mode: Mode, verb: str, refs: tuple[Ref, ...]) -> Iterator[Access]:
    for ref in refs:
        component = model.data.components.get(ref.name)
        if component:
            kind = Kind.BITS if component.is_tag else Kind.VALUES
            yield Access(Resource(kind, ref.name), mode, verb)


def _looked_up_rulers(model: Model, known: Facts, system: System) -> Iterator[Access]:
    for ref in system.reach.lookup.write:
        for tag in _ruling(model, known, ref.name):
            yield Access(Resource(Kind.BITS, tag), Mode.READ, "depends on")


def _singletons(model: Model, mode: Mode, verb: str, refs: tuple[Ref, ...]) -> Iterator[Access]:
    for ref in refs:
        if ref.name in model.data.kept.singletons:
            yield Access(Resource(Kind.SINGLETON, ref.name), mode, verb)


def _resources(model: Model, mode: Mode, verb: str, refs: tuple[Ref, ...]) -> Iterator[Access]:
    for ref in refs:
        if ref.name in model.data.kept.resources:
            yield Access(Resource(Kind.RESOURCE, ref.name), mode, verb)


def _links(model: Model, mode: Mode, verb: str, refs: tuple[Ref, ...]) -> Iterator[Access]:
    for ref in refs:
        if ref.name in model.data.links:
            yield Access(Resource(Kind.LINK, ref.name), mode, verb)


def _over(model: Model, system: System) -> Iterator[Access]:
    over = system.loop.over
    if over:
        yield from _looked_up(model, Mode.WRITE, "writes at ends of links", over.writes)
        yield from _links(model, Mode.READ, "iterates", (over.link,))
        yield from _looked_up(model, Mode.READ, "reads at ends of links", over.reads)


def _states(model: Model, system: System) -> Iterator[Access]:
    for ref in system.reach.states.write:
        if ref.name in model.data.kept.states:
            yield Access(Resource(Kind.STATE, ref.name), Mode.WRITE, "changes state")


def _events(model: Model, mode: Mode, verb: str, refs: tuple[Ref, ...]) -> Iterator[Access]:
    for ref in refs:
        if ref.name in model.data.events:
            yield Access(Resource(Kind.EVENT, ref.name), mode, verb)
