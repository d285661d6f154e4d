"""The table of scalar types: one row each, with everything that the generator needs to know.

The parser, rules, verdicts, JSON Schemas and plan use this table, so a new scalar type is one row
here. The runtime has a similar table in runtime/value/numbers.c.
"""

from __future__ import annotations

from enum import StrEnum

from model.record import record


class Kind(StrEnum):
    """The kind of a scalar decides how its values are written in schemas, C and JSON."""

    BOOL = "bool"  # true or false
    UNSIGNED = "unsigned"
    SIGNED = "signed"
    FLOAT = "float"
    CHAR = "char"  # a byte of a string, not a number


@record
class Scalar:
    name: str  # as the schema writes it
    kind: Kind
    c: str  # the type in C
    bytes: int  # the size in C
    digits: int  # bits of the largest whole number that it stores exactly, without the sign

    @property
    def align(self) -> int:
        """Returns the alignment in C, which is the size."""
        return self.bytes

    @property
    def bits(self) -> int:
        return self.bytes * 8

    @property
    def low(self) -> int | float:
        """Returns the least value that it can store."""
        if self.kind is Kind.FLOAT:
            return -self.high
        return -(1 << self.digits) if self.kind is Kind.SIGNED else 0

    @property
    def high(self) -> int | float:
        """Returns the greatest value that it can store; for a float, the greatest finite one."""
        if self.kind is not Kind.FLOAT:
            return (1 << self.digits) - 1
        exponent = (1 << (self.bits - self.digits - 1)) - 1
        return (2 - 2.0 ** (1 - self.digits)) * 2.0**exponent

    @property
    def constant(self) -> str:
        """Returns the constant of `weft_type` that reflection and saves use."""
        return f"WEFT_TYPE_{self.name.upper()}"


_ROWS = (
    Scalar("bool", Kind.BOOL, "bool", 1, 1),
    Scalar("u8", Kind.UNSIGNED, "uint8_t", 1, 8),
    Scalar("u16", Kind.UNSIGNED, "uint16_t", 2, 16),
    Scalar("u32", Kind.UNSIGNED, "uint32_t", 4, 32),
    Scalar("u64", Kind.UNSIGNED, "uint64_t", 8, 64),
    Scalar("i8", Kind.SIGNED, "int8_t", 1, 7),
    Scalar("i16", Kind.SIGNED, "int16_t", 2, 15),
    Scalar("i32", Kind.SIGNED, "int32_t", 4, 31),
    Scalar("i64", Kind.SIGNED, "int64_t", 8, 63),
    Scalar("f32", Kind.FLOAT, "float", 4, 24),
    Scalar("f64", Kind.FLOAT, "double", 8, 53),
    Scalar("char", Kind.CHAR, "char", 1, 0),
)

SCALARS = {scalar.name: scalar for scalar in _ROWS}

# Types that a field can have. A char occurs only inside a string.
NUMBER_TYPES = tuple(scalar.name for scalar in _ROWS if scalar.kind is not Kind.CHAR)
