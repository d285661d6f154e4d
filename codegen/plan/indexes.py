"""Indexes get their iterators and calls here: those of the game, and those of systems."""

from __future__ import annotations

from dataclasses import dataclass

from model.code import Index, System
from model.scalars import SCALARS, Kind
from model.types import Base, Field, Shape
from names.names import Names
from plan import text
from plan.common import Common
from plan.lists import ListPlan, list_plan
from plan.records.data import ComponentPlan
from plan.records.index import IndexCallPlan, IndexedPlan, IndexPlan
from plan.records.selection import SelectionPlan
from plan.selections import Request, make_selection, where_text

EXACT = ("f32", "i8", "u8", "i16", "u16")  # what an f32 keeps exactly
AXES = ("x", "y", "z")


@dataclass(frozen=True)
class _Asked:
    """Says by whom an index is asked."""

    first: str  # parameter
    system: str  # its name; "": the game
    base: list[str]  # statements that declare `base`, the world of the runtime
    made: str  # C expression: whether the index is up to date; "{}" stands for the call's name
    verified: bool  # what it finds is not compared with rows, which the asking system may write


@dataclass(frozen=True)
class _Calls:
    """Makes the calls of one index for those who ask it alike."""

    common: Common
    index: Index
    fields: list[Field]
    asked: _Asked

    @property
    def names(self) -> Names:
        return self.common.names

    def all(self) -> list[IndexCallPlan]:
        make = {"grid": self._grid, "hash": self._hash, "ordered": self._ordered}
        return make[self.index.kind]()

    def _call(
        self, verb: str, result: str, parameters: list[str], body: list[str], comment: str
    ) -> IndexCallPlan:
        """Makes a call; in its body {made} and {index} are filled in."""
        asked, constant = self.asked, self.names.number("index", self.index.name)
        function = self.names.index(self.index.name, verb)
        if asked.system:
            function = self.names.system(asked.system, self.index.name, verb)
        ask = asked.made.format(index=constant, call=function)
        made = "true" if ask == "true" else "made"
        given = asked.base if made == "true" else [*asked.base, f"bool made = {ask};"]
        filled = [line.replace("{made}", made).replace("{index}", constant) for line in body]
        return IndexCallPlan(
            comment, result, function, [asked.first, *parameters], [*given, *filled]
        )

    def _grid(self) -> list[IndexCallPlan]:
        axes = AXES[: len(self.fields)]
        result = f"{self.names.index(self.index.name, 'near_iter')} "
        number = _coordinate(self.fields)
        low, high = ([f"{number} {axis}{end}" for axis in axes] for end in "01")
        point = [f"{number} {axis}" for axis in axes]
        form = f"const weft_grid_form form = {_form_of(self.common, self.index, self.fields)};"
        near = [
            form,
            *self._iterator(result),
            f"const double centre[] = {{{_doubles(axes)}}};",
            "weft_grid_ball(&it.weft_walk, base, {index}, {made}, centre, (double)radius, form);",
            "return it;",
        ]
        box = [
            form,
            *self._iterator(result),
            f"const double low[] = {{{_doubles(axes, '0')}}};",
            f"const double high[] = {{{_doubles(axes, '1')}}};",
            "weft_grid_box(&it.weft_walk, base, {index}, {made}, low, high, form);",
            "return it;",
        ]
        return [
            self._call("near_begin", result, [*point, f"{number} radius"], near, NEAR),
            self._call("box_begin", result, [*low, *high], box, BOX),
            self._nearest(point, axes),
        ]

    def _iterator(self, type: str) -> list[str]:
        """Returns the statements that declare an iterator, which has nothing yet."""
        of = self.index.of.name
        none = f"it.{of} = NULL;"
        if self.common.model.components[of].layout == "soa":
            none = f"memset(&it.{of}, 0, sizeof it.{of});"
        return [f"{type}it;", f"it.entity = {self.names.world('entity_of')}(0);", none]

    def _nearest(self, point: list[str], axes: tuple[str, ...]) -> IndexCallPlan:
        names = self.names
        handle = f"weft_index_handle(base, {names.world('entity_format')}, ids[i])"
        body = [
            "uint32_t ids[WEFT_NEAREST_MAX];",
            f"const double point[] = {{{_doubles(axes)}}};",
            "uint32_t found = weft_grid_nearest(base, {index}, {made}, point, k, ids);",
            "for (uint32_t i = 0; i < found; i++) {",
            f"    out[i] = {names.world('entity_of')}({handle});",
            "}",
            "return found;",
        ]
        out = ["size_t k", f"{names.world('entity')} *out"]
        return self._call("nearest", "size_t ", [*point, *out], body, NEAREST)

    def _hash(self) -> list[IndexCallPlan]:
        names, words = self.names, _key_words(self.fields)
        iter, entity = names.index(self.index.name, "each_iter"), names.world("entity")
        parameters = [_parameter(self.common, field) for field in self.fields]
        verified = words == 1 or self.asked.verified
        begun = [
            f"{iter} it;",
            *self._known("it.weft_words"),
            "it.weft_walk = weft_sorted_equal(base, {index}, known, hash, "
            f"{'true' if verified else 'false'});",
        ]
        find, count = self._found(begun, verified), self._counted(begun, verified)
        return [
            self._call("find", f"{entity} ", parameters, find, FIND),
            self._call("each_begin", f"{iter} ", parameters, [*begun, "return it;"], EACH),
            self._call("count", "size_t ", parameters, count, COUNT),
        ]

    def _found(self, begun: list[str], verified: bool) -> list[str]:
        """Returns the statements that return the first entity with a key."""
        entity_of, next = self._entity_of(), self.names.index(self.index.name, "each_next")
        if not verified:
            has = self.names.index(self.index.name, "has")
            return [
                begun[0],
                *self._known("it.weft_words"),
                "uint32_t id = weft_sorted_find(base, {index}, known, hash);",
                f"if (id == UINT32_MAX) return {entity_of}(0);",
                "it.weft_walk.verified = false;",
                f"if (WEFT_LIKELY({has}(&it, base, id))) return it.entity;",
                begun[-1],
                f"return {next}(&it) ? it.entity : {entity_of}(0);",
            ]
        found = f"weft_index_found(base, {self.names.world('entity_format')}, id)"
        return [
            f"uint64_t words[{_key_words(self.fields)}];",
            *self._known("words"),
            "uint32_t id = weft_sorted_find(base, {index}, known, hash);",
            f"return {entity_of}({found});",
        ]

    def _counted(self, begun: list[str], verified: bool) -> list[str]:
        if verified:
            return [*begun, "return weft_sorted_count(it.weft_walk);"]
        next = self.names.index(self.index.name, "each_next")
        return [*begun, "size_t count = 0;", f"while ({next}(&it)) count++;", "return count;"]

    def _entity_of(self) -> str:
        return self.names.world("entity_of")

    def _known(self, words: str) -> list[str]:
        """Returns the statements that make the words of a key, and their hash."""
        key = self.names.index(self.index.name, "key")
        given = ", ".join(field.name for field in self.fields)
        count = _key_words(self.fields)
        return [
            f"bool known = {{made}} && {key}({words}, {given});",
            f"uint64_t hash = known ? weft_key_hash({words}, {count}) : 0;",
        ]

    def _ordered(self) -> list[IndexCallPlan]:
        names, field = self.names, self.fields[0]
        iter, entity = names.index(self.index.name, "range_iter"), names.world("entity")
        c_type, entity_of = self.common.types.element(field.type), names.world("entity_of")
        low, high = (_word(field, end) for end in ("from", "to"))
        begun = [
            f"{iter} it;",
            f"it.weft_walk = weft_sorted_range(base, {{index}}, {{made}}, {low}, {high});",
            "return it;",
        ]
        first = [f"return {entity_of}({{made}} ? base->indexes[{{index}}].least : 0);"]
        last = [f"return {entity_of}({{made}} ? base->indexes[{{index}}].greatest : 0);"]
        ends = [f"{c_type} from", f"{c_type} to"]
        return [
            self._call("range_begin", f"{iter} ", ends, begun, RANGE),
            self._call("first", f"{entity} ", [], first, FIRST),
            self._call("last", f"{entity} ", [], last, LAST),
        ]


