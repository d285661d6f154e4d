"""Names of parameters and variables in generated functions.

A C type with one of these names would be hidden there, and compilers warn about it (-Wshadow).
tests/output/golden/test_any_name.py finds names that are missing here.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_TEXT = """
    a above all at b base begun below bits blocks broken bytes c centre checks child chosen cmd
    columns compare copy count ctx defaults down dt e end ended entities filter first form found
    fragment from function grant handle hash high hook how i id ids insight it item k kept known
    last list low made mask match may_run more most n new_value none number of off old_value on
    one options ordering out own parent parents part path period phase phases place point
    pointer query radius root row rows run runs sealed seconds seen settled settles shown
    sibling source status step system table tag_writes target text to user v value values
    verified w walk words world writes
    x x0 x1 y y0 y1 z z0 z1
"""
VARIABLES = frozenset(_TEXT.split())
_NUMBERED = re.compile(r"weft_(?:\d+|e|it|lent|more)")

# Prefixes and suffixes of variables that are named after a declaration.
_BEFORE = (
    *("", "above_", "added_", "changed_", "ctx_", "has_", "parents_", "paths_", "place_"),
    *("removed_", "rows_", "rules_", "values_", "weft_row_", "from_", "to_", "source_", "target_"),
)
_BEHIND = ("", "_parent", "_parents")


def is_variable(word: str, names: Collection[str]) -> bool:
    """Returns whether generated code of a schema with these names may have a variable `word`."""
    if word in VARIABLES or _NUMBERED.fullmatch(word):
        return True
    return any(
        word.removeprefix(before).removesuffix(behind) in names
        for before in _BEFORE
        for behind in _BEHIND
        if word.startswith(before) and word.endswith(behind)
    )
