"""The error of a command that cannot do what the user asked.

Each package derives its own error from it. The command line prints them all without importing those
packages.
"""

from __future__ import annotations


class RefusedError(Exception):
    """Explains why a command stopped, and how to fix the cause."""

    def __init__(self, words: str, help: str = "") -> None:
        super().__init__(words)
        self.help = help
