"""Rules about the form of names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

from model.data import Component
from model.named import everything, structs
from names.nearest import a
from names.words import RESERVED, SYSTEM_HEADERS, SYSTEM_PREFIXES, VERBS, WINDOWS_DEVICES
from parse import Parsed
from parse.field_types import BUILT_IN
from parse.parsed import Book
from source.source import Note, Place, Report
from source.toml_places import Path

MAX_NAME = 64  # characters

SNAKE_CASE = r"[a-z][a-z0-9]*(_[a-z0-9]+)*"  # matches a whole name

_SNAKE_CASE = re.compile(SNAKE_CASE)
_OUR_PREFIX = re.compile(r"weft(_|$)")
_NEW_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+")


def is_snake_case(name: str) -> bool:
    """Returns whether a name has lower-case words and digits, joined by single underscores."""
    return bool(_SNAKE_CASE.fullmatch(name))


def snake_case(name: str) -> str:
    """Returns the name that `name_shape` suggests. A correct name stays the same."""
    return "_".join(word.lower() for word in _NEW_WORD.split(name) if word)


def name_shape(parsed: Parsed, report: Report) -> None:
    for named in everything(parsed.model):
        unread = named.kind == "world" and not named.name and not parsed.sound("world", "")
        if not is_snake_case(named.name) and not unread:
            message = f"the name of {named.what} is not snake_case"
            help = _shape_help(named.kind, named.name)
            report.error("name-shape", named.place, message, help=help)


def _shape_help(kind: str, name: str) -> str:
    better = snake_case(name)
    if name.isascii() and is_snake_case(better) and not why_reserved(kind, better):
        return f"write '{better}'"
    return "use small letters and digits, with a letter first and one '_' between words"


def why_too_long(name: str) -> str:
    """Returns why a name is too long; "" if it is not."""
    return f"it has more than {MAX_NAME} characters" if len(name) > MAX_NAME else ""


def name_length(parsed: Parsed, report: Report) -> None:
    for named in everything(parsed.model):
        if why_too_long(named.name):
            message = (
                f"the name of this {named.kind} has {len(named.name)} characters, more than "
                f"{MAX_NAME}"
            )
            help = "choose a shorter name"
            report.error("name-length", named.place, message, help=help)


def name_reserved(parsed: Parsed, report: Report) -> None:
    for named in everything(parsed.model):
        reason = why_reserved(named.kind, named.name)
        if reason:
            message = f"{a(named.kind)} cannot be named '{named.name}', which is {reason}"
            help = "choose another name, or add a word to it"
            report.error("name-reserved", named.place, message, help=help)


def why_reserved(kind: str, name: str) -> str:
    """Returns why a declaration of this kind cannot have the name; "" if it can."""
    if kind in ("phase", "value", "hook"):
        return ""  # the name is never a whole identifier in C
    if kind != "field" and name in VERBS:
        return "a word of Weft"
    is_ours = name.startswith("weft_") or (name == "weft" and kind != "field")
    if is_ours and kind != "world":
        return "reserved for the runtime, like all names that begin with 'weft'"
    if kind in ("enum", "state", "struct", "extern") and name in BUILT_IN:
        return "a field type"
    return RESERVED.get(name, "")


def world_name(parsed: Parsed, report: Report) -> None:
    world = parsed.model.world
    reason = why_no_world(world.name)
    if reason:
        message = f"a world cannot be named '{world.name}': {reason}"
        report.error("world-name", world.place, message, help="choose another name")


def why_no_world(name: str) -> str:
    """Returns why a world cannot have the name, if other declarations can; "" if it can."""
    if _OUR_PREFIX.match(name):
        return "names that begin with 'weft' are reserved for the runtime"
    if name in SYSTEM_HEADERS:
        return f"'{name}.h' would hide the system header <{name}.h>"
    if name in WINDOWS_DEVICES:
        return f"Windows cannot store '{name}.h', because that is a device"
    if name in SYSTEM_PREFIXES:
        return f"the C library uses names that begin with '{name}_'"
    return ""


class Renamed(Protocol):
    """A declaration that can be renamed."""

    @property
    def name(self) -> str: ...
    @property
    def place(self) -> Place: ...
    @property
    def was(self) -> str: ...


Old = tuple[Renamed, Path]  # a declaration, and the path of its `was`


def was_name(parsed: Parsed, report: Report) -> None:
    model, book = parsed.model, parsed.book
    for kind, struct in structs(model):
        owner = (kind, struct.name, "fields")
        fields: list[Old] = [(f, (*owner, f.name, "was")) for f in struct.fields]
        hidden = isinstance(struct, Component) and struct.of_prefab
        _was_names("part" if hidden else "field", fields, book, report)
    for enum in model.types.enums.values():
        owner = (enum.kind, enum.name, "values")
        values: list[Old] = [(v, (*owner, i, "was")) for i, v in enumerate(enum.values)]
        _was_names("value", values, book, report)
    events = model.data.events.values()
    lists: list[dict[str, Iterable[Renamed]]] = [  # the kinds that share a list in saves
        {"component": model.data.components.values()},
        {
            "singleton": model.data.kept.singletons.values(),
            "state": model.data.kept.states.values(),
        },
        {kind: [one for one in events if one.kind == kind] for kind in ("event", "input")},
        {"relation": model.data.relations.values()},
        {"link": model.data.links.values()},
        {"listener": model.code.listeners.values()},
    ]
    for kinds in lists:
        olds: list[Old] = [
            (item, (kind, item.name, "was")) for kind, items in kinds.items() for item in items
        ]
        _was_names("", olds, book, report)


def _was_names(part: str, items: Sequence[Old], book: Book, report: Report) -> None:
    """Reports an old name that is invalid, or that belongs to something else.

    The items are parts of a declaration, or declarations whose kind is the start of their path.
    """
    taken = {item.name: (item, part or path[0]) for item, path in items}
    for item, path in items:
        if not item.was:
            continue
        place, what = book.value(*path), part or str(path[0])
        other, kind = taken.setdefault(item.was, (item, what))
        if not is_snake_case(item.was) or len(item.was) > MAX_NAME:
            message = f"'{item.was}' cannot have been the name of {a(what)}"
            help = f"write the name of the {what} before it was renamed"
            report.error("was-name", place, message, help=help)
        elif other is not item or item.was == item.name:
            message = f"{what} '{item.name}' was '{item.was}', but that name is in use"
            notes = [Note(other.place, f"by {kind} '{other.name}'")]
            help = f"an old name must belong to a single {what}"
            report.error("was-name", place, message, help=help, notes=notes)


RULES = (name_shape, name_length, name_reserved, world_name, was_name)
