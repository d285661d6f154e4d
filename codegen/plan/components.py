"""Plans components: ids, columns, rules and rows of reflection."""

from __future__ import annotations

from collections.abc import Hashable

from model.data import HOOKS, Component
from model.rng import seeded
from model.sizes import Sizes
from names.names import Names
from plan import text
from plan.calls import Target, make_calls, make_runs
from plan.common import Common
from plan.hooks import make_hooks
from plan.lists import NONE, ListPlan, list_plan, table_plan
from plan.records.data import (
    BitsetPlan,
    ColumnPlan,
    ComponentPlan,
    GrantedPlan,
    RulesPlan,
    RunsPlan,
    StoragePlan,
    StructPlan,
    WatchedPlan,
)
from plan.rules import required_values, rule_lines
from plan.structs import Structs


class Components:
    def __init__(self, common: Common, structs: Structs) -> None:
        self.common, self.structs, self.model = common, structs, common.model
        self.names, self.types = common.names, common.types
        model = common.model
        self.narrow_sizes = Sizes(model, align_max=4)
        self.shared_runs: dict[Hashable, RunsPlan] = {}
        systems = model.code.systems.values()
        selections = [query.selection for query in model.begun]
        selections += [system.selection for system in systems]
        optional = [ref for selection in selections for ref in selection.optional]
        parents = [ref for system in systems for ref in system.loop.tree.parent]
        self.optional = {ref.name for ref in optional + parents}  # may be missing for a reader

    def component(self, component: Component) -> ComponentPlan:
        names, name = self.names, component.name
        struct = self.structs.struct(component, names.component(name))
        watched = self._watched(name)
        target = self._target(component, struct, watched)
        hooks = make_hooks(component, names, seeded(self.model, component))
        return ComponentPlan(
            constant=target.constant,
            struct=struct.with_row(struct.page.row | self._component_row(component)),
            storage=self._storage(component, struct, target),
            rules=self._rules(component),
            watched=watched,
            calls=make_calls(target, hooks),
            granted=GrantedPlan(
                name in self.common.granted.reads, name in self.common.granted.writes
            ),
        )

    def _storage(self, component: Component, struct: StructPlan, target: Target) -> StoragePlan:
        names, name = self.names, component.name
        bitset = BitsetPlan(names.column(component), names.number("bitset", name))
        return StoragePlan(
            kind=target.kind,
            words=_storage_words(component, struct.layout.bytes),
            columns=self._columns(component),
            bitset=None if component.is_table else bitset,
            store=names.number("store", name) if component.is_sparse else NONE,
            runs=make_runs(names, target, self.shared_runs if self.common.grouped else None),
        )

    def _target(self, component: Component, struct: StructPlan, watched: WatchedPlan) -> Target:
        names, name, kind = self.names, component.name, _kind(component)
        storage = {"tag": ["bitset"], "sparse": ["store"]}.get(kind, [])
        bound = self.common.sets.rules(name).bind
        narrow = self.narrow_sizes.of_struct(component.fields).bytes
        is_seeded = seeded(self.model, component)
        return Target(
            name=name,
            kind=kind,
            general=bound or bool(component.hooks) or is_seeded or watched.by_anyone,
            constant=names.number("component", name),
            where=[names.column(component), *(names.number(what, name) for what in storage)],
            type=struct.type,
            align=struct.layout.align,
            bytes=(struct.layout.bytes, narrow),
        )

    def _rules(self, component: Component) -> RulesPlan:
        sets, names, name = self.common.sets, self.names, component.name
        rules = sets.rules(name)
        return RulesPlan(
            closure=sets.bits(names.local("closure", name), rules.closure),
            conflicts=sets.bits(names.local("conflicts", name), rules.conflicts),
            required_by=sets.bits(names.local("required_by", name), rules.required_by),
            given=self._gives(component),
            found=table_plan(
                "weft_required_value",
                names.local("required_values", name),
                required_values(sets, names, [name]),
            ),
            bind="true" if rules.bind else "false",
            alone=" It does not add components that the tag requires."
            if len(rules.closure) > 1
            else "",
            kept=", or if another component of e requires it" if rules.required_by else "",
            lines=rule_lines(component, sets),
        )

    def _gives(self, component: Component) -> ListPlan:
        """Makes an array of one struct: the values that it gives to components that it requires."""
        names, given = self.names, [one for one in component.rules.values if one.values]
        members = [f"{names.component(n)} {n};" for n in (one.component.name for one in given)]
        values = [
            f".{one.component.name} = "
            + self.types.initialiser(
                self.model.data.components[one.component.name].fields, one.values
            )
            for one in given
        ]
        items = ["{" + ", ".join(values) + "}"] if values else []
        kind = f"struct {{ {' '.join(members)} }}"
        return list_plan(kind, names.local("gives", component.name), items)

    def _watched(self, component: str) -> WatchedPlan:
        changes = self.common.changes
        return WatchedPlan(
            added=changes.incoming("added", component),
            changed=changes.incoming("changed", component),
            sets=changes.readers.kept_with(component),
            words=changes.watched_words(component),
            removals=changes.removals(component),
            removal_sets=changes.removal_sets(component),
            indexed=changes.is_indexed(component),
            optional=component in self.optional,
            lends=changes.lends(component),
        )

    def _component_row(self, component: Component) -> dict[str, str]:
        kind, name = _kind(component), component.name
        storage = {"tag": "TAG", "sparse": "SPARSE"}.get(kind, "TABLE")
        hooked = [hook.kind for hook in component.hooks]
        told = [kind for kind in HOOKS if kind in hooked or kind != "on_replace"]
        return {
            "storage": f"WEFT_STORAGE_{storage}",
            "soa": "true" if kind == "soa" else "false",
            "save": "true" if component.save else "false",
            **{kind: "true" if kind in hooked else "false" for kind in told},
            "defaults": "NULL" if component.is_tag else f"&{self.names.local('defaults', name)}",
            "was": text.string_literal(component.was),
        }

    def _columns(self, component: Component) -> list[str]:
        names, name = self.names, component.name
        if not component.is_table:
            return []
        if component.stored.layout == "aos":
            return [names.column(component)]
        return [names.number("column", name, field.name) for field in component.fields]


