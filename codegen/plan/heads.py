"""A system or a query that writes a soa component gets a macro that begins a definition.

A struct of pointers cannot tell clang that its arrays lie apart: only parameters of a function can.
The macro defines such a function, with a parameter for each field, and in it the one of the game,
which goes on to see the struct. No name of a schema can meet those that begin with `weft_` here.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

from model.record import record, replace
from names.names import Names
from plan.records.data import ComponentPlan
from plan.records.selection import FieldsCallPlan, HeadPlan
from plan.selections import Role
from plan.types import Member

INLINE = "WEFT_HOT WEFT_ALWAYS_INLINE void"
HOT = "WEFT_HOT static void"
IN_REGISTERS = 2  # pointers of a struct that is passed in registers on 64-bit Unix
APART = "// The macro below defines this, too, and the world calls it instead where it is there."
KNOWN = "Compilers know in it that no two arrays overlap"
VECTORS = "so loops over all fields become vector code"


@record
class Column:
    """The values of a component, in tables."""

    component: ComponentPlan
    const: str  # "const " where they are only read
    restrict: bool  # nothing else reaches them
    source: str  # C expression, where that is not the parameter itself; else ""


@record
class Parameter:
    """A parameter of the game's function."""

    declaration: str  # ends with its name
    name: str
    given: str  # the parameter of the macro that stands for the name in the game
    column: Column | None = None  # None: it gives no component

    @property
    def inner(self) -> str:
        """The declaration with the name that the game gives."""
        return self.declaration.removesuffix(self.name) + self.given

    @property
    def value(self) -> str:
        return (self.column and self.column.source) or self.name

    @property
    def fields(self) -> list[Member]:
        """The arrays of a soa component; of any other there are none."""
        component = self.column and self.column.component
        return component.struct.members if component and component.storage.kind == "soa" else []

    @property
    def reached(self) -> bool:
        """Tells whether something else reaches the arrays."""
        return self.column is not None and not self.column.restrict

    def pointer(self, member: Member, name: str) -> str:
        """Declares one of the arrays as a parameter of its own."""
        assert self.column
        head, star, tail = member.pointer.type.rpartition("*")
        restrict = "" if self.reached else "WEFT_RESTRICT "
        return f"{self.column.const}{head}{star}{restrict}{name}{tail}"


def parameter(declaration: str, name: str) -> Parameter:
    return Parameter(declaration, name, f"weft_arg_{name}")


def column_parameter(role: Role, declaration: str, restrict: bool, source: str = "") -> Parameter:
    """Makes the parameter of a column; a query has it as the source, a member of the iterator."""
    component = role.component
    const = "" if role.role == "write" else "const "
    plain = parameter(declaration, component.name)
    return replace(plain, column=Column(component, const, restrict, source))


def system_head(
    names: Names, system: str, parameters: list[Parameter], generated: bool
) -> HeadPlan:
    """Plans the head of a system: `COLONY_DEFINE_MOVEMENT(ctx, count, velocity, position)`.

    The game writes it, or generated code where the system is inline.
    """
    function, macro = names.system(system), names.define(system)
    body, apart = f"weft_body_{function}", names.apart(system)
    declared = f"void {apart}({_list(_apart(parameters))})"
    example = f"{macro}({_list(p.name for p in parameters)})"
    inner = f"{INLINE} {body}({_list(p.inner for p in parameters)})"
    begins = f"Its loop is in `{example}`." if generated else f"`{example} {{ … }}` defines it too."
    in_memory = any(len(one.fields) > IN_REGISTERS for one in parameters)
    shared = in_memory and not generated
    return HeadPlan(
        example,
        [f"{begins} {KNOWN}, {VECTORS}.{_but(parameters)}"],
        [
            f"#define {macro}({_list(p.given for p in parameters)})",
            f"    {inner};",
            f"    WEFT_HOT {'' if shared else 'static '}{declared}",
            *_together(body, parameters),
            f"    void {function}({_list(p.declaration for p in parameters)})",
            "    {",
            f"        {apart}({_list(_fields(parameters))});",
            "    }",
            f"    {inner}",
        ],
        [APART, f"WEFT_HOT {declared};", "", ""] if shared else [],
        FieldsCallPlan(
            names.local("call", system),
            [p.declaration for p in parameters],
            [f"WEFT_PERHAPS({declared});"] if shared else [],
            _calls(function, apart, parameters, generated),
        )
        if in_memory
        else None,
    )


