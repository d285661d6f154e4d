"""Templates are kept compiled beside their text, as Python keeps its own modules.

Compiling them takes as long as all else that the generator does for a small world. What is kept is
used only for the very text that it was made from, and for the `templates` that reads it so; a file
that cannot be read or written changes nothing but the time.
"""

from __future__ import annotations

import os
import pickle
import sys
from contextlib import suppress
from io import BytesIO
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, BytecodeCache

# Code of one Python, and of one Jinja, is of no use to another.
_KIND = f"{sys.implementation.cache_tag}-jinja-{jinja2.__version__}"


class CompiledTemplates(BytecodeCache):
    """Keeps compiled templates in `__pycache__` of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "__pycache__"
        self._reader = Path(__file__).with_name("templates.py").read_text(encoding="utf-8")

    def get_source_checksum(self, source: str) -> str:
        """Returns a checksum of all that the code follows from: how templates are read, too."""
        return super().get_source_checksum(self._reader + source)

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return f"{name}.{_KIND}"

    def load_bytecode(self, bucket: Bucket) -> None:
        # A file that was cut off makes pickle raise any of these.
        with suppress(OSError, EOFError, ValueError, pickle.UnpicklingError):
            bucket.load_bytecode(BytesIO((self._folder / bucket.key).read_bytes()))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Writes another file and renames it, since several generators may run at once."""
        if sys.dont_write_bytecode:
            return
        draft = self._folder / f".{bucket.key}.{os.urandom(8).hex()}"
        with suppress(OSError):
            self._folder.mkdir(exist_ok=True)
            try:
                draft.write_bytes(bucket.bytecode_to_string())
                draft.replace(self._folder / bucket.key)
            finally:
                draft.unlink(missing_ok=True)
