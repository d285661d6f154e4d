"""Every key of the language: what it is called, what stands behind it, what it is for.

The only list of keys. The parser takes what is here and refuses the rest; the JSON Schema that
editors complete and check schema files by is made of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from model.handles import MAX_BITS


class Plain(Enum):
    """What a value is, where it has no keys of its own."""

    TEXT = "a string"
    FLAG = "true or false"
    INTEGER = "an integer"
    NUMBER = "an integer or a float"
    NAMES = "an array of strings"
    TYPE = "the type of a field, in a string"
    VALUE = "anything that a field can be"
    VALUES = "a table of fields' values"


@dataclass(frozen=True)
class Choice:
    """One of some strings."""

    options: tuple[str, ...]


@dataclass(frozen=True)
class Bits:
    """A number of bits of a handle."""

    most: int = MAX_BITS


@dataclass(frozen=True)
class Keys:
    """A table with these keys."""

    keys: tuple[Key, ...]


@dataclass(frozen=True)
class Named:
    """A table of things by their names. `short`: a thing may also be written as that."""

    thing: Form
    short: Form | None = None
    names_of_c: bool = False  # instead of ours


@dataclass(frozen=True)
class Listed:
    """An array of things, each of which may also be written as `short`."""

    thing: Keys
    short: Plain


Form = Plain | Choice | Bits | Keys | Named | Listed


@dataclass(frozen=True)
class Key:
    name: str
    form: Form
    doc: str
    required: bool = False


def tables(form: Form) -> Iterator[Keys]:
    """Every table of keys in a form, outermost first."""
    if isinstance(form, Keys):
        yield form
        for key in form.keys:
            yield from tables(key.form)
    if isinstance(form, Named | Listed):
        yield from tables(form.thing)


# ---- what several have in common

DOC = Key("doc", Plain.TEXT, "What it is for: becomes the comment in C, and is in reflection.")
SAVE = Key("save", Plain.FLAG, "false: worked out anew, no part of the world's hash. Default true.")
WAS = Key("was", Plain.TEXT, "The name it had before it was renamed, by which saves know it.")

FIELD = (
    Key("type", Plain.TYPE, "A scalar, entity, enum, struct, extern; char[N], T[N], T[..N].", True),
    DOC,
    Key("unit", Plain.TEXT, "What it is measured in, for readers and reflection."),
    Key("min", Plain.NUMBER, "The least value; holds for defaults, reflection and JSON."),
    Key("max", Plain.NUMBER, "The greatest value; holds for defaults, reflection and JSON."),
    Key("default", Plain.VALUE, "What it is if nobody says; else all zero."),
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

ACCESS = (
    Key("read", Plain.NAMES, "Only read."),
    Key("write", Plain.NAMES, "Read and written."),
)

# ---- [world]

ENTITY = (
    Key("index_bits", Bits(), "Bits that tell entities apart; default 32."),
    Key("generation_bits", Bits(), "Bits that tell apart who had an index; default 32."),
)
WORLD = (
    DOC,
    Key("name", Plain.TEXT, "The prefix of every generated name.", True),
    Key("entity", Keys(ENTITY), "The widths of a handle; stored in 16, 32 or 64 bits."),
    Key("recycle_after", Plain.INTEGER, "Freed indices that wait before one is used again."),
    Key("max_entities", Plain.INTEGER, "How many may be alive at once; default 1,000,000."),
    Key("phases", Plain.NAMES, "The phases of a tick, in the order they run."),
)

# ---- types

ENUM_VALUE = (Key("name", Plain.TEXT, "Its name.", True), WAS)
ENUM_TYPES = ("u8", "u16", "u32")
ENUM = (
    DOC,
    Key("type", Choice(ENUM_TYPES), "Its type in memory; else the smallest that fits."),
    Key("values", Listed(Keys(ENUM_VALUE), Plain.TEXT), "Names of its values, from 0.", True),
)
STRUCT = (DOC, FIELDS_REQUIRED)
EXTERN = (
    DOC,
    Key("header", Plain.TEXT, "The game's header that declares it.", True),
    Key("c", Plain.TEXT, "Its name in C.", True),
    Key("size", Plain.INTEGER, "Bytes, as sizeof says; C checks it.", True),
    Key("align", Plain.INTEGER, "Bytes, as alignof says; C checks it.", True),
    MEMBERS,
)

# ---- data

STORAGES = ("table", "sparse")
LAYOUTS = ("aos", "soa")
COMPONENT = (
    DOC,
    FIELDS,
    Key("storage", Choice(STORAGES), "sparse: rare, comes and goes, no row moves for it."),
    Key("layout", Choice(LAYOUTS), "soa: one array a field; aos: an array of structs."),
    Key("requires", Plain.NAMES, "Added with it if missing, and kept while it is there."),
    Key("excludes", Plain.NAMES, "Never together with it."),
    SAVE,
    Key("on_add", Plain.FLAG, "true: the game defines a hook, told of who has got it."),
    Key("on_remove", Plain.FLAG, "true: the game defines a hook, told of who is about to lose it."),
    WAS,
)
SINGLETON = (DOC, FIELDS_REQUIRED, SAVE, WAS)
EVENT = (
    DOC,
    FIELDS_REQUIRED,
    Key("max", Plain.INTEGER, "Unread at once; passing it is a status. Default 65,536."),
    WAS,
)
ON_PARENT_DESPAWN = ("despawn", "detach")
RELATION = (
    DOC,
    Key("on_parent_despawn", Choice(ON_PARENT_DESPAWN), "What becomes of the children.", True),
    WAS,
)
PREFAB = (
    DOC,
    Key("components", Named(Plain.VALUES), "Each with the values that are not its defaults.", True),
)

# ---- selections

QUERY_ROWS = ("mask",)
SYSTEM_ROWS = (*QUERY_ROWS, "list")
MARKS = ("explicit",)
SELECTION = (
    Key("read", Plain.NAMES, "Columns to read; a row must have them."),
    Key("write", Plain.NAMES, "Columns to write; a row must have them. Tags of a system: to put."),
    Key("optional", Plain.NAMES, "Columns and tags that may be absent."),
    Key("where", Plain.TEXT, "Which rows: names, added(name), changed(name), ! & ^ | ( )."),
)
REMOVED = (
    Key("name", Plain.TEXT, "The component or tag.", True),
    Key("value", Plain.FLAG, "true: with its last value, ctx->removed_<component>_value."),
)
QUERY = (
    DOC,
    *SELECTION,
    Key(
        "rows",
        Choice(QUERY_ROWS),
        "mask: whole ranges and a mask, instead of runs of passing rows.",
    ),
)
SYSTEM = (
    DOC,
    Key("phase", Plain.TEXT, "When it runs.", True),
    *SELECTION,
    Key(
        "rows", Choice(SYSTEM_ROWS), "mask: whole ranges and a mask; list: row numbers; else runs."
    ),
    Key("after", Plain.NAMES, "Systems of its phase that run before it."),
    Key("before", Plain.NAMES, "Systems of its phase that run after it."),
    Key("every", Plain.NUMBER, "Seconds between two turns; else each time its phase runs."),
    Key("singletons", Keys(ACCESS), "Singletons it may use: ctx-><singleton>."),
    Key("lookup", Keys(ACCESS), "Components of other entities that it may use, through handles."),
    Key("queries", Plain.NAMES, "Queries that it may iterate inside."),
    Key("emits", Plain.NAMES, "Events that it may emit."),
    Key("hears", Plain.NAMES, "Events that it gets, each once: ctx-><event>, ctx-><event>_count."),
    Key(
        "removed",
        Listed(Keys(REMOVED), Plain.TEXT),
        "Components whose losses it is told of: ctx->removed_<name>, …_count.",
    ),
    Key("commands", Plain.FLAG, "true: it may record structural changes, ctx->cmd."),
    Key("parallel", Plain.FLAG, "true: its rows are shared out among workers."),
    Key("marks", Choice(MARKS), "explicit: it says itself which rows it has changed."),
    Key("order", Plain.TEXT, "A relation: it runs over parents before their children."),
    Key("parent", Plain.NAMES, "Components of the parent by `order`; NULL at roots."),
)

# ---- a file

SECTIONS = (
    Key("enum", Named(Keys(ENUM)), "Named values, from 0."),
    Key("struct", Named(Keys(STRUCT)), "Fields that belong together."),
    Key("extern", Named(Keys(EXTERN)), "A type from a header of the game."),
    Key("component", Named(Keys(COMPONENT)), "Data on an entity; without fields a tag."),
    Key("singleton", Named(Keys(SINGLETON)), "One value for the whole world."),
    Key("event", Named(Keys(EVENT)), "A message from systems to systems."),
    Key("prefab", Named(Keys(PREFAB)), "Components that are spawned together."),
    Key("query", Named(Keys(QUERY)), "Which rows, which columns."),
    Key("system", Named(Keys(SYSTEM)), "A C function that is run over a query."),
    Key("relation", Named(Keys(RELATION)), "Entities in a tree: at most one parent each."),
)
FILE = Keys(
    (
        Key("import", Plain.NAMES, "Files merged before this one, relative to it."),
        Key("world", Keys(WORLD), "The world; only in the root file."),
        *SECTIONS,
    )
)
