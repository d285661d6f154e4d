"""Shows the progress of a long command after two seconds, if the caller can show it.

The command line passes a function that writes to a terminal, or None if the output is a pipe.
"""

from __future__ import annotations

import time
from collections.abc import Callable

SILENT_SECONDS = 2.0
BETWEEN_SECONDS = 0.1


class Progress:
    """Shows a line that is overwritten, and erased at the end."""

    def __init__(
        self,
        write: Callable[[str], object] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._write, self._clock = write, clock
        self._next = clock() + SILENT_SECONDS
        self._shown = False

    def step(self, what: str, done: int, of: int) -> None:
        """Shows how much is done, unless the line was updated a moment ago."""
        if self._write is None or self._clock() < self._next:
            return
        self._next = self._clock() + BETWEEN_SECONDS
        self._shown = True
        self._write(f"\r{what}: {100 * done // max(of, 1)} %\x1b[K")

    def end(self) -> None:
        """Erases the line."""
        if self._write is not None and self._shown:
            self._write("\r\x1b[K")
        self._shown = False


SILENT = Progress()
