"""Rules about systems that store results of changes in data that is not saved."""

from __future__ import annotations

from collections.abc import Iterator

from model.code import System
from model.data import Component, Singleton
from model.model import Model
from model.readers import Readers
from parse import Parsed
from source.source import Report


def stale_after_load(parsed: Parsed, report: Report) -> None:
    """After a load such data is empty, but the system has already seen the changes."""
    systems = [
        one for one in parsed.model.code.systems.values() if not one.schedule.turn.after_load
    ]
    unsaved_by = {one.name: next(_unsaved(parsed.model, one), "") for one in systems}
    if not any(unsaved_by.values()):
        return
    readers = Readers(parsed.model)
    for system in systems:
        unsaved = unsaved_by[system.name]
        if unsaved and readers.of(system.name, False):
            message = (
                f"system '{system.name}' reads changes and writes {unsaved}, which is not "
                "saved: after a load, it does not see older changes again"
            )
            help = (
                'add after_load = "everything" to see all as added after a load, or '
                'after_load = "nothing" if what it writes does not depend on earlier turns'
            )
            report.warning("stale-after-load", system.place, message, help=help)


def after_load_unread(parsed: Parsed, report: Report) -> None:
    systems = [one for one in parsed.model.code.systems.values() if one.schedule.turn.after_load]
    if not systems:
        return
    readers = Readers(parsed.model)
    for system in systems:
        if not readers.of(system.name, False):
            place = parsed.book.key("system", system.name, "after_load")
            message = f"system '{system.name}' has 'after_load', but reads no changes"
            report.error("after-load-unread", place, message, help="remove 'after_load'")


def _unsaved(model: Model, system: System) -> Iterator[str]:
    """Yields what a system writes that a load resets to its defaults, in words."""
    queries = [
        model.code.queries[ref.name]
        for ref in system.reach.queries
        if ref.name in model.code.queries
    ]
    written = [ref for query in queries for ref in query.selection.write]
    for ref in (*system.selection.write, *system.reach.lookup.write, *written):
        if ref.name in model.data.components:
            yield from _parts(f"component '{ref.name}'", model.data.components[ref.name])
    for ref in system.reach.singletons.write:
        if ref.name in model.data.kept.singletons:
            yield from _parts(f"singleton '{ref.name}'", model.data.kept.singletons[ref.name])


def _parts(what: str, thing: Component | Singleton) -> Iterator[str]:
    if not thing.save:
        yield what
    yield from (f"'{field.name}' of {what}" for field in thing.fields if not field.save)


RULES = (stale_after_load, after_load_unread)
