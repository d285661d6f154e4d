"""Writes documents, as `tomllib` returns them, as TOML text."""

from __future__ import annotations

import json
from typing import Any

Table = dict[str, Any]


def toml(document: Table) -> bytes:
    """Returns the document as TOML, with a table for each declaration."""
    plain, headed = [], []
    for key, value in document.items():
        if isinstance(value, dict) and all(isinstance(item, dict) for item in value.values()):
            for name, table in value.items():
                headed += [f"[{quoted(key)}.{quoted(name)}]", *pairs(table)]
        elif isinstance(value, dict):
            headed += [f"[{quoted(key)}]", *pairs(value)]
        else:
            plain += pairs({key: value})
    return "\n".join([*plain, *headed, ""]).encode()


def pairs(table: Table) -> list[str]:
    return [f"{quoted(key)} = {inline(value)}" for key, value in table.items()]


def quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def inline(value: object) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(pairs(value)) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(inline(item) for item in value) + "]"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return str(value).lower()
    return hex(value) if isinstance(value, int) and value >= 2**64 else repr(value)