def _doubles(axes: tuple[str, ...], end: str = "") -> str:
    return ", ".join(f"(double){axis}{end}" for axis in axes)


def _coordinate(fields: list[Field]) -> str:
    """Returns the C type of the numbers by which a grid is asked."""
    return "float" if all(field.type.name == "f32" for field in fields) else "double"


def _parameter(common: Common, field: Field) -> str:
    if field.type.shape is Shape.STRING:
        return f"const char *{field.name}"
    return f"{common.types.element(field.type)} {field.name}"


class Indexes:
    """Plans indexes out of the components that they go by."""

    def __init__(self, common: Common, components: dict[str, ComponentPlan]) -> None:
        self.common, self.names, self.components = common, common.names, components

    def index(self, index: Index) -> IndexPlan:
        names, name = self.names, index.name
        component = self.components[index.of.name]
        fields = self._fields(index)
        selection = self._selection(index)
        numbers = [str(self._numbers(index)[field.name]) for field in fields]
        keyed = list_plan("uint16_t", names.local("keyed", name), numbers)
        return IndexPlan(
            name=name,
            doc=text.comment_lines(index.doc),
            header=names.header(name),
            guard=names.guard(name),
            include=component.struct.header,
            selection=selection,
            constant=names.number("index", name),
            summary=_summary(index),
            example=self._example(index),
            iterator=names.index(name, _ITER[index.kind]),
            members=self._members(index, component, fields),
            calls=[
                *([self._key(index, fields)] if index.kind == "hash" else []),
                *self._next(index, component),
                *_Calls(self.common, index, fields, self._game()).all(),
            ],
            typed=[(call, names.index(name, verb)) for call, verb in _TYPED[index.kind].items()],
            key=self._key_type(index, fields),
            axes=len(fields) if index.kind == "grid" else 0,
            row=self._row(index, fields, keyed.name, selection),
            info=self._info(index, keyed),
            keyed=keyed,
            words=_words(index) + _narrowed(index),
        )

    def _selection(self, index: Index) -> SelectionPlan:
        names, name = self.names, index.name
        functions = (names.index(name, "match"), names.index(name, "filter"))
        request = Request(
            selection=index.selection,
            columns=[],
            functions=(*functions, names.local("matches", name)),
            constant=names.number("query", name),
            shown={},
        )
        return make_selection(self.common, request)

    def _row(
        self, index: Index, fields: list[Field], keyed: str, selection: SelectionPlan
    ) -> dict[str, str]:
        names, name = self.names, index.name
        return {
            "kind": f"WEFT_INDEX_{index.kind.upper()}",
            "component": names.number("component", index.of.name),
            "query": names.number("query", name),
            "reader": names.number("reader", name),
            "field_count": str(len(fields)),
            "fields": keyed,
            **_form(self.common, index, fields),
            **({"filter": selection.filter_name} if selection.functions else {}),
        }

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

    def asked(self, system: System) -> list[IndexedPlan]:
        """Returns the calls of a system for each index that it lists."""
        plans = []
        for ref in system.indexes:
            index = self.common.model.indexes[ref.name]
            asked = self._asked_by(system, index)
            calls = _Calls(self.common, index, self._fields(index), asked).all()
            plans.append(IndexedPlan(index.name, self.names.header(index.name), calls))
        return plans

    def _game(self) -> _Asked:
        world = self.names.world("world")
        base = [f"weft_world *base = {self.names.world('world_base')}(w);"]
        made = 'weft_index_ask(base, {index}, "{call}" WEFT_INDEXED)'
        return _Asked(f"{world} *w", "", base, made, False)

    def _asked_by(self, system: System, index: Index) -> _Asked:
        world = f"{self.names.world('world_of')}(&ctx->sealed)"
        base = [f"const weft_world *base = {self.names.world('world_base')}({world});"]
        written = [*system.selection.write, *system.lookup_write]
        for ref in system.queries:
            written += self.common.model.queries[ref.name].selection.write
        writes = index.of.name in {ref.name for ref in written}
        ctx = f"const {self.names.system(system.name, 'ctx')} *ctx"
        return _Asked(ctx, system.name, base, "true", writes)

    def _numbers(self, index: Index) -> dict[str, int]:
        fields = self.common.model.components[index.of.name].fields
        return {field.name: number for number, field in enumerate(fields)}

    def _fields(self, index: Index) -> list[Field]:
        fields = self.common.model.components[index.of.name].fields
        by_name = {field.name: field for field in fields}
        return [by_name[ref.name] for ref in index.fields]

    def _key_type(self, index: Index, fields: list[Field]) -> str:
        """Returns the type in C++ of what the index is asked for."""
        if index.kind == "grid":
            return _coordinate(fields)
        if index.kind == "ordered":
            return self.common.types.element(fields[0].type)
        types = (_parameter(self.common, field).rpartition(field.name)[0] for field in fields)
        return f"std::tuple<{', '.join(type.rstrip() for type in types)}>"

    def _members(
        self, index: Index, component: ComponentPlan, fields: list[Field]
    ) -> list[tuple[str, str]]:
        soa = component.kind == "soa"
        columns = f"{self.names.component(component.name, 'const_columns')} {component.name}"
        value = columns if soa else f"const {component.struct.type} *{component.name}"
        walk = "weft_grid_walk" if index.kind == "grid" else "weft_sorted_walk"
        words = [(f"uint64_t weft_words[{_key_words(fields)}]", "likewise")]
        return [
            (f"{self.names.world('entity')} entity", ""),
            (value, "good until the next structural change"),
            (f"{walk} weft_walk", "not for the game"),
            *(words if index.kind == "hash" else []),
        ]

    def _example(self, index: Index) -> list[str]:
        names, iter = self.names, _ITER[index.kind]
        verb = iter.removesuffix("_iter")
        begin, next = (
            names.index(index.name, f"{verb}_begin"),
            names.index(index.name, f"{verb}_next"),
        )
        given = {"grid": "x, y, radius", "hash": "…", "ordered": "from, to"}[index.kind]
        if index.kind == "grid" and len(index.fields) == 3:
            given = "x, y, z, radius"
        return [
            f"{names.index(index.name, iter)} it = {begin}(w, {given});",
            f"while ({next}(&it)) {{",
            f"    it.entity, it.{index.of.name} …",
            "}",
        ]

    def _next(self, index: Index, component: ComponentPlan) -> list[IndexCallPlan]:
        names, kind = self.names, index.kind
        entity = f"weft_index_handle(world, {names.world('entity_format')}, it->weft_walk.id)"
        get = names.component(component.name, "get")
        value = [
            f"it->entity = {names.world('entity_of')}({entity});",
            f"it->{component.name} = {get}((const {names.world('world')} *)(const void *)world, "
            "it->entity);",
        ]
        fields, form = self._fields(index), []
        step = "weft_sorted_next(&it->weft_walk)"
        if kind == "grid":
            form = [f"const weft_grid_form form = {_form_of(self.common, index, fields)};"]
            step = "weft_grid_next(&it->weft_walk, form)"
        rest, calls = [f"if (!{step}) return false;", *value, "return true;"], []
        if kind == "hash" and _key_words(fields) > 1:
            calls = [self._has(index, value, _equal(fields, component))]
            has = f"{calls[0].function}(it, world, it->weft_walk.id)"
            rest = [f"while ({step}) {{", f"    if ({has}) return true;", "}", "return false;"]
        body = [*form, "const weft_world *world = it->weft_walk.world;", *rest]
        verbs = {"grid": ("near_next", "box_next"), "hash": ("each_next",)}
        first, *others = verbs.get(kind, ("range_next",))
        parameters = [f"{names.index(index.name, _ITER[kind])} *it"]
        inline = "WEFT_ALWAYS_INLINE" if kind == "grid" else "static inline"
        name = names.index(index.name, first)
        calls.append(IndexCallPlan(NEXT, "bool ", name, parameters, body, inline))
        for verb in others:
            same = [f"return {names.index(index.name, first)}(it);"]
            calls.append(
                IndexCallPlan("", "bool ", names.index(index.name, verb), parameters, same, inline)
            )
        return calls

    def _has(self, index: Index, value: list[str], equal: str) -> IndexCallPlan:
        """Plans the function that looks at an entity with the hash of a key of several words."""
        name = self.names.index(index.name, "has")
        iter = self.names.index(index.name, _ITER[index.kind])
        parameters = [f"{iter} *it", "const weft_world *world", "uint32_t id"]
        given = [line.replace("it->weft_walk.id", "id") for line in value]
        body = [*given, f"return it->weft_walk.verified || ({equal});"]
        return IndexCallPlan(HAS, "bool ", name, parameters, body)

    def _key(self, index: Index, fields: list[Field]) -> IndexCallPlan:
        """Plans the function that makes the words of a key."""
        body, strings, place = [], [], 0
        for field in fields:
            if field.type.shape is Shape.STRING:
                strings.append(f"weft_key_text(words + {place}, {field.name}, {field.type.count})")
            else:
                body.append(f"words[{place}] = {_word(field, field.name)};")
            place += _key_words([field])
        parameters = ["uint64_t *words", *(_parameter(self.common, field) for field in fields)]
        found = f"return {' && '.join(strings)};" if strings else "return true;"
        name = self.names.index(index.name, "key")
        return IndexCallPlan(KEY, "bool ", name, parameters, [*body, found])


