"""Rules about lists: a name must not occur twice, or in two lists that exclude each other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from model.code import Listener, Selection, System
from model.model import Model
from model.refs import Ref
from parse import Parsed
from source.source import Note, Report


class Listed(NamedTuple):
    """A list of names in a schema."""

    kind: str  # kind of the declaration: "system"
    owner: str
    group: str  # lists of one group exclude each other: "column" contains read, write and optional
    key: str
    refs: tuple[Ref, ...]

    @property
    def what(self) -> str:
        return f"'{self.key}' of {self.kind} '{self.owner}'"

    @property
    def is_of_owners(self) -> bool:
        """Returns whether the list names declarations of the owner's own kind."""
        return self.key in ("requires", "excludes", "after", "before", "ambiguous_with")


def double_names(parsed: Parsed, report: Report) -> None:
    """Runs the rules about lists of names."""
    named = [listed for listed in _lists(parsed.model) if listed.refs]
    for rule in LIST_RULES:
        rule(named, report)


def _lists(model: Model) -> Iterator[Listed]:
    for component in model.data.components.values():
        name = component.name
        yield Listed("component", name, "", "requires", component.rules.requires)
        yield Listed("component", name, "", "excludes", component.rules.excludes)
        for hook in component.hooks:
            yield Listed("component", name, "", hook.kind, hook.functions)
    for relation in model.data.relations.values():
        for hook in relation.hooks:
            yield Listed("relation", relation.name, "", hook.kind, hook.functions)
    for link in model.data.links.values():
        for hook in link.hooks:
            yield Listed("link", link.name, "", hook.kind, hook.functions)
    yield Listed("world", model.world.name, "", "hide", model.world.hide)
    for query in model.code.queries.values():
        yield from _columns("query", query.name, query.selection)
        yield Listed("query", query.name, "", "all", query.all)
    for listener in model.code.listeners.values():
        yield from _columns("listener", listener.name, listener.selection)
        yield from _consumed("listener", listener)
    for index in model.code.indexes.values():
        yield Listed("index", index.name, "", index.kind, index.fields)
    for system in model.code.systems.values():
        name = system.name
        looked_up = system.reach.lookup.read + system.reach.lookup.relations
        yield from _columns("system", name, system.selection)
        yield Listed("system", name, "", "after", system.schedule.after)
        yield Listed("system", name, "", "before", system.schedule.before)
        yield Listed("system", name, "", "ambiguous_with", system.schedule.ambiguous_with)
        yield Listed("system", name, "singleton", "singletons.read", system.reach.singletons.read)
        yield Listed("system", name, "singleton", "singletons.write", system.reach.singletons.write)
        yield Listed("system", name, "resource", "resources.read", system.reach.resources.read)
        yield Listed("system", name, "resource", "resources.write", system.reach.resources.write)
        yield Listed("system", name, "state", "states.read", system.reach.states.read)
        yield Listed("system", name, "state", "states.write", system.reach.states.write)
        yield Listed("system", name, "link", "links.read", system.reach.links.read)
        yield Listed("system", name, "link", "links.write", system.reach.links.write)
        for end, access in system.loop.over.ends if system.loop.over else ():
            yield Listed("system", name, f"at {end}", f"ends.{end}.read", access.read)
            yield Listed("system", name, f"at {end}", f"ends.{end}.write", access.write)
        yield Listed("system", name, "lookup", "lookup.read", looked_up)
        yield Listed("system", name, "lookup", "lookup.write", system.reach.lookup.write)
        yield Listed("system", name, "", "queries", system.reach.queries)
        yield Listed("system", name, "", "indexes", system.reach.indexes)
        yield Listed("system", name, "", "emits", system.messages.emits)
        yield from _consumed("system", system)
        yield Listed("system", name, "", "parent", system.loop.tree.parent)


def _consumed(kind: str, reader: System | Listener) -> Iterator[Listed]:
    yield Listed(kind, reader.name, "", "hears", reader.messages.hears)
    lost = tuple(removal.component for removal in reader.messages.removed)
    yield Listed(kind, reader.name, "", "removed", lost)


def _columns(kind: str, owner: str, selection: Selection) -> Iterator[Listed]:
    yield Listed(kind, owner, "column", "read", selection.read)
    yield Listed(kind, owner, "column", "write", selection.write)
    yield Listed(kind, owner, "column", "optional", selection.optional)


