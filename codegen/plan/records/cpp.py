"""These records hold the headers for C++, which name the calls of C by the types in `<…>`."""

from __future__ import annotations

from model.record import record


@record
class CppTable:
    """A specialisation of a template of weft.hpp: a table of the calls of one name."""

    of: str  # "calls<colony_stock>"
    base: str  # " : named<…>", or ""
    lines: list[str]  # declarations of types and constants
    members: list[tuple[str, str]]  # a function that finds a grant, and the member of a context


@record
class CppPage:
    """The header for C++ beside a header for C."""

    header: str  # for C: "colony_stock.h"
    guard: str
    includes: list[str]
    struct: str  # the definition of the struct that names it, with a comment; "" if C has a type
    tables: list[CppTable]
    declared: str  # a declaration behind the tables, or ""

    @property
    def path(self) -> str:
        return f"{self.header}pp"

    @property
    def is_called(self) -> bool:
        """Returns whether it has anything to call."""
        return bool(self.tables)
