"""What becomes of the numbers of one scalar type when a field is of another one."""

from __future__ import annotations

from model.scalars import SCALARS, Kind


def always_fits(was: str, now: str) -> bool:
    """Whether a number of one type can be one of the other without loss, whatever its value."""
    a, b = SCALARS[was], SCALARS[now]
    if a.kind is Kind.FLOAT:
        return b.kind is Kind.FLOAT and a.exact_bits <= b.exact_bits
    if b.kind is Kind.FLOAT:
        return max(a.high, -a.low) <= 1 << b.exact_bits
    return b.low <= a.low and a.high <= b.high


def is_rounded(was: str, now: str) -> bool:
    """Whether numbers lose digits on the way, which is no reason to refuse them."""
    a, b = SCALARS[was], SCALARS[now]
    return a.kind is Kind.FLOAT and b.kind is Kind.FLOAT and b.exact_bits < a.exact_bits
