"""Converts floats of 32 bits to the Python number with the fewest digits that rounds to them.

A large save contains millions of floats, so most are converted by arithmetic alone. A number is
rounded to enough decimals to be safe, and then to fewer if the result is still near enough. All of
this is exact: a float of 32 bits has 24 bits, a power of ten up to the twelfth has 28 odd bits, and
the product fits into the 53 bits of a Python float.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Callable, Collection, Sequence
from functools import cache
from math import ceil, isfinite, log10
from typing import TypeVar

_BIAS, _BITS = 127, 24  # of a float of 32 bits
_FIRST, _END = -16, 20  # exponents for which the arithmetic is exact, and whole numbers are rare
_SHIFT = 1.5 * 2.0**52  # adding and subtracting this number rounds to a whole number
_SAMPLE, _MOST = 1024, 0.9  # if more of a sample are distinct, equal numbers are not cached
_UPPER = 1 if sys.byteorder == "little" else 0  # the position of the upper half of four bytes
_DIGITS = (6, 7, 8, 9)  # six are always exact, and nine identify every number

Value = TypeVar("Value", float, str)


class _Tables:
    """The table of numbers by their upper 16 bits: sign, exponent and 7 bits of the fraction.

    A number is near enough if its distance is less than half a step. That is 0 for numbers that are
    converted as text, for example powers of two, which have smaller steps below them.
    """

    def __init__(self) -> None:
        self.half: list[float] = []
        self.most: list[float] = []
        self.fewer: list[float] = []
        for exponent in range(-_BIAS, 256 - _BIAS):
            exact = _FIRST <= exponent < _END
            half = 2.0 ** (exponent - _BITS) if exact else 0.0
            most = 10.0 ** ceil(-log10(2 * half)) if exact else 1.0
            self.half += [0.0] + [half] * 127
            self.most += [most] * 128
            self.fewer += [most / 10] * 128
        for table in (self.half, self.most, self.fewer):
            table += table  # of negative numbers
        self.odd = frozenset(i for i, half in enumerate(self.half) if half == 0.0)


_tables = cache(_Tables)


def shortest(words: Sequence[int]) -> list[float]:
    """Returns for each number, given by its bits, the float with the fewest digits."""
    return _each_once(words, _shortest)


def texts(words: Sequence[int], not_finite: str) -> list[str]:
    """Returns such numbers as text. `not_finite` is a template for infinities and NaN."""
    return _each_once(words, lambda some: _texts(_shortest(some), not_finite))


def _each_once(
    words: Sequence[int], work_out: Callable[[Sequence[int]], list[Value]]
) -> list[Value]:
    """Converts each distinct number once if many are equal, such as positions on a map."""
    sample = words[:_SAMPLE]
    if len(set(sample)) > _MOST * len(sample):
        return work_out(words)
    known = list(set(words))
    found = dict(zip(known, work_out(known), strict=True))
    return list(map(found.__getitem__, words))


def _texts(numbers: list[float], not_finite: str) -> list[str]:
    written = list(map(repr, numbers))
    if isfinite(sum(numbers)):
        return written
    pairs = zip(numbers, written, strict=True)
    return [text if isfinite(number) else not_finite % text for number, text in pairs]


def _shortest(words: Sequence[int]) -> list[float]:
    tables = _tables()
    half, most, fewer, shift = tables.half, tables.most, tables.fewer, _SHIFT
    data = memoryview(struct.pack(f"{len(words)}I", *words))
    uppers = data.cast("H")[_UPPER::2].tolist()
    numbers = list(map(float, data.cast("f")))
    odd = tables.odd
    places = [] if odd.isdisjoint(uppers) else [p for p, i in enumerate(uppers) if i in odd]
    by_text = _by_text({words[place] for place in places})
    for place in places:
        numbers[place] = 0.0  # the arithmetic would fail for numbers that are not finite
    found = [
        _even_fewer(x, near, half[i], fewer[i])
        if -half[i] < (near := (x * fewer[i] + shift - shift) / fewer[i]) - x < half[i]
        else (x * most[i] + shift - shift) / most[i]
        for x, i in zip(numbers, uppers, strict=True)
    ]
    for place in places:
        found[place] = by_text[words[place]]
    return found


def _numbers(words: Collection[int]) -> tuple[float, ...]:
    return struct.unpack(f"{len(words)}f", struct.pack(f"{len(words)}I", *words))


def _by_text(words: Collection[int]) -> dict[int, float]:
    """Converts numbers through text, each once."""
    return dict(zip(words, map(_as_text, _numbers(words)), strict=True))


def _even_fewer(x: float, near: float, half: float, scale: float) -> float:
    while scale > 1:
        scale /= 10
        nearer = (x * scale + _SHIFT - _SHIFT) / scale
        if not -half < nearer - x < half:
            return near
        near = nearer
    return near


def _as_text(x: float) -> float:
    if isfinite(x):
        found = (float(f"{x:.{digits}g}") for digits in _DIGITS)
        return next(short for short in found if struct.unpack("f", struct.pack("f", short))[0] == x)
    return x
