"""Shows the current step of a script in one line of a terminal. In a pipe it prints nothing."""

from __future__ import annotations

import os
import sys
from typing import TextIO


class Progress:
    """Counts the parts of something long, each of which takes seconds or minutes."""

    def __init__(self, parts: int, stream: TextIO = sys.stderr) -> None:
        self.parts, self.stream = parts, stream
        self.begun = 0

    def begin(self, what: str, *, stays: bool = False) -> None:
        """Shows that the next part begins, in a line that is written over unless it stays."""
        self.begun += 1
        line = f"{self.begun} of {self.parts}: {what} …"
        if stays:
            self._write(f"\r{line}\x1b[K\n")
        else:
            self._write(f"\r{line[: self._columns() - 1]}\x1b[K")

    def end(self) -> None:
        """Wipes the line away."""
        self._write("\r\x1b[K")

    def _columns(self) -> int:
        """How many columns the terminal has; a line that goes on in the next could not be wiped."""
        try:
            return os.get_terminal_size(self.stream.fileno()).columns or 80
        except OSError:
            return 80

    def _write(self, text: str) -> None:
        if self.stream.isatty():
            print(text, end="", file=self.stream, flush=True)
