"""Plans prefabs: the components of a new entity, and those that these require."""

from __future__ import annotations

from model.data import Prefab, PrefabComponent
from model.record import record
from plan import text
from plan.common import Common
from plan.composites import Composites
from plan.hooks import told_of_added, with_on_add
from plan.lists import ListPlan, Row, TablePlan, list_plan, table_plan
from plan.pages import make_page
from plan.records.data import ComponentPlan
from plan.records.prefab import (
    ContentsPlan,
    MovedPlan,
    PrefabMember,
    PrefabPlan,
    PrefabRowsPlan,
    PrefabTables,
)
from plan.rules import required_values

# The rows of prefabs with more columns are moved by loops of the runtime, because a generated
# function gains little and takes long to compile. If tables have groups of columns, the runtime
# moves and copies the rows of all prefabs.
MOVED_COLUMNS_MAX = 6


@record
class _Parts:
    """The components of a prefab, grouped by how they are filled in."""

    listed: list[ComponentPlan]
    everything: list[ComponentPlan]  # including those that the closure adds

    def kind(self, kind: str) -> list[ComponentPlan]:
        return [component for component in self.everything if component.storage.kind == kind]

    @property
    def tables(self) -> list[ComponentPlan]:
        return [component for component in self.everything if component.storage.columns]

    @property
    def extra(self) -> list[ComponentPlan]:
        return [component for component in self.tables if component not in self.listed]

    @property
    def listed_tags(self) -> list[ComponentPlan]:
        return [component for component in self.listed if component.storage.kind == "tag"]

    @property
    def has_bitsets(self) -> bool:
        removed = any(component.watched.removals.count for component in self.everything)
        return removed or len(self.tables) < len(self.everything)


class Prefabs:
    """Plans prefabs from the components that they list."""

    def __init__(self, common: Common, components: dict[str, ComponentPlan]) -> None:
        self.model, self.names = common.model, common.names
        self.types, self.sets, self.grouped = common.types, common.sets, common.grouped
        self.components = components
        self.composites = Composites(common, components, lambda one: self._parts(one).everything)

    def prefab(self, prefab: Prefab) -> PrefabPlan:
        names, name = self.names, prefab.name
        parts = self._parts(prefab)
        members = [self._member(item) for item in prefab.components if self._has_value(item)]
        given = required_values(self.sets, names, [one.name for one in parts.listed])
        constant = names.number("prefab", name)
        tree = self.composites.tree(prefab)
        includes = [component.struct.page.header for component in parts.listed]
        if tree:
            below = [header for part in tree.parts for header in part.headers]
            includes = list(dict.fromkeys([*includes, *below]))
        listed = self._constants(prefab, "listed", parts.listed)
        infos = self.composites.infos(prefab)
        row = {
            "name": text.string_literal(name),
            "doc": text.string_literal(prefab.doc),
            "component_count": str(len(parts.listed)),
            "components": listed.name,
        }
        if infos.items:
            row |= {"part_count": str(len(infos.items)), "parts": infos.name}
        return PrefabPlan(
            name=name,
            page=make_page(names, name, prefab.doc, row, includes, [listed, infos]),
            type=names.prefab(name),
            constant=constant,
            contents=ContentsPlan(
                members=members,
                sparse=parts.kind("sparse"),
                tags=parts.kind("tag"),
                extra=self._extra(parts, given, constant),
                listed_tags=text.all_of("tag", [tag.name for tag in parts.listed_tags]),
            ),
            rows=self._rows(name, parts, constant),
            tables=self._tables(prefab, parts, members, given),
            tree=tree,
            part_defaults=[self.composites.default(prefab, part) for part in prefab.parts],
        )

    def _rows(self, name: str, parts: _Parts, constant: str) -> PrefabRowsPlan:
        return PrefabRowsPlan(
            has_bitsets=parts.has_bitsets,
            has_readers=any(component.watched.by_anyone for component in parts.tables),
            told=bool(with_on_add(parts.everything)),
            hooked=text.all_of("component", told_of_added(parts.everything)),
            filled_with=self._rows_value(parts, constant),
            moves=self._moves(name, parts),
        )

    def _moves(self, name: str, parts: _Parts) -> MovedPlan:
        names = self.names
        columns = sum(len(one.storage.columns) for one in parts.tables)
        copied = [component.constant for component in parts.tables if not self.grouped]
        short = copied and columns <= MOVED_COLUMNS_MAX
        members_only = not parts.has_bitsets and not parts.extra
        return MovedPlan(
            copied=copied,
            copy=names.local("copy", name) if copied else "NULL",
            shift=names.local("shift", name) if short else "",
            end=names.local("end", name) if short else "",
            append=names.local("append", name) if short and members_only else "",
        )

    def _parts(self, prefab: Prefab) -> _Parts:
        names = [item.component.name for item in prefab.components]
        closure = self.sets.closure(names)
        return _Parts([self.components[n] for n in names], [self.components[n] for n in closure])

    def _tables(
        self, prefab: Prefab, parts: _Parts, members: list[PrefabMember], given: list[Row]
    ) -> PrefabTables:
        names, name = self.names, prefab.name
        type = names.prefab(name)
        offsets = [f"offsetof({type}, {m.component.name})" for m in members]
        listed = [*(member.component for member in members), *parts.listed_tags]
        required = [component for component in parts.everything if component not in listed]

        return PrefabTables(
            set=self.sets.bits(names.local("set", name), [c.name for c in parts.everything]),
            component_ids=self._constants(prefab, "components", [*listed, *required]),
            member_offsets=list_plan("uint32_t", names.local("offsets", name), offsets),
            required_values=table_plan(
                "weft_required_value", names.local("required_values", name), given
            ),
            defaults=TablePlan(
                type, names.local("plain", name), [self.composites.initialiser(prefab)]
            ),
        )

    def _constants(self, prefab: Prefab, kind: str, components: list[ComponentPlan]) -> ListPlan:
        array = self.names.local(kind, prefab.name)
        return list_plan("uint16_t", array, [component.constant for component in components])

    def _extra(self, parts: _Parts, given: list[Row], constant: str) -> list[tuple[str, str]]:
        """Pairs the components that the closure adds with C expressions of their first values."""
        at = {row["component"]: index for index, row in enumerate(given)}
        extra = []
        for component in (one.constant for one in parts.extra):
            value = f"components[{component}].defaults"
            if component in at:
                value = f"prefabs[{constant}].required_values[{at[component]}].value"
            extra.append((component, f"base->plan->{value}"))
        return extra

    def _rows_value(self, parts: _Parts, constant: str) -> str:
        """Returns the first value of new rows, or NULL if no hook or sparse component needs it."""
        needed = with_on_add(parts.everything) or parts.kind("sparse")
        return f"base->plan->prefabs[{constant}].defaults" if needed else "NULL"

    def _has_value(self, item: PrefabComponent) -> bool:
        return self.components[item.component.name].storage.kind != "tag"

    def _member(self, item: PrefabComponent) -> PrefabMember:
        name = item.component.name
        component = self.components[name]
        fields = self.model.data.components[name].fields
        return PrefabMember(component, self.types.defaults.of_struct(fields, item.values))