_ITER = {"grid": "near_iter", "hash": "each_iter", "ordered": "range_iter"}

# In C++ these names go with the type of the iterator.
_TYPED = {
    "grid": {"next": "near_next", "near": "near_begin", "box": "box_begin", "nearest": "nearest"},
    "hash": {"next": "each_next", "each": "each_begin", "find": "find", "count": "count"},
    "ordered": {"next": "range_next", "range": "range_begin", "first": "first", "last": "last"},
}

NEXT = (
    "Steps to the next entity and returns false at the end. After a structural change, or if the "
    "index was asked again when values had changed, it asserts; release builds end the iteration."
)
NEAR = "Begins an iteration over what is at most radius away, the rim included, cell by cell."
BOX = "Begins an iteration over what lies in a box, its faces included, cell by cell."
NEAREST = (
    "Finds the k that are nearest, at most WEFT_NEAREST_MAX, and returns how many there are. They "
    "come nearest first; of those as near as each other the one with the lower index comes first."
)
FIND = "Returns the entity with these values, the one with the lowest index of several, or none."
EACH = "Begins an iteration over all entities with these values, by their indices."
COUNT = "Counts the entities with these values."
RANGE = (
    "Begins an iteration over the values from one to another, both included, ascending; equal ones "
    "by the indices of their entities."
)
FIRST = "Returns the entity with the least value, or none. It takes O(1)."
LAST = "Returns the one with the greatest value, or none. What is no number comes last."
HAS = "Lets an iterator be at an entity with the hash, and tells whether it has the values."
KEY = "Makes the words by which values are found. Returns false if no entity can have such values."


