"""Time spans: a number of seconds, or a fraction in a string, because no float is exactly 1/60.

A span is read as a double and as the exact number that the schema writes: 0.1 is one tenth.
"""

from __future__ import annotations

import math
import re

from model.model import Step
from parse.reader import Table, show

NUMBER = r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?"
HELP = 'write seconds above 0, as a number or a fraction: {0} = 0.02, {0} = "1/60"'
RATIO = rf"{NUMBER}(?: ?/ ?{NUMBER})?"
MAX_SECONDS = 2.0**63  # the longest `every`; a longer one, or NaN, is read as infinite

Exact = tuple[int, int]  # numerator and denominator


def help_of(key: str) -> str:
    return HELP.format(key)


def read_step(table: Table) -> Step | None:
    """Returns the step of a world, or None. `check` decides whether it is a valid time span."""
    if "step" not in table.data:
        return None
    seconds, exact = _read_span(table, "step")
    return Step(show(table.data["step"]), seconds, exact, table.value_place("step"))


def read_every(table: Table) -> tuple[float | None, Exact | None]:
    """Returns the seconds between two turns of a system, rounded and exact. None if not set."""
    if "every" not in table.data:
        return None, None
    seconds, exact = _read_span(table, "every")
    return (seconds, exact) if abs(seconds) < MAX_SECONDS else (math.inf, None)


def _read_span(table: Table, key: str) -> tuple[float, Exact | None]:
    """Returns the seconds, and their exact number if it is finite and not 0.

    A value that is not a number is reported here. It then counts as 1 second, so that it causes no
    further errors.
    """
    value = table.data[key]
    if not isinstance(value, str):
        number = table.number(key)
        seconds = 1.0 if number is None else float(number)
        return seconds, _ratio(repr(number)) if number and math.isfinite(seconds) else None
    if not re.fullmatch(RATIO, value):
        message = f"'{key}' of {table.what} is {show(value)}, but must be a number or a fraction"
        table.report.error("unknown-value", table.value_place(key), message, help=help_of(key))
        return 1.0, None
    exact = _ratio(value)
    return (exact[0] / exact[1], exact) if exact else (math.nan, None)


def _ratio(text: str) -> Exact | None:
    """Returns the value of a fraction; None if it divides by 0.

    The import is local because most schemas have no time span.
    """
    from fractions import Fraction

    above, _, below = text.partition("/")
    divisor = Fraction(below.strip() or 1)
    return (Fraction(above.strip()) / divisor).as_integer_ratio() if divisor else None
