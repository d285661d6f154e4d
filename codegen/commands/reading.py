"""Reads and checks a schema for a command, and prints what is wrong with it."""

from __future__ import annotations

import argparse
import gc
import sys

from check import check
from commands.outcome import WrongSchemaError
from commands.working import working
from model.model import Model
from parse import parse
from source.source import Report


def read(options: argparse.Namespace, *, quiet: bool = False) -> Model:
    """Reads and checks the schema. Mistakes are printed, and unless `quiet` warnings too."""
    report = Report(strict=options.strict)
    model = checked(options, report)
    if not quiet:
        show(report)
    return model


def checked(options: argparse.Namespace, report: Report) -> Model:
    """Reads and checks the schema into a report. Mistakes in it end the command."""
    # All that a schema becomes lives until the command ends, so looking for cycles in it, which
    # takes a tenth of the time of a large one, would free nothing.
    gc.disable()
    with working("reading the schema"):
        parsed = parse(options.schema, report)
        check(parsed, report)
    if report.errors:
        show(report)
    return parsed.model


def show(report: Report) -> None:
    """Prints a report; a report with errors ends the command."""
    print(report.render(), end="", file=sys.stderr)
    if report.errors:
        raise WrongSchemaError
