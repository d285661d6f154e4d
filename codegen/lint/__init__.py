"""Warns about declarations that a sound schema does not use.

`check` decides whether code can be generated; these warnings are about needless declarations. They
use only the schema. Code of the game may read and write through calls that the schema does not
show, so a declaration can silence a warning with a reason: `quiet = { never-read = "drawn" }`.
"""

from __future__ import annotations

from lint import enums, grants, queries, shapes, times, unused
from lint.finding import Finding, Owner
from model.model import Model
from source.source import Report

LINTS = (*unused.LINTS, *enums.LINTS, *shapes.LINTS, *queries.LINTS, *grants.LINTS, *times.LINTS)


def lint(model: Model, report: Report) -> None:
    """Reports the warnings that are not silenced, and silences without need or reason."""
    found = [finding for each in LINTS for finding in each(model)]
    asked = {(one.owner, one.id) for one in found}
    silent = {(Owner(one.kind, one.owner), one.id) for one in model.quiet}
    for one in [*found, *_about_silence(model, asked)]:
        if (one.owner, one.id) not in silent:
            report.warning(one.id, one.place, one.message, help=one.help, notes=one.notes)


def _about_silence(model: Model, asked: set[tuple[Owner, str]]) -> list[Finding]:
    found = []
    for one in model.quiet:
        owner = Owner(one.kind, one.owner)
        if (owner, one.id) not in asked:
            message = f"{one.kind} '{one.owner}' silences {one.id}, but there is no such warning"
            help = "remove it, because it could hide a later mistake"
            found.append(Finding("quiet-nothing", owner, one.place, message, help))
        elif not one.reason.strip():
            message = f"{one.kind} '{one.owner}' silences {one.id} without a reason"
            help = f'write the reason: quiet = {{ {one.id} = "…" }}'
            found.append(Finding("quiet-reason", owner, one.place, message, help))
    return found
