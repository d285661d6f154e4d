"""A fixed step is a number of seconds, or a fraction in a string, since 1/60 is no float."""

from __future__ import annotations

import math
import re

from model.model import Step
from parse.reader import Table, show

NUMBER = r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?"
HELP = 'write seconds above 0, as a number or a fraction: step = 0.02, step = "1/60"'
RATIO = rf"{NUMBER}(?: ?/ ?{NUMBER})?"


def read_step(table: Table) -> Step | None:
    """Returns the step of a world, or None; `check` judges whether it is a time span.

    What is no number is told here, and is a second from then on, so that it causes no other error.
    """
    if "step" not in table.data:
        return None
    value = table.data["step"]
    seconds = _of_text(table, value) if isinstance(value, str) else table.number("step")
    place = table.value_place("step")
    return Step(show(value), 1.0 if seconds is None else float(seconds), place)


def _of_text(table: Table, text: str) -> float | None:
    if re.fullmatch(RATIO, text):
        return _seconds(text)
    message = f"'step' of {table.what} is {show(text)}, which is no number and no fraction of two"
    table.report.error("unknown-value", table.value_place("step"), message, help=HELP)
    return None


def _seconds(text: str) -> float:
    """Returns what a fraction comes to, NaN if it is divided by 0.

    The import is here because most schemas have no fraction.
    """
    from fractions import Fraction

    above, _, below = text.partition("/")
    divisor = Fraction(below.strip() or 1)
    return float(Fraction(above.strip()) / divisor) if divisor else math.nan
