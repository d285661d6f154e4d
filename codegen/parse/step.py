"""A fixed step is a number of seconds, or a fraction in a string, since 1/60 is no float."""

from __future__ import annotations

import math
import re
from fractions import Fraction

from model.model import Step
from parse.reader import Table, show

NUMBER = r"-?[0-9]{1,18}(?:\.[0-9]{1,18})?"
RATIO = rf"{NUMBER}(?: ?/ ?{NUMBER})?"


def read_step(table: Table) -> Step | None:
    """Returns the step of a world, or None; `check` judges whether it is a time span."""
    value = table.data.get("step")
    if isinstance(value, str):
        return Step(show(value), _seconds(value))
    number = table.number("step")
    return None if number is None else Step(show(number), float(number))


def _seconds(text: str) -> float:
    """Returns what a text comes to, NaN if it is no fraction."""
    if not re.fullmatch(RATIO, text):
        return math.nan
    above, _, below = text.partition("/")
    divisor = Fraction(below.strip() or 1)
    return float(Fraction(above.strip()) / divisor) if divisor else math.nan
