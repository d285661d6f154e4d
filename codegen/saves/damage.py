"""Errors about a save: what is wrong, where, and how to fix it."""

from __future__ import annotations

from source.refusal import RefusedError

BACKUP = "the file cannot be repaired: use another copy of the save, or an older one"


class DamagedError(Exception):
    """Explains what is wrong with a save, and how to fix it."""

    def __init__(self, words: str, help: str = BACKUP) -> None:
        super().__init__(words)
        self.help = help


def need(good: bool, words: str, help: str = BACKUP) -> None:
    if not good:
        raise DamagedError(words, help)


class ExportError(Exception):
    """Explains why a save cannot be exported."""


class AskedError(Exception):
    """Explains that a save does not contain what the user asked for."""


class SavesError(RefusedError):
    """Explains why a command stopped, and how to fix the cause."""
