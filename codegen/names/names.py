"""Makes every C identifier and every name of a generated file. No other module makes them.

A C name is the prefix of the world and the name in the schema. Each family of names below is a
plain table. `Names` makes only names from these tables, and claims.py lists the names that the
tables give for a model. So the defined identifiers and the checked identifiers stay the same.
"""

from __future__ import annotations

from model.data import HOOKS, LINK_HOOKS, NODE_HOOKS, Component

# These names follow `<world>_` at file scope. An empty verb is the type or function with the plain
# name. For a tag, query, listener, index or relation it is a struct that names it in C++.
WORLD_TYPES = ("world", "entity", "entity_compare", "cmd", "hook_ctx")
WORLD_CALLS = (
    "open", "close", "spawn", "spawn_at", "despawn", "alive", "same", "is_none",
    "tick", "flush", "commands", "reserve", "recycle", "reset", "trim", "stats", "system_stats",
    "schema", "error", "strip", "take_over",
    "hash", "hash_exact", "save", "load", "save_begin", "save_done", "save_wait",
    "save_memory", "load_memory",
    "world_base", "world_plan", "world_of", "entity_format", "entity_of", "entity_rows",
    "entity_sort", "insight", "trace", "stop_at",
)  # fmt: skip
WORLD_CLONE = (
    "clone", "clone_into", "clone_options", "clone_chosen",
    "map", "map_pair", "map_find", "map_close", "map_base", "map_keep",
)  # fmt: skip
WORLD_PART = (
    "part_options", "part_chosen", "part_save", "part_load", "part_save_memory",
    "part_load_memory", "away",
)  # fmt: skip
WORLD_FRAGMENT = ("fragment_open", "fragment_merge")  # only if the schema asks for fragments
WORLD_STEP = ("advance", "alpha")  # only if the schema sets `step`
WORLD = WORLD_TYPES + WORLD_CALLS + WORLD_CLONE + WORLD_PART + WORLD_FRAGMENT + WORLD_STEP
COMPONENT = (
    "", "get", "edit", "set", "replace", "has", "remove", "clear",
    "at", "at_or_none", "defaults", "broken",
)  # fmt: skip
SOA = ("columns", "const_columns", "const_at", "put")  # more calls of a soa component
TAG = ("", "set", "has", "remove", "clear")
SINGLETON = ("", "get", "edit", "defaults", "broken")
STATE = (  # the first two belong to its enum
    "", "name", "now", "go", "state", "broken",
)  # fmt: skip
RESOURCE = ("resource", "bind")
EVENT = ("",)
INPUT = ("", "put")
ENUM = ("", "name")
ENUM_COUNT = "count"  # the number of values; it has the form of a value
LIST = ("", "push", "remove_at")  # of a field that is a list
LIST_CAPACITY = "capacity"
PREFAB = (
    "", "spawn", "spawn_many", "spawn_rows", "rows", "defaults", "reserve", "set",
)  # fmt: skip
PREFAB_TREE = ("all", "spawn_all")  # more calls of a prefab with parts
QUERY = (
    "", "iter", "begin", "next", "count", "only", "passes", "match", "filter", "part", "run",
    "run_part", "row", "each", "each_range", "sort", "despawn_all",
    "part_save",
)  # fmt: skip
LISTENER = ("", "iter", "begin")
LISTENER_ROWS = ("next", "match", "filter")  # only of a listener with rows
INDEX_BY_KIND = {
    "grid": (
        "near_iter", "near_begin", "near_next", "box_iter", "box_begin", "box_next", "nearest",
        "near_begin_made", "box_begin_made", "nearest_made",
    ),
    "hash": (
        "find", "each_iter", "each_begin", "each_next", "count", "key", "has",
        "find_made", "each_begin_made", "count_made",
    ),
    "ordered": (
        "range_iter", "range_begin", "range_next", "first", "last",
        "range_begin_made", "first_made", "last_made",
    ),
}  # fmt: skip
INDEX = ("", "match", "filter", *(verb for verbs in INDEX_BY_KIND.values() for verb in verbs))
RELATION = (
    "", "attach", "append", "insert_before", "detach",
    "parent", "first_child", "next_sibling", "prev_sibling", "child_count", "depth",
    "walk", "walk_begin", "walk_next", "sort",
)  # fmt: skip
# Links without fields have no value.
LINK_BARE = (
    "", "set", "has", "remove", "clear", "count", "count_from", "count_to",
    "iter", "begin", "next", "from_iter", "from_begin", "from_next",
    "to_iter", "to_begin", "to_next",
)  # fmt: skip
LINK = (*LINK_BARE, "get", "edit", "defaults")
SYSTEM = ("", "ctx")
SYSTEM_SWITCH = ("switch", "is_on")  # only if the schema sets `switch`
SYSTEM_INLINE = ("row",)  # only if the schema sets `inline`
SYSTEM_TURN = ("begin", "end")  # only if the schema sets `turn`
SYSTEM_PARTIAL = ("partial", "merge")  # only if the system has partial results
SYSTEM_ALONE = ("run",)  # only if the schema sets `run_systems`
# The macro that begins the definition of a system or query: `<WORLD>_DEFINE_<NAME>`.
DEFINE = "define"

