"""Rules about selections: columns must have values, and filters must be able to match."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from check.components import excluding_pairs
from model.code import Listener, Selection
from model.expressions import Expr, Op
from model.graph import closure
from model.hide import written
from model.readers import Readers
from model.refs import Ref
from model.satisfy import Assignment, Facts, facts, satisfiable
from parse import Parsed
from source.source import Note, Place, Report

MAX_ROW_POINTERS = 32  # pointers that a query or system gathers for a row, on the stack


class Selecting(NamedTuple):
    """A query or system, as far as it selects rows."""

    kind: str
    name: str
    place: Place
    selection: Selection

    @property
    def what(self) -> str:
        return f"{self.kind} '{self.name}'"


def selecting(parsed: Parsed) -> Iterator[Selecting]:
    for query in parsed.model.code.queries.values():
        yield Selecting("query", query.name, query.place, query.selection)
    for listener in parsed.model.code.listeners.values():
        yield Selecting("listener", listener.name, listener.place, listener.selection)
    for system in parsed.model.code.systems.values():
        yield Selecting("system", system.name, system.place, system.selection)


def filtering(parsed: Parsed) -> Iterator[Selecting]:
    """Yields everything with a filter: queries, systems and indexes."""
    yield from selecting(parsed)
    for index in parsed.model.code.indexes.values():
        yield Selecting("index", index.name, index.place, index.selection)


def tag_read(parsed: Parsed, report: Report) -> None:
    for user in selecting(parsed):
        for ref in user.selection.read:
            if parsed.is_tag(ref.name):
                message = f"{user.what} reads '{ref.name}', which is a tag and has no value"
                help = f"use where = \"{ref.name}\", or list it in 'optional'"
                report.error("tag-read", ref.place, message, help=help)


def tag_write(parsed: Parsed, report: Report) -> None:
    for user in selecting(parsed):
        for ref in user.selection.write:
            if user.kind == "query" and parsed.is_tag(ref.name):
                message = f"{user.what} writes '{ref.name}', which is a tag"
                help = "only systems write tags; outside of systems, call its set and remove"
                report.error("tag-write", ref.place, message, help=help)


def all_sparse(parsed: Parsed, report: Report) -> None:
    for query in parsed.model.code.queries.values():
        for ref in query.all:
            component = parsed.model.data.components.get(ref.name)
            if component and component.is_sparse:
                message = f"query '{query.name}' has the sparse component '{ref.name}' in 'all'"
                help = "only table components and tags can be added to or removed from all rows"
                report.error("all-sparse", ref.place, message, help=help)


def rows_alone(parsed: Parsed, report: Report) -> None:
    for user in selecting(parsed):
        chosen = user.selection
        if user.kind != "query" and chosen.rows_given and not chosen.where and not _columns(chosen):
            place = parsed.book.key(user.kind, user.name, "rows")
            message = f"{user.what} has 'rows', but selects no rows"
            report.error("rows-alone", place, message, help="remove 'rows'")


def row_pointers(parsed: Parsed, report: Report) -> None:
    for user in selecting(parsed):
        count = 0
        for ref, pointers in _gathered(parsed, user):
            before, count = count, count + pointers
            if before <= MAX_ROW_POINTERS < count:
                most = f"more than {MAX_ROW_POINTERS} pointers for each row"
                message = f"{user.what} needs {most}, counting '{ref.name}'"
                help = (
                    "look some of them up by their entity: each sparse column, each component "
                    "of a parent and each field of a soa one needs a pointer"
                )
                report.error("row-pointers", ref.place, message, help=help)


def _gathered(parsed: Parsed, user: Selecting) -> Iterator[tuple[Ref, int]]:
    """Yields the columns that are not arrays of a table, and how many pointers a row needs for
    each.
    """
    components = parsed.model.data.components
    for ref in _columns(user.selection):
        if ref.name in components and components[ref.name].is_sparse:
            yield ref, 1
    parents = parsed.model.code.systems[user.name].loop.tree.parent if user.kind == "system" else ()
    for ref in parents:
        if ref.name in components:
            yield ref, components[ref.name].columns


def sparse_runs(parsed: Parsed, report: Report) -> None:
    """Few rows have a sparse component, so its runs are short, and each run costs a call."""
    components = parsed.model.data.components
    for user in selecting(parsed):
        chosen = user.selection
        found = (ref for ref in chosen.read if ref.name in components)
        sparse = next((ref for ref in found if components[ref.name].is_sparse), None)
        if not sparse or chosen.rows_given or _is_ordered(parsed, user):
            continue
        message = (
            f"{user.what} reads the sparse component '{sparse.name}' in runs of rows, which are "
            "short"
        )
        help = (
            'write rows = "list", which is faster if few rows have it, or rows = "runs" if '
            "most have it or you need runs"
        )
        report.warning("sparse-runs", sparse.place, message, help=help)


def _is_ordered(parsed: Parsed, user: Selecting) -> bool:
    return (
        user.kind == "system" and parsed.model.code.systems[user.name].loop.tree.order is not None
    )


def never_matches(parsed: Parsed, report: Report) -> None:
    known = facts(parsed.model)
    for user in filtering(parsed):
        given = _given(parsed, user.selection)
        if not _each_possible(known, given) or satisfiable(known, given, user.selection.where):
            continue
        if satisfiable(known, given, written(parsed.model, user.selection)):
            message = f"{user.what} can never match: the world hides all rows that it selects"
            help = "name the tag that all of its rows have, for example in 'optional'"
            notes = [Note(ref.place, f"'{ref.name}' is hidden") for ref in _hidden(parsed, user)]
            report.error("never-matches", user.place, message, help=help, notes=notes)
            continue
        reason, place, notes = _why_never(parsed, known, user, given)
        message = f"{user.what} can never match: {reason}"
        help = "remove one of the contradicting parts"
        report.error("never-matches", place, message, help=help, notes=notes)


def where_always(parsed: Parsed, report: Report) -> None:
    known = facts(parsed.model)
    for user in filtering(parsed):
        where, given = written(parsed.model, user.selection), _given(parsed, user.selection)
        if where and _shows_hidden(parsed, user, where):
            continue
        if where and satisfiable(known, given, None) and not satisfiable(known, given, _not(where)):
            message = f"'where' of {user.what} is always true"
            help = "remove it: all rows match already"
            report.warning("where-always", where.place, message, help=help)


def _shows_hidden(parsed: Parsed, user: Selecting, where: Expr) -> bool:
    """Returns whether a `where` is the only place that names a hidden tag, so that it cannot be
    removed even if it is always true.
    """
    listed = user.selection.read + user.selection.write + user.selection.optional
    named = {ref.name for ref in where.refs()} - {ref.name for ref in listed}
    return any(ref.name in named for ref in parsed.model.world.hide)


def _hidden(parsed: Parsed, user: Selecting) -> list[Ref]:
    """Returns the hidden tags that a selection does not name."""
    where = user.selection.where
    asked = [*where.refs()] if where else []
    return [ref for ref in parsed.model.world.hide if any(ref is one for one in asked)]


def optional_certain(parsed: Parsed, report: Report) -> None:
    """A column that every row has, or no row, should not be optional."""
    known = facts(parsed.model)
    hidden = {ref.name for ref in parsed.model.world.hide}
    for user in selecting(parsed):
        where, given = user.selection.where, _given(parsed, user.selection)
        if not user.selection.optional or not satisfiable(known, given, where):
            continue
        for ref in user.selection.optional:
            if ref.name not in parsed.model.data.components or ref.name in given:
                continue
            if not satisfiable(known, {**given, ref.name: True}, where):
                message = f"{user.what} has the optional '{ref.name}', which none of its rows has"
                report.warning("optional-certain", ref.place, message, help="remove it")
            elif ref.name in hidden:
                continue  # naming a hidden tag shows its rows, so it has an effect
            elif not satisfiable(known, {**given, ref.name: False}, where):
                message = f"{user.what} has the optional '{ref.name}', which all of its rows have"
                is_tag = parsed.model.is_tag(ref.name)
                help = "remove it" if is_tag else "list it in 'read' or 'write', or remove it"
                report.warning("optional-certain", ref.place, message, help=help)


def _why_never(
    parsed: Parsed, known: Facts, user: Selecting, given: Assignment
) -> tuple[str, Place, list[Note]]:
    """Returns why nothing can match, the place to point at, and notes."""
    where = user.selection.where
    parts = where.operands if where and where.op is Op.AND else (where,) if where else ()
    asked = dict.fromkeys([*given, *(part.atom for part in parts if part.ref)])
    needed = dict.fromkeys(name for one in asked for name in closure(known.requires, one))
    for one, two, ref in excluding_pairs(parsed.model, needed):
        note = Note(ref.place, f"'{one}' excludes '{two}'")
        return f"it needs '{one}' and '{two}', which exclude each other", user.place, [note]
    for part in parts:
        absent = part.operands[0] if part.op is Op.NOT else None
        if absent and absent.ref and absent.atom in needed:
            return f"it needs '{absent.atom}', which its 'where' excludes", part.place, []
    assert where is not None  # without a `where`, only an excluding pair contradicts itself
    if satisfiable(known, {}, where):
        return "its 'where' contradicts its columns", where.place, []
    return "its 'where' contradicts itself", where.place, []


def _given(parsed: Parsed, selection: Selection) -> Assignment:
    """Returns the components that every row must have. A written tag may be missing, and so may
    a component whose fields could not be read.
    """
    return {
        ref.name: True
        for ref in selection.read + selection.write
        if ref.name in parsed.model.data.components and not parsed.model.is_tag(ref.name)
    }


def _each_possible(known: Facts, given: Assignment) -> bool:
    """Returns whether each component alone is possible; otherwise another rule reports it."""
    return all(satisfiable(known, {name: True}, None) for name in given)


def _columns(selection: Selection) -> tuple[Ref, ...]:
    return selection.read + selection.write + selection.optional


def _not(expr: Expr) -> Expr:
    return Expr(Op.NOT, expr.place, operands=(expr,))


def changed_tag(parsed: Parsed, report: Report) -> None:
    for user in selecting(parsed):
        for atom in user.selection.where.atoms() if user.selection.where else ():
            asks = atom.op in (Op.CHANGED, Op.CHANGED_PARENT)
            if asks and atom.ref and parsed.is_tag(atom.ref.name):
                message = f"{user.what} asks for {atom.atom}, which is a tag"
                help = f"a tag has no value that changes: write added({atom.ref.name})"
                if atom.op is Op.CHANGED_PARENT:
                    help = f'a tag has no value that changes: use parent = ["{atom.ref.name}"]'
                report.error("changed-tag", atom.place, message, help=help)


def singleton_asked(parsed: Parsed, report: Report) -> None:
    for user in selecting(parsed):
        for atom in user.selection.where.atoms() if user.selection.where else ():
            asks = atom.op in (Op.ADDED, Op.REMOVED)
            if asks and atom.ref and _is_singleton(parsed, atom.ref.name):
                message = f"{user.what} asks for {atom.atom}, which is a singleton"
                help = f"a singleton always exists: write changed({atom.ref.name})"
                report.error("singleton-asked", atom.place, message, help=help)


def _is_singleton(parsed: Parsed, name: str) -> bool:
    data = parsed.model.data
    return name in data.kept.singletons and name not in {*data.components, *data.relations}


def marks_nothing(parsed: Parsed, report: Report) -> None:
    for system in parsed.model.code.systems.values():
        values = [ref for ref in system.selection.write if not parsed.is_tag(ref.name)]
        if system.loop.marks and not values:
            place = parsed.book.key("system", system.name, "marks")
            message = f"system '{system.name}' has 'marks', but writes no component"
            report.error(
                "marks-nothing",
                place,
                message,
                help="remove 'marks', or list the component in 'write'",
            )


def marks_unwatched(parsed: Parsed, report: Report) -> None:
    """A component without readers of changes has no change bits, so marks have no effect."""
    systems = [one for one in parsed.model.code.systems.values() if one.loop.marks]
    if not systems:
        return
    readers = Readers(parsed.model)
    for system in systems:
        values = [ref.name for ref in system.selection.write if not parsed.is_tag(ref.name)]
        known = all(name in parsed.model.data.components for name in values)
        watched = any(readers.group("changed", name) for name in values)
        if values and known and not watched:
            place = parsed.book.key("system", system.name, "marks")
            message = f"system '{system.name}' has 'marks', but nothing asks for changes"
            asked = " or ".join(f"changed({name})" for name in values)
            help = f"remove 'marks', or ask for {asked} in a 'where'"
            report.warning("marks-unwatched", place, message, help=help)


def removed_value(parsed: Parsed, report: Report) -> None:
    for reader in parsed.model.with_removals:
        for removal in reader.messages.removed:
            ref = removal.component
            related = ref.name in parsed.model.data.relations
            if removal.value and (related or parsed.is_tag(ref.name)):
                kind = "a relation" if related else "a tag"
                of = "listener" if isinstance(reader, Listener) else "system"
                asked = f"{of} '{reader.name}' asks for the last value of '{ref.name}'"
                message = f"{asked}, which is {kind} without values"
                help = "list its name alone"
                report.error("removed-value", ref.place, message, help=help)


RULES = (
    changed_tag,
    singleton_asked,
    removed_value,
    marks_nothing,
    marks_unwatched,
    tag_read,
    tag_write,
    all_sparse,
    rows_alone,
    row_pointers,
    sparse_runs,
    never_matches,
    where_always,
    optional_certain,
)
