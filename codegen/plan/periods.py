"""Periods in whole units of time, which count exactly with ticks of a fixed length."""

from __future__ import annotations

from math import gcd

from model.code import Turn
from model.model import Step
from plan import text

# The runtime multiplies units, numerator and denominator as doubles (run/every.h).
PRODUCT_MOST = 2**50


def period_of(step: Step | None, turn: Turn) -> str:
    """Returns the initialiser of a weft_period.

    Returns "" if ticks have any length, or if the longest unit that divides both the step and the
    period is too short to be counted. Such clocks add up seconds.
    """
    if step is None or step.exact is None or turn.every is None or turn.exact is None:
        return ""
    (step_above, step_below), (above, below) = step.exact, turn.exact
    ticks, periods = step_above * below, above * step_below
    unit = gcd(ticks, periods)
    common = gcd(unit, step_below * below)
    numerator, denominator = unit // common, step_below * below // common
    units = (ticks + periods) // unit
    if units * max(numerator, denominator) >= PRODUCT_MOST:
        return ""
    every, seconds = text.float_literal(turn.every, "f64"), text.float_literal(step.seconds, "f64")
    exact = f"{periods // unit}, {ticks // unit}, {numerator}.0, {denominator}.0"
    return f"{{{every}, {seconds}, {exact}}}"
