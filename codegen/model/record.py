"""Records are dataclasses whose objects keep the values that they were made with.

Two records are equal only if they are one. mypy guards their values, and nothing does at run time:
every method that a dataclass makes for one of 230 records is felt whenever the generator starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace as replace
from typing import TypeVar, dataclass_transform

Record = TypeVar("Record")


@dataclass_transform(frozen_default=True, eq_default=False)
def record(cls: type[Record]) -> type[Record]:
    """Makes a class a dataclass."""
    # Without a docstring a class would be given its signature, which takes as long as all the rest.
    cls.__doc__ = cls.__doc__ or cls.__name__
    return dataclass(eq=False, repr=False, match_args=False)(cls)