def _calls(function: str, apart: str, parameters: list[Parameter], generated: bool) -> list[str]:
    """Calls the function with all arrays apart, or the game's if there is none."""
    call = f"{apart}({_list(_fields(parameters))});"
    if generated:
        return [call]
    plain = f"{function}({_list(p.name for p in parameters)});"
    return [f"if (WEFT_IS_THERE({apart})) {{", f"    {call}", "} else {", f"    {plain}", "}"]


def query_head(names: Names, query: str, columns: list[Parameter]) -> HeadPlan:
    """Plans the head of a function over the rows at hand of a query, with one argument more.

    The game gives the name of the function, and the type and the name of that argument.
    """
    macro = names.define(query)
    iterator = Parameter(f"const {names.query(query, 'iter')} *weft_it", "weft_it", "weft_iter")
    more = Parameter("weft_type weft_more", "weft_more", "weft_argument")
    every = [iterator, *columns, more]
    body, apart = "weft_name##_body", "weft_name##_apart"
    example = f"{macro}(move, it, {_list(p.name for p in columns)}, float, dt)"
    called = f"`{example} {{ … }}` defines `move(&it, dt)` for the rows at hand."
    inner = f"{INLINE} {body}({_list(p.inner for p in every)})"
    given = ["weft_name", *(p.given for p in every[:-1]), "weft_type", more.given]
    return HeadPlan(
        example,
        [f"{called} {KNOWN} and that nothing else reaches them, {VECTORS}."],
        [
            f"#define {macro}({_list(given)})",
            f"    {inner};",
            f"    {HOT} {apart}({_list(_apart(every))})",
            *_together(body, every),
            f"    static inline void weft_name({iterator.declaration}, {more.declaration})",
            "    {",
            f"        {apart}({_list(_fields(every))});",
            "    }",
            f"    {inner}",
        ],
    )


def _but(parameters: list[Parameter]) -> str:
    """Names the soa components of which that cannot be known."""
    reached = [p.name for p in parameters if p.fields and p.reached]
    if not reached:
        return ""
    are = "which is" if len(reached) == 1 else "which are"
    return f" They do not know it of {' and '.join(reached)}, {are} reached in other ways too."


def _list(parts: Iterable[str]) -> str:
    return ", ".join(parts)


def _apart(parameters: list[Parameter]) -> list[str]:
    """Declares each field of soa components as a parameter of its own, `weft_0`, `weft_1`, …"""
    declared: list[str] = []
    number = count()
    for one in parameters:
        declared += [one.pointer(member, f"weft_{next(number)}") for member in one.fields]
        declared += [] if one.fields else [one.declaration]
    return declared


def _together(body: str, parameters: list[Parameter]) -> list[str]:
    """Puts the fields into structs again and calls the body."""
    number = count()
    structs = [
        f"        {one.declaration} = {{{_list(f'weft_{next(number)}' for _ in one.fields)}}};"
        for one in parameters
        if one.fields
    ]
    return ["    {", *structs, f"        {body}({_list(p.name for p in parameters)});", "    }"]


def _fields(parameters: list[Parameter]) -> list[str]:
    """Returns the arguments for the parameters that `_apart` declares."""
    arguments: list[str] = []
    for one in parameters:
        arguments += [f"{one.value}.{member.name}" for member in one.fields] or [one.value]
    return arguments
