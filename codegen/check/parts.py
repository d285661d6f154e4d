"""Rules about the parts of prefabs, and the fields that refer to them.

A rule skips a prefab if something that it consists of could not be read, because that has been
reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from check.prefabs import is_whole, listed_components, whole
from model.data import Part, Prefab, PrefabRef, Spot, WrittenPart, path_text
from model.model import Model
from model.parts import MAX_ENTITIES, MAX_PART_DEPTH, Tree, extents, tree_of
from model.record import record
from model.types import Base, Field, Shape
from names.names import ROWS_MEMBERS
from names.nearest import suggest
from parse import Parsed
from parse.prefabs import SELF
from source.source import Note, Place, Report


def part_keys(parsed: Parsed, report: Report) -> None:
    """A part that `is` does not bring needs a prefab and a relation."""
    for prefab, base in _with_base(parsed):
        had = _written(parsed.model, base) if base else ()
        for part in _own(prefab):
            name = part.path[0]
            lacks = [
                (key, help)
                for key, given, help in (
                    ("prefab", part.prefab, f"add prefab = \"…\", the prefab of part '{name}'"),
                    ("by", part.by, 'add by = "…", the relation that attaches it'),
                )
                if not given and name not in had
            ]
            if len(lacks) == 2 and base:
                message = f"{_what(prefab, part)} changes a part that '{base.name}' does not have"
                help = suggest(name, had, f"parts of '{base.name}'")
                help = help or 'for a new part, write { prefab = "…", by = "…" }'
                report.error("unknown-part", part.place, message, help=help)
                continue
            for key, help in lacks:
                message = f"{_what(prefab, part)} needs '{key}'"
                report.error("missing-key", part.place, message, help=help)


def _written(model: Model, prefab: Prefab) -> list[str]:
    """Returns the names of the parts of a prefab, also of those that lack a key."""
    names = [part.name for part in prefab.parts]
    gone: set[str] = set()
    seen: set[str] = set()
    while prefab.name not in seen:
        seen.add(prefab.name)
        own = [part.path[0] for part in prefab.written.parts if len(part.path) == 1]
        names += [name for name in own if name not in gone]
        gone |= {ref.name for ref in prefab.written.without}
        if prefab.base and prefab.base.name in model.data.prefabs:
            prefab = model.data.prefabs[prefab.base.name]
    return list(dict.fromkeys(names))


def part_name(parsed: Parsed, report: Report) -> None:
    """A part is a member of the same structs as the components of its prefab."""
    for prefab in parsed.model.data.prefabs.values():
        listed = {item.component.name: item.component for item in prefab.components}
        for part in prefab.parts:
            if part.name in listed and parsed.model.has_values(part.name):
                message = f"{_named(prefab, part)} has the name of a component of the prefab"
                notes = [Note(listed[part.name].place, f"component '{part.name}' is listed here")]
                report.error("part-name", part.place, message, help="rename it", notes=notes)
            elif part.name == SELF or part.name in ROWS_MEMBERS:
                of = "the root is called so" if part.name == SELF else "its rows have this member"
                message = f"{_named(prefab, part)} cannot be named '{part.name}': {of}"
                report.error("part-name", part.place, message, help="rename it")


def part_count(parsed: Parsed, report: Report) -> None:
    for prefab in parsed.model.data.prefabs.values():
        for part in prefab.written.parts:
            if part.count is not None and not 1 <= part.count <= MAX_ENTITIES:
                place = parsed.book.value("prefab", prefab.name, "parts", part.path[0], "count")
                message = f"'count' of {_what(prefab, part)} must be from 1 to {MAX_ENTITIES:,}"
                help = "to leave out a part of the prefab in 'is', name it in 'without'"
                report.error("part-count", place, message, help=help)


def part_many(parsed: Parsed, report: Report) -> None:
    """Prefabs with too many parts are reported once, not also for those that contain them."""
    prefabs = list(whole(parsed))
    found = extents(parsed.model, [prefab.name for prefab in prefabs])
    for prefab in prefabs:
        entities, depth = found[prefab.name]
        inner = [found[part.prefab.name] for part in prefab.parts if part.prefab.name in found]
        what = ""
        if depth == MAX_PART_DEPTH + 1:
            what = f"parts of parts, more than {MAX_PART_DEPTH} deep"
        elif entities > MAX_ENTITIES and all(one.entities <= MAX_ENTITIES for one in inner):
            what = f"more than {MAX_ENTITIES:,} entities"
        if what:
            message, help = f"prefab '{prefab.name}' has {what}", "spawn some of them separately"
            report.error("part-many", prefab.place, message, help=help)


def part_change(parsed: Parsed, report: Report) -> None:
    """What a prefab changes in a part must be there."""
    for prefab in whole(parsed):
        for part in prefab.written.parts:
            changed = _changed_prefab(parsed.model, prefab, part, report)
            if changed:
                _complain_values(parsed, prefab, part, changed, report)
                _complain_without(prefab, part, changed, report)


def _changed_prefab(
    model: Model, prefab: Prefab, part: WrittenPart, report: Report
) -> Prefab | None:
    """Returns the prefab of a part, or None if a name of its path is not a part."""
    found = prefab
    for depth, name in enumerate(part.path):
        inner = {one.name: one for one in found.parts}.get(name)
        if inner is None:
            if depth or len(part.path) > 1:
                message = f"{_what(prefab, part)}: prefab '{found.name}' has no part '{name}'"
                help = suggest(name, [one.name for one in found.parts], "its parts")
                help = help or f"prefab '{found.name}' has no parts: change the part itself"
                report.error("unknown-part", part.place, message, help=help)
            return None
        found = model.data.prefabs[inner.prefab.name]
    return found


def _complain_values(
    parsed: Parsed, prefab: Prefab, part: WrittenPart, changed: Prefab, report: Report
) -> None:
    had = listed_components(changed)
    for item in part.change.components:
        name = item.component.name
        if name not in had and name in parsed.model.data.components:
            message = f"{_what(prefab, part)} gives values to '{name}', "
            message += f"which prefab '{changed.name}' does not list"
            help = suggest(name, had) or f"add it to 'components' of prefab '{changed.name}'"
            report.error("part-value", item.component.place, message, help=help)


def _complain_without(prefab: Prefab, part: WrittenPart, changed: Prefab, report: Report) -> None:
    parts = [one.name for one in changed.parts]
    for ref in part.change.without:
        if ref.name in parts:
            continue
        what = f"prefab '{changed.name}' has no part '{ref.name}'"
        message = f"{_what(prefab, part)} leaves out '{ref.name}', but {what}"
        help = suggest(ref.name, parts, "its parts") or "remove it"
        if ref.name in listed_components(changed):
            help = f'a part cannot lack a component: declare a prefab with is = "{changed.name}" '
            help += f'and without = ["{ref.name}"], and use it here'
        report.error("without-unknown", ref.place, message, help=help)


# ---- refs


def part_refs(parsed: Parsed, report: Report) -> None:
    for prefab, tree in _listable(parsed):
        asked = _Refs(parsed, prefab, tree, report)
        for ref in prefab.written.refs:
            asked.check(ref)


@record
class _Refs:
    """Checks the refs that a prefab itself declares."""

    parsed: Parsed
    prefab: Prefab
    tree: Tree
    report: Report

    def __post_init__(self) -> None:
        self._first: dict[tuple[int, str, str], PrefabRef] = {}

    def check(self, ref: PrefabRef) -> None:
        holders = self._nodes(ref.holder, ref.place)
        if self._nodes(ref.target, ref.target_place, is_target=True) and holders:
            self._field(ref, holders)
        for holder in holders:
            first = self._first.setdefault((holder, ref.component, path_text(ref.field)), ref)
            if first is not ref:
                message = f"'{ref.text}' in 'refs' of {self._what} has another target already"
                notes = [Note(first.place, f"'{first.text}' is the same field")]
                help = "remove one of the two"
                self.report.error("ref-twice", ref.place, message, help=help, notes=notes)
                break

    @property
    def _what(self) -> str:
        return f"prefab '{self.prefab.name}'"

    def _nodes(self, path: tuple[Spot, ...], place: Place, *, is_target: bool = False) -> list[int]:
        """Returns the nodes at a path, or an empty list after it has reported a mistake."""
        found, prefab = [0], self.prefab
        for spot in path:
            part = {one.name: one for one in prefab.parts}.get(spot.name)
            below = self._below(found, spot.name)
            if part is None and spot.name in _written(self.parsed.model, prefab):
                return []  # it lacks a key, which is reported
            if part is None or not below:
                message = f"{self._what} refers to part '{path_text(path)}', but "
                message += f"'{prefab.name}' has no part '{spot.name}'"
                if part:
                    message = f"{self._what} refers to part '{path_text(path)}', which it left out"
                names = [one.name for one in prefab.parts if self._below(found, one.name)]
                help = suggest(spot.name, names, "its parts") or 'write "self" for the root'
                self.report.error("unknown-part", place, message, help=help)
                return []
            if not self._is_item(part, spot, place, is_target=is_target):
                return []
            found = [index for index in below if self._is_at(index, spot)]
            prefab = self.parsed.model.data.prefabs[part.prefab.name]
        return found

    def _below(self, above: list[int], name: str) -> list[int]:
        return [one for node in above for one in self.tree.children[node].get(name, ())]

    def _is_at(self, index: int, spot: Spot) -> bool:
        return spot.item in (None, self.tree.nodes[index].path[-1].item)

    def _is_item(self, part: Part, spot: Spot, place: Place, *, is_target: bool) -> bool:
        """Returns whether the index of a part fits its count."""
        if spot.item is not None and part.count == 1:
            message = f"{self._what} refers to '{spot.text}', but '{part.name}' is one part"
            help = f"write '{part.name}'"
        elif spot.item is not None and spot.item >= part.count:
            message = f"{self._what} refers to '{spot.text}', but '{part.name}' is {part.count} "
            message += "parts"
            help = f"write '{part.name}[0]' to '{part.name}[{part.count - 1}]'"
        elif spot.item is None and part.count > 1 and is_target:
            message = f"{self._what} refers to '{spot.text}', which is {part.count} parts"
            help = f"choose one: '{part.name}[0]' to '{part.name}[{part.count - 1}]'"
        else:
            return True
        self.report.error("part-index", place, message, help=help)
        return False

    def _field(self, ref: PrefabRef, holders: list[int]) -> None:
        """Reports a field that cannot contain a handle."""
        node, name = self.tree.nodes[holders[0]], ref.component
        component = self.parsed.model.data.components.get(name)
        if component is None or not self.parsed.sound("component", name):
            return
        if name not in (item.component.name for item in node.components):
            message = f"'{ref.text}' in 'refs' of {self._what}: "
            message += f"prefab '{node.prefab.name}' does not list '{name}'"
            help = f"add '{name}' to 'components' of prefab '{node.prefab.name}'"
            self.report.error("ref-field", ref.place, message, help=help)
            return
        why, help = _why_no_handle(self.parsed.model, component.fields, ref.field)
        if why:
            message = f"'{ref.text}' in 'refs' of {self._what} is not an entity field: {why}"
            self.report.error("ref-field", ref.place, message, help=help)


def _why_no_handle(
    model: Model, fields: tuple[Field, ...], path: tuple[Spot, ...]
) -> tuple[str, str]:
    """Returns why a path of fields does not lead to a handle, and help; ("", "") if it does."""
    for depth, spot in enumerate(path):
        field = {one.name: one for one in fields}.get(spot.name)
        if field is None:
            names = [one.name for one in fields]
            return f"there is no field '{spot.name}'", suggest(spot.name, names, "its fields")
        type = field.type
        if type.shape is Shape.LIST:
            return f"'{spot.name}' is a list", "use an array, such as entity[4]"
        if type.shape is Shape.ARRAY and (spot.item is None or spot.item >= type.count):
            items = f"'{spot.name}[0]' to '{spot.name}[{type.count - 1}]'"
            return f"'{spot.name}' is an array of {type.count}", f"write {items}"
        if type.shape is not Shape.ARRAY and spot.item is not None:
            return f"'{spot.name}' is not an array", f"write '{spot.name}'"
        is_last = depth == len(path) - 1
        if type.base in (Base.STRUCT, Base.EXTERN) and not is_last:
            fields = model.struct_of(type).fields
        elif type.base is not Base.ENTITY or not is_last:
            return f"'{spot.name}' has type {type.text}", "name a field of type entity"
    return "", ""


# ---- helpers


def _own(prefab: Prefab) -> Iterator[WrittenPart]:
    return (part for part in prefab.written.parts if len(part.path) == 1)


def _with_base(parsed: Parsed) -> Iterator[tuple[Prefab, Prefab | None]]:
    """Yields the prefabs without `is`, and those whose `is` could be read."""
    for prefab in parsed.model.data.prefabs.values():
        base = parsed.model.data.prefabs.get(prefab.base.name) if prefab.base else None
        is_known = base is not None and is_whole(parsed, base.name)
        if parsed.sound("prefab", prefab.name) and (is_known or prefab.base is None):
            yield prefab, base


def _listable(parsed: Parsed) -> Iterator[tuple[Prefab, Tree]]:
    """Yields the prefabs with parts or refs whose entities can be listed, with these."""
    prefabs = list(whole(parsed))
    found = extents(parsed.model, [prefab.name for prefab in prefabs])
    for prefab in prefabs:
        entities, depth = found[prefab.name]
        few = entities <= MAX_ENTITIES and depth <= MAX_PART_DEPTH
        if few and all(part.count > 0 for part in prefab.parts):
            yield prefab, tree_of(parsed.model, prefab)


def _what(prefab: Prefab, part: WrittenPart) -> str:
    return f"part '{'.'.join(part.path)}' of prefab '{prefab.name}'"


def _named(prefab: Prefab, part: Part) -> str:
    return f"part '{part.name}' of prefab '{prefab.name}'"


RULES = (part_keys, part_name, part_count, part_many, part_change, part_refs)