def _key_words(fields: list[Field]) -> int:
    return sum((f.type.count + 7) // 8 if f.type.shape is Shape.STRING else 1 for f in fields)


def _word(field: Field, value: str) -> str:
    """Returns the C expression of a number, enum or handle as a word of a key."""
    if field.type.base is Base.ENTITY:
        return f"{value}.bits"
    if field.type.base is Base.ENUM:
        return f"weft_key_u64((uint64_t){value})"
    kind = SCALARS[field.type.name].kind
    if kind is Kind.FLOAT:
        return f"weft_key_f64((double){value})"
    return f"weft_key_i64({value})" if kind is Kind.SIGNED else f"weft_key_u64({value})"


def _equal(fields: list[Field], component: ComponentPlan) -> str:
    """Returns the C expression of whether the value at hand has the words of the key."""
    equal, place = [], 0
    for field in fields:
        value = f"it->{component.name}->{field.name}"
        if component.kind == "soa":
            value = f"*it->{component.name}.{field.name}"
        words = f"it->weft_words + {place}"
        if field.type.shape is Shape.STRING:
            equal.append(f"weft_key_is({words}, {value}, {field.type.count})")
        else:
            equal.append(f"*({words}) == {_word(field, _grouped(value))}")
        place += _key_words([field])
    return " && ".join(equal)


def _grouped(value: str) -> str:
    return f"({value})" if value.startswith("*") else value


def _form(common: Common, index: Index, fields: list[Field]) -> dict[str, str]:
    if index.kind != "grid":
        return {"words": str(_key_words(fields))}
    assert index.cell is not None
    wide = {"wide": "true"} if _is_wide(fields) else {}
    cell = text.float_literal(index.cell, "f64")
    ids = str(_id_bytes(common))
    return {"cell": cell, "per_cell": _per_cell(index), **wide, "id_bytes": ids}


def _is_wide(fields: list[Field]) -> bool:
    return any(field.type.name not in EXACT for field in fields)


def _per_cell(index: Index) -> str:
    return f"1.0 / {text.float_literal(index.cell or 1.0, 'f64')}"


def _form_of(common: Common, index: Index, fields: list[Field]) -> str:
    wide = "true" if _is_wide(fields) else "false"
    return f"{{{len(fields)}, {wide}, {_id_bytes(common)}, {_per_cell(index)}}}"


def _id_bytes(common: Common) -> int:
    """Returns how many bytes an entity index takes in an item of a grid."""
    return 3 if common.model.world.index_bits <= 24 else 4


def _summary(index: Index) -> str:
    narrowed = _narrowed(index)
    passing = f" and{narrowed}" if narrowed else ""
    return f"It has every entity with {index.of.name}{passing}: {_words(index)}."


def _narrowed(index: Index) -> str:
    where = where_text(index.selection)
    return f" where {where}" if where else ""


def _words(index: Index) -> str:
    fields = ", ".join(ref.name for ref in index.fields)
    if index.kind == "grid":
        return f"by {fields} of {index.of.name}, in cells of {index.cell:g}"
    how = "equal" if index.kind == "hash" else "ordered"
    return f"by {how} {fields} of {index.of.name}"
