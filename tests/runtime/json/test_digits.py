"""Numbers in JSON have the fewest digits that read back. Python's repr and exact fractions judge.

A double is compared with repr, which uses David Gay's algorithm. A float has an interval of
decimals that round to it, computed in exact fractions: the text must lie in it, and no shorter
decimal may.
"""

from __future__ import annotations

import math
import struct
import subprocess
from decimal import Decimal
from fractions import Fraction

import pytest

from built import built
from examples import rounds

NUMBERS = rounds(6000)
FLOAT_INFINITY = 0x7F800000
SEEDS = (1, 2, 3)


def digits(text: str) -> tuple[int, str, int]:
    """Returns the sign, the digits without zeros around them, and the exponent of the last one."""
    sign, numbers, exponent = Decimal(text).as_tuple()
    written = "".join(map(str, numbers)).lstrip("0")
    kept = written.rstrip("0")
    assert isinstance(exponent, int)
    return sign, kept, exponent + len(written) - len(kept) if kept else 0


def float_of(bits: int) -> Fraction:
    return Fraction(struct.unpack("<f", struct.pack("<I", bits))[0])


def interval(bits: int) -> tuple[Fraction, Fraction]:
    """Returns the ends of what rounds to a positive float; they belong to it if it is even."""
    value = float_of(bits)
    below = float_of(bits - 1)
    above = float_of(bits + 1) if bits + 1 < FLOAT_INFINITY else 2 * value - below
    return (below + value) / 2, (value + above) / 2


def is_inside(number: Fraction, bits: int) -> bool:
    low, high = interval(bits)
    return low <= number <= high if bits % 2 == 0 else low < number < high


def shorter(bits: int, count: int) -> list[Fraction]:
    """Returns the decimals of so many digits around a positive float."""
    value = float_of(bits)
    exponent = math.floor(math.log10(value)) - count + 1
    unit = Fraction(10) ** exponent
    return [(value // unit + step) * unit for step in (-1, 0, 1, 2)]


def check_float(bits: int, text: str) -> None:
    positive = bits & 0x7FFFFFFF
    if positive >= FLOAT_INFINITY:
        names = {FLOAT_INFINITY: "inf", 0xFF800000: "-inf"}
        assert text == names.get(bits, "nan")
        return
    sign, kept, _ = digits(text)
    assert sign == bits >> 31
    if positive == 0:
        assert kept == ""
        return
    assert is_inside(abs(Fraction(text)), positive), text
    if len(kept) > 1:
        assert not any(is_inside(one, positive) for one in shorter(positive, len(kept) - 1)), text


@pytest.mark.rounds
@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_have_the_fewest_digits(seed: int) -> None:
    program = built("build/clang/json/digits")
    command = [program, str(seed), str(NUMBERS)]
    lines = subprocess.run(command, capture_output=True, check=True, text=True).stdout.splitlines()
    assert len(lines) > 5 * NUMBERS + 10_000
    for line in lines:
        bits, text, float_bits, float_text = line.split()
        value = struct.unpack("<d", struct.pack("<Q", int(bits, 16)))[0]
        if math.isfinite(value):
            assert digits(text) == digits(repr(value)), bits
        else:
            assert text == ("nan" if math.isnan(value) else repr(value))
        check_float(int(float_bits, 16), float_text)
