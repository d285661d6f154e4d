"""This module names the symbols by which objects of two schemas do not link.

Each header asks the linker for a symbol that is named for what it declares, and the world's C files
define those that they were generated with. Comments are not part of it: an edit of a `doc` leaves
all symbols as they are, and what was compiled before goes on to link.
"""

from __future__ import annotations

import hashlib
import os
import re

UNNAMED = "symbol_to_be_named"  # stands for the symbol of a header until the rest of it is known

STEM_MAX = 40  # characters of a header's name, so that the symbol fits into a line

_COMMENT = re.compile(r"//[^\n]*")
_BEHIND_QUOTE = re.compile(r'"[^\n]*//')  # it may be part of a string
_STRING_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*')


def link_symbol(path: str, text: str) -> str:
    """Names the symbol of a header. It begins with `weft`, as no name of a schema does."""
    code = " ".join(_without_comments(text).split())
    digest = hashlib.sha256(f"{path}\n{code}".encode()).hexdigest()[:8]
    stem = os.path.basename(path).removesuffix(".h")[:STEM_MAX].rstrip("_")
    return f"weft_rebuild_all_{stem}_h_differs_{digest}"


def _without_comments(text: str) -> str:
    if _BEHIND_QUOTE.search(text):
        return _STRING_OR_COMMENT.sub(r"\1", text)
    return _COMMENT.sub("", text)
