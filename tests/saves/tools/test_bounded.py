"""The work of a tool on the schema inside a save is bounded by the size of the save.

One process gives each save to all actions. The system limits its address space and processor time,
so a tool that needs more fails.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from built import ROOT
from command import Saves
from probes import QUIET, SAVE, probe
from written import (
    LIST,
    SPARSE,
    WORLD,
    component,
    enum,
    field,
    inner,
    save,
    schema,
    section,
    structure,
    table,
    text,
    words,
)

SECONDS_MAX = 20  # of the processor, for all actions
ADDRESSES_MAX = 400 << 20  # Python itself takes a tenth of it
LONG = "n" * 240

# Runs all actions on a save and prints the code of each.
ALL_ACTIONS = """
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[1], sys.argv[2]]
from command import Saves
path, folder = sys.argv[3], Path(sys.argv[4])
saves = Saves()
calls = [("show", path), ("show", path, "--limit", "0"), ("show", path, "--component", "bomb"),
         ("show", path, "--entity", "1:1"), ("diff", path, sys.argv[5], "--limit", "0"),
         ("diff", sys.argv[5], path)]
calls += [("export", path, "--to", to, "--out", folder / to)
          for to in ("csv", "json", "sqlite", "parquet")]
for call in calls:
    done = saves.run(*call)
    print(done.code, call[0], done.err.splitlines()[:1])
