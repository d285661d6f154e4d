"""Enums, structs, components and singletons: ids, columns, planes, rules."""

from __future__ import annotations

from dataclasses import dataclass

from model import Base, Component, EnumType, ExternType, Field, Model, Ref, Singleton, StructType
from names import Names

from plan import text
from plan.records import ColumnPlan, ComponentPlan, EnumPlan, SingletonPlan, StructPlan
from plan.types import C_SCALARS, Types

NONE = "WEFT_NONE"


@dataclass(frozen=True)
class Rules:
    """What follows from requires and excludes, as sets of component names."""

    closure: set[str]
    conflicts: set[str]
    required_by: set[str]


class Sets:
    """Sets of components as C literals, and the rules between components."""

    def __init__(self, model: Model) -> None:
        self.components = model.components
        self.ids = {name: i for i, name in enumerate(model.components)}
        self.words = max(1, -(-len(self.ids) // 64))
        self._closures: dict[str, set[str]] = {}
        for name in model.components:
            self._closures[name] = self._closure_of(name)
        self._excludes: dict[str, set[str]] = {name: set() for name in self.ids}
        for component in model.components.values():
            for ref in component.excludes:
                self._excludes[component.name].add(ref.name)
                self._excludes[ref.name].add(component.name)

    def rules(self, name: str) -> Rules:
        closure = self._closures[name]
        conflicts = {other for member in closure for other in self._excludes[member]}
        required_by = {n for n, c in self._closures.items() if name in c and n != name}
        return Rules(closure, conflicts, required_by)

    def closure(self, names: list[str]) -> list[str]:
        """All of the names and what they require, in schema order."""
        everything = {member for name in names for member in self._closures[name]}
        return [name for name in self.ids if name in everything]

    def literal(self, names: set[str] | list[str]) -> str:
        bits = [0] * self.words
        for name in names:
            bits[self.ids[name] // 64] |= 1 << self.ids[name] % 64
        return "{" + ", ".join(f"UINT64_C(0x{word:x})" for word in bits) + "}"

    def _closure_of(self, name: str) -> set[str]:
        reached: set[str] = set()
        todo = [name]
        while todo:
            at = todo.pop()
            if at not in reached:
                reached.add(at)
                todo += [ref.name for ref in self.components[at].requires]
        return reached


class Data:
    """Plans everything that has fields."""

    def __init__(self, model: Model, names: Names, types: Types, sets: Sets) -> None:
        self.model, self.names, self.types, self.sets = model, names, types, sets

    def enum(self, enum: EnumType) -> EnumPlan:
        names = self.names
        name = text.string_literal(enum.name)
        return EnumPlan(
            name=enum.name,
            type=names.enum(enum.name),
            c_type=C_SCALARS[enum.type],
            doc=text.comment_lines(enum.doc),
            values=[(names.enum_value(enum.name, v.name), i) for i, v in enumerate(enum.values)],
            header=names.header(enum.name),
            guard=names.guard(enum.name),
            row={
                "name": name,
                "doc": text.string_literal(enum.doc),
                "type": f"WEFT_TYPE_{enum.type.upper()}",
                "count": str(len(enum.values)),
                "values": f"values_{enum.name}",
            },
            value_names=[text.string_literal(v.name) for v in enum.values],
        )

    def struct(self, item: StructType | ExternType | Component | Singleton, c_type: str) -> StructPlan:
        size = self.types.struct_size(item.fields)
        if isinstance(item, ExternType):
            bytes, align = item.size, item.align
        else:
            bytes, align = size.bytes, size.align
        table = f"fields_{item.name}" if item.fields else "NULL"
        return StructPlan(
            name=item.name,
            type=c_type,
            doc=text.comment_lines(item.doc),
            includes=self.types.headers(item.fields),
            members=self.types.members(item.name, c_type, item.fields),
            bytes=bytes,
            align=align,
            header=self.names.header(item.name),
            guard=self.names.guard(item.name),
            row={
                "name": text.string_literal(item.name),
                "doc": text.string_literal(item.doc),
                "size": f"sizeof({c_type})" if item.fields or isinstance(item, ExternType) else "0",
                "align": f"WEFT_ALIGNOF({c_type})" if item.fields or isinstance(item, ExternType) else "1",
                "field_count": str(len(item.fields)),
                "fields": table,
            },
            fields_table=table,
        )

    def component(self, component: Component) -> ComponentPlan:
        names, name = self.names, component.name
        kind = "tag" if component.is_tag else "sparse" if component.is_sparse else component.layout
        struct = self.struct(component, names.component(name))
        rules = self.sets.rules(name)
        storage = {"tag": "TAG", "sparse": "SPARSE"}.get(kind, "TABLE")
        columns = [names.number("column", name, f.name) for f in component.fields] if kind == "soa" else []
        row = dict(struct.row)
        row |= {
            "storage": f"WEFT_STORAGE_{storage}",
            "soa": "true" if kind == "soa" else "false",
            "save": "true" if component.save else "false",
            "defaults": "NULL" if component.is_tag else f"&defaults_{name}",
        }
        return ComponentPlan(
            name=name,
            kind=kind,
            noun="tag" if component.is_tag else "component",
            struct=struct,
            storage_words=_storage_words(component, struct.bytes),
            constant=names.number("component", name),
            number=self.sets.ids[name],
            column=names.column(component),
            columns=columns,
            plane=NONE if component.is_table else names.number("plane", name),
            store=names.number("store", name) if component.is_sparse else NONE,
            initialiser=self.types.initialiser(component.fields) if component.fields else "",
            closure=self.sets.literal(rules.closure),
            conflicts=self.sets.literal(rules.conflicts),
            required_by=self.sets.literal(rules.required_by),
            ruled="true" if len(rules.closure) > 1 or rules.conflicts or rules.required_by else "false",
            has_entities="true" if self.has_entities(component.fields) else "false",
            rules=_rule_lines(component),
            row=row,
        )

    def has_entities(self, fields: tuple[Field, ...]) -> bool:
        for f in fields:
            if f.type.base is Base.ENTITY:
                return True
            if f.type.base is Base.STRUCT and self.has_entities(self.model.structs[f.type.name].fields):
                return True
            if f.type.base is Base.EXTERN and self.has_entities(self.model.externs[f.type.name].fields):
                return True
        return False

    def singleton(self, singleton: Singleton) -> SingletonPlan:
        struct = self.struct(singleton, self.names.singleton(singleton.name))
        row = {key: value for key, value in struct.row.items() if key != "align"}
        row |= {
            "offset": f"offsetof({self.names.world('world')}, {singleton.name})",
            "save": "true" if singleton.save else "false",
            "defaults": f"&defaults_{singleton.name}",
        }
        return SingletonPlan(singleton.name, struct, self.types.initialiser(singleton.fields), row)


def make_columns(components: list[ComponentPlan], names: Names) -> tuple[list[ColumnPlan], int]:
    """Numbers every array a table can have: handles, columns of table components, planes. And the first plane."""
    handles = names.number("column", "entities")
    columns = [ColumnPlan(handles, 0, f"sizeof({names.world('entity')})", "0", NONE, "handles")]

    def add(constant: str, size: str, offset: str, component: ComponentPlan, comment: str) -> None:
        columns.append(ColumnPlan(constant, len(columns), size, offset, component.constant, comment))

    for c in components:
        if c.kind == "aos":
            add(c.column, f"sizeof({c.struct.type})", "0", c, c.struct.type)
        if c.kind == "soa":
            for constant, member in zip(c.columns, c.struct.members, strict=True):
                size = f"sizeof((({c.struct.type} *)0)->{member.name})"
                add(constant, size, f"offsetof({c.struct.type}, {member.name})", c, member.declaration)
    first_plane = len(columns)
    for c in components:
        if c.kind in ("tag", "sparse"):
            what = "tag, one bit a row" if c.kind == "tag" else "sparse: who has it, one bit a row"
            add(c.column, "0", "0", c, what)
    return columns, first_plane


def _storage_words(component: Component, size: int) -> str:
    if component.is_tag:
        return "one bit a row"
    n = text.count_of(size, "byte")
    if component.is_sparse:
        return f"{n}, sparse"
    return f"{n}, one array a field" if component.layout == "soa" else n


def _rule_lines(component: Component) -> list[str]:
    lines: list[str] = []

    def say(verb: str, refs: tuple[Ref, ...], rest: str) -> None:
        if refs:
            lines.append(f"{verb} {', '.join(ref.name for ref in refs)}{rest}")

    say("Requires", component.requires, ": adding it adds what is missing at its defaults.")
    say("Excludes", component.excludes, ": an entity never has both.")
    return lines
