"""Shows on a terminal what a long command is doing, and for how long.

A thread does this, so that the work itself need not report progress.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from commands.outcome import show_progress
from saves.progress import BETWEEN_SECONDS, SILENT_SECONDS

BEGUN = time.monotonic()  # approximately the start of the command


@contextmanager
def working(what: str) -> Iterator[None]:
    """Shows `what` from the third second of the command on, and removes it at the end.

    Nothing else may be printed in that time. Only terminals show it.
    """
    if not sys.stderr.isatty():
        yield
        return
    ended = threading.Event()
    teller = threading.Thread(target=_tell, args=(what, ended), daemon=True)
    teller.start()
    try:
        yield
    finally:
        ended.set()
        teller.join()


def _tell(what: str, ended: threading.Event) -> None:
    shown = False
    while not ended.wait(max(BEGUN + SILENT_SECONDS - time.monotonic(), BETWEEN_SECONDS)):
        shown = True
        show_progress(f"\r{what}: {time.monotonic() - BEGUN:.0f} s\x1b[K")
    if shown:
        show_progress("\r\x1b[K")
