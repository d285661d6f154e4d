"""A grid finds what is near: the entities in a ball or box, and the nearest ones of a point."""

from __future__ import annotations

from typing import ClassVar

from model.code import Index
from plan import text
from plan.indexes.kind import Kind, Question, Signature, Subject
from plan.records.index import IndexCallPlan

EXACT = ("f32", "i8", "u8", "i16", "u16")  # what an f32 keeps exactly
AXES = ("x", "y", "z")

NEAR = "Begins an iteration over what is at most radius away, the rim included, cell by cell."
BOX = "Begins an iteration over what lies in a box, its faces included, cell by cell."
NEAREST = (
    "Finds the k that are nearest, at most WEFT_NEAREST_MAX, and returns how many there are. They "
    "come nearest first; of those as near as each other the one with the lower index comes first."
)


class Grid(Kind):
    stem = "near"
    walk = "weft_grid_walk"
    step = "weft_grid_next(&it->weft_walk, form)"
    inline = "WEFT_ALWAYS_INLINE"
    typed: ClassVar = {
        "next": "near_next",
        "near": "near_begin",
        "box": "box_begin",
        "nearest": "nearest",
    }

    def asked_for(self, subject: Subject) -> str:
        return "x, y, z, radius" if len(subject.fields) == 3 else "x, y, radius"

    def key_type(self, subject: Subject) -> str:
        """Returns the C type of the numbers by which a grid is asked."""
        alike = all(field.type.name == "f32" for field in subject.fields)
        return "float" if alike else "double"

    def form(self, subject: Subject) -> dict[str, str]:
        wide = {"wide": "true"} if _is_wide(subject) else {}
        return {
            "cell": text.float_literal(subject.index.cell or 1.0, "f64"),
            "per_cell": _per_cell(subject),
            **wide,
            "id_bytes": str(_id_bytes(subject)),
        }

    def how(self, index: Index) -> str:
        fields = ", ".join(ref.name for ref in index.fields)
        return f"by {fields} of {index.of.name}, in cells of {index.cell:g}"

    def own_calls(self, subject: Subject) -> list[IndexCallPlan]:
        """Returns the step to the next entity, which is that of a box by another name."""
        next = self.next(subject, self.steps(subject), _form_line(subject))
        alike = [f"return {next.function}(it);"]
        box = IndexCallPlan(
            "", "bool ", subject.name("box_next"), next.parameters, alike, self.inline
        )
        return [next, box]

    def questions(self, subject: Subject) -> list[Question]:
        axes, number = AXES[: len(subject.fields)], self.key_type(subject)
        low, high = ([f"{number} {axis}{end}" for axis in axes] for end in "01")
        point = [f"{number} {axis}" for axis in axes]
        result = f"{self.iterator(subject)} "
        near = Signature(result, [*point, f"{number} radius"])
        corners = Signature(result, [*low, *high])
        # Were they inlined late, gcc would ask for each entity whether the walk is stale.
        at_once = self.inline
        return [
            Question("near_begin", near, self._near(subject, axes), NEAR, inline=at_once),
            Question("box_begin", corners, self._box(subject, axes), BOX, inline=at_once),
            self._nearest(subject, point, axes),
        ]

    def _near(self, subject: Subject, axes: tuple[str, ...]) -> list[str]:
        return [
            *self._begin(subject),
            f"const double centre[] = {{{_doubles(axes)}}};",
            f"weft_grid_ball(&it.weft_walk, base, {subject.constant}, made, centre, "
            "(double)radius, form);",
            "return it;",
        ]

    def _box(self, subject: Subject, axes: tuple[str, ...]) -> list[str]:
        return [
            *self._begin(subject),
            f"const double low[] = {{{_doubles(axes, '0')}}};",
            f"const double high[] = {{{_doubles(axes, '1')}}};",
            f"weft_grid_box(&it.weft_walk, base, {subject.constant}, made, low, high, form);",
            "return it;",
        ]

    def _begin(self, subject: Subject) -> list[str]:
        """Returns the statements that declare an iterator, which has nothing yet."""
        of = subject.component.name
        none = f"it.{of} = NULL;"
        if subject.component.storage.kind == "soa":
            none = f"memset(&it.{of}, 0, sizeof it.{of});"
        entity = f"it.entity = {subject.entity_of}(0);"
        return [_form_line(subject), f"{self.iterator(subject)} it;", entity, none]

    def _nearest(self, subject: Subject, point: list[str], axes: tuple[str, ...]) -> Question:
        names = subject.names
        handle = f"weft_index_handle(base, {names.world('entity_format')}, ids[i])"
        body = [
            "uint32_t ids[WEFT_NEAREST_MAX];",
            f"const double point[] = {{{_doubles(axes)}}};",
            f"uint32_t found = weft_grid_nearest(base, {subject.constant}, made, point, k, ids);",
            "for (uint32_t i = 0; i < found; i++) {",
            f"    out[i] = {subject.entity_of}({handle});",
            "}",
            "return found;",
        ]
        out = ["size_t k", f"{names.world('entity')} *out"]
        return Question("nearest", Signature("size_t ", [*point, *out]), body, NEAREST)


def _doubles(axes: tuple[str, ...], end: str = "") -> str:
    return ", ".join(f"(double){axis}{end}" for axis in axes)


def _is_wide(subject: Subject) -> bool:
    return any(field.type.name not in EXACT for field in subject.fields)


def _per_cell(subject: Subject) -> str:
    return f"1.0 / {text.float_literal(subject.index.cell or 1.0, 'f64')}"


def _id_bytes(subject: Subject) -> int:
    """Returns how many bytes an entity index takes in an item of a grid."""
    return 3 if subject.common.model.world.entities.index_bits <= 24 else 4


def _form_line(subject: Subject) -> str:
    wide = "true" if _is_wide(subject) else "false"
    form = f"{{{len(subject.fields)}, {wide}, {_id_bytes(subject)}, {_per_cell(subject)}}}"
    return f"const weft_grid_form form = {form};"
