"""Columns for files without lists and structs: only numbers and texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from json import JSONEncoder
from typing import Any

from saves.schema import ONE, STRING, Field, is_whole

encode = JSONEncoder().encode


def encoded(one: Field, column: Sequence[Any]) -> list[str]:
    """Returns values as JSON. For lists of whole numbers, repr gives the same text faster."""
    if one.type.shape == STRING:
        return each_text(column, encode)
    whole = one.type.by is None and is_whole(one.type.base)
    return list(map(repr if whole else encode, column))


def plain(one: Field, column: Sequence[Any]) -> Sequence[Any]:
    """Returns a column with arrays and lists as JSON, and strings as UTF-8."""
    if one.type.shape == STRING:
        return each_text(column, valid)
    return column if one.type.shape == ONE else encoded(one, column)


def each_text(column: Sequence[Any], change: Callable[[str], str]) -> list[Any]:
    """Changes each distinct text once. None stays None."""
    changed = {text: change(text) if text is not None else None for text in set(column)}
    return list(map(changed.__getitem__, column))


def valid(text: str) -> str:
    """Returns a text as valid UTF-8. Invalid bytes are written as \\udc80 to \\udcff."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
