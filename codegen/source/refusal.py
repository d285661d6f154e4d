"""The error of a command that cannot do what it was asked, of which each package has its own.

The command line prints them all, and need not import those packages to know them.
"""

from __future__ import annotations


class RefusedError(Exception):
    """Tells in words why there is no answer, and how to come by one."""

    def __init__(self, words: str, help: str = "") -> None:
        super().__init__(words)
        self.help = help
