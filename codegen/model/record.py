"""This module makes records: classes whose objects keep the values that they were made with.

`dataclass(frozen=True)` does so as well, and also compares, prints and guards them, for which it
compiles functions whenever the generator starts: with some two hundred records that takes as long
as planning a small world. Records are compared by identity alone, and mypy guards them.
"""

from __future__ import annotations

from dataclasses import Field
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from dataclasses import replace as replace

Record = TypeVar("Record")


@dataclass_transform(frozen_default=True, eq_default=False)
def record(cls: type[Record]) -> type[Record]:
    """Gives a class a constructor of its fields. Two records are equal if they are one."""
    names = dict.fromkeys(
        name for base in reversed(cls.__mro__) for name in vars(base).get("__annotations__", ())
    )
    known: dict[str, Any] = {}
    takes, keeps = ["self"], []
    for name in names:
        default = getattr(cls, name, known)
        value = name
        if isinstance(default, Field):
            known[f"make_{name}"] = default.default_factory
            value = f"make_{name}() if {name} is None else {name}"
            takes.append(f"{name}=None")
        elif default is not known:
            known[f"default_{name}"] = default
            takes.append(f"{name}=default_{name}")
        else:
            takes.append(name)
        keeps.append(f" self.{name} = {value}")
    exec("\n".join([f"def __init__({', '.join(takes)}):", *(keeps or [" pass"])]), known)
    cls.__init__ = known["__init__"]  # type: ignore[method-assign]
    return cls


if not TYPE_CHECKING:

    def replace(record, **changes):
        """Returns a record with other values of some fields."""
        return type(record)(**{**vars(record), **changes})
