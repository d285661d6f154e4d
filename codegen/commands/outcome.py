"""How a command ends: its exit code, and the message about what went wrong."""

from __future__ import annotations

import sys

from source.source import printable

OK, WRONG, UNUSABLE, BUG = 0, 1, 2, 3


class WrongSchemaError(Exception):
    """The schema has mistakes, which have been printed."""


def fail(message: str, help: str = "") -> int:
    print(f"error: {printable(message)}", file=sys.stderr)
    if help:
        print(f"help: {printable(help)}", file=sys.stderr)
    return UNUSABLE


def show_progress(text: str) -> None:
    print(text, end="", file=sys.stderr, flush=True)