# Constants number these kinds: `<WORLD>_<KIND>_<NAME>`. A soa component has one column for each
# field: `<NAME>_<FIELD>`.
NUMBERED = (
    "column", "bitset", "component", "store", "prefab", "query", "system", "buffer", "clock",
    "parallel",
    "incoming", "unseen", "shown", "reader", "removal", "event", "stage", "hearer",
    "relation", "depth_order", "switch", "pass", "index", "link",
)  # fmt: skip

# These names follow `<world>_cmd_<name>_`, or `<world>_cmd_` for commands of the world.
CMD_WORLD = ("spawn", "despawn", "clone")
CMD_COMPONENT = ("set", "replace", "remove", "clear")
CMD_TAG = ("set", "remove", "clear")
CMD_RELATION = ("attach", "append", "insert_before", "detach")
CMD_LINK = ("set", "remove")
CMD_PREFAB = ("spawn", "spawn_many", "set")

# A grant is a value that systems and hooks pass to helper functions. Each grant has its own type: a
# reader, a writer (which contains its reader) or an emitter. It points to an incomplete type, the
# door, so that no grant can be cast from another one. Each call has a variant that takes a grant.
GRANT_READS = ("door", "reader")
GRANT_COMPONENT = (*GRANT_READS, "writer", "get_in", "has_in", "edit_in")
GRANT_TAG = (*GRANT_READS, "writer", "has_in", "set_in", "remove_in")
GRANT_QUERY = (*GRANT_READS, "begin_in", "count_in", "only_in", "passes_in")
GRANT_RELATION = (
    *GRANT_READS, "parent_in", "first_child_in", "next_sibling_in", "prev_sibling_in",
    "child_count_in", "depth_in", "walk_begin_in",
)  # fmt: skip
GRANT_INDEX_BY_KIND = {
    "grid": (*GRANT_READS, "near_begin_in", "box_begin_in", "nearest_in"),
    "hash": (*GRANT_READS, "find_in", "each_begin_in", "count_in"),
    "ordered": (*GRANT_READS, "range_begin_in", "first_in", "last_in"),
}
GRANT_INDEX = tuple(verb for verbs in GRANT_INDEX_BY_KIND.values() for verb in verbs)
GRANT_LINK_BARE = (
    *GRANT_READS, "has_in", "count_in", "count_from_in", "count_to_in",
    "begin_in", "from_begin_in", "to_begin_in",
)  # fmt: skip
GRANT_LINK = (*GRANT_LINK_BARE, "writer", "get_in", "edit_in")
GRANT_EVENT = ("door", "emitter", "emit")
GRANT_STATE = ("door", "writer", "go_in")
# Prefixes of the context members that hold the grants of events and states.
EMIT_MEMBER = "emit"
GO_MEMBER = "go"

# These calls take a context and act on the current rows: `<world>_<system>_<name>_<verb>`.
SYSTEM_OPTIONAL_TAG = ("has",)
SYSTEM_WRITE_TAG = ("put",)
SYSTEM_TOUCH = ("touch",)
# `<world>_<query>_<tag>_<verb>` and `<world>_<query>_<component>_<verb>`.
QUERY_OPTIONAL_TAG = ("has",)
QUERY_ALL = ("set_all", "remove_all")
# `<world>_<query>_<system>_<verb>`, for a query that asks for changes.
QUERY_VIEW = ("match", "filter")

