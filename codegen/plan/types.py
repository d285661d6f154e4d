"""Plans fields: C declarations, sizes, literals and rows of reflection."""

from __future__ import annotations

from collections.abc import Mapping

from model.model import Model
from model.record import record
from model.scalars import SCALARS, Kind
from model.sizes import Sizes
from model.types import Base, ExternType, Field, Shape, StructType, Type, Value
from names.names import Names
from plan import text
from plan.defaults import Defaults


@record
class ListType:
    """The type of a list field, which its struct has to define first."""

    name: str
    capacity: str  # constant
    element: str  # C type
    count: int  # at most


@record
class Pointer:
    """A pointer to the value of one row, into a column of a soa component."""

    declaration: str  # "float *x", "uint8_t (*skill)[4]"
    type: str  # "float *", "uint8_t (*)[4]"
    copied: bool  # whether the value is an array, which C copies with memcpy


@record
class Member:
    """A field as a member of a C struct, and as a row of its reflection table."""

    name: str
    declaration: str  # "float x", "uint8_t skill[4]"
    default: str  # in C++: "1.0f", "{}"
    comment: str  # unit, range and doc on one line; "" if there is nothing to say
    list_type: ListType | None  # None if it is not a list
    pointer: Pointer
    row: dict[str, str]  # reflection: designated initialisers in order


