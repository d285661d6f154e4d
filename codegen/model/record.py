"""This module makes records: classes whose objects keep the values that they were made with.

`dataclass(frozen=True)` does so as well, and also compares, prints and guards them, for which it
compiles functions whenever the generator starts: with some two hundred records that takes as long
as planning a small world. Records are compared by identity alone, and mypy guards them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

Record = TypeVar("Record")


@dataclass_transform(frozen_default=True, eq_default=False)
def record(cls: type[Record]) -> type[Record]:
    """Gives a class a constructor of its fields. Two records are equal if they are one."""
    cls.__doc__ = cls.__doc__ or cls.__name__  # or else it is made of the constructor
    return dataclass(eq=False, repr=False, match_args=False)(cls)