# These make `<kind>_<name>`. It is static in a generated C file, or a local variable there, so it
# needs no prefix. Those of the world exist once.
LOCAL_ENUM = ("values", "was", "docs")
LOCAL_FIELDS = ("fields",)
LOCAL_DEFAULTS = ("defaults",)
LOCAL_COMPONENT = (
    "closure", "conflicts", "required_by", "has", "added", "changed", "removed", "above", "runs",
    "listeners_added", "listeners_changed", "gives", "required_values",
)  # fmt: skip
LOCAL_STATE = ("settle", "ask")
LOCAL_INSIGHT = ("rules", "paths")  # of components, singletons and states that insight checks
LOCAL_SINGLETON = ("changed", "listeners_changed")
LOCAL_EVENT = ("stages",)
LOCAL_PREFAB = (
    "listed", "set", "components", "offsets", "copy", "shift", "end", "append", "defaults",
    "required_values", "plain",
)  # fmt: skip
LOCAL_TREE = (  # of a prefab with parts
    "part_infos", "tree", "tree_parts", "tree_refs", "tree_needs", "tree_keepers", "tree_kept",
    "tree_relations", "tree_tables",
)  # fmt: skip
LOCAL_QUERY = ("access", "matches", "watches")
LOCAL_INDEX = ("matches", "watches", "keyed")
LOCAL_SYSTEM = (
    "access", "matches", "watches", "match", "filter", "run", "begin", "part", "end", "followers",
    "changed_sets", "parent_sets", "ctx", "place", "call", "turn_begin", "turn_end",
)  # fmt: skip
LOCAL_FUSED = ("fused", "pass", "rows")  # of a system that may begin a pass
LOCAL_PHASE = ("ready",)
LOCAL_FLUSH = ("ready",)  # of a system that sets `flush`
LOCAL_SPARSE = ("rows", "values")
LOCAL_PARENT = ("parents",)
LOCAL_OVER = ("values",)  # the values of the links of a system over links
LOCAL_HOOK = HOOKS + NODE_HOOKS + LINK_HOOKS
LOCAL_WORLD = (
    "schema", "phases", "enums", "structs", "externs", "components", "singletons", "events",
    "prefabs", "queries", "systems", "columns", "component_plans", "sparse_components",
    "prefab_plans", "query_plans", "segment_plans", "system_plans", "change_set_components",
    "singleton_changed",
    "readers", "removals", "removal_sets", "clock_systems", "switch_systems", "reader_names",
    "event_plans", "hearer_events", "hearer_names", "listeners",
    "relations", "recorders", "parallel_plans", "system_codes", "depth_order_plans", "passes",
    "indexes", "indexes_only", "index_infos", "links", "link_plans",
    "states_settle", "states_begin", "states_end",
    "no_components", "hook_ctx", "on_despawn", "relation_plans", "compare_entities",
)  # fmt: skip

# The files `<world>_<name>`, and `<world>.h` for the empty name. Each name is a reserved word, so
# no declaration can have it.
HEADERS = ("", "entity", "world", "cmd", "schema", "run", "insight")
SOURCES = ("world", "run", "schema")

# Members and parameters that Weft adds to those of the schema. Reserved words are left out because
# no declaration can have them. An iterator also has `rows_<name>` for each sparse component.
ITERATOR_MEMBERS = ("count", "entities", "rows", "cursor")
ROWS_MEMBERS = ("count", "entities")
HOOK_MEMBERS = (
    "user",
    "tick",
    "reason",
    "cmd",
    "world",
)  # declarations with these names are not members of a hook's context
CONTEXT_MEMBERS = ("dt", "tick", "user", "entities", "cmd", "sealed")
SYSTEM_PARAMETERS = ("ctx", "count", "rows")
KEY_LOCALS = (
    "w", "ctx", "base", "made", "verified", "words", "it", "known", "hash", "id", "count", "memset",
    "grant",
)  # fmt: skip
SYSTEM_OVER_PARAMETERS = ("ctx", "count", "from", "to")  # of a system over links
SYSTEM_ROW_PARAMETERS = ("ctx", "count", "i")  # of an inline system

_OF_COMPONENT = frozenset(COMPONENT + SOA + TAG + GRANT_COMPONENT + GRANT_TAG)
_OF_SYSTEM = frozenset(
    SYSTEM + SYSTEM_SWITCH + SYSTEM_INLINE + SYSTEM_TURN + SYSTEM_PARTIAL + SYSTEM_ALONE
)
_OF_CMD = frozenset(CMD_COMPONENT + CMD_TAG + CMD_PREFAB + CMD_RELATION + CMD_LINK)
_LOCAL = frozenset(
    LOCAL_ENUM
    + LOCAL_FIELDS
    + LOCAL_DEFAULTS
    + LOCAL_COMPONENT
    + LOCAL_EVENT
    + LOCAL_STATE
    + LOCAL_INSIGHT
    + LOCAL_PREFAB
    + LOCAL_TREE
    + LOCAL_QUERY
    + LOCAL_INDEX
    + LOCAL_SYSTEM
    + LOCAL_PHASE
    + LOCAL_FLUSH
    + LOCAL_FUSED
    + LOCAL_SPARSE
    + LOCAL_PARENT
    + LOCAL_HOOK
)
_IN_SYSTEM = frozenset(SYSTEM_OPTIONAL_TAG + SYSTEM_WRITE_TAG + SYSTEM_TOUCH)