class Types:
    """Knows the C types of a model."""

    def __init__(self, model: Model, names: Names) -> None:
        self.model = model
        self.names = names
        self.sizes = Sizes(model)
        self.defaults = Defaults(model, names)

    def element(self, type: Type) -> str:
        """Returns the C type of one element."""
        if type.base in (Base.NUMBER, Base.CHAR):
            return SCALARS[type.name].c
        if type.base is Base.ENTITY:
            return self.names.world("entity")
        if type.base is Base.EXTERN:
            return self.model.types.externs[type.name].c
        return self.names.struct(type.name)

    def headers(self, fields: tuple[Field, ...]) -> list[str]:
        """Lists the generated headers that a struct with these fields includes."""
        bases = (Base.ENUM, Base.STRUCT, Base.EXTERN)
        used = [f.type.name for f in fields if f.type.base in bases]
        used += [f.type.by for f in fields if f.type.by]
        return [self.names.header(name) for name in dict.fromkeys(used)]

    def members(self, owner: str, c_type: str, fields: tuple[Field, ...]) -> list[Member]:
        return [self._member(owner, c_type, field) for field in fields]

    def _member(self, owner: str, c_type: str, field: Field) -> Member:
        type, name = field.type, field.name
        list_type = self._list(owner, field) if type.shape is Shape.LIST else None
        count = self.names.enum_count(type.by) if type.by else str(type.count)
        dimension = f"[{count}]" if type.shape in (Shape.ARRAY, Shape.STRING) else ""
        value = list_type.name if list_type else self.element(type)
        return Member(
            name=name,
            declaration=f"{value} {name}{dimension}",
            default=self.defaults.of_field(field),
            comment=self._comment(field),
            list_type=list_type,
            pointer=Pointer(
                declaration=f"{value} (*{name}){dimension}" if dimension else f"{value} *{name}",
                type=f"{value} (*){dimension}" if dimension else f"{value} *",
                copied=bool(dimension),
            ),
            row=self._row(c_type, field),
        )

    def _list(self, owner: str, field: Field) -> ListType:
        capacity = self.names.list_capacity(owner, field.name)
        name, type = self.names.list(owner, field.name), field.type
        return ListType(name, capacity, self.element(type), type.count)

    def _comment(self, field: Field) -> str:
        unit = text.one_line(field.unit)
        parts = [unit] if unit else []
        if field.range.min is not None and field.range.max is not None:
            parts.append(f"{text.number(field.range.min)} to {text.number(field.range.max)}")
        elif field.range.min is not None:
            parts.append(f"at least {text.number(field.range.min)}")
        elif field.range.max is not None:
            parts.append(f"at most {text.number(field.range.max)}")
        if not field.save:
            parts.append("not saved")
        if field.outside_none:
            parts.append("none in a copy if it points outside")
        facts = ", ".join(parts)
        doc = text.one_line(field.doc)
        return f"{facts}: {doc}" if facts and doc else facts or doc

    def _row(self, c_type: str, field: Field) -> dict[str, str]:
        type = field.type
        member = f"(({c_type} *)0)->{field.name}"
        row = {
            "name": text.string_literal(field.name),
            "doc": text.string_literal(field.doc),
            "unit": text.string_literal(field.unit),
            "was": text.string_literal(field.was),
            "type": self.type_constant(type),
            "shape": f"WEFT_SHAPE_{type.shape.name}",
            **self._of(type),
            **({"by": str(1 + list(self.model.types.enums).index(type.by))} if type.by else {}),
            "save": "true" if field.save else "false",
            "offset": f"offsetof({c_type}, {field.name})",
            "size": f"sizeof({member})",
            "element_size": f"sizeof({self.element(type)})",
            "count": str(type.count),
        }
        if field.outside_none:
            row["outside_none"] = "true"
        if type.shape is Shape.LIST:
            start = f"offsetof({c_type}, {field.name})"
            row["items_offset"] = f"offsetof({c_type}, {field.name}.items) - {start}"
        for bound in ("min", "max"):
            value = getattr(field.range, bound)
            if value is not None:
                row[f"has_{bound}"] = "true"
                row[bound] = self._number(type, value)
        return row

    def type_constant(self, type: Type) -> str:
        if type.base is Base.NUMBER:
            return SCALARS[type.name].constant
        return f"WEFT_TYPE_{type.base.value.upper()}"

    def _of(self, type: Type) -> dict[str, str]:
        """Returns the index of the named type of an element, if it has one."""
        kinds: dict[Base, Mapping[str, object]] = {
            Base.ENUM: self.model.types.enums,
            Base.STRUCT: self.model.types.structs,
            Base.EXTERN: self.model.types.externs,
        }
        if type.base not in kinds:
            return {}
        return {"of": str(list(kinds[type.base]).index(type.name))}

    def _number(self, type: Type, value: int | float) -> str:
        scalar = SCALARS[type.name]
        if scalar.kind is Kind.FLOAT:
            return f"{{.f64 = {text.float_literal(value, 'f64')}}}"
        kind = "u64" if scalar.kind is Kind.UNSIGNED else "i64"
        return f"{{.{kind} = {text.integer_literal(int(value), kind)}}}"

    # ---- defaults

    def initialiser(self, fields: tuple[Field, ...], given: dict[str, Value] | None = None) -> str:
        """Writes a struct in C with given values, else defaults; zeros are left out."""
        parts: list[str] = []
        for field in fields:
            value = given.get(field.name) if given and field.name in given else field.default
            literal = self._literal(field.type, value)
            if literal is not None:
                parts.append(f".{field.name} = {literal}")
        return "{" + ", ".join(parts or [self._zero_member(fields[0])]) + "}"

    def _zero_member(self, field: Field) -> str:
        """Sets one member to zero with all braces written, so that the whole struct is zero."""
        type = field.type
        if type.shape is Shape.STRING:
            return f'.{field.name} = ""'
        if type.shape is Shape.LIST:
            return f".{field.name} = {{.count = 0}}"
        zero = self._zero(type)
        return f".{field.name} = " + (f"{{{zero}}}" if type.shape is Shape.ARRAY else zero)

    def _literal(self, type: Type, value: Value | None) -> str | None:
        """Writes a value, or returns None if zero-initialising gives it anyway."""
        if type.shape is Shape.STRING:
            return text.string_array(value) if isinstance(value, str) and value else None
        if type.shape is Shape.ONE:
            return self._element_literal(type, value)
        given = value if isinstance(value, list) else self._by_name(type, value)
        count = (
            len(given)
            if type.shape is Shape.LIST or not self._element_literal(type, None)
            else type.count
        )
        if count == 0:
            return None
        whole = [*given, *[None] * (count - len(given))]
        items = [self._element_literal(type, item) or self._zero(type) for item in whole]
        braces = "{" + ", ".join(items) + "}"
        return f"{{.count = {count}, .items = {braces}}}" if type.shape is Shape.LIST else braces

    def _by_name(self, type: Type, value: Value | None) -> list[Value | None]:
        """Returns elements that are given by names of enum values, in the order of the array."""
        if not isinstance(value, dict):
            return []
        return [value.get(one.name) for one in self.model.types.enums[type.by].values]

    def _element_literal(self, type: Type, value: Value | None) -> str | None:
        if type.base in (Base.STRUCT, Base.EXTERN):
            given = value if isinstance(value, dict) else None
            fields = self._fields(type)
            literal = self.initialiser(fields, given)
            return None if literal == "{" + self._zero_member(fields[0]) + "}" else literal
        if value is None:
            return None
        if type.base is Base.ENUM:
            values = [v.name for v in self.model.types.enums[type.name].values]
            return self.names.enum_value(type.name, str(value)) if value != values[0] else None
        return self._scalar_literal(type.name, value)

    def _scalar_literal(self, scalar: str, value: Value) -> str | None:
        kind = SCALARS[scalar].kind
        if kind is Kind.BOOL:
            return "true" if value else None
        assert isinstance(value, int | float)
        if kind is Kind.FLOAT:
            literal = text.float_literal(value, scalar)
            return None if literal in ("0.0", "0.0f") else literal
        return text.integer_literal(int(value), scalar) if value else None

    def _fields(self, type: Type) -> tuple[Field, ...]:
        structs: dict[str, StructType | ExternType] = {
            **self.model.types.structs,
            **self.model.types.externs,
        }
        return structs[type.name].fields

    def _zero(self, type: Type) -> str:
        """Writes an element that is zero."""
        if type.base in (Base.STRUCT, Base.EXTERN):
            return "{" + self._zero_member(self._fields(type)[0]) + "}"
        return "{0}" if type.base is Base.ENTITY else "0"
