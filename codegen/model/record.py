"""Records are dataclasses that compare by identity.

mypy prevents assignments to their fields. Nothing checks this at run time, because each method that
a dataclass generates for over 200 records would slow down every start of the generator.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import replace as replace
from typing import TypeVar, dataclass_transform

Record = TypeVar("Record")


@dataclass_transform(frozen_default=True, eq_default=False)
def record(cls: type[Record]) -> type[Record]:
    """Makes a class a dataclass."""
    # Without a docstring, dataclass() computes the signature, which takes as long as everything
    # else.
    cls.__doc__ = cls.__doc__ or cls.__name__
    return dataclass(eq=False, repr=False, match_args=False)(cls)
