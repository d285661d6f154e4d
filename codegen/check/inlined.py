"""These rules are about systems whose loops are generated around what the game does to a row."""

from __future__ import annotations

from check.types import HEADER
from parse import Parsed
from source.source import Report


def inline_header(parsed: Parsed, report: Report) -> None:
    for system in parsed.model.systems.values():
        given = parsed.book.has("system", system.name, "inline")
        if (
            given
            and parsed.sound("system", system.name)
            and not HEADER.fullmatch(system.loop.inline)
        ):
            place = parsed.book.value("system", system.name, "inline")
            message = f"'{system.loop.inline}' cannot stand in an #include"
            help = 'write the path as in #include "…", without quotes or brackets'
            report.error("inline-header", place, message, help=help)


def inline_rows(parsed: Parsed, report: Report) -> None:
    """A generated loop goes over all rows of a range, so there must be some, and no list."""
    for system in parsed.model.systems.values():
        if not system.loop.inline or not parsed.sound("system", system.name):
            continue
        chosen = system.selection
        place = parsed.book.key("system", system.name, "inline")
        what = f"system '{system.name}' is inline"
        if chosen.rows:
            message = f"{what} and takes its rows as a {chosen.rows}"
            help = (
                "remove rows: the generated loop goes over runs of rows, and the game sees one row"
            )
            report.error("inline-rows", place, message, help=help)
        elif not (chosen.read or chosen.write or chosen.optional or chosen.where):
            message = f"{what} but has no rows"
            help = "remove inline: it is called once a turn, so there is no loop to generate"
            report.error("inline-rows", place, message, help=help)


RULES = (inline_header, inline_rows)
