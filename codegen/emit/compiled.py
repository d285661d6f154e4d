"""Caches compiled templates next to their text, as Python caches its modules.

Compiling templates takes as long as everything else that the generator does for a small world. A
cached template is used only if its text, and `templates`, which reads it, are unchanged. If a cache
file cannot be read or written, the generator is slower and otherwise works as usual.
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

# Compiled code works only with the same versions of Python and Jinja.
_KIND = f"{sys.implementation.cache_tag}-jinja-{jinja2.__version__}"


class CompiledTemplates(BytecodeCache):
    """Caches compiled templates in the `__pycache__` of a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "__pycache__"
        self._reader = Path(__file__).with_name("templates.py").read_text(encoding="utf-8")

    def get_source_checksum(self, source: str) -> str:
        """Returns a checksum of everything that decides the code, including how templates are
        read.
        """
        return super().get_source_checksum(self._reader + source)

    def get_cache_key(self, name: str, filename: str | None = None) -> str:
        return f"{name}.{_KIND}"

    def load_bytecode(self, bucket: Bucket) -> None:
        # If a file is cut off, pickle may raise any of these.
        with suppress(OSError, EOFError, ValueError, pickle.UnpicklingError):
            bucket.load_bytecode(BytesIO((self._folder / bucket.key).read_bytes()))

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Writes a draft and renames it, because several generators may run at the same time."""
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
