"""Plans composite prefabs: their structs of parts, and the tables from which the runtime spawns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import accumulate, chain

from model.data import Part, Prefab
from model.parts import Tree, parts_component, tree_of
from model.record import record
from model.trees import parents_tag
from plan import text
from plan.common import Common
from plan.lists import NONE, ListPlan, Row, list_plan, table_plan
from plan.records.data import ComponentPlan
from plan.records.prefab import KeptPlan, PartPlan, TreePlan

NO_FIELDS = "no_fields"  # the only member of the struct of a prefab that has only tags


@record
class _Need:
    """A component that needs memory outside of columns, in the table of a node."""

    node: int
    component: str


class Composites:
    """Plans the trees of prefabs. `everything` returns all components of a prefab's entity."""

    def __init__(
        self,
        common: Common,
        components: dict[str, ComponentPlan],
        everything: Callable[[Prefab], list[ComponentPlan]],
    ) -> None:
        self.model, self.names, self.types = common.model, common.names, common.types
        self.components, self.everything = components, everything
        self.defaults: dict[str, dict[str, str]] = {}  # of parts in C++, by prefab and part

    def tree(self, prefab: Prefab) -> TreePlan | None:
        """Returns None for a prefab without parts."""
        if not prefab.parts:
            return None
        tree = tree_of(self.model, prefab)
        row, lists = self._tables(prefab, tree)
        table = table_plan("weft_tree", self.names.local("tree", prefab.name), [row])
        return TreePlan(
            parts=[self._part(prefab, part) for part in prefab.parts],
            entities=len(tree.nodes),
            all=self.names.prefab(prefab.name, "all"),
            lists=[*(one for one in lists if one.items), table],
            table=table.name,
        )

    def infos(self, prefab: Prefab) -> ListPlan:
        """Makes the parts of a prefab for reflection."""
        names, type = self.names, self.names.prefab(prefab.name)
        rows = [
            {
                "name": text.string_literal(part.name),
                "doc": text.string_literal(part.doc),
                "prefab": names.number("prefab", part.prefab.name),
                "relation": names.number("relation", part.by.name),
                "count": str(part.count),
                "offset": _offset(type, part.name),
            }
            for part in prefab.parts
        ]
        return table_plan("weft_part_info", names.local("part_infos", prefab.name), rows)

    def _part(self, prefab: Prefab, part: Part) -> PartPlan:
        names, of = self.names, self.model.data.prefabs[part.prefab.name]
        below = names.prefab(of.name, "all") if of.parts else names.world("entity")
        return PartPlan(
            name=part.name,
            doc=text.comment_lines(part.doc),
            declarator=part.name + (f"[{part.count}]" if part.count > 1 else ""),
            type=names.prefab(of.name),
            handles=below,
            rows=names.prefab(of.name, "rows"),
            header=names.header(of.name),
            relation=part.by.name,
            find=names.part(prefab.name, part.name),
            count=part.count,
            kept=self._kept(part),
        )

    def _kept(self, part: Part) -> KeptPlan:
        """Finds where the hidden component stores the handles of a part."""
        hidden = parts_component(part.introduced_by)
        fields = self.model.data.components[hidden].fields
        position = [field.name for field in fields].index(part.name)
        first = sum(field.type.count for field in fields[:position])
        return KeptPlan(self.components[hidden], first, fields[position].type.count)

    # ---- values

    def initialiser(self, prefab: Prefab) -> str:
        """Writes the defaults of a prefab and its parts in C."""
        return self._node(
            tree_of(self.model, prefab), 0, self.types.initialiser, f"{{.{NO_FIELDS} = 0}}"
        )

    def default(self, prefab: Prefab, part: Part) -> str:
        """Writes the default of a part, which is a member of the prefab's struct, in C++."""
        if prefab.name not in self.defaults:
            tree = tree_of(self.model, prefab)
            of_struct = self.types.defaults.of_struct
            self.defaults[prefab.name] = self._children(tree, 0, of_struct, "{}")
        return self.defaults[prefab.name].get(part.name, "{}")

    def _node(self, tree: Tree, node: int, of_struct: Callable[..., str], empty: str) -> str:
        values = {
            one.component.name: of_struct(component.fields, one.values)
            for one in tree.nodes[node].components
            if (component := self.model.data.components[one.component.name]).fields
        }
        values |= self._children(tree, node, of_struct, empty)
        members = [f".{name} = {value}" for name, value in values.items()]
        return "{" + ", ".join(members) + "}" if members else empty

    def _children(
        self, tree: Tree, node: int, of_struct: Callable[..., str], empty: str
    ) -> dict[str, str]:
        """Returns the values of the parts of a node, by the name of the member."""
        found: dict[str, list[str]] = {}
        arrays: set[str] = set()
        below = (one for part in tree.children[node].values() for one in part)
        for index in below:
            spot = tree.nodes[index].path[-1]
            found.setdefault(spot.name, []).append(self._node(tree, index, of_struct, empty))
            arrays |= {spot.name} if spot.item is not None else set()
        return {
            name: "{" + ", ".join(values) + "}" if name in arrays else values[0]
            for name, values in found.items()
        }

    # ---- tables

    def _tables(self, prefab: Prefab, tree: Tree) -> tuple[Row, list[ListPlan]]:
        """Makes the row of the tree, and the arrays that it points to."""
        names = self.names
        handles = list(_handles(tree))
        kept = list_plan("uint16_t", names.local("tree_kept", prefab.name), [*chain(*handles)])
        starts = accumulate(map(len, handles), initial=0)
        lists = {
            "parts": self._part_rows(prefab, tree),
            "refs": self._ref_rows(tree),
            "needs": self._need_rows(tree),
            "keepers": [
                {
                    "part": str(keeper.node),
                    "component": names.number("component", keeper.component),
                    "count": str(len(nodes)),
                    "parts": f"{kept.name} + {start}" if start else kept.name,
                }
                for keeper, nodes, start in zip(tree.keepers, handles, starts, strict=False)
            ],
        }
        kinds = {"parts": "part", "refs": "ref", "needs": "need", "keepers": "keeper"}
        tables = {
            member: table_plan(
                f"weft_tree_{kinds[member]}", names.local(f"tree_{member}", prefab.name), rows
            )
            for member, rows in lists.items()
        }
        counts = {f"{kinds[one]}_count": str(len(rows)) for one, rows in lists.items()}
        used = dict.fromkeys(names.number("relation", node.by) for node in tree.nodes if node.by)
        relations = list_plan("uint16_t", names.local("tree_relations", prefab.name), list(used))
        row = {member: table.name for member, table in tables.items()}
        first = [str(i) for i, part in enumerate(lists["parts"]) if part["row"] == "0"]
        firsts = list_plan("uint16_t", names.local("tree_tables", prefab.name), first)
        row |= {"relations": relations.name, "relation_count": str(len(used))}
        row |= {"tables": firsts.name, "table_count": str(len(first)), **counts}
        return row, [kept, relations, firsts, *tables.values()]

    def _part_rows(self, prefab: Prefab, tree: Tree) -> list[Row]:
        names = self.names
        tables = [self._table(node.prefab) for node in tree.nodes]
        sizes, before = Counter(tables), Counter[frozenset[str]]()
        rows = []
        for node, table in zip(tree.nodes, tables, strict=True):
            rows.append(
                {
                    "prefab": names.number("prefab", node.prefab.name),
                    "above": str(node.above),
                    "relation": names.number("relation", node.by) if node.by else NONE,
                    "value": _offset(names.prefab(prefab.name), node.c_path),
                    "handle": _offset(
                        names.prefab(prefab.name, "all"),
                        ".".join(filter(None, [node.c_path, "self" if node.prefab.parts else ""])),
                    ),
                    "columns": _offset(names.prefab(prefab.name, "rows"), node.c_path),
                    "rows": str(sizes[table]),
                    "row": str(before[table]),
                }
            )
            before[table] += 1
        return rows

    def _ref_rows(self, tree: Tree) -> list[Row]:
        return [
            {
                "target": str(ref.target),
                "holder": str(ref.holder),
                **self._field(self.components[ref.component], ref.field),
            }
            for ref in tree.refs
        ]

    def _field(self, component: ComponentPlan, path: str) -> Row:
        """Finds a field, by its path in C, in the columns of its component."""
        type, storage = component.struct.type, component.storage
        at, column, size = _offset(type, path), next(iter(storage.columns), NONE), f"sizeof({type})"
        if storage.kind == "soa":
            field = re.split(r"[.\[]", path)[0]
            column = self.names.number("column", component.name, field)
            size = f"sizeof((({type} *)0)->{field})"
            at = f"{at} - {_offset(type, field)}" if path != field else "0"
        return {"column": column, "store": storage.store, "size": size, "offset": at}

    def _table(self, prefab: Prefab) -> frozenset[str]:
        """Returns the components that decide the table of a prefab."""
        return frozenset(one.name for one in self.everything(prefab) if one.storage.columns)

    def _need_rows(self, tree: Tree) -> list[Row]:
        needs = list(self._needs(tree))
        counts = Counter(need.component for need in needs)
        last = {need.component: need.node for need in sorted(needs, key=lambda one: one.node)}
        first: dict[tuple[frozenset[str], str], int] = {}
        for need in needs:
            first.setdefault((self._table(tree.nodes[need.node].prefab), need.component), need.node)
        return [
            {
                "part": str(node),
                "last": str(last[component]),
                "component": self.names.number("component", component),
                "count": str(counts[component]),
            }
            for (_, component), node in first.items()
        ]

    def _needs(self, tree: Tree) -> Iterator[_Need]:
        tags = self.model.data.relation_tags
        parents = {(node.above, node.by) for node in tree.nodes[1:]}
        for index, node in enumerate(tree.nodes):
            for component in self.everything(node.prefab):
                if not component.storage.columns or component.watched.removals.count:
                    yield _Need(index, component.name)
            if node.by in tags:
                yield _Need(index, node.by)
            for above, by in sorted(parents):
                if above == index and parents_tag(by) in tags:
                    yield _Need(index, parents_tag(by))
        for keeper in tree.keepers:
            yield _Need(keeper.node, keeper.component)


def _handles(tree: Tree) -> Iterator[list[str]]:
    """Yields the nodes of each keeper, as the runtime numbers them."""
    for keeper in tree.keepers:
        nodes = [node for field in keeper.fields for node in field.nodes]
        yield [NONE if node is None else str(node) for node in nodes]


def _offset(type: str, path: str) -> str:
    return f"offsetof({type}, {path})" if path else "0"
