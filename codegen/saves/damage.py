"""The error of a save that cannot be read: where, what, and how to mend it."""

from __future__ import annotations

from source.refusal import RefusedError

BACKUP = "nothing can mend the bytes: take another copy of the save, or an older one"


class DamagedError(Exception):
    """Tells in words what is wrong with a save, and how to mend it."""

    def __init__(self, words: str, help: str = BACKUP) -> None:
        super().__init__(words)
        self.help = help


def need(good: bool, words: str, help: str = BACKUP) -> None:
    if not good:
        raise DamagedError(words, help)


class ExportError(Exception):
    """Tells in words why a save is not exported."""


class AskedError(Exception):
    """Tells in words that a save does not have what it is asked for."""


class SavesError(RefusedError):
    """Tells in words why there is no answer, and how to come by one."""
