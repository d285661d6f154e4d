"""Answers `codegen saves`: returns lines for the command line to print."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from itertools import chain, islice

from saves.damage import AskedError, DamagedError, ExportError, SavesError
from saves.differ import Pair, differ
from saves.export import PLAIN_CSV, export
from saves.progress import Progress
from saves.show import component_number, show, show_component, show_entity
from saves.world import Save, open_save

EQUAL, DIFFERENT = 0, 1


Answer = tuple[int, Iterator[str]]  # an exit code, and lines


def answer(options: argparse.Namespace, progress: Progress) -> Answer:
    """Runs the requested action. The exit code is final once the first line was made."""
    try:
        return _ANSWERS[options.action](options, progress)
    except (AskedError, ExportError) as error:
        raise SavesError(str(error)) from error
    finally:
        progress.end()


def _open(path: str, progress: Progress) -> Save:
    try:
        return open_save(path, progress)
    except DamagedError as error:
        raise SavesError(f"{path}: {error}", error.help) from error
    except (OSError, ValueError) as error:
        words = (getattr(error, "strerror", None) or str(error)).lower()
        raise SavesError(f"cannot read '{path}': {words}") from error
    except MemoryError as error:
        raise SavesError(f"{path}: not enough memory to read it") from error


def _lines(path: str, lines: Iterator[str]) -> Iterator[str]:
    """Yields lines. Names the save if its values are damaged."""
    try:
        yield from lines
    except DamagedError as error:
        raise SavesError(f"{path}: {error}", error.help) from error


def _show(options: argparse.Namespace, progress: Progress) -> Answer:
    save = _open(options.file, progress)
    if options.entity is not None:
        lines = show_entity(save, options.entity)
    elif options.component is not None:
        component_number(save, options.component)
        lines = show_component(save, options.component, options.limit)
    else:
        lines = show(save, options.file, options.limit)
    return EQUAL, _begun(_lines(options.file, lines))


def _begun(lines: Iterator[str]) -> Iterator[str]:
    """Makes the first line early, so that a refusal comes before any output."""
    first = next(lines, None)
    return iter(()) if first is None else chain([first], lines)


def _diff(options: argparse.Namespace, progress: Progress) -> Answer:
    names = _names(options.one, options.other)
    pair = Pair(_open(options.one, progress), _open(options.other, progress), names)
    found = differ(pair, progress)
    try:
        shown = list(islice(found, options.limit or None))
        more = sum(1 for _ in found)
    except DamagedError as error:
        raise SavesError(str(error), error.help) from error
    if more:
        shown.append(f"… {more:,} more; --limit 0 shows all")
    return DIFFERENT if shown else EQUAL, iter(shown)


def _names(one: str, other: str) -> tuple[str, str]:
    """Returns the names of two files, or their paths if the names are equal."""
    short = os.path.basename(one), os.path.basename(other)
    return short if short[0] != short[1] else (one, other)


def _export(options: argparse.Namespace, progress: Progress) -> Answer:
    if options.plain_cells and options.to != "csv":
        options.parser.error(
            f"--plain-cells works only with csv: leave it out with --to {options.to}"
        )
    save = _open(options.file, progress)
    try:
        export(save, PLAIN_CSV if options.plain_cells else options.to, options.out, progress)
    except DamagedError as error:
        raise SavesError(f"{options.file}: {error}", error.help) from error
    unknown = "".join(
        f"; without section '{kind}', which a later Weft wrote" for kind, _ in save.unknown
    )
    entities = f"{len(save.indices):,} entities"
    return EQUAL, iter([f"{options.out}: {entities} as {options.to}{unknown}"])


_ANSWERS: dict[str, Callable[[argparse.Namespace, Progress], Answer]] = {
    "show": _show,
    "diff": _diff,
    "export": _export,
}
