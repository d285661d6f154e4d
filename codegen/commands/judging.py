"""`check`, `lock`, `schedule` and `prefabs`: they judge a schema without generating C."""

from __future__ import annotations

import argparse
import os
import sys

from commands.outcome import OK, WRONG, fail, show_progress
from commands.reading import checked, checked_with_places, read, show
from commands.working import working
from docs.prefabs import prefab_list, prefab_values
from emit.files import diff_file, write_file
from lint import lint
from lock import Lock, read_lock, with_release
from lock.strays import report_strays
from model.model import Model
from names.nearest import suggest
from saves.progress import Progress
from schedule import make_schedule, with_passes
from schedule.profile import as_profile
from schedule.text import as_dot, as_text
from schedule.trace import Trace, TraceError, lines_of, read_trace
from source.source import Report
from verdict.report import as_text as as_saves
from verdict.report import report_changes


def check(options: argparse.Namespace) -> int:
    report = Report(strict=options.strict)
    model, lock = _read_with_lock(options, report)
    with working("looking for unused declarations"):
        lint(model, report)
    if options.saves:
        none = "" if report.errors else f"{lock.path}: no release is recorded\n"
        print(as_saves(lock.releases, model) or none, end="")
    show(report)
    warnings = len(report.diagnostics())
    outcome = f"{warnings:,} warning{'s' if warnings > 1 else ''}" if warnings else "no mistakes"
    print(f"{options.schema}: {outcome}")
    return OK


def lock(options: argparse.Namespace) -> int:
    report = Report(strict=options.strict)
    model, lock = _read_with_lock(options, report)
    show(report)
    text, name = with_release(lock, model, options.release)
    if text == lock.text:
        print(f"{lock.path}: unchanged, because saves are equal to those of release '{name}'")
    elif options.diff:
        print(diff_file(lock.path, text), end="")
        return WRONG
    else:
        write_file(lock.path, text)
        print(f"{lock.path}: release '{name}' added; keep this file with the schema")
    return OK


def schedule(options: argparse.Namespace) -> int:
    model = read(options)
    show = as_dot if options.dot else as_text
    with working("planning"):
        schedule = with_passes(model, make_schedule(model))
    if options.profile:
        trace = _read_trace(options.profile)
        print(as_profile(trace, options.profile, model.world.name, schedule), end="")
    else:
        print(show(model.world.name, schedule), end="")
    return OK


def prefabs(options: argparse.Namespace) -> int:
    report = Report(strict=options.strict)
    parsed = checked_with_places(options, report)
    show(report)
    known = parsed.model.data.prefabs
    if not options.name:
        print(prefab_list(parsed.model), end="")
    elif options.name in known:
        print(prefab_values(parsed, known[options.name]), end="")
    else:
        help = suggest(options.name, known, "prefabs") or "the schema has no prefabs"
        return fail(f"'{options.name}' is not a prefab of {options.schema}", help)
    return OK


def _read_trace(path: str) -> Trace:
    progress = Progress(show_progress if sys.stderr.isatty() else None)
    if os.path.exists(path) and not os.path.isfile(path):  # reading a pipe may block forever
        raise TraceError(f"cannot read '{path}': it is not a file")
    try:
        with open(path, "rb") as file:
            size = os.path.getsize(path)
            lines = lines_of(path, file)
            return read_trace(path, lines, lambda: progress.step("reading", file.tell(), size))
    except (OSError, UnicodeDecodeError) as reason:
        words = (getattr(reason, "strerror", None) or "it is not text").lower()
        raise TraceError(f"cannot read '{path}': {words}") from reason
    finally:
        progress.end()


def _read_with_lock(options: argparse.Namespace, report: Report) -> tuple[Model, Lock]:
    """Reads and checks the schema, and reads the sound part of its lock."""
    model = checked(options, report)
    lock = read_lock(options.schema, model.world.name, report)
    report_changes(lock.releases, model, report)
    report_strays(options.schema, model.world, report)
    return model, lock
