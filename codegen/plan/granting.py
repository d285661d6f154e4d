"""The types of all grants of a world, and the grants that every hook has."""

from __future__ import annotations

from model.granted import has_hooks, is_shown_to_hooks
from names.names import HOOK_MEMBERS
from plan.common import Common
from plan.records.world import GrantTypesPlan

HIDDEN = " // not for the game"
ABOUT = (
    "A grant allows one kind of access inside a system or hook. Contexts contain grants, and you "
    "can pass them to helpers. `{world}_X_in(grant, …)` does in a system or hook what "
    "`{world}_X(w, …)` does outside. A writer contains its reader. A grant is as small as a "
    "pointer. It must not be used after the system or hook returns; debug builds assert then."
)


def _given(stem: str) -> str:
    return f"    WEFT_ONLY_GIVEN({stem}_writer)"


def grant_types(common: Common) -> GrantTypesPlan:
    names, model, granted = common.names, common.model, common.granted
    components = [name for name in model.data.components if name in granted.reads]
    relations = [name for name in model.data.relations if name in granted.relations]
    queries = [name for name in model.code.queries if name in granted.queries]
    indexes = [name for name in model.code.indexes if name in granted.indexes]
    links = [name for name in model.data.links if name in granted.links]
    shown = [name for name in queries if is_shown_to_hooks(model.code.queries[name])]
    read_by_hooks = [*components, *relations, *links, *shown] if has_hooks(model) else []
    read = [*components, *relations, *links, *queries, *indexes]
    readers = [names.stem(name) for name in read]
    states = [names.stem(name) for name in model.data.kept.states if name in granted.states]
    written = [names.stem(name) for name in components if name in granted.writes]
    written += [names.stem(name) for name in links if name in granted.written_links]
    types = [
        *((f"{stem}_reader", f"const struct {stem}_door *door;{HIDDEN}") for stem in readers),
        *((f"{stem}_writer", f"{stem}_reader reader;\n{_given(stem)}") for stem in written),
        *((f"{stem}_writer", f"const struct {stem}_door *door;{HIDDEN}") for stem in states),
    ]
    return GrantTypesPlan(
        comment=[ABOUT.format(world=names.prefix)] if types else [],
        types=types,
        of_hooks=[
            f"{names.stem(name)}_reader {name}"
            for name in read_by_hooks
            if name not in HOOK_MEMBERS
        ],
    )
