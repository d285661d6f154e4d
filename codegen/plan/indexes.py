"""Plans indexes: their keys and their calls."""

from __future__ import annotations

from model.code import Index, System
from model.hide import hidden, written
from model.types import Field
from plan import text
from plan.common import Common
from plan.keys import key_parameter, key_words, make_keys
from plan.lists import ListPlan, list_plan
from plan.pages import make_page
from plan.records.data import ComponentPlan
from plan.records.index import (
    WALKS,
    GridPlan,
    IndexGrantPlan,
    IndexPlan,
    IndexWords,
    KnownIndexPlan,
    QuestionPlan,
)
from plan.records.selection import SelectionPlan
from plan.selections import QueryNames, Request, make_selection, where_text

EXACT = ("f32", "i8", "u8", "i16", "u16")  # types whose values an f32 stores exactly
AXES = ("x", "y", "z")
AT_ONCE = (
    "WEFT_ALWAYS_INLINE"  # else gcc inlines late, and tests for each entity whether a walk is stale
)

NEAR = "Begins an iteration over the entities at most `radius` away, cell by cell."
BOX = "Begins an iteration over the entities in a box, including its faces, cell by cell."
NEAREST = (
    "Finds the k nearest entities, at most WEFT_NEAREST_MAX, and returns their number. They are "
    "sorted by distance; of two with the same distance, the one with the lower index is first."
)
FIND = "Returns the entity with these values, or none. Of several, it has the lowest index."
EACH = "Begins an iteration over all entities with these values, in the order of their indices."
COUNT = "Returns the number of entities with these values."
RANGE = (
    "Begins an iteration over the entities with values in a range, including both ends, in "
    "ascending order. Entities with equal values are in the order of their indices."
)
FIRST = "Returns the entity with the least value, or none. It takes O(1)."
LAST = "Returns the entity with the greatest value, or none. NaN counts as greater than any number."


