"""Answers `codegen saves`: reads its options and returns lines for the command line to print."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Iterator
from itertools import chain, islice

from saves.damage import AskedError, DamagedError, ExportError
from saves.differ import Pair, differ
from saves.export import FORMATS, export
from saves.progress import Progress
from saves.show import component_number, show, show_component, show_entity
from saves.world import Save, open_save

EQUAL, DIFFERENT = 0, 1
LINES = 20  # of one kind, unless --limit asks for others
DIFFERENCES = 100


class SavesError(Exception):
    """Tells in words why there is no answer, and how to come by one."""

    def __init__(self, words: str, help: str = "") -> None:
        super().__init__(words)
        self.help = help


def add_options(command: argparse.ArgumentParser) -> None:
    """Adds `show`, `diff` and `export` to the command."""
    actions = command.add_subparsers(title="actions", required=True, metavar="ACTION")
    one = _action(actions, "show", "show what is in a save", _show)
    one.add_argument("file", metavar="FILE", help="a save of any world")
    asked = one.add_mutually_exclusive_group()
    asked.add_argument("--entity", metavar="I:G", help="one entity, by index and generation")
    asked.add_argument("--component", metavar="NAME", help="the entities that have it")
    _add_limit(one, LINES, "of each kind")
    two = _action(actions, "diff", "show what differs between two saves; exit 1 if any", _diff)
    two.add_argument("one", metavar="A", help="a save")
    two.add_argument("other", metavar="B", help="another one")
    _add_limit(two, DIFFERENCES, "of differences")
    out = _action(actions, "export", "write a save in another format", _export)
    out.add_argument("file", metavar="FILE", help="a save of any world")
    out.add_argument("--to", choices=list(FORMATS), required=True, help="the format")
    out.add_argument(
        "--out", metavar="PATH", required=True, help="a new file; of csv and parquet a new folder"
    )


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    help: str,
    answer: Callable[[argparse.Namespace, Progress], Answer],
) -> argparse.ArgumentParser:
    parser = actions.add_parser(
        name, help=help, description=f"{help[0].upper()}{help[1:]}.", allow_abbrev=False
    )
    parser.set_defaults(answer=answer, parser=parser)
    return parser


def _add_limit(parser: argparse.ArgumentParser, usual: int, what: str) -> None:
    parser.add_argument(
        "--limit",
        metavar="N",
        type=_limit,
        default=usual,
        help=f"at most so many lines {what}; 0: all (else {usual})",
    )


def _limit(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is no number of lines")
    return int(text)


Answer = tuple[int, Iterator[str]]  # an exit code, and lines


def answer(options: argparse.Namespace, progress: Progress) -> Answer:
    """Does what is asked for. The code is known when the first line is."""
    try:
        found: Answer = options.answer(options, progress)
        return found
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
        raise SavesError(f"{path}: there is not enough memory to read it") from error


def _lines(path: str, lines: Iterator[str]) -> Iterator[str]:
    """Passes lines on, and names the save whose values make no sense."""
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
    """Makes the first line, so that what is refused is refused before anything is printed."""
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
        shown.append(f"… {more:,} more, which --limit 0 shows")
    return DIFFERENT if shown else EQUAL, iter(shown)


def _names(one: str, other: str) -> tuple[str, str]:
    """Returns what two files are called: by their names, or by their paths if those are equal."""
    short = os.path.basename(one), os.path.basename(other)
    return short if short[0] != short[1] else (one, other)


def _export(options: argparse.Namespace, progress: Progress) -> Answer:
    save = _open(options.file, progress)
    try:
        export(save, options.to, options.out, progress)
    except DamagedError as error:
        raise SavesError(f"{options.file}: {error}", error.help) from error
    unknown = "".join(
        f"; section '{kind}' is not in it, which a later Weft wrote" for kind, _ in save.unknown
    )
    entities = f"{len(save.indices):,} entities"
    return EQUAL, iter([f"{options.out}: {entities} as {options.to}{unknown}"])