def make_columns(components: list[ComponentPlan], names: Names) -> tuple[list[ColumnPlan], int]:
    """Lists every array that a table can have, bitsets last. Also returns the first bitset."""
    handles = names.number("column", "entity")
    columns = [ColumnPlan(handles, f"sizeof({names.world('entity')})", "0", NONE, "handles")]
    for c in components:
        type = c.struct.type
        if c.storage.kind == "aos":
            columns.append(ColumnPlan(c.storage.column, f"sizeof({type})", "0", c.constant, type))
        if c.storage.kind == "soa":
            columns += [
                ColumnPlan(
                    constant,
                    f"sizeof((({type} *)0)->{member.name})",
                    f"offsetof({type}, {member.name})",
                    c.constant,
                    member.declaration,
                )
                for constant, member in zip(c.storage.columns, c.struct.members, strict=True)
            ]
    first_bitset = len(columns)
    for c in components:
        if not c.storage.columns:
            what = "a tag" if c.storage.kind == "tag" else "rows with the sparse component"
            columns.append(ColumnPlan(c.storage.column, "0", "0", c.constant, what))
    return columns, first_bitset


def _kind(component: Component) -> str:
    return (
        "tag" if component.is_tag else "sparse" if component.is_sparse else component.stored.layout
    )


def _storage_words(component: Component, size: int) -> str:
    size_words = "one bit a row" if component.is_tag else text.count_of(size, "byte")
    storage = ["sparse"] if component.is_sparse else []
    apart = ["one array a field"] if component.is_table and component.stored.layout == "soa" else []
    unsaved = [] if component.save else ["not saved"]
    hooks = [hook.words for hook in component.hooks]
    stored = ", ".join([size_words, *storage, *apart, *hooks, *unsaved])
    rules = (("requires", component.rules.requires), ("excludes", component.rules.excludes))
    said = [f"{verb} {', '.join(ref.name for ref in refs)}" for verb, refs in rules if refs]
    return "; ".join([stored, *said])
