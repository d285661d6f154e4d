"""Whether a schema makes sense. Every rule is a small function in a check_*.py, with its own id.

Rules do not depend on each other and may run in any order. What is unknown or could not be read has
been reported where it stands, so a rule passes over it silently.
"""

from __future__ import annotations

from collections.abc import Callable

import check_collisions
import check_components
import check_lists
import check_names
import check_references
import check_selections
import check_systems
import check_types
import check_values
import check_world
from parse import Parsed
from source import Report

Rule = Callable[[Parsed, Report], None]

RULES: tuple[Rule, ...] = (
    *check_world.RULES,
    *check_names.RULES,
    *check_collisions.RULES,
    *check_types.RULES,
    *check_values.RULES,
    *check_references.RULES,
    *check_lists.RULES,
    *check_components.RULES,
    *check_selections.RULES,
    *check_systems.RULES,
)


def check(parsed: Parsed, report: Report) -> None:
    """Reports everything that is wrong with a schema that was read."""
    for rule in RULES:
        rule(parsed, report)
