"""Other programs read exports, which agree with the world's own JSON."""

from __future__ import annotations

import csv
import json
import sqlite3
import struct
import subprocess
import sys
from dataclasses import replace
from itertools import count
from math import inf, isfinite
from pathlib import Path
from random import Random
from typing import Any

import pytest

from agreement import disagreements
from built import ROOT, built
from colony_game import GAME, program
from command import Saves
from reader import read
from saves.columns import leaves
from saves.export import export
from saves.plain import encoded
from saves.progress import Progress
from saves.schema import ARRAY, NUMBERS, U64, Field, Place, Type
from saves.singles import texts
from saves.to_sqlite import affinity, sqlite_cells
from saves.world import open_save

EXACT = ROOT / "tests/saves/exact/world.save"
SEED = 3
SINGLE_MAX = 3.4028234663852886e38  # of four bytes; what is rounded may lie above


@pytest.fixture(scope="module", params=["exact", "random"])
def save(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small world with every storage and type, and a random one."""
    if request.param == "exact":
        return EXACT
    path: Path = tmp_path_factory.mktemp("random") / "world.save"
    dump = built("build/clang/json/narrow/dump")
    world = subprocess.run([dump, str(SEED), path], capture_output=True, check=True).stdout
    path.with_suffix(".json").write_bytes(world)
    return path


def exported(save: Path, to: str, folder: Path) -> Path:
    out = folder / f"out.{to}"
    entities = len(read(save.read_bytes())["entities"])
    done = Saves().run("export", save, "--to", to, "--out", out)
    assert (done.code, done.out) == (0, f"{out}: {entities:,} entities as {to}\n")
    assert [path.name for path in folder.iterdir()] == [out.name]
    return out


def values_of(component: Any) -> Any:
    """A value without structs, as a database has it: fields by path, arrays and lists as JSON."""
    found: dict[str, Any] = {}
    for name, value in component.items():
        if isinstance(value, dict):
            found |= {f"{name}.{inner}": one for inner, one in values_of(value).items()}
        else:
            found[name] = json.dumps(value) if isinstance(value, list) else value
    return found


def rows(world: dict[str, Any], component: str) -> dict[tuple[int, int], dict[str, Any]]:
    """Returns what there is of a component, by index and generation."""
    return {
        key(entity["id"]): values_of(entity["components"][component])
        for entity in world["entities"]
        if component in entity["components"]
    }


def key(handle: str) -> tuple[int, int]:
    index, generation = handle.split(":")
    return int(index), int(generation)


def data_components(world: dict[str, Any]) -> list[str]:
    found = world["schema"]["components"].items()
    return [name for name, one in found if one["storage"] != "tag"]


def tags(world: dict[str, Any]) -> set[tuple[tuple[int, int], str]]:
    return {
        (key(entity["id"]), name)
        for entity in world["entities"]
        for name, value in entity["components"].items()
        if value is True
    }


def links(world: dict[str, Any], relation: str) -> list[tuple[int, int]]:
    return [tuple(link) for link in world["relations"].get(relation, [])]


def test_json_is_what_the_world_says_of_itself(save: Path, tmp_path: Path) -> None:
    out = exported(save, "json", tmp_path)
    text = out.read_text(encoding="ascii")
    world, told = read(save.read_bytes()), json.loads(text)
    sections = ["relations", *(["links"] if open_save(str(save)).schema.links else [])]
    assert '\n  ],\n  "relations": {' in text
    last = sections[-1]
    assert text.endswith("\n  }\n}\n" if told[last] else f'  "{last}": {{}}\n}}\n')
    assert list(told) == ["weft", "world", "singletons", "entities", *sections]
    assert told["weft"] == 1
    assert told["entities"] == world["entities"]
    assert disagreements(world, told) == []
    own = save.with_suffix(".json")
    if own.exists():
        assert disagreements(world, json.loads(own.read_bytes())) == []
        assert [line["id"] for line in told["entities"]] == [
            line["id"] for line in json.loads(own.read_bytes())["entities"]
        ]


def test_csv_has_a_file_for_each_component(save: Path, tmp_path: Path) -> None:
    folder = exported(save, "csv", tmp_path)
    world = read(save.read_bytes())

    def sheet(name: str) -> list[dict[str, str]]:
        with open(folder / f"{name}.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def cell(value: Any) -> str:
        fixed = {None: "", True: "true", False: "false"}
        text = fixed[value] if value is None or isinstance(value, bool) else str(value)
        return text.encode("utf-8", "backslashreplace").decode()

    def index(row: dict[str, str]) -> tuple[int, int]:
        return int(row.pop("_index")), int(row.pop("_generation"))

    for name in data_components(world):
        expected = {
            at: {field: cell(value) for field, value in one.items()}
            for at, one in rows(world, name).items()
        }
        assert {index(row): row for row in sheet(name)} == expected
    assert {(index(row), row["tag"]) for row in sheet("_tags")} == tags(world)
    assert {row["_handle"] for row in sheet("_entities")} == {
        entity["id"] for entity in world["entities"]
    }
    for name in world["schema"]["relations"]:
        found = [(int(row["_index"]), key(row["parent"])[0]) for row in sheet(name)]
        assert found == links(world, name)
    for name, value in world["singletons"].items():
        assert sheet(name) == [{field: cell(one) for field, one in values_of(value).items()}]
    assert sheet("_save")[0]["ticks"] == str(world["ticks"])


def test_sqlite_has_a_table_for_each_component(save: Path, tmp_path: Path) -> None:
    database = sqlite3.connect(exported(save, "sqlite", tmp_path))
    database.row_factory = sqlite3.Row
    world = read(save.read_bytes())

    def sheet(name: str) -> list[dict[str, Any]]:
        return [dict(row) for row in database.execute(f'SELECT * FROM "{name}"')]

    def cell(value: Any) -> Any:
        if isinstance(value, int) and value >= 2**63:
            return str(value)
        if isinstance(value, str):
            return value.encode("utf-8", "backslashreplace").decode()
        return value

    for name in data_components(world):
        expected = {
            at: {field: cell(value) for field, value in one.items()}
            for at, one in rows(world, name).items()
        }
        found = {(row.pop("_index"), row.pop("_generation")): row for row in sheet(name)}
        assert found == expected
    found_tags = {((row["_index"], row["_generation"]), row["tag"]) for row in sheet("_tags")}
    assert found_tags == tags(world)
    for name in world["schema"]["relations"]:
        found_links = [(row["_index"], key(row["parent"])[0]) for row in sheet(name)]
        assert found_links == links(world, name)
    joined = "SELECT count(*) FROM _entities JOIN carried_by ON _handle = parent"
    if "carried_by" in world["schema"]["relations"]:
        assert database.execute(joined).fetchone()[0] == len(links(world, "carried_by"))
    database.close()


def test_only_components_have_a_span_for_each_field() -> None:
    schema = open_save(str(EXACT), Progress()).schema
    whole = [thing for thing in (*schema.singletons, *schema.events) if len(thing.fields) > 1]
    assert whole
    assert {leaf.column for thing in whole for leaf in leaves(schema, thing)} == {0}


def test_sqlite_has_numbers_beyond_its_own_as_texts() -> None:
    days = Field("days", Type(U64), Place(0, 8, 8))
    ends = [0, 2**63 - 1, 2**63]
    assert sqlite_cells(days, ends) == [0, 2**63 - 1, str(2**63)]
    assert sqlite_cells(days, [2**64 - 1, 1]) == [str(2**64 - 1), 1]


def test_a_type_behind_all_others_can_be_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    """Types are numbered as they came to be: those of numbers lie in no one range."""
    last = max(NUMBERS) + 100
    monkeypatch.setitem(NUMBERS, last, "I")
    assert affinity(Field("days", Type(last), Place(0, 4, 4))) == "INTEGER"
    assert encoded(Field("days", Type(last, shape=ARRAY, count=2), Place(0, 8, 4)), [[1, 2]]) == [
        "[1, 2]"
    ]


def test_csv_has_a_row_for_each_text(tmp_path: Path) -> None:
    """Also where a text is empty, alone in its row, or ends lines."""
    texts = ["", "a,b", 'say "hm"', "two\nlines", "two\rlines", "\r\n", ",", '"', " plain "]
    save = open_save(str(EXACT), Progress())
    event = save.schema.events[0]
    event.fields = [field for field in event.fields if field.name == "text"]
    save.events["rumor"]["values"] = [{"text": text} for text in texts]
    export(save, "csv", str(tmp_path / "out"), Progress())
    with open(tmp_path / "out/rumor.csv", encoding="utf-8", newline="") as file:
        assert [row["text"] for row in csv.DictReader(file)] == texts


def test_events_without_saved_fields_have_no_rows(tmp_path: Path) -> None:
    save = open_save(str(EXACT), Progress())
    event = save.schema.events[0]
    event.fields = [replace(field, save=False) for field in event.fields]
    for to in ("csv", "sqlite", "json"):
        export(save, to, str(tmp_path / to), Progress())
    assert (tmp_path / "csv/rumor.csv").read_text() == "\n"


def test_numbers_of_four_bytes_are_as_short_as_can_be() -> None:
    """Those that come often are worked out once, in a way of its own."""
    some = Random(5)
    floats = [some.choice((0.1, -2.5, 1e30, 72.0, 0.0, -0.0, inf, -inf)) for _ in range(3000)]
    for words in (
        [some.getrandbits(32) for _ in range(3000)],
        [some.getrandbits(23) | 0x3F800000 for _ in range(3000)],
        list(struct.unpack("3000I", struct.pack("3000f", *floats))),
    ):
        numbers = struct.unpack("3000f", struct.pack("3000I", *words))
        expected = [_shortest(number) for number in numbers]
        assert texts(words, "<%s>") == expected


def _shortest(number: float) -> str:
    """Returns the number of fewest digits, six at least, that is that one, as Python writes it."""
    if not isfinite(number):
        return f"<{number}>"
    found = (float(f"{number:.{digits}g}") for digits in range(6, 10))
    whole = struct.pack("f", number)
    return repr(next(one for one in found if struct.pack("f", min(one, SINGLE_MAX)) == whole))


def test_events_that_wait_are_a_sheet(tmp_path: Path) -> None:
    folder = exported(EXACT, "csv", tmp_path)
    values = read(EXACT.read_bytes())["events"]["rumor"]["values"]
    with open(folder / "rumor.csv", encoding="utf-8", newline="") as file:
        assert [row["text"] for row in csv.DictReader(file)] == [one["text"] for one in values]


def saved_colony(folder: Path, villagers: int, tiles: int) -> Path:
    save = folder / f"{tiles}.save"
    size = ("--villagers", str(villagers), "--map", str(tiles))
    command = (program(GAME), *size, "--ticks", "0", "--quiet", "--save", save)
    subprocess.run(command, check=True, capture_output=True)
    return save


def calls_of_export(path: Path, to: str) -> tuple[int, int]:
    """Returns how many entities a save has, and how many functions its export calls."""
    calls = 0

    def note(_frame: object, event: str, _what: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    save = open_save(str(path), Progress())
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        export(save, to, str(path.with_suffix(f".{to}")), Progress())
    finally:
        sys.setprofile(before)
    return sum(len(table.handles) for table in save.tables), calls


@pytest.mark.parametrize("to", ["json", "csv", "sqlite"])
def test_an_export_calls_few_functions_for_an_entity(to: str, tmp_path: Path) -> None:
    """Loops over rows run inside of Python's own functions, however many there are. This is what
    a million entities in less than ten seconds come from, and no clock has to tell it."""
    few, some = calls_of_export(saved_colony(tmp_path, 200, 96), to)
    many, more = calls_of_export(saved_colony(tmp_path, 2000, 384), to)
    assert many > 10 * few
    assert more - some < 2 * (many - few)


@pytest.mark.parametrize("to", ["json", "csv"])
def test_progress_ends_when_all_is_written(to: str, tmp_path: Path) -> None:
    shown: list[str] = []
    progress = Progress(shown.append, count(0, 10).__next__)
    save = open_save(str(EXACT), Progress())
    export(save, to, str(tmp_path / "out"), progress)
    assert shown[-1] == f"\rwriting {to}: 100 %\x1b[K"


def test_nothing_that_is_there_is_written_over(tmp_path: Path) -> None:
    out = tmp_path / "mine"
    out.write_text("mine")
    done = Saves().run("export", EXACT, "--to", "json", "--out", out)
    assert done.code == 2
    assert done.err == f"error: '{out}' already exists: delete it, or write another path\n"
    assert out.read_text() == "mine"
    done = Saves().run("export", EXACT, "--to", "csv", "--out", tmp_path / "no/folder")
    assert done.code == 2
    assert done.err == f"error: cannot write '{tmp_path}/no/folder': no such file or directory\n"


def test_parquet_without_pyarrow_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    done = Saves().run("export", EXACT, "--to", "parquet", "--out", tmp_path / "out")
    assert done.code == 2
    needed = "Parquet needs pyarrow: run pip install 'weft[parquet]', or write json, csv or sqlite"
    assert done.err == f"error: {needed}\n"
    assert list(tmp_path.iterdir()) == []
