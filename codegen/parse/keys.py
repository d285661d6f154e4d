"""The table of all keys of the language: name, form of the value, and purpose.

There is no other list of keys. The parser refuses every key that is missing here, and the JSON
Schema for editors is generated from this table.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from model.data import ON_END_DESPAWN
from model.handles import MAX_BITS
from model.record import record


class Plain(Enum):
    """A value without keys of its own."""

    TEXT = "a string"
    FLAG = "true or false"
    INTEGER = "an integer"
    NUMBER = "an integer or a float"
    RATIO = "a number, or a fraction of two in a string"
    NAMES = "an array of strings"
    HOOK = "true, false or an array of strings"
    TYPE = "the type of a field, in a string"
    TARGET = "a part or the root of a prefab, in a string"
    VALUE = "anything that a field can be"
    VALUES = "a table of fields' values"


@record
class Choice:
    """One of several strings."""

    options: tuple[str, ...]


@record
class Bits:
    """A number of bits of a handle."""

    most: int = MAX_BITS


@record
class Keys:
    """A table with these keys."""

    keys: tuple[Key, ...]


@record
class Named:
    """A table of things by name. A thing may also have the form `short`.

    Things inside of things, with a '.' in their names, have the form `nested`.
    """

    thing: Form
    short: Form | None = None
    names: str = "name"  # the form of its names, which json_schemas/language.py describes
    nested: Keys | None = None


@record
class Listed:
    """An array of things. A thing may also have the form `short`."""

    thing: Keys
    short: Plain


Form = Plain | Choice | Bits | Keys | Named | Listed


@record
class Key:
    name: str
    form: Form
    doc: str
    required: bool = False


def tables(form: Form) -> Iterator[Keys]:
    """Yields the tables of keys in a form, outermost first."""
    if isinstance(form, Keys):
        yield form
        for key in form.keys:
            yield from tables(key.form)
    if isinstance(form, Named | Listed):
        yield from tables(form.thing)
    if isinstance(form, Named) and form.nested:
        yield from tables(form.nested)


# ---- keys of several tables

DOC = Key("doc", Plain.TEXT, "Its purpose. It becomes a comment in C and a text in reflection.")
SAVE = Key("save", Plain.FLAG, "false: saves and the world's hash leave it out. Default true.")
WAS = Key("was", Plain.TEXT, "Its name before it was renamed. Older saves use that name.")

OUTSIDE = ("keep", "none")
FIELD = (
    Key("type", Plain.TYPE, "A scalar, entity, enum, struct, extern; char[N], T[N], T[..N].", True),
    DOC,
    Key("unit", Plain.TEXT, "Its unit, for readers and reflection."),
    Key("min", Plain.NUMBER, "The least value that defaults, reflection and JSON accept."),
    Key("max", Plain.NUMBER, "The greatest value that defaults, reflection and JSON accept."),
    Key("default", Plain.VALUE, "Its initial value. Without it, all bytes are zero."),
    SAVE,
    Key(
        "outside",
        Choice(OUTSIDE),
        "none: in a copy, handles of entities that are not copied too become none. Default: keep.",
    ),
    WAS,
)
FIELDS = Key(
    "fields",
    Named(Keys(FIELD), short=Plain.TYPE),
    'Fields by name. Each is a type or a table: x = { type = "f32", default = 1.0 }.',
)
FIELDS_REQUIRED = Key(FIELDS.name, FIELDS.form, FIELDS.doc, True)
MEMBERS = Key(
    "fields",
    Named(Keys(FIELD), short=Plain.TYPE, names="name_of_c"),
    "The members in C that reflection, hashes and saves use.",
    True,
)

PARTIAL_FIELD = tuple(key for key in FIELD if key.name in ("type", "doc", "unit"))
PARTIAL = (
    Key(
        "fields",
        Named(Keys(PARTIAL_FIELD), short=Plain.TYPE),
        'Fields by name, initially 0: a type or a table: sum = { type = "u64", doc = "…" }.',
        True,
    ),
)

ACCESS = (
    Key("read", Plain.NAMES, "Names that it only reads."),
    Key("write", Plain.NAMES, "Names that it reads and writes."),
)


def _quiet(**reasons: str) -> Key:
    """Returns the key `quiet`, which silences these warnings of a declaration."""
    ids = tuple(
        Key(id.replace("_", "-"), Plain.TEXT, f"Why {what}.") for id, what in reasons.items()
    )
    return Key("quiet", Keys(ids), "Warnings about it to silence, each with the reason.")


# ---- [world]

ENTITY = (
    Key(
        "index_bits",
        Bits(),
        "Bits that distinguish entities. Default: 20, or as many as max_entities needs.",
    ),
    Key(
        "generation_bits",
        Bits(),
        "Bits that distinguish reuses of an index. Default: the remaining bits, at least 10.",
    ),
)
WORLD = (
    DOC,
    Key("name", Plain.TEXT, "The prefix of every generated name.", True),
    Key(
        "entity",
        Keys(ENTITY),
        "The widths of a handle, which takes 16, 32 or 64 bits: the smallest that fits.",
    ),
    Key("recycle_after", Plain.INTEGER, "How many freed indices must wait before one is reused."),
    Key(
        "max_entities",
        Plain.INTEGER,
        "The most living entities. Default: 1,000,000, or fewer if index_bits is small.",
    ),
    Key("phases", Plain.NAMES, "The phases of a tick, in the order in which they run."),
    Key("on_despawn", Plain.FLAG, "true: the game's hook runs before an entity is despawned."),
    Key("fragments", Plain.FLAG, "true: fragments can be filled separately and merged into it."),
    Key("hide", Plain.NAMES, "Tags that hide rows from each selection that does not name them."),
    Key("run_systems", Plain.FLAG, "true: each system can be run alone: <world>_<system>_run."),
    Key("step", Plain.RATIO, 'Seconds of a tick of <world>_advance: 0.02, or "1/60".'),
    Key("max_steps", Plain.INTEGER, "The most ticks of one <world>_advance; default 8."),
    _quiet(long_step="a tick takes more than a second"),
)

# ---- types

ENUM_VALUE = (Key("name", Plain.TEXT, "Its name.", True), DOC, WAS)
ENUM_TYPES = ("u8", "u16", "u32")
ENUM = (
    DOC,
    Key("type", Choice(ENUM_TYPES), "Its type in memory. Default: the smallest that fits."),
    Key("values", Listed(Keys(ENUM_VALUE), Plain.TEXT), "Names of its values, from 0.", True),
    _quiet(value_unreached="some of its values are set nowhere in the schema"),
)
_PADDING = "its fields are in an order that needs more memory than another"
STRUCT = (DOC, FIELDS_REQUIRED, _quiet(padding_order=_PADDING))
EXTERN = (
    DOC,
    Key("header", Plain.TEXT, "The game's header that declares it.", True),
    Key("c", Plain.TEXT, "Its name in C.", True),
    Key("size", Plain.INTEGER, "Its sizeof in bytes. The C compiler checks it.", True),
    Key("align", Plain.INTEGER, "Its alignof in bytes. The C compiler checks it.", True),
    MEMBERS,
)

# ---- data

HOLDS = Key(
    "holds",
    Plain.TEXT,
    "A condition on its fields that must stay true, such as amount >= 0 & full.",
)
STORAGES = ("table", "sparse")
LAYOUTS = ("aos", "soa")
REQUIRED = (
    Key("name", Plain.TEXT, "The component or tag.", True),
    Key("values", Plain.VALUES, "Its values if this rule adds it, instead of its defaults."),
)
COMPONENT = (
    DOC,
    FIELDS,
    Key("storage", Choice(STORAGES), "sparse: for rare ones. Adding and removing it moves no row."),
    Key("layout", Choice(LAYOUTS), "soa: one array for each field. aos: an array of structs."),
    Key(
        "requires",
        Listed(Keys(REQUIRED), Plain.TEXT),
        "Components that are added with it, and cannot be removed as long as it exists.",
    ),
    Key("excludes", Plain.NAMES, "Components that no entity may have together with it."),
    HOLDS,
    SAVE,
    Key(
        "on_add",
        Plain.HOOK,
        "The game's hook runs when an entity gets it, and may write it. An array names several.",
    ),
    Key(
        "on_replace",
        Plain.HOOK,
        "The game's hook runs before its value is replaced. An array names several.",
    ),
    Key(
        "on_remove",
        Plain.HOOK,
        "The game's hook runs before an entity loses it. An array names several.",
    ),
    WAS,
    _quiet(
        never_added="nothing in the schema adds it",
        never_read="nothing in the schema reads it",
        never_written="nothing in the schema writes it",
        padding_order=_PADDING,
    ),
)
SINGLETON = (
    DOC,
    FIELDS_REQUIRED,
    HOLDS,
    SAVE,
    WAS,
    _quiet(never_read="no system reads it", never_written="no system writes it"),
)
EVENT = (
    DOC,
    FIELDS_REQUIRED,
    Key("max", Plain.INTEGER, "The most unread events; later ones are lost. Default 65,536."),
    WAS,
    _quiet(never_emitted="no system emits it", never_heard="nothing hears it"),
)
INPUT = (
    DOC,
    FIELDS_REQUIRED,
    Key("max", Plain.INTEGER, "The most waiting inputs; put refuses more. Default 1,024."),
    WAS,
    _quiet(never_heard="no system hears it"),
)
ON_PARENT_DESPAWN = ("despawn", "detach")
CHILDREN = ("append",)
RELATION = (
    DOC,
    Key("on_parent_despawn", Choice(ON_PARENT_DESPAWN), "What happens to its children.", True),
    Key("children", Choice(CHILDREN), "append: attach adds a child last. Default: first."),
    Key(
        "on_attach",
        Plain.HOOK,
        "The game's hook runs when an entity gets a parent. An array names several.",
    ),
    Key(
        "on_detach",
        Plain.HOOK,
        "The game's hook runs before an entity loses its parent. An array names several.",
    ),
    WAS,
)
PART = (
    DOC,
    Key("prefab", Plain.TEXT, "The prefab that it is spawned by."),
    Key("by", Plain.TEXT, "The relation by which it is attached."),
    Key("count", Plain.INTEGER, "How many of it are spawned. Default 1."),
    Key("with", Named(Plain.VALUES), "Values that differ from those of its prefab, by component."),
    Key("without", Plain.NAMES, "Parts of it that are not spawned."),
    WAS,
)
NESTED_PART = tuple(key for key in PART if key.name in ("with", "without"))
ENDS = (
    Key(
        "from",
        Choice(ON_END_DESPAWN),
        "despawn: despawning the entity at from also despawns the one at to. Default: remove.",
    ),
    Key(
        "to",
        Choice(ON_END_DESPAWN),
        "despawn: despawning the entity at to also despawns the one at from. Default: remove.",
    ),
)
LINK = (
    DOC,
    FIELDS,
    Key("symmetric", Plain.FLAG, "true: a link leads in both directions."),
    Key("on_despawn", Keys(ENDS), "What a link does when one of its ends is despawned."),
    Key(
        "on_add",
        Plain.HOOK,
        "The game's hook runs when a link is added, and may write it. An array names several.",
    ),
    Key(
        "on_remove",
        Plain.HOOK,
        "The game's hook runs before a link is removed. An array names several.",
    ),
    WAS,
    _quiet(padding_order=_PADDING, never_read="nothing in the schema reads it"),
)
PREFAB = (
    DOC,
    Key("is", Plain.TEXT, "A prefab whose components, values, parts and refs it has too."),
    Key("components", Named(Plain.VALUES), "Each with the values that differ from defaults."),
    Key("without", Plain.NAMES, "Components and parts of the prefab in `is` that it lacks."),
    Key(
        "parts",
        Named(Keys(PART), names="part", nested=Keys(NESTED_PART)),
        'Entities spawned with it and attached to it. "turret.barrel" is a part of a part.',
    ),
    Key(
        "refs",
        Named(Plain.TARGET, names="part_field"),
        'Entity fields that refer to parts: "gun.owner@turret" = "self".',
    ),
    Key("lives", Plain.TEXT, "Its entities are despawned when a state leaves this: game.play."),
    WAS,
)

# ---- selections

ROWS = ("mask", "list", "runs")
MARKS = ("explicit",)
SELECTION = (
    Key("read", Plain.NAMES, "Components to read. Rows must have them."),
    Key("write", Plain.NAMES, "Components to write; rows must have them. Systems also write tags."),
    Key("optional", Plain.NAMES, "Components and tags that rows may lack."),
    Key(
        "where",
        Plain.TEXT,
        "The condition on rows: names, added(…), changed(…), removed(…), "
        "changed_parent(…), root(…), leaf(…), ! & ^ | ( ).",
    ),
    Key("rows", Choice(ROWS), "mask: ranges with a mask. list: row numbers. runs: the default."),
)
STATE = (
    DOC,
    Key(
        "values",
        Listed(Keys(ENUM_VALUE), Plain.TEXT),
        "Its values. It starts with the first.",
        True,
    ),
    Key("again", Plain.FLAG, "true: to go to the current value ends it and begins it again."),
    WAS,
)
RESOURCE = (
    DOC,
    Key("header", Plain.TEXT, "The game's header that declares its type.", True),
    Key("c", Plain.TEXT, "The name of its type in C.", True),
)
REMOVED = (
    Key("name", Plain.TEXT, "The component, tag or relation.", True),
    Key("value", Plain.FLAG, "true: removed_<component>_value contains the last values."),
)
QUERY = (
    DOC,
    *SELECTION,
    Key("all", Plain.NAMES, "Table components and tags that one call adds or removes on all rows."),
    _quiet(query_twice="it equals another query"),
)
LISTENER = (
    DOC,
    *(key for key in SELECTION if key.name != "write"),
    Key("hears", Plain.NAMES, "Events that it reads once: it.<event>, it.<event>_count."),
    Key(
        "removed",
        Listed(Keys(REMOVED), Plain.TEXT),
        "Components and relations whose removals it reads: it.removed_<name>, …_count.",
    ),
    WAS,
)
INDEX = (
    DOC,
    Key("of", Plain.TEXT, "The component whose values it searches.", True),
    Key("grid", Plain.NAMES, "Two or three number fields: finds entities by position, in cells."),
    Key("hash", Plain.NAMES, "Fields, also strings: finds entities for which all are equal."),
    Key("ordered", Plain.TEXT, "A number field: finds entities in its order, or in a range."),
    Key("cell", Plain.NUMBER, "The size of the grid's cells, about the usual search radius."),
    Key("where", Plain.TEXT, "Which entities it contains: components and tags, ! & ^ | ( )."),
)
OVER_ENDS = (
    Key("from", Keys(ACCESS), "Components of the entity at from: from_<component>."),
    Key("to", Keys(ACCESS), "Components of the entity at to: to_<component>."),
)
SWITCHES = ("saved", "unsaved")
AFTER_LOAD = ("everything", "nothing")
SYSTEM = (
    DOC,
    Key("phase", Plain.TEXT, "The phase in which it runs.", True),
    *SELECTION,
    Key("over", Plain.TEXT, "Links that it iterates instead of rows; in `write` it writes them."),
    Key(
        "ends",
        Keys(OVER_ENDS),
        "Components of both ends of the links of `over`. Links without them are skipped.",
    ),
    Key("after", Plain.NAMES, "Systems of its phase that run before it."),
    Key("before", Plain.NAMES, "Systems of its phase that run after it."),
    Key("ambiguous_with", Plain.NAMES, "Systems that it conflicts with, in either order."),
    Key("every", Plain.RATIO, 'Seconds between two turns: 0.5, or "1/3". Default: each tick.'),
    Key(
        "when",
        Plain.TEXT,
        "It runs only if this is true: <state> == <value>, changed(<singleton>), ! & ^ | ( ).",
    ),
    Key("enters", Plain.TEXT, "It runs once when a state gets this value: game.play."),
    Key("leaves", Plain.TEXT, "It runs once when a state leaves this value: game.play."),
    Key("states", Keys(ACCESS), "States that it reads, ctx-><state>, or changes, …_go."),
    Key("resources", Keys(ACCESS), "Resources of the game that it uses: ctx-><resource>."),
    Key("singletons", Keys(ACCESS), "Singletons that it uses: ctx-><singleton>."),
    Key(
        "lookup",
        Keys(ACCESS),
        "Components of any entity that it uses through handles. It may also write tags.",
    ),
    Key("links", Keys(ACCESS), "Links that it reads, or whose values it writes: ctx-><link>."),
    Key("queries", Plain.NAMES, "Queries that it iterates."),
    Key("indexes", Plain.NAMES, "Indexes that it searches."),
    Key("emits", Plain.NAMES, "Events that it emits."),
    Key("hears", Plain.NAMES, "Events that it reads once: ctx-><event>, ctx-><event>_count."),
    Key(
        "removed",
        Listed(Keys(REMOVED), Plain.TEXT),
        "Components and relations whose removals it reads: ctx->removed_<name>, …_count.",
    ),
    Key("commands", Plain.FLAG, "true: it may record commands: ctx->cmd."),
    Key("flush", Plain.FLAG, "true: commands recorded earlier in its phase are applied first."),
    Key(
        "after_load",
        Choice(AFTER_LOAD),
        "everything: its first turn after a load sees all as added. nothing: it does not.",
    ),
    Key("switch", Choice(SWITCHES), "The game can switch it off. saved: saves contain the switch."),
    Key("parallel", Plain.FLAG, "true: workers share its rows; with order, the rows of one depth."),
    Key("fuse", Plain.FLAG, "false: it never shares a pass with other parallel systems."),
    Key("inline", Plain.TEXT, "The game's header with <system>_row, which processes a row."),
    Key("turn", Plain.FLAG, "true: the game defines …_begin and …_end, which run once a turn."),
    Key(
        "partial",
        Keys(PARTIAL),
        "A result of each turn or part, ctx->partial, which the game merges by …_merge.",
    ),
    Key("marks", Choice(MARKS), "explicit: the system itself reports which rows it changed."),
    Key("order", Plain.TEXT, "A relation: it visits parents before their children."),
    Key("parent", Plain.NAMES, "Components of the parent that it reads; NULL for roots."),
    Key(
        "relation",
        Plain.TEXT,
        "The relation of `parent` if the order of rows does not matter. Default: the only one.",
    ),
    _quiet(
        input_missed="it misses the inputs of ticks in which it does not run",
        lookup_unused="it looks up by handles that the schema does not show",
    ),
)

# ---- a file

SECTIONS = (
    Key("enum", Named(Keys(ENUM)), "Named values, numbered from 0."),
    Key("struct", Named(Keys(STRUCT)), "Fields that belong together."),
    Key("extern", Named(Keys(EXTERN)), "A type from a header of the game."),
    Key("component", Named(Keys(COMPONENT)), "Data of an entity. Without fields it is a tag."),
    Key("singleton", Named(Keys(SINGLETON)), "One value for the whole world."),
    Key("state", Named(Keys(STATE)), "A state that the world is in, such as menu, play or over."),
    Key("event", Named(Keys(EVENT)), "A message from systems to systems."),
    Key("input", Named(Keys(INPUT)), "A message from the game to systems."),
    Key("resource", Named(Keys(RESOURCE)), "A pointer of the game that systems may use."),
    Key("prefab", Named(Keys(PREFAB)), "Components that are spawned together."),
    Key("query", Named(Keys(QUERY)), "A selection of rows and columns."),
    Key("listener", Named(Keys(LISTENER)), "Reads events, removals and rows outside of systems."),
    Key("index", Named(Keys(INDEX)), "Finds entities by values of a component."),
    Key("system", Named(Keys(SYSTEM)), "A C function that runs over rows."),
    Key("relation", Named(Keys(RELATION)), "A tree of entities: each has at most one parent."),
    Key("link", Named(Keys(LINK)), "Links between any two entities, each with a value."),
)

# The warnings that a declaration can silence, by kind.
QUIET = {
    section.name: key.form.keys
    for section in (Key("world", Keys(WORLD), ""), *SECTIONS)
    for table in tables(section.form)
    for key in table.keys
    if key.name == "quiet" and isinstance(key.form, Keys)
}

FILE = Keys(
    (
        Key("import", Plain.NAMES, "Files that are read before this one, relative to it."),
        Key("world", Keys(WORLD), "The world. Only the root file has it."),
        *SECTIONS,
    )
)
