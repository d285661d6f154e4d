"""Decides how many random examples a test tries: a few fixed ones, or the number in WEFT_EXAMPLES.

`ninja test` tries a third of the few, and `ninja test-long` the others: its examples begin with
another seed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, seed, settings

ASKED = int(os.environ.get("WEFT_EXAMPLES", "0"))
LONG = "WEFT_LONG" in os.environ  # run.py sets it for `ninja test-long`
PART = 3
SEED = 2 if LONG else 1  # of random inputs that a test makes itself


def long_after(count: int, seeds: Iterable[Any]) -> list[Any]:
    """Returns seeds to parametrize a test with: `ninja test` tries `count` of them, and `ninja
    test-long` the others. If WEFT_EXAMPLES is set, all are tried.
    """
    tried = list(seeds)
    if ASKED:
        return tried
    return tried[:count] + [in_long(seed) for seed in tried[count:]]


def in_long(seed: Any) -> Any:
    """Leaves a case to `ninja test-long`: a value, several in a tuple, or a parameter of pytest."""
    if isinstance(seed, type(pytest.param())):
        values, others, _ = seed
        return pytest.param(*values, marks=[*others, pytest.mark.long])
    values = seed if isinstance(seed, tuple) else (seed,)
    return pytest.param(*values, marks=pytest.mark.long)


def rounds(count: int) -> int:
    """Returns how many random inputs a fuzzer tries, beginning with SEED; its test must have the
    mark `rounds`.
    """
    return count - count // PART if LONG else count // PART


def examples(few: int, *, slow: bool = False) -> Callable[[Any], Any]:
    """Returns a decorator for a test with random examples. WEFT_EXAMPLES=500 tries 500, different
    ones each time.

    A slow test shows the first failing example instead of looking for the smallest.
    """
    first = -(-few // PART)
    tried = settings(
        max_examples=ASKED or (few - first if LONG else first),
        derandomize=not ASKED,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate] if slow else list(Phase),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    if ASKED or not LONG:
        return tried
    return lambda test: tried(seed(SEED)(test))
