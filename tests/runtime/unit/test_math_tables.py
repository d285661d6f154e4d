"""Works out the constants of weft_math.h, in integers of many digits, and compares them."""

from __future__ import annotations

import re
from math import factorial, isqrt
from pathlib import Path

TABLES = Path(__file__).resolve().parents[3] / "runtime" / "math" / "tables.h"
BITS = 1400
ONE = 1 << BITS


def constants() -> dict[str, list[int]]:
    """Returns all tables and numbers of the header, by name."""
    text = TABLES.read_text(encoding="utf-8")
    found = dict(re.findall(r"#define (\w+) (0x\w+)ULL", text))
    tables = dict(re.findall(r"(\w+)\[\d+\] = \{(.*?)\};", text, re.DOTALL))
    number = re.compile(r"0x[0-9A-F]+|\b\d+\b")
    return {name: [int(found[name], 16)] for name in found} | {
        name: [int(one, 0) for one in number.findall(body)] for name, body in tables.items()
    }


def arctangent(above: int, below: int) -> int:
    """Returns the arctangent of a fraction below 1, by its series."""
    power, total, n = ONE * above // below, 0, 1
    while power:
        total += power // n if n % 4 == 1 else -(power // n)
        power, n = power * above * above // (below * below), n + 2
    return total


def logarithm(above: int, below: int) -> int:
    """Returns the natural logarithm of a fraction from 1 to 2, by its series."""
    top, bottom = above - below, above + below
    power, total, n = ONE * top // bottom, 0, 1
    while power:
        total += power // n
        power, n = power * top * top // (bottom * bottom), n + 2
    return 2 * total


PI = 4 * (4 * arctangent(1, 5) - arctangent(1, 239))
LN_2 = logarithm(2, 1)


def fraction(of: int, bits: int = 64) -> int:
    """Rounds to so many bits behind the point."""
    return (of + (1 << (BITS - bits - 1))) >> (BITS - bits)


def power_of_two(i: int) -> int:
    """Returns 2^(i / 64), by six square roots."""
    root = ONE << i % 64
    for _ in range(6):
        root = isqrt(root << BITS)
    return root


def test_angles() -> None:
    known = constants()
    assert known["HALF_PI"] == [fraction(PI // 2, 63)]
    assert known["PI"] == [fraction(PI, 62)]
    digits = (2 * ONE * ONE // PI) >> (BITS - 1280)
    words = [digits >> (1280 - 64 * (i + 1)) & (2**64 - 1) for i in range(20)]
    assert known["two_over_pi"] == [0, 0, *words]
    # A quarter of pi is too near to 1 for the series, which ends after some bits a term.
    assert known["arctangents"][:16] == [fraction(arctangent(i, 16), 63) for i in range(16)]
    assert known["arctangents"][16] == fraction(PI // 4, 63)


def test_logarithms_and_powers() -> None:
    known = constants()
    assert known["LN_2"] == [fraction(LN_2)]
    assert known["LOG2_E"] == [fraction(ONE * ONE // LN_2, 63)]
    assert known["powers"] == [fraction(power_of_two(i), 63) for i in range(64)]
    near = [round(512 * 256 / (257 + 2 * i)) for i in range(128)]
    assert known["reciprocals"] == [512, *near[1:127], 256]
    logarithms = [fraction(ONE * logarithm(512, r) // LN_2, 128) for r in known["reciprocals"]]
    pairs = [(value >> 64 & (2**64 - 1), value & (2**64 - 1)) for value in logarithms]
    assert known["logarithms"] == [word for pair in pairs for word in pair]


def test_series() -> None:
    known = constants()
    assert known["sine_terms"] == [fraction(ONE // factorial(2 * k + 3)) for k in range(9)]
    assert known["cosine_terms"] == [fraction(ONE // factorial(2 * k + 2)) for k in range(9)]
    assert known["log_terms"] == [fraction(ONE // (k + 2)) for k in range(9)]
    assert known["arctangent_terms"] == [fraction(ONE // (2 * k + 3)) for k in range(6)]
    assert known["power_terms"] == [fraction(ONE // factorial(k + 2)) for k in range(6)]
