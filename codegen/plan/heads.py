"""Plans a macro that begins the definition of a function over soa components.

Systems and queries that write a soa component get one. clang knows that arrays do not overlap only
if they are parameters of a function, not members of a struct. So the macro defines a function with
a parameter for each field. This calls the function of the game, which still gets the struct. Names
that begin with `weft_` cannot collide with names of a schema.
"""

from __future__ import annotations

from itertools import count

from model.record import record, replace
from names.names import Names
from plan.records.data import ComponentPlan
from plan.records.selection import ApartPlan, HeadPlan
from plan.selections import Role
from plan.types import Member

IN_REGISTERS = 2  # pointers of a struct that is passed in registers on 64-bit Unix
KNOWN = "The compiler knows there that no two arrays overlap"
VECTORS = "so loops over all fields can become vector code"


@record
class Column:
    """The values of a component, in tables."""

    component: ComponentPlan
    const: str  # "const " if they are only read
    restrict: bool  # nothing else reaches them
    source: str  # C expression; "" if it is the parameter itself


@record
class Parameter:
    """A parameter of the game's function."""

    declaration: str  # ends with its name
    name: str
    given: str  # the parameter of the macro for the name that the game gives
    column: Column | None = None  # None if it is not a component

    @property
    def inner(self) -> str:
        """The declaration with the name that the game gives."""
        return self.declaration.removesuffix(self.name) + self.given

    @property
    def value(self) -> str:
        return (self.column and self.column.source) or self.name

    @property
    def fields(self) -> list[Member]:
        """The arrays of a soa component; empty for other components."""
        component = self.column and self.column.component
        return component.struct.members if component and component.storage.kind == "soa" else []

    @property
    def reached(self) -> bool:
        """Returns whether something else reaches the arrays."""
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
    """Makes the parameter of a column. For a query `source` is the member of the iterator."""
    component = role.component
    const = "" if role.role == "write" else "const "
    plain = parameter(declaration, component.name)
    return replace(plain, column=Column(component, const, restrict, source))


def system_head(
    names: Names, system: str, parameters: list[Parameter], generated: bool
) -> HeadPlan:
    """Plans the head of a system: `COLONY_DEFINE_MOVEMENT(ctx, count, velocity, position)`.

    The game uses it, or generated code if the system is inline.
    """
    function, macro = names.system(system), names.define(system)
    example = f"{macro}({', '.join(one.name for one in parameters)})"
    begins = (
        f"`{example}` contains its loop." if generated else f"`{example} {{ … }}` also defines it."
    )
    in_memory = any(len(one.fields) > IN_REGISTERS for one in parameters)
    declarations = [one.declaration for one in parameters]
    return HeadPlan(
        example=example,
        comment=f"{begins} {KNOWN}, {VECTORS}.{_but(parameters)}",
        macro=macro,
        given=[one.given for one in parameters],
        body=names.body(system),
        inner=[one.inner for one in parameters],
        apart=_apart(names.apart(system), parameters),
        outer=f"void {function}({', '.join(declarations)})",
        parameters=declarations,
        call=names.local("call", system) if in_memory else "",
        declared=in_memory and not generated,
    )


def query_head(names: Names, query: str, columns: list[Parameter]) -> HeadPlan:
    """Plans the head of a function over the current rows of a query, with one more argument.

    The game gives the name of the function, and the type and the name of that argument.
    """
    macro = names.define(query)
    iterator = Parameter(f"const {names.query(query, 'iter')} *weft_it", "weft_it", "weft_iter")
    more = Parameter("weft_type weft_more", "weft_more", "weft_argument")
    every = [iterator, *columns, more]
    example = f"{macro}(move, it, {', '.join(one.name for one in columns)}, float, dt)"
    called = f"`{example} {{ … }}` defines `move(&it, dt)` for the current range."
    outer = [iterator.declaration, more.declaration]
    return HeadPlan(
        example=example,
        comment=f"{called} {KNOWN} and that nothing else reaches them, {VECTORS}.",
        macro=macro,
        given=["weft_name", *(one.given for one in every[:-1]), "weft_type", more.given],
        body="weft_name##_body",
        inner=[one.inner for one in every],
        apart=_apart("weft_name##_apart", every),
        outer=f"static inline void weft_name({', '.join(outer)})",
        parameters=outer,
    )


def _but(parameters: list[Parameter]) -> str:
    """Names the soa components whose arrays may overlap with others, in a sentence."""
    reached = [p.name for p in parameters if p.fields and p.reached]
    if not reached:
        return ""
    are = "it is" if len(reached) == 1 else "they are"
    return f" This excludes {' and '.join(reached)}, because {are} reached in other ways too."


def _apart(name: str, parameters: list[Parameter]) -> ApartPlan:
    """Makes each field of soa components a parameter of its own, `weft_0`, `weft_1`, …"""
    plan, number = ApartPlan(name, [], [], [one.name for one in parameters], []), count()
    for one in parameters:
        arrays = [f"weft_{next(number)}" for _ in one.fields]
        fields = zip(one.fields, arrays, strict=True)
        plan.parameters.extend([one.pointer(*field) for field in fields] or [one.declaration])
        plan.arguments.extend([f"{one.value}.{field.name}" for field in one.fields] or [one.value])
        if arrays:
            plan.structs.append((one.declaration, arrays))
    return plan
