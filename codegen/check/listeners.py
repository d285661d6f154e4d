"""Rules about listeners, which the game reads outside of systems."""

from __future__ import annotations

from parse import Parsed
from source.source import Report


def listener_nothing(parsed: Parsed, report: Report) -> None:
    for one in parsed.model.code.listeners.values():
        if not (
            one.selection.has_rows or one.messages.hears or one.messages.removed
        ) and parsed.sound("listener", one.name):
            message = f"listener '{one.name}' reads nothing"
            help = (
                "list events in 'hears' or components in 'removed', or select rows by 'read' or "
                "'where'"
            )
            report.error("listener-nothing", one.place, message, help=help)


def listener_input(parsed: Parsed, report: Report) -> None:
    """Inputs are removed after their tick, so a listener between two ticks would find none."""
    for one in parsed.model.code.listeners.values():
        for ref in one.messages.hears:
            event = parsed.model.data.events.get(ref.name)
            if event and event.kind == "input":
                message = f"listener '{one.name}' hears '{ref.name}', which is an input"
                help = (
                    "inputs are removed at the end of a tick: let a system hear it and emit an "
                    "event"
                )
                report.error("listener-input", ref.place, message, help=help)


RULES = (listener_nothing, listener_input)
