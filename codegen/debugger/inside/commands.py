"""The command `weft` of both debuggers: takes text, returns lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from debugger.inside.core import RUNS_NOW, Record, Row, WeftError, World

ROWS_SHOWN = 50

USAGE = """\
weft entities [NAME] [COUNT]  the entities of a query, system, component or relation
weft rows NAME [COUNT]        the rows of a query or system, table by table, with its columns
weft entity INDEX:GENERATION  one entity
weft tables                   tables: rows, bytes and components
weft singletons               the values of all singletons
weft schedule                 the tick, the running phase, and which systems wait for which
weft world [EXPRESSION]       show or choose the world of these commands"""


def run(world: World, words: list[str]) -> Iterator[str]:
    """Yields the lines that a command prints."""
    name, *rest = words or [""]
    if name not in COMMANDS:
        raise WeftError(f"no command 'weft {name}':\n{USAGE}")
    return COMMANDS[name](world, rest)


def _entities(world: World, words: list[str]) -> Iterator[str]:
    name, most = _name_and_count(words)
    count = 0
    yield from _note(world, name)
    for at in world.select(name):
        count += 1
        if count <= most:
            yield f"{world.words(at.handle)} {world.parts(at, list(world.components))}".rstrip()
    yield from _end(count, most, "entity", "entities")


def _rows(world: World, words: list[str]) -> Iterator[str]:
    name, most = _name_and_count(words)
    if name not in world.data["selections"]:
        raise WeftError(f"'{name}' is not a query, and not a system with rows")
    columns = world.data["selections"][name]["columns"]
    count, last = 0, None
    yield from _note(world, name)
    for at in world.select(name):
        count += 1
        if count > most:
            continue
        if at.table is not last:
            yield f"table {at.table.id}, {_counted(at.table.count, 'row', 'rows')}"
            last = at.table
        yield f"  {at.row}: {world.words(at.handle)} {_columns(world, at, columns)}".rstrip()
    yield from _end(count, most, "row", "rows")


def _columns(world: World, at: Row, names: list[str]) -> str:
    components = [world.components[name] for name in names]
    return ", ".join(world.value(at, one) for one in components if at.table.has(one, at.row))


def _entity(world: World, words: list[str]) -> Iterator[str]:
    yield world.entity(world.parse(words[0] if words else ""))


def _tables(world: World, words: list[str]) -> Iterator[str]:
    for table in world.tables():
        names = [
            one.name
            for one in world.components.values()
            if one.first_column != 0xFFFF and table.columns[one.first_column]
        ]
        kept = f"{table.bytes:,} bytes for {table.capacity:,}"
        rows = _counted(table.count, "row", "rows")
        yield f"{table.id}: {rows}, {kept}: {', '.join(names) or 'no components'}"


def _singletons(world: World, words: list[str]) -> Iterator[str]:
    size = world.memory.size("weft_singleton_info")
    for i in range(world.schema.singleton_count):
        address = world.schema.singletons + i * size
        info = Record(world.memory, "weft_singleton_info", address)
        data = world.memory.read(world.address + info.offset, info.size)
        parts = [
            f"{one.name} = {world.shown(one, data[one.offset : one.offset + one.size])}"
            for one in world._fields(info)
        ]
        yield f"{world.data['singletons'][i]} {{{', '.join(parts)}}}"


def _schedule(world: World, words: list[str]) -> Iterator[str]:
    running = world.base.inner("now", "weft_world_now").running
    now = RUNS_NOW.get(running, "")
    if not now:
        phases = world.data["phases"]
        now = f"phase {phases[running - 1]}" if 0 < running <= len(phases) else "nothing"
    yield f"tick {world.base.tick}, {now} runs"
    yield from world.data["schedule"]


def _name_and_count(words: list[str]) -> Any:
    counts = [word for word in words if word.isdigit()]
    names = [word for word in words if not word.isdigit()]
    return (names[0] if names else ""), int(counts[0]) if counts else ROWS_SHOWN


def _note(world: World, name: str) -> Iterator[str]:
    if world.is_by_changes(name):
        yield "(its 'where' asks for changes: rows are listed with or without changes)"


def _end(count: int, most: int, one: str, many: str) -> Iterator[str]:
    shown = f", {most} shown; to show more, add a count after the name" if count > most else ""
    yield _counted(count, one, many) + shown


def _counted(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


COMMANDS: dict[str, Callable[[World, list[str]], Iterator[str]]] = {
    "entities": _entities,
    "rows": _rows,
    "entity": _entity,
    "tables": _tables,
    "singletons": _singletons,
    "schedule": _schedule,
}


def context(world: World, data: dict[str, str], dt: float, rows: str) -> str:
    """Returns a system's context in words."""
    head = f"{data['system']} of phase {data['phase']}, tick {world.base.tick}, dt {dt:.6g}"
    return f"{head}{rows}: it {data['grants']}"
