"""These records contain the headers for C++, which name the calls of C by the types in `<…>`."""

from __future__ import annotations

from dataclasses import field

from model.record import record


@record
class CppName:
    """A struct for a declaration without a type in C."""

    name: str
    kind: str  # "query"
    type: str = ""  # the type of a resource; "" for other kinds


@record
class CppTable:
    """A specialisation of a template of weft.hpp: a table of the calls of one name."""

    of: str  # "calls<colony_stock>"
    calls: list[tuple[str, str]]  # names in C++, and the functions of C that they stand for
    base: str = ""  # " : named<…>", or ""
    types: list[tuple[str, str]] = field(default_factory=list)  # names, and what they stand for
    numbers: list[tuple[str, str]] = field(default_factory=list)
    # Functions that find a grant, and the members of a context that contain it.
    members: list[tuple[str, str]] = field(default_factory=list)


@record
class CppPage:
    """The header for C++ of a header for C."""

    header: str  # for C: "colony_stock.h"
    guard: str
    includes: list[str]
    struct: CppName | None  # None: C has a type for it
    tables: list[CppTable]

    @property
    def path(self) -> str:
        return f"{self.header}pp"

    @property
    def is_called(self) -> bool:
        """Returns whether it has any calls."""
        return bool(self.tables)
