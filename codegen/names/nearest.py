"""Help for unknown names: suggests the nearest known name, or lists the known names."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

SHOWN = 16  # most names that are listed if none is near


def a(noun: str) -> str:
    """Returns the noun with its article: "a query", "an enum"."""
    return f"an {noun}" if noun[:1] in "aeiou" else f"a {noun}"


def suggest(name: str, candidates: Iterable[str], what: str = "") -> str:
    """Returns help for an unknown name: the nearest candidate, or a list that starts with
    `what`.
    """
    known = list(dict.fromkeys(candidates))
    by_lower = {candidate.lower(): candidate for candidate in known}
    near = difflib.get_close_matches(name.lower(), by_lower, n=1)
    if near:
        return f"did you mean '{by_lower[near[0]]}'?"
    if not what or not known:
        return ""
    if len(known) == SHOWN + 1:
        return f"{what}: {', '.join(known)}"
    more = f" and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
    return f"{what}: {', '.join(known[:SHOWN])}{more}"
