"""This module reads the version of Weft, which stands in one place: the runtime's `weft.h`."""

from __future__ import annotations

import re
from functools import cache

from kit.runtime import runtime_folder

_NUMBER = re.compile(r"^#define WEFT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", re.MULTILINE)


def version() -> str:
    """Returns the version as people write it: `1.0.0`."""
    return ".".join(map(str, _numbers()))


def version_number() -> int:
    """Returns the version as `WEFT_VERSION` has it."""
    major, minor, patch = _numbers()
    return major * 10000 + minor * 100 + patch


@cache
def _numbers() -> tuple[int, int, int]:
    text = (runtime_folder() / "weft.h").read_text(encoding="utf-8")
    major, minor, patch = map(int, _NUMBER.findall(text))
    return major, minor, patch
