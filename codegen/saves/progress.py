"""Shows how far a long command is, after two seconds, and only where the caller can show it.

The command line gives a function that writes to a terminal, or none where the output is a pipe.
"""

from __future__ import annotations

import time
from collections.abc import Callable

SILENT_SECONDS = 2.0
BETWEEN_SECONDS = 0.1


class Progress:
    """Shows one line, which is written over and at last wiped away."""

    def __init__(
        self,
        write: Callable[[str], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._write, self._clock = write, clock
        self._next = clock() + SILENT_SECONDS
        self._shown = False

    def step(self, what: str, done: int, of: int) -> None:
        """Shows what is done, and how much of it, unless something was shown just now."""
        if self._write is None or self._clock() < self._next:
            return
        self._next = self._clock() + BETWEEN_SECONDS
        self._shown = True
        self._write(f"\r{what}: {100 * done // max(of, 1)} %\x1b[K")

    def end(self) -> None:
        """Wipes the line away."""
        if self._write is not None and self._shown:
            self._write("\r\x1b[K")
        self._shown = False


SILENT = Progress()
