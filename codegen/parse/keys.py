"""The table of all keys of the language: name, form of the value, and purpose.

There is no other list of keys. The parser refuses every key that is missing here, and the JSON
Schema for editors is generated from this table.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

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
    """A table of things by name. A thing may also have the form `short`."""

    thing: Form
    short: Form | None = None
    names_of_c: bool = False  # names must be valid in C, instead of following the schema's rules


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


# ---- keys of several tables

DOC = Key("doc", Plain.TEXT, "Its purpose: it becomes the comment in C, and is in reflection.")
SAVE = Key("save", Plain.FLAG, "false: kept out of saves and of the world's hash. Default true.")
WAS = Key("was", Plain.TEXT, "The name it had before it was renamed; saves know it by that name.")

FIELD = (
    Key("type", Plain.TYPE, "A scalar, entity, enum, struct, extern; char[N], T[N], T[..N].", True),
    DOC,
    Key("unit", Plain.TEXT, "The unit it is measured in, for readers and reflection."),
    Key("min", Plain.NUMBER, "The least value; it binds defaults, reflection and JSON."),
    Key("max", Plain.NUMBER, "The greatest value; it binds defaults, reflection and JSON."),
    Key("default", Plain.VALUE, "The value where none is given; without a default all zero."),
    SAVE,
    WAS,
)
FIELDS = Key(
    "fields",
    Named(Keys(FIELD), short=Plain.TYPE),
    'Fields by name: a type, or a table: x = { type = "f32", default = 1.0 }.',
)
FIELDS_REQUIRED = Key(FIELDS.name, FIELDS.form, FIELDS.doc, True)
MEMBERS = Key(
    "fields",
    Named(Keys(FIELD), short=Plain.TYPE, names_of_c=True),
    "Members by their names in C, as reflection, hashes and saves see them.",
    True,
)

PARTIAL_FIELD = tuple(key for key in FIELD if key.name in ("type", "doc", "unit"))
PARTIAL = (
    Key(
        "fields",
        Named(Keys(PARTIAL_FIELD), short=Plain.TYPE),
        'Fields by name, all 0 at first: a type, or a table: sum = { type = "u64", doc = "…" }.',
        True,
    ),
)

ACCESS = (
    Key("read", Plain.NAMES, "It may only read these."),
    Key("write", Plain.NAMES, "It may read and write these."),
)


def _quiet(**reasons: str) -> Key:
    """Returns the key `quiet`, by which a declaration silences these warnings."""
    ids = tuple(
        Key(id.replace("_", "-"), Plain.TEXT, f"Why {what}.") for id, what in reasons.items()
    )
    return Key("quiet", Keys(ids), "Warnings about it that are not to be given, with the reason.")


# ---- [world]

ENTITY = (
    Key(
        "index_bits",
        Bits(),
        "Bits that tell entities apart; default: 20, or as max_entities asks for.",
    ),
    Key(
        "generation_bits",
        Bits(),
        "Bits that tell the users of one index apart; default: the rest of the word, at least 10.",
    ),
)
WORLD = (
    DOC,
    Key("name", Plain.TEXT, "The prefix of every generated name.", True),
    Key(
        "entity",
        Keys(ENTITY),
        "The widths of a handle, which is stored in 16, 32 or 64 bits: the least that fit.",
    ),
    Key("recycle_after", Plain.INTEGER, "So many freed indices wait before one is used again."),
    Key(
        "max_entities",
        Plain.INTEGER,
        "The most entities alive at once; default 1,000,000 if indices tell so many apart.",
    ),
    Key("phases", Plain.NAMES, "The phases of a tick, in the order they run."),
    Key("on_despawn", Plain.FLAG, "true: the game's hook runs before any entity goes."),
    Key("fragments", Plain.FLAG, "true: parts of it can be filled apart, and merged."),
    Key("hide", Plain.NAMES, "Tags: rows that have one are in no selection that does not name it."),
    Key("run_systems", Plain.FLAG, "true: each system can be run alone, <world>_<system>_run."),
    Key("step", Plain.RATIO, 'Seconds of a tick of <world>_advance: 0.02, or "1/60".'),
    Key("max_steps", Plain.INTEGER, "The most ticks of one <world>_advance; default 8."),
    _quiet(long_step="a tick takes more than a second"),
)

# ---- types

ENUM_VALUE = (Key("name", Plain.TEXT, "Its name.", True), WAS)
ENUM_TYPES = ("u8", "u16", "u32")
ENUM = (
    DOC,
    Key("type", Choice(ENUM_TYPES), "Its type in memory; without it the smallest that fits."),
    Key("values", Listed(Keys(ENUM_VALUE), Plain.TEXT), "Names of its values, from 0.", True),
    _quiet(value_unreached="some of its values are given by nothing in the schema"),
)
_PADDING = "its fields are in an order that takes more memory than another"
STRUCT = (DOC, FIELDS_REQUIRED, _quiet(padding_order=_PADDING))
EXTERN = (
    DOC,
    Key("header", Plain.TEXT, "The game's header that declares it.", True),
    Key("c", Plain.TEXT, "Its name in C.", True),
    Key("size", Plain.INTEGER, "Bytes, as sizeof says; C checks it.", True),
    Key("align", Plain.INTEGER, "Bytes, as alignof says; C checks it.", True),
    MEMBERS,
)

# ---- data

HOLDS = Key(
    "holds",
    Plain.TEXT,
    "What always holds of its fields, checked where the game asks for it: amount >= 0 & full.",
)
STORAGES = ("table", "sparse")
LAYOUTS = ("aos", "soa")
REQUIRED = (
    Key("name", Plain.TEXT, "The component or tag.", True),
    Key("values", Plain.VALUES, "What it begins with where it is brought, over its defaults."),
)
COMPONENT = (
    DOC,
    FIELDS,
    Key("storage", Choice(STORAGES), "sparse: for rare ones; no row moves when it comes and goes."),
    Key("layout", Choice(LAYOUTS), "soa: one array a field; aos: an array of structs."),
    Key(
        "requires",
        Listed(Keys(REQUIRED), Plain.TEXT),
        "These are added with it if missing, and stay while it is there.",
    ),
    Key("excludes", Plain.NAMES, "An entity never has these together with it."),
    HOLDS,
    SAVE,
    Key(
        "on_add",
        Plain.HOOK,
        "The game's hook runs when an entity gets it, and may write it; or several.",
    ),
    Key(
        "on_replace",
        Plain.HOOK,
        "The game's hook runs before a whole value is overwritten; or several, by name.",
    ),
    Key(
        "on_remove",
        Plain.HOOK,
        "The game's hook runs before an entity loses it; or several, by name.",
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
    Key("max", Plain.INTEGER, "The most unread at once; passing it is a status. Default 65,536."),
    WAS,
    _quiet(never_emitted="no system emits it", never_heard="nothing hears it"),
)
INPUT = (
    DOC,
    FIELDS_REQUIRED,
    Key("max", Plain.INTEGER, "The most that may wait at once; put refuses more. Default 1,024."),
    WAS,
    _quiet(never_heard="no system hears it"),
)
ON_PARENT_DESPAWN = ("despawn", "detach")
CHILDREN = ("append",)
RELATION = (
    DOC,
    Key("on_parent_despawn", Choice(ON_PARENT_DESPAWN), "The fate of its children.", True),
    Key("children", Choice(CHILDREN), "append: attach makes last children; else first ones."),
    Key(
        "on_attach",
        Plain.HOOK,
        "The game's hook runs when an entity gets a parent; or several, by name.",
    ),
    Key(
        "on_detach",
        Plain.HOOK,
        "The game's hook runs before an entity loses its parent; or several, by name.",
    ),
    WAS,
)
PREFAB = (
    DOC,
    Key("components", Named(Plain.VALUES), "Each with the values that differ from defaults.", True),
    Key("lives", Plain.TEXT, "Its entities end when a state leaves a value: game.play."),
)

# ---- selections

ROWS = ("mask", "list", "runs")
MARKS = ("explicit",)
SELECTION = (
    Key("read", Plain.NAMES, "Columns to read; a row must have them."),
    Key("write", Plain.NAMES, "Columns to write; a row must have them. Of systems also tags."),
    Key("optional", Plain.NAMES, "Columns and tags that may be absent."),
    Key(
        "where",
        Plain.TEXT,
        "Which rows: names, added(…), changed(…) also of singletons, removed(…), "
        "changed_parent(…), root(…), leaf(…), ! & ^ | ( ).",
    ),
    Key(
        "rows",
        Choice(ROWS),
        "mask: whole ranges and a mask; list: row numbers; runs, as without it.",
    ),
)
STATE = (
    DOC,
    Key(
        "values", Listed(Keys(ENUM_VALUE), Plain.TEXT), "Its values; it begins at the first.", True
    ),
    WAS,
)
RESOURCE = (
    DOC,
    Key("header", Plain.TEXT, "The game's header that declares its type.", True),
    Key("c", Plain.TEXT, "The name of its type in C.", True),
)
REMOVED = (
    Key("name", Plain.TEXT, "The component, tag or relation.", True),
    Key("value", Plain.FLAG, "true: removed_<component>_value has its last value."),
)
QUERY = (
    DOC,
    *SELECTION,
    Key("all", Plain.NAMES, "Table components and tags that all rows get or lose in one call."),
    _quiet(query_twice="it equals another query"),
)
LISTENER = (
    DOC,
    *(key for key in SELECTION if key.name != "write"),
    Key("hears", Plain.NAMES, "Events that it reads, each once: it.<event>, it.<event>_count."),
    Key(
        "removed",
        Listed(Keys(REMOVED), Plain.TEXT),
        "Components and relations whose removals it reads: it.removed_<name>, …_count.",
    ),
    WAS,
)
INDEX = (
    DOC,
    Key("of", Plain.TEXT, "The component whose values it goes by.", True),
    Key("grid", Plain.NAMES, "Two or three number fields: found by place, in cells."),
    Key("hash", Plain.NAMES, "Fields, strings too: found where all are equal."),
    Key("ordered", Plain.TEXT, "A number field: found in its order, and by ranges."),
    Key("cell", Plain.NUMBER, "Of a grid: the side of its cells, about the radius asked for."),
    Key("where", Plain.TEXT, "Which rows it has: names of components and tags, ! & ^ | ( )."),
)
SWITCHES = ("saved", "unsaved")
AFTER_LOAD = ("everything", "nothing")
SYSTEM = (
    DOC,
    Key("phase", Plain.TEXT, "The phase that it runs in.", True),
    *SELECTION,
    Key("after", Plain.NAMES, "Systems of its phase that run before it."),
    Key("before", Plain.NAMES, "Systems of its phase that run after it."),
    Key("ambiguous_with", Plain.NAMES, "Systems that it conflicts with in whichever order."),
    Key("every", Plain.RATIO, 'Seconds between two turns: 0.5, or "1/3"; else in each tick.'),
    Key(
        "when",
        Plain.TEXT,
        "Its turn comes only when: <state> == <value>, changed(<singleton>), ! & ^ | ( ).",
    ),
    Key("enters", Plain.TEXT, "It runs once when a state gets a value: game.play."),
    Key("leaves", Plain.TEXT, "It runs once when a state loses a value: game.play."),
    Key("states", Keys(ACCESS), "States it knows, ctx-><state>; and may change, …_go."),
    Key("resources", Keys(ACCESS), "Resources of the game it may use: ctx-><resource>."),
    Key("singletons", Keys(ACCESS), "Singletons it may use: ctx-><singleton>."),
    Key(
        "lookup",
        Keys(ACCESS),
        "Components of other entities that it may use, through handles; in write also tags.",
    ),
    Key("queries", Plain.NAMES, "Queries that it may iterate inside."),
    Key("indexes", Plain.NAMES, "Indexes that it may ask inside."),
    Key("emits", Plain.NAMES, "Events that it may emit."),
    Key("hears", Plain.NAMES, "Events that it reads, each once: ctx-><event>, ctx-><event>_count."),
    Key(
        "removed",
        Listed(Keys(REMOVED), Plain.TEXT),
        "Components and relations whose removals it reads: ctx->removed_<name>, …_count.",
    ),
    Key("commands", Plain.FLAG, "true: it may record structural changes, ctx->cmd."),
    Key("flush", Plain.FLAG, "true: what was recorded before it in its phase is applied first."),
    Key(
        "after_load",
        Choice(AFTER_LOAD),
        "everything: all is added at its first turn after a load; nothing: it goes on as it was.",
    ),
    Key("switch", Choice(SWITCHES), "The game can switch it off; saved: saves and hashes have it."),
    Key(
        "parallel",
        Plain.FLAG,
        "true: its rows are shared out among workers; with order, those of one depth.",
    ),
    Key("fuse", Plain.FLAG, "false: it runs in no pass with other parallel systems."),
    Key("inline", Plain.TEXT, "A header of the game with what it does to a row, <system>_row."),
    Key("turn", Plain.FLAG, "true: the game defines …_begin and …_end, called once a turn."),
    Key(
        "partial",
        Keys(PARTIAL),
        "A struct of each turn, ctx->partial, or of each part; the game merges them, …_merge.",
    ),
    Key("marks", Choice(MARKS), "explicit: it reports itself which rows it has changed."),
    Key("order", Plain.TEXT, "A relation: it runs over parents before their children."),
    Key("parent", Plain.NAMES, "Components of the parent by `order` or `relation`; NULL at roots."),
    Key(
        "relation",
        Plain.TEXT,
        "The relation of `parent` where any order will do; not needed if the world has but one.",
    ),
    _quiet(
        input_missed="it hears no inputs of ticks in which it has no turn",
        lookup_unused="it looks up by handles of which the schema says nothing",
    ),
)

# ---- a file

SECTIONS = (
    Key("enum", Named(Keys(ENUM)), "Named values, from 0."),
    Key("struct", Named(Keys(STRUCT)), "Fields that belong together."),
    Key("extern", Named(Keys(EXTERN)), "A type from a header of the game."),
    Key("component", Named(Keys(COMPONENT)), "Data on an entity; without fields a tag."),
    Key("singleton", Named(Keys(SINGLETON)), "One value for the whole world."),
    Key("state", Named(Keys(STATE)), "What the world is at: menu, play, over."),
    Key("event", Named(Keys(EVENT)), "A message from systems to systems."),
    Key("input", Named(Keys(INPUT)), "A message from outside to systems."),
    Key("resource", Named(Keys(RESOURCE)), "A pointer of the game's, for systems."),
    Key("prefab", Named(Keys(PREFAB)), "Components that are spawned together."),
    Key("query", Named(Keys(QUERY)), "A choice of rows and columns."),
    Key("listener", Named(Keys(LISTENER)), "A reader outside of systems: events, removals, rows."),
    Key("index", Named(Keys(INDEX)), "Finds entities by values of a component."),
    Key("system", Named(Keys(SYSTEM)), "A C function that is run over a query."),
    Key("relation", Named(Keys(RELATION)), "Entities in a tree: at most one parent each."),
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
        Key("import", Plain.NAMES, "Files merged before this one, relative to it."),
        Key("world", Keys(WORLD), "The world; only in the root file."),
        *SECTIONS,
    )
)
