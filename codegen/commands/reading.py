"""Reads and checks a schema for a command, and prints its mistakes."""

from __future__ import annotations

import argparse
import gc
import os
import sys

from check import check
from commands.outcome import WrongSchemaError
from commands.working import working
from model.model import Model
from parse import Parsed, parse
from source.source import Report


def read(options: argparse.Namespace, *, quiet: bool = False) -> Model:
    """Reads and checks the schema. Prints mistakes and, unless `quiet` is set, warnings."""
    report = Report(strict=options.strict)
    model = checked(options, report)
    if not quiet:
        show(report)
    return model


def checked(options: argparse.Namespace, report: Report) -> Model:
    """Reads and checks the schema. Ends the command if there are mistakes."""
    return checked_with_places(options, report).model


def checked_with_places(options: argparse.Namespace, report: Report) -> Parsed:
    """Reads and checks the schema, and keeps the places of its keys."""
    # All objects of a schema live until the command ends. The search for cycles would free nothing,
    # and takes a tenth of the time for a large schema.
    gc.disable()
    with working("reading the schema"):
        parsed = parse(options.schema, report)
        check(parsed, report)
    if report.errors:
        show(report)
    return parsed


def show(report: Report) -> None:
    """Prints a report. Ends the command if it contains errors.

    The environment variable WEFT_SITE is the address of Weft's pages, which diagnostics then link.
    """
    print(report.render(os.environ.get("WEFT_SITE", "")), end="", file=sys.stderr)
    if report.errors:
        raise WrongSchemaError
