"""Computes the tables of weft_math.h with integers of many digits, and prints them as C.

python3 tests/support/math_tables.py | clang-format > runtime/math/tables.h
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import isqrt

BITS = 1400
ONE = 1 << BITS

HEAD = """\
// Constants of weft_math.h. tests/support/math_tables.py computes them and prints this file.
// A pair of doubles, high and low, is a number of about 100 binary digits: low is the rounding
// error of high.
#ifndef WEFT_MATH_TABLES_H
#define WEFT_MATH_TABLES_H

#include <stdint.h>
"""


def arctangent(of: Fraction) -> int:
    """Returns the arctangent of a fraction below 1, by its series."""
    above, below = of.numerator, of.denominator
    power, total, n = ONE * above // below, 0, 1
    while power:
        total += power // n if n % 4 == 1 else -(power // n)
        power, n = power * above * above // (below * below), n + 2
    return total


def logarithm(of: Fraction) -> int:
    """Returns the natural logarithm of a fraction from 1/2 to 2, by its series."""
    above, below = of.numerator - of.denominator, of.numerator + of.denominator
    power, total, n = ONE * abs(above) // below, 0, 1
    while power:
        total += power // n
        power, n = power * above * above // (below * below), n + 2
    return 2 * total if above > 0 else -2 * total


def sine(angle: int) -> int:
    """Returns the sine of an angle from 0 to a quarter turn, by its series."""
    term, total, n = angle, 0, 1
    while term:
        total += term if n % 4 == 1 else -term
        term, n = term * angle // ONE * angle // ONE // ((n + 1) * (n + 2)), n + 2
    return total


PI = 4 * (4 * arctangent(Fraction(1, 5)) - arctangent(Fraction(1, 239)))
LN_2 = logarithm(Fraction(2))


def exact(of: int) -> Fraction:
    return Fraction(of, ONE)


def nearest(value: Fraction) -> float:
    return value.numerator / value.denominator


def cut(value: Fraction, bits: int) -> float:
    """Rounds to this many binary digits after the point."""
    return round(value * 2**bits) / 2**bits


def pair(value: Fraction, bits: int | None = None) -> tuple[float, float]:
    """Returns a number as two doubles; the first has this many digits after the point."""
    high = nearest(value) if bits is None else cut(value, bits)
    return high, nearest(value - Fraction(high))


def shown(value: float) -> str:
    """Prints a double in base 16, without redundant digits."""
    digits, _, exponent = value.hex().partition("p")
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return f"{digits}p{exponent}" if value else "0.0"


def rows(table: Iterable[Iterable[float]]) -> Iterator[str]:
    for row in table:
        yield "    {" + ", ".join(map(shown, row)) + "},"


# ---- angles

STEPS = 128  # of a turn


def sine_of_step(step: int) -> Fraction:
    """Returns the sine of a step, exactly opposite on opposite sides."""
    step %= STEPS
    if step >= STEPS // 2:
        return -sine_of_step(step - STEPS // 2)
    step = min(step, STEPS // 2 - step)
    return exact(ONE if step == STEPS // 4 else sine(2 * PI * step // STEPS))


def turns() -> Iterator[tuple[float, ...]]:
    for step in range(STEPS):
        high, low = pair(sine_of_step(step))
        cosine = sine_of_step(step + STEPS // 4)
        # Halves times anything are exact.
        simple = cut(cosine, 1)
        yield high, low, simple, nearest(cosine - Fraction(simple))


BEARINGS = 32


def bearings() -> Iterator[tuple[float, ...]]:
    for turned, sign in ((0, 1), (1, -1), (2, -1), (1, 1)):  # quarters, and away or back from there
        for step in range(BEARINGS + 1):
            found = PI // 4 if step == BEARINGS else arctangent(Fraction(step, BEARINGS))
            yield pair(exact(PI * turned // 2 + sign * found))


def step_parts() -> tuple[float, float, float]:
    """Returns a step, in radians, as three doubles: multiples of the first two are exact."""
    step = exact(2 * PI // STEPS)
    high = cut(step, 31)
    middle = cut(step - Fraction(high), 58)
    return high, middle, nearest(step - Fraction(high) - Fraction(middle))


# ---- powers

POWERS = 128


def powers() -> Iterator[tuple[float, float]]:
    """Yields 2^(i / POWERS) for each i, rounded, and its relative rounding error."""
    for step in range(POWERS):
        root = ONE << step
        for _ in range(7):
            root = isqrt(root << BITS)
        high = nearest(exact(root))
        yield high, nearest((exact(root) - Fraction(high)) / Fraction(high))


# ---- logarithms

CELLS = 128
CELLS_BEGIN = 0x3FE6100000000000  # the bits of the first number of the first cell
INVERSE_BITS = 26


def middle_of_cell(cell: int) -> Fraction:
    bits = CELLS_BEGIN + (cell << 45) + (1 << 44)
    digits = bits % 2**52 + 2**52
    return Fraction(digits, 2**53 if bits < 0x3FF0000000000000 else 2**52)


def near_inverse(middle: Fraction) -> tuple[float, float]:
    """Returns a number near `middle`, and its inverse of 27 digits, which is exact to 66 digits."""
    if middle == 1:
        return 1.0, 1.0
    digits = 53 if middle < 1 else 52
    product = 1 << (INVERSE_BITS + digits)
    first = round(2**INVERSE_BITS / middle)
    for distance in range(1 << 20):
        inverse = first + (distance // 2 if distance % 2 else -(distance // 2))
        left = product % inverse
        if min(left, inverse - left) <= product >> 66:
            return (product + inverse // 2) // inverse / 2**digits, inverse / 2**INVERSE_BITS
    raise AssertionError("there is none")


def logarithms() -> Iterator[tuple[float, ...]]:
    for cell in range(CELLS):
        number, inverse = near_inverse(middle_of_cell(cell))
        yield number, inverse, *pair(exact(logarithm(Fraction(number))), 42)


# ---- the file


def two_over_pi() -> Iterator[int]:
    yield from (0, 0)
    digits = (2 * ONE * ONE // PI) >> (BITS - 1280)
    for i in range(20):
        yield digits >> (1280 - 64 * (i + 1)) & (2**64 - 1)


def define(name: str, value: float, comment: str = "") -> str:
    return f"#define {name} {shown(value)}" + (f" // {comment}" if comment else "")


def table(comment: str, kind: str, members: str, name: str, body: Iterator[str]) -> Iterator[str]:
    yield f"\n// {comment}"
    yield f"typedef struct {kind} {{\n{members}\n}} {kind};\n"
    yield f"static const {kind} {name} = {{"
    yield from body
    yield "};"


def lines() -> Iterator[str]:
    yield HEAD
    yield "// 2 / pi after 128 bits of zeros: the fraction word by word, the highest bits first."
    yield "static const uint64_t two_over_pi[22] = {"
    yield "".join(f"0x{word:016X}ULL, " for word in two_over_pi())
    yield "};\n"
    high, middle, low = step_parts()
    yield "// A step is a 128th of a turn. Multiples of its first two parts are exact up to 2^26."
    yield define("STEP_HIGH", high, "radians")
    yield define("STEP_MIDDLE", middle, "the next digits")
    yield define("STEP_LOW", low, "the rest")
    yield define("STEP_LOWER", nearest(Fraction(middle) + Fraction(low)), "the last two together")
    yield define("STEPS_PER_RADIAN", nearest(STEPS / exact(2 * PI)))
    yield f"#define TURN_EIGHTH 0x{round(exact(PI) * 2**62):016X}ULL // 2 pi / 8, in 2^-64"
    yield from table(
        "The sine of each step as a pair. The cosine is a multiple of a half, plus a rest.",
        "angle_step",
        "double high; double low; double halves; double rest;",
        f"angle_steps[{STEPS}]",
        rows(turns()),
    )
    yield from table(
        "Bearings as pairs: arctangents of i / 32, a quarter turn minus these, half a turn minus\n"
        "// these, and a quarter turn plus these.",
        "angle_bearing",
        "double high; double low;",
        f"angle_bearings[4 * {BEARINGS + 1}]",
        rows(bearings()),
    )
    yield "\n// A part is a 128th of ln 2. Multiples of PART_HIGH are exact up to 2^18."
    part = exact(LN_2) / POWERS
    yield define("PARTS_PER_E", nearest(1 / part))
    yield define("PART_HIGH", cut(part, 42))
    yield define("PART_LOW", nearest(part - Fraction(cut(part, 42))))
    yield define("PART", nearest(part))
    yield define("PART_SQUARED_HALF", nearest(part**2 / 2))
    yield define("PART_CUBED_SIXTH", nearest(part**3 / 6))
    yield from table(
        "2^(i / 128), and its rounding error relative to it.",
        "root_of_two",
        "double value; double lacks;",
        f"roots_of_two[{POWERS}]",
        rows(powers()),
    )
    ln_high, ln_low = pair(exact(LN_2), 42)
    yield "\n// The natural logarithm of 2. Multiples of the first part are exact up to 2^11."
    yield define("LN_2", nearest(exact(LN_2)))
    yield define("LN_2_HIGH", ln_high)
    yield define("LN_2_LOW", ln_low)
    yield f"#define CELLS_BEGIN 0x{CELLS_BEGIN:016X}ULL // the bits of the first number of a cell"
    yield from table(
        "A number near the middle of each cell; its inverse, which has 27 digits and an error of\n"
        "// at most 2^-66; and its logarithm, whose high part is a multiple of 2^-42.",
        "logarithm_cell",
        "double middle; double inverse; double high; double low;",
        f"logarithm_cells[{CELLS}]",
        rows(logarithms()),
    )
    yield "\n#endif"


if __name__ == "__main__":
    print("\n".join(lines()))
