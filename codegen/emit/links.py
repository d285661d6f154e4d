"""Names the symbols that prevent objects of different schemas from linking.

Each header refers to a symbol whose name is a checksum of its declarations. The C files of the
world define the symbols of the headers that they were generated with. Comments do not count:
editing a `doc` changes no symbol, so older objects still link.
"""

from __future__ import annotations

import hashlib
import os
import re

UNNAMED = "symbol_to_be_named"  # stands for the symbol of a header until its text is complete

STEM_MAX = 40  # characters of a header's name; the symbol must fit into a line

_COMMENT = re.compile(r"//[^\n]*")
_BEHIND_QUOTE = re.compile(r'"[^\n]*//')  # the comment may be part of a string
_STRING_OR_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|//[^\n]*')


def link_symbol(path: str, text: str) -> str:
    """Returns the symbol of a header. It starts with `weft`, so no name of a schema equals it."""
    code = " ".join(_without_comments(text).split())
    digest = hashlib.sha256(f"{path}\n{code}".encode()).hexdigest()[:8]
    stem = os.path.basename(path).removesuffix(".h")[:STEM_MAX].rstrip("_")
    return f"weft_rebuild_all_{stem}_h_differs_{digest}"


def _without_comments(text: str) -> str:
    if _BEHIND_QUOTE.search(text):
        return _STRING_OR_COMMENT.sub(r"\1", text)
    return _COMMENT.sub("", text)
