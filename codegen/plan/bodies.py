"""The function that runs a system fills in a context, walks rows and calls the game."""

from __future__ import annotations

from model.code import System
from model.record import record
from names.names import Names
from plan.records.selection import SelectionPlan, WalkPlan
from plan.records.system import BodyPlan, FillPlan, ParentPlan, ParentsPlan, RemovalPlan
from plan.used import Used, has_rows, world_of
from plan.walks import Walker, array_rows, each_row, make_walk

ROWS_TYPE = {"mask": "weft_rows", "list": "weft_list"}  # by the schema's word


@record
class Site:
    """Where a context is filled in: its name there, and the seconds of the turn as an expression.

    Without rows it is that of the calls which begin and end a turn.
    """

    ctx: str
    dt: str
    in_rows: bool = True


WALKER = Walker("&at", "world", "&rows", "at.count", "", "")


def make_body(
    system: System,
    names: Names,
    selection: SelectionPlan,
    parents: list[ParentPlan],
    parents_by: str,
    used: Used,
) -> BodyPlan:
    """Plans what runs all rows of a system, or a part of them; parents are of that relation."""
    walk = make_walk(selection, WALKER, names)
    with_rows = has_rows(system)
    changed = [] if system.loop.parallel else used.world.changed  # a merge sets them
    changes = [f"weft_flag_set(world, {flag});" for flag in changed]
    return BodyPlan(
        context=_fill(system, names, used),
        after=[
            *used.writes.members,
            *(_rows(system, selection, parents, walk) if with_rows else changes),
            *([] if _begins_apart(system, selection) else [_runs(system, selection, with_rows)]),
        ],
        walk=walk,
        pointers=_pointers(selection, bool(parents)),
        parents=ParentsPlan(
            head=each_row(selection, WALKER),
            above=_above(names, selection, parents_by),
            statements=[f"{parent.array}[i] = {parent.find};" for parent in parents],
        ),
        behind=[
            *(changes if with_rows else []),
            *walk.marks,
            *used.writes.apply,
            *_moved(names, used),
        ],
    )


def _fill(system: System, names: Names, used: Used) -> FillPlan:
    """Plans what fills the context of a system."""
    world = [world_of(names)] if used.needs_world else []
    dt = f"world->parallels[{used.writes.parallel}].dt"
    in_pass = Site(names.local("ctx", system.name), dt)
    return FillPlan(
        world=world,
        statements=[
            *(world if system.loop.parallel else []),
            *_tag_writes(used),
            *fill_context(system, names, used, Site("ctx", "dt")),
        ],
        in_pass=fill_context(system, names, used, in_pass),
    )


def _tag_writes(used: Used) -> list[str]:
    writes = used.writes.declarations
    return [*writes, "memset(tag_writes, 0, sizeof tag_writes);"] if writes else []


def fill_context(system: System, names: Names, used: Used, site: Site) -> list[str]:
    """Returns the statements that fill in a context."""
    ctx, with_rows = site.ctx, has_rows(system) and site.in_rows
    seal = "weft_seal" if with_rows else "weft_seal_without_rows"
    return [
        f"{names.system(system.name, 'ctx')} {ctx};",
        f"{ctx}.dt = {site.dt};",
        f"{ctx}.tick = world->tick;",
        f"{ctx}.user = world->user;",
        *(f"{ctx}.{name} = {value};" for name, value in _members(system, names, used, site)),
        f"{seal}(&{ctx}.sealed, world);",
        *(f"{ctx}.{member} = {value.replace('{ctx}', ctx)};" for member, value in used.doors.fills),
    ]