def removed(component: str) -> tuple[str, str, str]:
    """Returns the members `removed_worker`, `removed_worker_count` and `removed_worker_value`."""
    return f"removed_{component}", f"removed_{component}_count", f"removed_{component}_value"


def heard_count(event: str) -> str:
    """Returns `died_count`, the member with the number of `died` events."""
    return f"{event}_count"


class Names:
    """Makes every C identifier of one world. An unknown verb raises KeyError: a bug in Weft."""

    def __init__(self, world: str) -> None:
        self.prefix = world

    def world(self, verb: str) -> str:
        """Returns `colony_open`, or a type: `colony_world`, `colony_entity`, `colony_cmd`."""
        return self._member(WORLD, verb)

    def world_calls(self) -> dict[str, str]:
        """Returns the name of every type and call of the world by its verb, and of the empty
        handle.
        """
        return {verb: self.world(verb) for verb in WORLD} | {"none": self.none()}

    def component(self, name: str, verb: str = "") -> str:
        """Returns `colony_position` or `colony_position_get`. Tags are named the same way."""
        return self._member(_OF_COMPONENT, verb, name)

    def hook(self, component: str, function: str) -> str:
        """Returns `colony_sprite_on_add` or `colony_sprite_give_back`."""
        return f"{self.prefix}_{component}_{function}"

    def on_despawn(self) -> str:
        return f"{self.prefix}_on_despawn"

    def singleton(self, name: str, verb: str = "") -> str:
        return self._member(SINGLETON, verb, name)

    def state(self, name: str, verb: str) -> str:
        """Returns `colony_game_now`, or `colony_game_state` for the struct in the world."""
        return self._member(STATE + GRANT_STATE, verb, name)

    def resource(self, name: str, verb: str) -> str:
        return self._member(RESOURCE, verb, name)

    def event(self, name: str, verb: str = "") -> str:
        """Returns `colony_built` or `colony_built_emit`."""
        return self._member(EVENT + GRANT_EVENT, verb, name)

    def input(self, name: str, verb: str) -> str:
        """Returns `colony_order_put`: the game puts an input with this call."""
        return self._member(INPUT, verb, name)

    def prefab(self, name: str, verb: str = "") -> str:
        return self._member(PREFAB + PREFAB_TREE, verb, name)

    def part(self, prefab: str, part: str) -> str:
        """Returns `colony_tank_turret`, which finds a part of an entity."""
        return self._join(prefab, part)

    def relation(self, name: str, verb: str) -> str:
        """Returns `colony_carried_by_attach`."""
        return self._member(RELATION + GRANT_RELATION, verb, name)

    def link(self, name: str, verb: str = "") -> str:
        """Returns `colony_owes`, the type of its values, or `colony_owes_from_begin`."""
        return self._member(LINK + GRANT_LINK, verb, name)

    def end(self, end: str, name: str) -> str:
        """Returns `from_position`, a parameter of a system over links."""
        return f"{end}_{name}"

    def parent(self, name: str) -> str:
        """Returns `position_parent`, a parameter of a system's function."""
        return f"{name}_parent"

    def query(self, name: str, verb: str) -> str:
        """Returns `colony_idle_begin`."""
        return self._member(QUERY + GRANT_QUERY, verb, name)

    def index(self, name: str, verb: str) -> str:
        """Returns `colony_by_tile_near_begin`."""
        return self._member(INDEX + GRANT_INDEX, verb, name)

    def key(self, field: str) -> str:
        """Returns the parameter for a key field of a hash: `text`, or `id_` if `id` is used
        already.
        """
        ours = field in KEY_LOCALS or field.startswith(f"{self.prefix}_")
        return f"{field}_" if ours else field

    def stem(self, name: str) -> str:
        """Returns `colony_idle`, the prefix of the calls of a query or relation."""
        return self._join(name)

    def query_tag(self, name: str, tag: str, verb: str = "has") -> str:
        """Returns `colony_idle_selected_has`, for an optional tag."""
        return self._member(QUERY_OPTIONAL_TAG, verb, name, tag)

    def query_all(self, name: str, component: str, verb: str) -> str:
        """Returns `colony_trees_burning_set_all`."""
        return self._member(QUERY_ALL, verb, name, component)

    def view(self, query: str, system: str, verb: str) -> str:
        """Returns `colony_idle_extinguish_filter`: the changes of a query as a system sees them."""
        return self._member(QUERY_VIEW, verb, query, system)

    def system(self, name: str, *member: str) -> str:
        """Returns `colony_movement`, `colony_movement_ctx` or `colony_movement_busy_put`."""
        if len(member) < 2:
            return self._member(_OF_SYSTEM, *(member or ("",)), name)
        inner, verb = member
        return self._member(_IN_SYSTEM, verb, name, inner)

    def partial(self, system: str) -> str:
        """Returns `weft_partial_take_stock`, the member of a world for the partial results of a
        system.
        """
        return f"weft_partial_{system}"

    def column(self, component: Component) -> str:
        """Returns the constant of a component's first column or bitset."""
        first = [component.fields[0].name] if component.is_soa else []
        return self.number("column", component.name, *first)

    def cmd(self, *name_and_verb: str) -> str:
        """Returns `colony_cmd_spawn` or `colony_cmd_position_set`."""
        if len(name_and_verb) == 1:
            return self._member(CMD_WORLD, *name_and_verb, "cmd")
        name, verb = name_and_verb
        return self._member(_OF_CMD, verb, "cmd", name)

    def enum(self, name: str, verb: str = "") -> str:
        """Returns `colony_job` or `colony_job_name`."""
        return self._member(ENUM, verb, name)

    def enum_count(self, name: str) -> str:
        """Returns `COLONY_JOB_COUNT`."""
        return self.enum_value(name, ENUM_COUNT)

    def enum_value(self, name: str, value: str) -> str:
        """Returns `COLONY_JOB_IDLE`."""
        return self._join(name, value).upper()

    def struct(self, name: str) -> str:
        return self._join(name)

    def list(self, owner: str, field: str, verb: str = "") -> str:
        """Returns `colony_worker_bag_push`, or `colony_worker_bag`: a struct of count and items."""
        return self._member(LIST, verb, owner, field)

    def list_capacity(self, owner: str, field: str) -> str:
        """Returns `COLONY_WORKER_BAG_CAPACITY`."""
        return self._join(owner, field, LIST_CAPACITY).upper()

    def number(self, kind: str, *name: str) -> str:
        """Returns `COLONY_COLUMN_VELOCITY_X` or `COLONY_PREFAB_VILLAGER`."""
        if kind not in NUMBERED:
            raise KeyError(f"'{kind}' is in no table of names")
        return self._join(kind, *name).upper()

    def define(self, name: str) -> str:
        """Returns `COLONY_DEFINE_MOVEMENT`."""
        return self._join(DEFINE, name).upper()

    def apart(self, system: str) -> str:
        """Returns `weft_apart_colony_movement`, which takes the arrays of each struct
        separately.
        """
        return f"weft_apart_{self.system(system)}"

    def body(self, system: str) -> str:
        """Returns `weft_body_colony_movement`: the function whose body the game writes after
        the macro.
        """
        return f"weft_body_{self.system(system)}"

    def local(self, kind: str, name: str) -> str:
        """Returns `fields_position`, which is static in a generated C file and has no prefix."""
        if kind not in _LOCAL:
            raise KeyError(f"'{kind}' is in no table of names")
        return f"{kind}_{name}"

    def run(self, phase: str) -> str:
        """Returns `colony_run_simulate`."""
        return self._join("run", phase)

    def header(self, name: str = "") -> str:
        """Returns `colony_position.h`, or `colony.h` for the overview."""
        return self._join(name) + ".h"

    def none(self) -> str:
        """Returns `COLONY_NONE`, the handle of no entity."""
        return f"{self.prefix.upper()}_NONE"

    def cpp_guard(self, name: str = "") -> str:
        """Returns `COLONY_POSITION_HPP`, or `COLONY_HPP` for the overview."""
        return self._join(name, "hpp").upper()

    def guard(self, name: str = "") -> str:
        """Returns `COLONY_POSITION_H`."""
        return self._join(name, "h").upper()

    def source(self, name: str) -> str:
        """Returns `colony_run.c`."""
        return self._member(SOURCES, name) + ".c"

    def _member(self, family: tuple[str, ...] | frozenset[str], verb: str, *names: str) -> str:
        if verb not in family:
            raise KeyError(f"'{verb}' is in no table of names for {names or 'the world'}")
        return self._join(*names, verb)

    def _join(self, *parts: str) -> str:
        words = (self.prefix, *parts)
        return "_".join(filter(None, words) if "" in words else words)