class Indexes:
    """Plans indexes from the components whose values are their keys."""

    def __init__(self, common: Common, components: dict[str, ComponentPlan]) -> None:
        self.common, self.names, self.components = common, common.names, components

    def index(self, index: Index) -> IndexPlan:
        names, name = self.names, index.name
        component, fields = self.components[index.of.name], self._fields(index)
        selection = self._selection(index)
        numbers = [str(number) for number in self._numbers(index)]
        keyed = list_plan("uint16_t", names.local("keyed", name), numbers)
        include = component.struct.page.header
        is_grid = index.kind == "grid"
        return IndexPlan(
            name=name,
            kind=index.kind,
            stem=names.index(name, ""),
            page=make_page(names, name, index.doc, self._info(index, keyed), [include], [keyed]),
            component=component,
            known=KnownIndexPlan(
                constant=names.number("index", name),
                selection=selection,
                row=self._row(index, keyed, selection),
            ),
            words=IndexWords(self._summary(index), _example(index), _how(index) + _narrowed(index)),
            key=self._key(index, fields),
            keys=make_keys(names, fields, component),
            grid=GridPlan(len(fields), f"{{{len(fields)}, {self._form(index)}}}")
            if is_grid
            else None,
            questions=self._questions(index, fields),
            granted=self._granted(index),
        )

    def _fields(self, index: Index) -> list[Field]:
        fields = self.common.model.data.components[index.of.name].fields
        return [fields[number] for number in self._numbers(index)]

    def _numbers(self, index: Index) -> list[int]:
        fields = self.common.model.data.components[index.of.name].fields
        places = {field.name: number for number, field in enumerate(fields)}
        return [places[ref.name] for ref in index.fields]

    def _selection(self, index: Index) -> SelectionPlan:
        names, name = self.names, index.name
        request = Request(
            selection=index.selection,
            columns=[],
            names=QueryNames(
                constant=names.number("query", name),
                match=names.index(name, "match"),
                filter=names.index(name, "filter"),
                matches=names.local("matches", name),
            ),
            shown={},
        )
        return make_selection(self.common, request)

    def _summary(self, index: Index) -> str:
        """Returns which entities are in an index, and which of them `hide` of [world] keeps out."""
        model = self.common.model
        where, tags = written(model, index.selection), hidden(model, index.selection)
        passing = f" and `{where.text}`" if where else ""
        summary = f"Indexes the entities with {index.of.name}{passing}, {_how(index)}."
        if not tags:
            return summary
        return (
            f"{summary} No call finds an entity with the tag {' or '.join(tags)}, because the "
            "world hides it and `where` of the index does not name the tag."
        )

    # ---- rows of tables

    def _row(self, index: Index, keyed: ListPlan, selection: SelectionPlan) -> dict[str, str]:
        number, fields = self.names.number, self._fields(index)
        row = {
            "kind": f"WEFT_INDEX_{index.kind.upper()}",
            "component": number("component", index.of.name),
            "query": number("query", index.name),
            "reader": number("reader", index.name),
            "field_count": str(len(keyed.items)),
            "fields": keyed.name,
        }
        if index.kind == "grid":
            row |= {"cell": _cell(index), "per_cell": _per_cell(index)}
            row |= {"wide": "true"} if _is_wide(fields) else {}
            row |= {"id_bytes": str(self._id_bytes())}
        else:
            row |= {"words": str(key_words(fields))}
        return row | ({"filter": selection.filter_name} if selection.functions else {})

    def _info(self, index: Index, keyed: ListPlan) -> dict[str, str]:
        cell = {"cell": text.float_literal(index.cell, "f64")} if index.cell else {}
        return {
            "name": text.string_literal(index.name),
            "doc": text.string_literal(index.doc),
            "where": text.string_pointer(where_text(index.selection)),
            "kind": f"WEFT_INDEX_{index.kind.upper()}",
            "component": self.names.number("component", index.of.name),
            "field_count": str(len(keyed.items)),
            "fields": keyed.name,
            **cell,
        }

    # ---- calls

    def _key(self, index: Index, fields: list[Field]) -> str:
        """Returns the C++ type of the keys of an index."""
        if index.kind == "grid":
            return "float" if all(field.type.name == "f32" for field in fields) else "double"
        if index.kind == "ordered":
            return f"exact<{self.common.types.element(fields[0].type)}>"
        given = [
            (key_parameter(self.common, field), self.names.key(field.name)) for field in fields
        ]
        types = [parameter.removesuffix(name).rstrip() for parameter, name in given]
        return f"{'exact' if len(types) == 1 else 'hash_key'}<{', '.join(types)}>"

    def _form(self, index: Index) -> str:
        """Returns how a grid stores its items and divides space into cells."""
        wide = "true" if _is_wide(self._fields(index)) else "false"
        return f"{wide}, {self._id_bytes()}, {_per_cell(index)}"

    def _id_bytes(self) -> int:
        """Returns the bytes of an entity index in an item of a grid."""
        return 3 if self.common.model.world.entities.index_bits <= 24 else 4

    def _questions(self, index: Index, fields: list[Field]) -> list[QuestionPlan]:
        entity, key = self.names.world("entity"), self._key(index, fields)
        one, walk = f"{entity} ", f"{self.names.index(index.name, f'{WALKS[index.kind]}_iter')} "
        if index.kind == "grid":
            axes = AXES[: len(fields)]
            point = [f"{key} {axis}" for axis in axes]
            corners = [f"{key} {axis}{end}" for end in "01" for axis in axes]
            nearest = [*point, "size_t k", f"{entity} *out"]
            return [
                QuestionPlan("near_begin", walk, [*point, f"{key} radius"], NEAR, AT_ONCE),
                QuestionPlan("box_begin", walk, corners, BOX, AT_ONCE),
                QuestionPlan("nearest", "size_t ", nearest, NEAREST),
            ]
        if index.kind == "hash":
            values = [key_parameter(self.common, field) for field in fields]
            return [
                QuestionPlan("find", one, values, FIND),
                QuestionPlan("each_begin", walk, values, EACH),
                QuestionPlan("count", "size_t ", values, COUNT),
            ]
        end = self.common.types.element(fields[0].type)
        ends = [f"{end} from", f"{end} to"]
        return [
            QuestionPlan("range_begin", walk, ends, RANGE),
            QuestionPlan("first", one, [], FIRST),
            QuestionPlan("last", one, [], LAST),
        ]

    def _granted(self, index: Index) -> IndexGrantPlan | None:
        """Plans the grant for systems that list an index.

        If any of them writes the component, no call compares with rows, because these may be newer
        than the index.
        """
        systems = self.common.model.code.systems.values()
        listing = [s for s in systems if index.name in {ref.name for ref in s.reach.indexes}]
        if not listing:
            return None
        written = any(index.of.name in self._written(system) for system in listing)
        reader = self.names.index(index.name, "reader")
        return IndexGrantPlan(reader, "true" if written else "false")

    def _written(self, system: System) -> set[str]:
        """Returns the components that a system writes, while its indexes are not updated."""
        written = [*system.selection.write, *system.reach.lookup.write]
        for ref in system.reach.queries:
            written += self.common.model.code.queries[ref.name].selection.write
        return {ref.name for ref in written}


def _is_wide(fields: list[Field]) -> bool:
    return any(field.type.name not in EXACT for field in fields)


def _cell(index: Index) -> str:
    return text.float_literal(index.cell or 1.0, "f64")


def _per_cell(index: Index) -> str:
    return f"1.0 / {_cell(index)}"


def _example(index: Index) -> str:
    if index.kind == "grid":
        return "x, y, z, radius" if len(index.fields) == 3 else "x, y, radius"
    return "…" if index.kind == "hash" else "from, to"


def _how(index: Index) -> str:
    """Returns how an index finds entities, for comments."""
    fields = f"{', '.join(ref.name for ref in index.fields)} of {index.of.name}"
    if index.kind == "grid":
        return f"by {fields}, in cells of {index.cell:g}"
    return f"by {'equal' if index.kind == 'hash' else 'ordered'} {fields}"


def _narrowed(index: Index) -> str:
    where = where_text(index.selection)
    return f"; only where {where}" if where else ""
