"""The options of `codegen saves`. The code that answers it is imported later, to start faster."""

from __future__ import annotations

import argparse

FORMATS = ("json", "csv", "sqlite", "parquet")
LINES = 20  # lines of one kind, unless --limit changes it
DIFFERENCES = 100


def add_options(command: argparse.ArgumentParser) -> None:
    """Adds `show`, `diff` and `export` to the command."""
    actions = command.add_subparsers(title="actions", required=True, metavar="ACTION")
    one = _action(actions, "show", "show the content of a save")
    one.add_argument("file", metavar="FILE", help="a save of any world")
    asked = one.add_mutually_exclusive_group()
    asked.add_argument("--entity", metavar="I:G", help="one entity, by index and generation")
    asked.add_argument("--component", metavar="NAME", help="the entities that have this component")
    _add_limit(one, LINES, "of each kind")
    two = _action(
        actions, "diff", "show what differs between two saves; exit 1 if there is a difference"
    )
    two.add_argument("one", metavar="A", help="a save")
    two.add_argument("other", metavar="B", help="another save")
    _add_limit(two, DIFFERENCES, "of differences")
    out = _action(actions, "export", "write a save in another format")
    out.add_argument("file", metavar="FILE", help="a save of any world")
    out.add_argument("--to", choices=FORMATS, required=True, help="the format")
    out.add_argument(
        "--out", metavar="PATH", required=True, help="a new file; for csv and parquet a new folder"
    )
    out.add_argument(
        "--plain-cells",
        action="store_true",
        help="for csv and a spreadsheet: put ' before texts that it would run as formulas",
    )


def _action(
    actions: argparse._SubParsersAction[argparse.ArgumentParser],
    name: str,
    help: str,
) -> argparse.ArgumentParser:
    parser = actions.add_parser(
        name, help=help, description=f"{help[0].upper()}{help[1:]}.", allow_abbrev=False
    )
    parser.set_defaults(action=name, parser=parser)
    return parser


def _add_limit(parser: argparse.ArgumentParser, usual: int, what: str) -> None:
    parser.add_argument(
        "--limit",
        metavar="N",
        type=_limit,
        default=usual,
        help=f"at most this many lines {what}; 0: all (default: {usual})",
    )


def _limit(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of lines")
    return int(text)
