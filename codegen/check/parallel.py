"""Rules about parallel systems, whose rows are divided among worker threads."""

from __future__ import annotations

from collections.abc import Iterator

from model.code import System
from model.refs import Ref
from parse import Parsed
from source.source import Note, Report


def parallel_alone(parsed: Parsed, report: Report) -> None:
    """A parallel system must have rows that can be divided."""
    for system in _parallel(parsed):
        chosen = system.selection
        has_rows = chosen.read or chosen.write or chosen.optional or chosen.where
        if not has_rows and not system.loop.over:
            place = parsed.book.key("system", system.name, "parallel")
            message = f"system '{system.name}' is parallel, but selects no rows"
            help = "remove 'parallel': there are no rows to divide"
            report.error("parallel-alone", place, message, help=help)


def parallel_write(parsed: Parsed, report: Report) -> None:
    """Parts of a system run at the same time, so each may write only its own rows.

    A merge runs after all parts, so it may write singletons.
    """
    for system in _parallel(parsed):
        for ref in system.reach.singletons.write if not system.loop.partial else ():
            message = f"system '{system.name}' is parallel, but writes singleton '{ref.name}'"
            help = (
                "remove 'parallel', or let each part fill a partial that the game merges into "
                f"the singleton: [system.{system.name}.partial]"
            )
            report.error("parallel-write", ref.place, message, help=help)
        for ref in system.reach.resources.write:
            message = f"system '{system.name}' is parallel, but writes resource '{ref.name}'"
            _refuse_write(report, ref, message)
        for ref in system.reach.states.write:
            message = f"system '{system.name}' is parallel, but changes state '{ref.name}'"
            _refuse_write(report, ref, message)
        for ref in system.reach.lookup.write:
            message = f"system '{system.name}' is parallel, but looks up and writes '{ref.name}'"
            _refuse_write(report, ref, message)
        for ref in system.reach.links.write:
            message = f"system '{system.name}' is parallel, but writes links '{ref.name}'"
            _refuse_write(report, ref, message)
        for ref in system.reach.queries:
            query = parsed.model.code.queries.get(ref.name)
            if query and query.selection.write:
                written = query.selection.write[0]
                message = f"system '{system.name}' is parallel, but iterates '{ref.name}'"
                notes = [Note(written.place, f"'{ref.name}' writes '{written.name}'")]
                _refuse_write(report, ref, message, notes)


def parallel_alias(parsed: Parsed, report: Report) -> None:
    """A part must not write what another part may read at the same time."""
    for system in _parallel(parsed):
        written = (ref for ref in system.selection.write if parsed.model.has_values(ref.name))
        columns = {ref.name: ref for ref in written}
        for ref, name, how in _reached(parsed, system):
            if name not in columns:
                continue
            message = f"system '{system.name}' is parallel and writes '{name}', which it also {how}"
            notes = [Note(columns[name].place, "written here")]
            help = "remove 'parallel', or write the results to another component"
            report.error("parallel-alias", ref.place, message, help=help, notes=notes)


def fuse_alone(parsed: Parsed, report: Report) -> None:
    """Only parallel systems run in passes, so other systems must not set `fuse`."""
    for system in parsed.model.code.systems.values():
        key = ("system", system.name, "fuse")
        if parsed.book.has(*key) and not system.loop.parallel:
            message = f"system '{system.name}' has 'fuse', but is not parallel"
            help = "remove 'fuse', or add parallel = true"
            report.error("fuse-alone", parsed.book.key(*key), message, help=help)


def _reached(parsed: Parsed, system: System) -> Iterator[tuple[Ref, str, str]]:
    """Yields what a system reads beyond its own rows: the place, the component, and how it
    reads it.
    """
    for ref in system.reach.lookup.read:
        yield ref, ref.name, "looks up"
    for ref in system.reach.queries:
        query = parsed.model.code.queries.get(ref.name)
        for column in query.selection.read + query.selection.optional if query else ():
            yield ref, column.name, f"reads through query '{ref.name}'"
    for ref in system.reach.indexes:
        index = parsed.model.code.indexes.get(ref.name)
        if index:
            yield ref, index.of.name, f"reads through index '{ref.name}'"


def _refuse_write(report: Report, ref: Ref, message: str, notes: list[Note] | None = None) -> None:
    help = "remove 'parallel' or the write: its parts run at the same time, each on its own rows"
    report.error("parallel-write", ref.place, message, help=help, notes=notes or [])


def _parallel(parsed: Parsed) -> Iterator[System]:
    return (system for system in parsed.model.code.systems.values() if system.loop.parallel)


RULES = (parallel_alone, parallel_write, parallel_alias, fuse_alone)
