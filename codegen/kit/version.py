"""Reads the version of Weft from the runtime's `weft.h`, the only place that defines it."""

from __future__ import annotations

import re
from functools import cache

from kit.runtime import runtime_folder

_NUMBER = re.compile(r"^#define WEFT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", re.MULTILINE)


def version() -> str:
    """Returns the version as people write it: `1.0.0`."""
    return ".".join(map(str, _numbers()))


def version_number() -> int:
    """Returns the number of `WEFT_VERSION`."""
    major, minor, patch = _numbers()
    return major * 10000 + minor * 100 + patch


@cache
def _numbers() -> tuple[int, int, int]:
    text = (runtime_folder() / "weft.h").read_text(encoding="utf-8")
    major, minor, patch = map(int, _NUMBER.findall(text))
    return major, minor, patch
