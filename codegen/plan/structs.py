"""Plans enums, structs, and the rows of reflection of everything with fields."""

from __future__ import annotations

from model.code import Partial
from model.data import Component, Event, Link, Singleton
from model.scalars import SCALARS
from model.types import Base, EnumType, ExternType, Field, Shape, StructType
from plan import text
from plan.common import Common
from plan.lists import ListPlan, list_plan
from plan.pages import make_page
from plan.records.data import DefaultPlan, EnumConstant, EnumPlan, LayoutPlan, StructPlan

# These have fields.
Shaped = StructType | ExternType | Component | Singleton | Event | Link | Partial


class Structs:
    def __init__(self, common: Common) -> None:
        self.model, self.names, self.types = common.model, common.names, common.types
        model = common.model
        shaped: list[Shaped] = [
            *model.types.structs.values(),
            *model.types.externs.values(),
            *model.data.components.values(),
            *model.data.kept.singletons.values(),
            *model.data.events.values(),
            *model.data.links.values(),
        ]
        self.listed = {  # structs and externs that lists have as items
            field.type.name
            for item in shaped
            for field in item.fields
            if field.type.shape is Shape.LIST and field.type.base in (Base.STRUCT, Base.EXTERN)
        }

    def enum(self, enum: EnumType) -> EnumPlan:
        names = self.names
        values = names.local("values", enum.name)
        now = [text.string_literal(v.name) for v in enum.values]
        new = list_plan("char *const", values, now)
        old = self._texts("was", enum.name, [v.was for v in enum.values])
        docs = self._texts("docs", enum.name, [v.doc for v in enum.values])
        row = {
            "name": text.string_literal(enum.name),
            "doc": text.string_literal(enum.doc),
            "type": SCALARS[enum.type].constant,
            "count": str(len(enum.values)),
            "values": values,
            **({"was": old.name} if old.items else {}),
            **({"docs": docs.name} if docs.items else {}),
        }
        return EnumPlan(
            name=enum.name,
            page=make_page(names, enum.name, enum.doc, row, lists=[new, old, docs]),
            type=names.enum(enum.name),
            c_type=SCALARS[enum.type].c,
            values=[
                EnumConstant(names.enum_value(enum.name, v.name), i, text.one_line(v.doc))
                for i, v in enumerate(enum.values)
            ],
            count=names.enum_count(enum.name),
            name_call=names.enum(enum.name, "name"),
        )

    def _texts(self, what: str, enum: str, texts: list[str]) -> ListPlan:
        """Returns a list of one text for each value of an enum; an empty list if all are empty."""
        literals = [text.string_literal(one) for one in texts] if any(texts) else []
        return list_plan("char *const", self.names.local(what, enum), literals)

    def struct(self, item: Shaped, c_type: str) -> StructPlan:
        names, name = self.names, item.name
        row, includes = self._struct_row(item, c_type), self.types.headers(item.fields)
        return StructPlan(
            name=name,
            page=make_page(names, name, item.doc, row, includes),
            type=c_type,
            members=self.types.members(name, c_type, item.fields),
            layout=self._layout(item),
            default=self._default(item),
        )

    def _default(self, item: Shaped) -> DefaultPlan | None:
        begins = isinstance(item, Component | Singleton | Event | Link) and item.fields
        if not begins and item.name not in self.listed:
            return None
        name = self.names.local("defaults", item.name)
        return DefaultPlan(name, self.types.initialiser(item.fields))

    def _layout(self, item: Shaped) -> LayoutPlan:
        has_entities = "true" if self.has_entities(item.fields) else "false"
        if isinstance(item, ExternType):
            return LayoutPlan(item.size, item.align, has_entities)
        size = self.types.sizes.of_struct(item.fields)
        return LayoutPlan(size.bytes, size.align, has_entities)

    def _struct_row(self, item: Shaped, c_type: str) -> dict[str, str]:
        row = {
            "name": text.string_literal(item.name),
            "doc": text.string_literal(item.doc),
            "size": f"sizeof({c_type})" if item.fields else "0",
            "align": f"WEFT_ALIGNOF({c_type})" if item.fields else "1",
            "field_count": str(len(item.fields)),
            "fields": self.names.local("fields", item.name) if item.fields else "NULL",
        }
        if item.name in self.listed:
            row["defaults"] = f"&{self.names.local('defaults', item.name)}"
        return row

    def has_entities(self, fields: tuple[Field, ...]) -> bool:
        """Returns whether a handle is among the fields, at any depth."""
        shapes: dict[str, StructType | ExternType] = {
            **self.model.types.structs,
            **self.model.types.externs,
        }
        return any(
            field.type.base is Base.ENTITY
            or (
                field.type.base in (Base.STRUCT, Base.EXTERN)
                and self.has_entities(shapes[field.type.name].fields)
            )
            for field in fields
        )
