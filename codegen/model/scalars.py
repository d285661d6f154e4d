"""This is the table of scalar types: one row each, with all that the generator asks about one.

The parser, the rules, the verdicts on saves, the JSON Schemas and the plan draw on this table, so a
new scalar type is one row here. The runtime has a table of its own, indexed by the constant.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """The kind of a scalar's values decides how they are written in schemas, C and JSON."""

    BOOL = "bool"  # true or false
    UNSIGNED = "unsigned"
    SIGNED = "signed"
    FLOAT = "float"
    CHAR = "char"  # a byte of a string, which is no number


@dataclass(frozen=True)
class Scalar:
    name: str  # as the schema writes it
    kind: Kind
    c: str  # its type in C
    bytes: int  # its size in C
    low: int | float = 0
    high: int | float = 0
    exact_bits: int = 0  # floats: whole numbers of that many bits are exact

    @property
    def align(self) -> int:
        """C aligns every scalar to its size."""
        return self.bytes

    @property
    def bits(self) -> int:
        return self.bytes * 8

    @property
    def constant(self) -> str:
        """Returns the constant of the runtime's `weft_type` that reflection and saves use."""
        return f"WEFT_TYPE_{self.name.upper()}"


def _unsigned(bits: int) -> Scalar:
    return Scalar(f"u{bits}", Kind.UNSIGNED, f"uint{bits}_t", bits // 8, 0, 2**bits - 1)


def _signed(bits: int) -> Scalar:
    end = 2 ** (bits - 1)
    return Scalar(f"i{bits}", Kind.SIGNED, f"int{bits}_t", bits // 8, -end, end - 1)


def _float(bits: int, c: str, exact_bits: int, exponent: int) -> Scalar:
    high = (2 - 2.0 ** (1 - exact_bits)) * 2.0**exponent
    return Scalar(f"f{bits}", Kind.FLOAT, c, bits // 8, -high, high, exact_bits)


_ROWS = (
    Scalar("bool", Kind.BOOL, "bool", 1, 0, 1),
    *map(_unsigned, (8, 16, 32, 64)),
    *map(_signed, (8, 16, 32, 64)),
    _float(32, "float", 24, 127),
    _float(64, "double", 53, 1023),
    Scalar("char", Kind.CHAR, "char", 1),
)

SCALARS = {scalar.name: scalar for scalar in _ROWS}

# The names that can stand alone in a field; a char is only ever part of a string.
NUMBER_TYPES = tuple(scalar.name for scalar in _ROWS if scalar.kind is not Kind.CHAR)
