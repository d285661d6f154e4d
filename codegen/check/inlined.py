"""Rules about systems with generated loops, which call the game's function for each row."""

from __future__ import annotations

from check.headers import generated_headers, header_mistake
from parse import Parsed
from source.source import Report


def inline_header(parsed: Parsed, report: Report) -> None:
    generated = generated_headers(parsed.model)
    for system in parsed.model.code.systems.values():
        given = parsed.book.has("system", system.name, "inline")
        mistake = header_mistake(system.loop.inline, generated)
        if given and mistake and parsed.sound("system", system.name):
            place = parsed.book.value("system", system.name, "inline")
            report.error("inline-header", place, mistake[0], help=mistake[1])


def inline_rows(parsed: Parsed, report: Report) -> None:
    """A generated loop runs over ranges of rows, so the system needs rows, and not as a list."""
    for system in parsed.model.code.systems.values():
        if not system.loop.inline or not parsed.sound("system", system.name):
            continue
        chosen = system.selection
        place = parsed.book.key("system", system.name, "inline")
        what = f"system '{system.name}' is inline"
        if chosen.rows:
            message = f'{what}, but has rows = "{chosen.rows}"'
            help = "remove 'rows': the generated loop visits runs of rows"
            report.error("inline-rows", place, message, help=help)
        elif not (chosen.read or chosen.write or chosen.optional or chosen.where):
            message = f"{what}, but selects no rows"
            help = "remove 'inline': without rows there is no loop to generate"
            report.error("inline-rows", place, message, help=help)


RULES = (inline_header, inline_rows)
