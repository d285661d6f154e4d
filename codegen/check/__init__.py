"""Decides whether a schema makes sense. Each rule is a small function with its own id.

Rules do not depend on each other and may run in any order. The parser has already reported
unreadable parts, and one rule reports unknown names. All other rules skip them silently.
"""

from __future__ import annotations

from collections.abc import Callable

from check import (
    collisions,
    components,
    holds,
    indexes,
    inlined,
    links,
    listeners,
    lists,
    loads,
    names,
    parallel,
    partials,
    parts,
    prefabs,
    references,
    relations,
    selections,
    states,
    systems,
    texts,
    types,
    values,
    world,
)
from parse import Parsed
from source.source import Report

Rule = Callable[[Parsed, Report], None]

RULES: tuple[Rule, ...] = (
    *world.RULES,
    *names.RULES,
    *collisions.RULES,
    *texts.RULES,
    *types.RULES,
    *values.RULES,
    *references.RULES,
    *lists.RULES,
    *components.RULES,
    *prefabs.RULES,
    *parts.RULES,
    *holds.RULES,
    *selections.RULES,
    *indexes.RULES,
    *listeners.RULES,
    *systems.RULES,
    *states.RULES,
    *parallel.RULES,
    *partials.RULES,
    *inlined.RULES,
    *loads.RULES,
    *relations.RULES,
    *links.RULES,
)


def check(parsed: Parsed, report: Report) -> None:
    """Reports every mistake in a schema that was read."""
    for rule in RULES:
        rule(parsed, report)