def _members(system: System, names: Names, used: Used, site: Site) -> list[tuple[str, str]]:
    """Returns the members of the context that depend on the schema, with their values.

    Only the merge of a parallel system may write singletons, so nothing else has them.
    """
    apart = system.loop.parallel
    members = [
        (s.name, f"&w->{s.name}" if const or not apart else "NULL")
        for const, s in used.world.singletons
    ]
    members += [(one.name, f"w->{one.name}") for _, one in used.world.resources]
    members += [(name, f"w->{name}.now") for name, _ in used.world.states]
    for heard in used.hears:
        type = heard.event.struct.type
        values = f"(const {type} *)weft_heard_values(world, {heard.hearer})"
        members.append((heard.event.name, values))
        members.append((heard.count, f"weft_heard_count(world, {heard.hearer})"))
    for removal in used.removed:
        members.append((removal.members.handles, _removed_handles(names, removal)))
        if removal.valued:
            type = removal.component.struct.type
            values = f"(const {type} *)weft_removed_values(world, {removal.constant})"
            members.append((removal.members.values, values))
        members.append((removal.members.count, f"world->removed[{removal.constant}].count"))
    if used.partial:
        parts = f"w->{used.partial}"
        own = f"&{parts}[part->number]" if site.in_rows else "NULL"
        members.append(("partial", own if apart else parts))
    if used.buffer:
        part = " + part->number" if system.loop.parallel else ""
        members.append(("cmd", f"&world->buffers[{used.buffer}{part}]"))
    return members


def _removed_handles(names: Names, removal: RemovalPlan) -> str:
    entity = names.world("entity")
    return f"(const {entity} *)weft_removed_handles(world, {removal.constant})"


def _rows(
    system: System, selection: SelectionPlan, parents: list[ParentPlan], walk: WalkPlan
) -> list[str]:
    """Returns the declarations that a walk needs, and its beginning."""
    most = array_rows(selection)
    arrays = [f"{c.element}{c.array}[{most}];" for c in selection.gathered]
    rows = ROWS_TYPE.get(system.selection.rows)
    above = [f"{parent.element}{parent.array}[{most}];" for parent in parents]
    down = f"weft_depth_walk down = weft_depth_order_begin(&at, {selection.ranges.depth_order});"
    if selection.dirty:
        down = (
            f"weft_dirty_walk down = weft_dirty_begin(&at, world, {selection.ranges.depth_order});"
        )
    ordered = bool(selection.ranges.depth_order)
    part = "weft_depth_walk_keep_to(&down, part);" if ordered else "weft_cursor_keep_to(&at, part);"
    return [
        *arrays,
        *([f"{rows} rows;"] if rows else []),
        *above,
        "weft_cursor at;",
        _runs(system, selection, True) if _begins_apart(system, selection) else walk.begin,
        *([down] if ordered else []),
        *([part] if system.loop.parallel else []),
    ]


def _begins_apart(system: System, selection: SelectionPlan) -> bool:
    """Tells whether a call begins the walk of a system, and notes that it runs."""
    narrowed = system.loop.parallel or selection.ranges.depth_order or selection.over
    return selection.ranges.apart and has_rows(system) and not narrowed


def _above(names: Names, selection: SelectionPlan, parents_by: str) -> str:
    """Returns the C expression of where the parent of a row is, which a depth order may keep."""
    row = "at.first + " + ("rows.row[i]" if selection.ranges.listed else "i")
    given = f"world, {names.world('entity_format')}, {parents_by}, at.table, {row}"
    if selection.ranges.depth_order and not selection.dirty:
        return f"weft_depth_parent(&down, {given})"
    return f"weft_parent_of_row({given})"


def _runs(system: System, selection: SelectionPlan, with_rows: bool) -> str:
    """Returns what notes that the system runs, and counts its rows if it is measured."""
    given = f'world, "{system.name}"'
    if not with_rows or selection.dirty:
        return f"weft_system_runs({given});"
    decided = f"{selection.match}, {selection.filter_name}"
    if _begins_apart(system, selection):
        return f"weft_rows_begin(&at, {selection.query.constant}, {given}, {decided});"
    if selection.ranges.depth_order:
        return f"weft_depth_rows_run({given}, &at, &down, {decided});"
    return f"weft_rows_run({given}, &at, {decided});"


def _pointers(selection: SelectionPlan, parents: bool) -> list[str]:
    """Returns the statements of each range before columns are gathered row by row."""
    row = ["uint32_t i;"] if (selection.gathered or parents) and selection.ranges.mask else []
    return row + [
        f"{c.element}const *{c.values} = ({c.element}const *)at.values;"
        for c in selection.gathered
        if c.values
    ]


def _moved(names: Names, used: Used) -> list[str]:
    """Points the context at logs of removals again, which writing a tag may have moved."""
    if not used.writes.columns or used.writes.parallel:
        return []
    return [
        f"ctx.{removal.members.handles} = {_removed_handles(names, removal)};"
        for removal in used.removed
        if removal.moves
    ]