"""


def by_enums(names: int, depth: int, *, list_of: bool = False) -> bytes:
    """A component of arrays by an enum in structs in arrays by that enum, without a row."""
    structs, size = [], 1
    for level in range(depth):
        element = inner("a", level - 1, size, count=names, by=0) if level else b""
        structs.append(
            structure(f"s{level}", size * names, [element or field("a", count=names, by=0)])
        )
        size *= names
    outer = inner("b", depth - 1, size)
    if list_of:  # which is one column, but a type of many parts
        outer = inner("b", depth - 1, size, count=1, shape=LIST)
        size += 8
    told = schema(
        enums=[enum("e", (f"v{i}" for i in range(names)))],
        structs=structs,
        components=[component("bomb", size, [outer])],
    )
    return save(told, [table(0, 0, [0])])


def event_by_enums() -> bytes:
    """An event of which none waits, so that no byte of the save is a value of it."""
    size = 100**3
    structs = [
        structure("s0", 100, [field("a", count=100, by=0)]),
        structure("s1", 10_000, [inner("a", 0, 100, count=100, by=0)]),
    ]
    told = schema(
        enums=[enum("e", (f"v{i}" for i in range(100)))],
        structs=structs,
        events=[structure("bomb", size, [inner("b", 1, 10_000, count=100, by=0)])],
    )
    return save(told)


def deep(structs: int, *, reversed_order: bool = False, twice: bool = False) -> bytes:
    """Structs in structs: each in the next, or in the one before, or twice in the next."""
    every = []
    for i in range(structs):
        of = i + 1 if reversed_order else i - 1
        if 0 <= of < structs:
            fields = [inner("a", of, 8)] + ([inner("b", of, 8)] if twice else [])
        else:
            fields = [] if twice else [field("a", count=1)]
        every.append(structure(f"s{i}", 8, fields))
    outer = 0 if reversed_order else structs - 1
    told = schema(structs=every, components=[component("bomb", 8, [inner("a", outer, 8)])])
    return save(told, [table(0, 0, [0])])


def long_paths() -> bytes:
    """Names of 240 bytes sixty structs deep, with thousands of columns below all of them."""
    names = 4000
    structs = [structure("s0", names, [field(LONG, count=names, by=0)])]
    structs += [structure(f"s{i}", names, [inner(LONG, i - 1, names)]) for i in range(1, 60)]
    told = schema(
        enums=[enum("e", (f"v{i}" for i in range(names)))],
        structs=structs,
        components=[component("bomb", names, [inner(LONG, 59, names)])],
    )
    return save(told, [table(0, 0, [0])])


def equal_names() -> bytes:
    """Very many names, the last of them twice."""
    names = [f"v{i}" for i in range(60_000)]
    return save(schema(enums=[enum("e", [*names, names[-1]])]))


def many_declarations() -> bytes:
    return with_components(5000)


def with_components(count: int) -> bytes:
    return save(schema(components=[component(f"c{i}", 1, [field("a")]) for i in range(count)]))


def with_enum_values(count: int) -> bytes:
    return save(schema(enums=[enum("e", (f"v{i}" for i in range(count)))]))


def with_value_bytes(count: int) -> bytes:
    told = schema(components=[component("large", count, [field("a", count=count, shape=1)])])
    return save(told, [table(0, 0, [0])])


def tables_by_components() -> bytes:
    """Each table and each component is looked at, but not each pair of them."""
    kinds = [component(f"c{i}", 1, [field("a")], SPARSE) for i in range(1000)]
    return save(schema(components=kinds), [table(0, 0) for _ in range(20_000)])


def large_schema(ticks: int = 1) -> bytes:
    fields = [field(f"f{i}", offset=i) for i in range(40)]
    kinds = [component(f"c{i}", 40, fields) for i in range(1000)]
    tables = [table(i, 1, [i], values=bytes(40)) for i in range(1000)]
    return save(schema(components=kinds), tables, live=1000, ticks=ticks)


def long_list() -> bytes:
    """A list that says it has more items than there are bytes."""
    told = schema(components=[component("bomb", 65_544, [field("a", count=65_536, shape=LIST)])])
    return save(told, [table(0, 1, [0], values=words(2**32 - 1) + bytes(65_536))], live=1)


def huge_counts() -> bytes:
    told = schema(components=[component("bomb", 1 << 20, [field("a", count=1 << 20, shape=1)])])
    return save(told, [table(0, 0, [0])], live=2**32)


def huge_value() -> bytes:
    told = schema(components=[component("bomb", 1 << 40, [field("a", count=1 << 40, shape=1)])])
    return save(told, [table(0, 0, [0])])


def huge_list_of_records() -> bytes:
    """A component that says it has 2^50 fields."""
    body = text(WORLD) + words(20, 12, 4, 0, 0, 0, 1) + text("bomb") + words(0, 0, 1, 8, 2**50)

    return save(section(b"SCHM", body))


def last_list_says_more(count: int) -> bytes:
    """A schema whose last list, of relations, has a count and nothing behind it."""
    empty = schema(components=[component("bomb", 1, [field("a")])])
    body = empty[16:-8]  # between the head of a section and its checksum
    return save(section(b"SCHM", body[:-8] + words(count)))


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "by_enums_100_3": (lambda: by_enums(100, 3), "'bomb' has 1,000,000 columns"),
    "by_enums_1000_2": (lambda: by_enums(1000, 2), "'bomb' has 1,000,000 columns"),
    "by_enums_1000_3": (lambda: by_enums(1000, 3), "bytes in 's2', more than"),
    "by_enums_2_19": (lambda: by_enums(2, 19), "'bomb' has 524,288 columns"),
    "list_of_by_enums": (lambda: by_enums(100, 3, list_of=True), "'bomb' has 1,000,000 columns"),
    "event_by_enums": (event_by_enums, "'bomb' has 1,000,000 columns"),
    "deep": (lambda: deep(1000), "'s64' has structs in structs more than 64 deep"),
    "deep_reversed": (lambda: deep(1000, reversed_order=True), "structs more than 64 deep"),
    "deep_twice": (lambda: deep(50, twice=True), "values in 8 bytes"),
    "long_paths": (long_paths, "'bomb' has 4,000 columns, too many for a save of"),
    "equal_names": (equal_names, "'v59999' occurs twice"),
    "many_declarations": (many_declarations, "5,000 components, more than"),
    "huge_counts": (huge_counts, "the save has 0 rows for 4,294,967,296 entities"),
    "huge_value": (huge_value, "bytes in 'bomb', more than 1,048,576"),
    "last_list": (lambda: last_list_says_more(1), "but is too short for it"),
    "huge_list_of_records": (huge_list_of_records, "but is too short for it"),
}
# As many as a schema may have, and the refusal of one more.
LIMITS: dict[str, tuple[Callable[[int], bytes], int, str]] = {
    "declarations": (with_components, 1024, "more than 1,024"),
    "enum_values": (with_enum_values, 65_536, "more than 65,536"),
    "value_bytes": (with_value_bytes, 1 << 20, "more than 1,048,576"),
}
ANSWERED: dict[str, Callable[[], bytes]] = {
    "by_enums_100_2": lambda: by_enums(100, 2),
    "tables_by_components": tables_by_components,
    "large_schema": large_schema,
    "long_list": long_list,
}


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES_MAX, ADDRESSES_MAX))
    limit_time()


def limit_time() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS_MAX, SECONDS_MAX))


def all_actions(data: bytes, folder: Path) -> list[str]:
    """Gives a save to all actions, and returns the code and the first line of errors of each."""
    path, other = folder / "strange.save", folder / "other.save"
    path.write_bytes(data)
    other.write_bytes(large_schema(ticks=2))
    paths = [ROOT / "tests/support", ROOT / "codegen", path, folder, other]
    done = subprocess.run(
        [sys.executable, "-c", ALL_ACTIONS, *map(str, paths)],
        capture_output=True,
        text=True,
        preexec_fn=limit,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_save_is_too_short_for_is_refused_by_all_tools(name: str, tmp_path: Path) -> None:
    make, why = REFUSED[name]
    lines = all_actions(make(), tmp_path)
    assert [line for line in lines if not line.startswith("2 ") or why not in line] == []


@pytest.mark.parametrize("name", ANSWERED)
def test_large_schemas_take_as_long_as_they_are_large(name: str, tmp_path: Path) -> None:
    lines = all_actions(ANSWERED[name](), tmp_path)
    assert [line for line in lines if line[:2] not in ("0 ", "1 ", "2 ")] == []
    assert lines[0] == "0 show []"


@pytest.mark.parametrize("name", [*REFUSED, *ANSWERED])
def test_a_game_loads_such_a_save_or_refuses_it(name: str, tmp_path: Path) -> None:
    """The loader of the runtime reads the schema of the save too, before it finds its own."""
    make = ANSWERED[name] if name in ANSWERED else REFUSED[name][0]
    (tmp_path / SAVE).write_bytes(make())
    script = tmp_path / "script"
    script.write_text(f"load {SAVE}\nstats\n")
    game = probe('[component.bomb]\nfields = { a = "u8", b = "u16" }\n')
    with open(script) as asked, open(tmp_path / "answers", "w+") as answers:
        child = subprocess.Popen(
            [game.program],
            stdin=asked,
            stdout=answers,
            stderr=subprocess.DEVNULL,  # debug builds also print refusals
            cwd=tmp_path,
            env=QUIET,
            preexec_fn=limit_time,
        )
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        answers.seek(0)
        told = answers.read()
    assert child.returncode == 0, told
    assert used.ru_maxrss < ADDRESSES_MAX // 1024, told
    assert len(told.splitlines()) in (1, 2), told  # what is wrong, if anything, and the world


def test_columns_are_as_many_as_the_values_in_a_save(tmp_path: Path) -> None:
    """A component of 90,000 columns is refused without an entity, and exported with one."""
    names, size = 300, 90_000
    told = schema(
        enums=[enum("e", (f"v{i}" for i in range(names)))],
        structs=[structure("s", names, [field("a", count=names, by=0)])],
        components=[component("bomb", size, [inner("b", 0, names, count=names, by=0)])],
    )
    empty = all_actions(save(told, [table(0, 0, [0])]), tmp_path)
    assert "'bomb' has 90,000 columns" in empty[0]
    folder = tmp_path / "one"
    folder.mkdir()
    one = all_actions(save(told, [table(0, 1, [0], values=bytes(size))], live=1), folder)
    assert one[0] == "0 show []"
    header = (folder / "csv/bomb.csv").read_text().splitlines()[0].split(",")
    assert header[:3] == ["_index", "_generation", "b.v0.a.v0"]
    assert len(header) == size + 2


@pytest.mark.parametrize("name", LIMITS)
def test_a_schema_may_have_as_many_as_its_limit_and_no_more(name: str, tmp_path: Path) -> None:
    make, most, why = LIMITS[name]
    saves, path = Saves(), tmp_path / "large.save"
    path.write_bytes(make(most))
    done = saves.run("show", path)
    assert (done.code, done.err) == (0, "")
    path.write_bytes(make(most + 1))
    done = saves.run("show", path)
    assert done.code == 2
    assert why in done.err


@pytest.mark.parametrize("count", [1, 2, 1024, 1025, 2**32, 2**64 - 1])
def test_a_game_refuses_a_list_that_says_more_than_follows(count: int, tmp_path: Path) -> None:
    (tmp_path / SAVE).write_bytes(last_list_says_more(0))
    game = probe('[component.bomb]\nfields = { a = "u8", b = "u16" }\n')
    assert game.tell(f"load {SAVE}\n", tmp_path) == []
    (tmp_path / SAVE).write_bytes(last_list_says_more(count))
    (told,) = game.tell(f"load {SAVE}\n", tmp_path)
    assert "the save is damaged" in told