def listed_twice(lists: list[Listed], report: Report) -> None:
    for listed in lists:
        first: dict[str, Ref] = {}
        for ref in listed.refs:
            other = first.setdefault(ref.name, ref)
            if other is not ref:
                message = f"{listed.what} lists '{ref.name}' twice"
                notes = [Note(other.place, "the first is here")]
                report.error(
                    "listed-twice", ref.place, message, help="remove one of the two", notes=notes
                )


def self_reference(lists: list[Listed], report: Report) -> None:
    for listed in lists:
        for ref in listed.refs:
            if ref.name == listed.owner and listed.is_of_owners:
                message = f"{listed.kind} '{listed.owner}' names itself in '{listed.key}'"
                report.error("self-reference", ref.place, message, help="remove it")


def column_twice(lists: list[Listed], report: Report) -> None:
    for ref, first, second, note in _in_two_lists(lists, "column"):
        message = (
            f"{second.kind} '{second.owner}' has '{ref.name}' in both '{first.key}' and "
            f"'{second.key}'"
        )
        help = "keep one: 'write' includes reading, and 'optional' is for what rows may lack"
        report.error("column-twice", ref.place, message, help=help, notes=[note])


def singleton_twice(lists: list[Listed], report: Report) -> None:
    for ref, _, listed, note in _in_two_lists(lists, "singleton"):
        message = f"system '{listed.owner}' has singleton '{ref.name}' in both 'read' and 'write'"
        help = "remove it from 'read': 'write' includes reading"
        report.error("singleton-twice", ref.place, message, help=help, notes=[note])


def state_twice(lists: list[Listed], report: Report) -> None:
    for ref, _, listed, note in _in_two_lists(lists, "state"):
        message = f"system '{listed.owner}' has state '{ref.name}' in both 'read' and 'write'"
        help = "remove it from 'read': 'write' includes reading"
        report.error("state-twice", ref.place, message, help=help, notes=[note])


def resource_twice(lists: list[Listed], report: Report) -> None:
    for ref, _, listed, note in _in_two_lists(lists, "resource"):
        message = f"system '{listed.owner}' has resource '{ref.name}' in both 'read' and 'write'"
        help = "remove it from 'read': 'write' includes reading"
        report.error("resource-twice", ref.place, message, help=help, notes=[note])


def link_twice(lists: list[Listed], report: Report) -> None:
    for ref, _, listed, note in _in_two_lists(lists, "link"):
        message = f"system '{listed.owner}' has link '{ref.name}' in both 'read' and 'write'"
        help = "remove it from 'read': 'write' includes reading"
        report.error("link-twice", ref.place, message, help=help, notes=[note])


def end_twice(lists: list[Listed], report: Report) -> None:
    for end in ("from", "to"):
        for ref, _, listed, note in _in_two_lists(lists, f"at {end}"):
            what = f"'ends.{end}' of system '{listed.owner}'"
            message = f"{what} has '{ref.name}' in both 'read' and 'write'"
            help = "remove it from 'read': 'write' includes reading"
            report.error("end-twice", ref.place, message, help=help, notes=[note])


def lookup_twice(lists: list[Listed], report: Report) -> None:
    for ref, _, listed, note in _in_two_lists(lists, "lookup"):
        message = f"system '{listed.owner}' has lookup '{ref.name}' in both 'read' and 'write'"
        help = "remove it from 'read': 'write' includes reading"
        report.error("lookup-twice", ref.place, message, help=help, notes=[note])


def _in_two_lists(lists: list[Listed], group: str) -> Iterator[tuple[Ref, Listed, Listed, Note]]:
    """Yields each name that one owner has in two lists of a group."""
    relevant = (listed for listed in lists if listed.group == group)
    for _, together in groupby(relevant, key=lambda listed: (listed.kind, listed.owner)):
        first: dict[str, tuple[Ref, Listed]] = {}
        for listed in together:
            for ref in listed.refs:
                other, other_list = first.setdefault(ref.name, (ref, listed))
                if other_list is not listed:
                    yield ref, other_list, listed, Note(other.place, f"in '{other_list.key}' here")


LIST_RULES = (
    listed_twice,
    self_reference,
    column_twice,
    singleton_twice,
    state_twice,
    resource_twice,
    link_twice,
    end_twice,
    lookup_twice,
)

RULES = (double_names,)
