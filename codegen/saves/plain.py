"""Columns as files without lists and structs can have them: numbers, texts and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from json import JSONEncoder
from typing import Any

from saves.schema import ONE, STRING, Field, is_whole

encode = JSONEncoder().encode


def encoded(one: Field, column: Sequence[Any]) -> list[str]:
    """Returns values as JSON. Python writes lists of whole numbers as JSON does, and faster."""
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
    """Changes texts, equal ones once; what is none stays."""
    changed = {text: change(text) if text is not None else None for text in set(column)}
    return list(map(changed.__getitem__, column))


def valid(text: str) -> str:
    """Returns a text that is UTF-8; bytes that are none are written as \\udc80 to \\udcff."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()
