"""Whether a number of one type can be one of another without loss, whatever its value."""

from __future__ import annotations

_DIGITS = {"f32": 24, "f64": 53}  # bits up to which every whole number is exact


def always_fits(was: str, now: str) -> bool:
    if was == now:
        return True
    if was in _DIGITS:
        return (was, now) == ("f32", "f64")
    low, high = _range(was)
    if now in _DIGITS:
        return max(high, -low) <= 1 << _DIGITS[now]
    least, most = _range(now)
    return least <= low and high <= most


def _range(whole: str) -> tuple[int, int]:
    if whole == "bool":
        return 0, 1
    bits = int(whole[1:])
    return (0, (1 << bits) - 1) if whole[0] == "u" else (-(1 << bits - 1), (1 << bits - 1) - 1)
