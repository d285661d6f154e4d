"""Compares two scalar types: what happens to numbers of one in the other."""

from __future__ import annotations

from model.scalars import SCALARS, Kind


def always_fits(was: str, now: str) -> bool:
    """Returns whether every number of one type fits into the other without loss."""
    a, b = SCALARS[was], SCALARS[now]
    if a.kind is Kind.FLOAT or b.kind is Kind.FLOAT:
        return b.kind is Kind.FLOAT and a.digits <= b.digits
    return b.low <= a.low and a.high <= b.high


def is_rounded(was: str, now: str) -> bool:
    """Returns whether numbers may lose digits. They are rounded and not refused."""
    a, b = SCALARS[was], SCALARS[now]
    return a.kind is Kind.FLOAT and b.kind is Kind.FLOAT and b.digits < a.digits
