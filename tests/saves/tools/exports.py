"""Other programs read exports of saves: jq, SQLite's own shell, pandas, pyarrow."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from built import ROOT
from reader import read

SAVE = ROOT / "tests/saves/exact/world.save"
PYTHON = ROOT / ".venv/look/bin/python3"  # which has pyarrow and pandas


def told(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def export(to: str, folder: Path) -> Path:
    out = folder / f"out.{to}"
    codegen = ROOT / "codegen"
    told(PYTHON, codegen, "saves", "export", SAVE, "--to", to, "--out", out)
    return out


@pytest.fixture(scope="module")
def world() -> dict[str, Any]:
    return read(SAVE.read_bytes())


def components(world: dict[str, Any], name: str) -> list[dict[str, Any]]:
    """Returns each entity's values of a component, with fields of structs by path."""
    return [
        {"_index": int(entity["id"].split(":")[0]), "_generation": int(entity["id"].split(":")[1])}
        | flat(entity["components"][name])
        for entity in world["entities"]
        if name in entity["components"]
    ]


def flat(value: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, one in value.items():
        inner = (
            {f"{name}.{part}": it for part, it in flat(one).items()}
            if isinstance(one, dict)
            else {}
        )
        found |= inner or {name: one}
    return found


def data_components(world: dict[str, Any]) -> list[str]:
    found = world["schema"]["components"].items()
    return [name for name, one in found if one["storage"] != "tag"]


def test_jq_reads_json(tmp_path: Path, world: dict[str, Any]) -> None:
    """It has all numbers as those of eight bytes, so that long ones lose digits."""
    read_back = told("jq", ".entities", export("json", tmp_path))
    entities = json.dumps(world["entities"])
    assert json.loads(read_back, parse_int=float) == json.loads(entities, parse_int=float)


def test_the_shell_of_sqlite_reads_a_database(tmp_path: Path, world: dict[str, Any]) -> None:
    database = export("sqlite", tmp_path)
    assert told("sqlite3", database, "PRAGMA integrity_check") == "ok\n"
    rows = json.loads(told("sqlite3", "-json", database, "SELECT * FROM fever"))
    assert sorted(rows, key=lambda row: row["_index"]) == components(world, "fever")
    asked = "SELECT value FROM shapes, json_each(moods) WHERE _index = 1"
    moods = next(one["moods"] for one in components(world, "shapes") if one["_index"] == 1)
    assert told("sqlite3", database, asked).split() == moods
    asked = "SELECT u FROM numbers ORDER BY _index"
    found = [str(one["u"]) for one in components(world, "numbers")]
    assert told("sqlite3", database, asked).split() == found


def test_pandas_reads_csv(tmp_path: Path, world: dict[str, Any]) -> None:
    folder = export("csv", tmp_path)
    code = (
        "import sys, pandas; print(pandas.read_csv(sys.argv[1], float_precision='round_trip')"
        ".sort_values('_index').to_json(orient='records', double_precision=15))"
    )
    rows = json.loads(told(PYTHON, "-c", code, folder / "numbers.csv"))
    expected = components(world, "numbers")
    for one in expected:
        for name in ("rest", "luck.state"):
            one[name] = json.dumps(one[name])
    assert rows == expected


def test_pyarrow_reads_parquet(tmp_path: Path, world: dict[str, Any]) -> None:
    folder = export("parquet", tmp_path)
    code = (
        "import sys, json, pyarrow.parquet as p; t = p.read_table(sys.argv[1]); "
        "print(json.dumps([t.to_pylist(), {f.name: str(f.type) for f in t.schema}]))"
    )
    for name in data_components(world):
        rows, types = json.loads(told(PYTHON, "-c", code, folder / f"{name}.parquet"))
        rows.sort(key=lambda row: row["_index"])
        assert [singles(row, types) for row in rows] == [
            singles(row, types) for row in components(world, name)
        ]
        assert types["_index"] == "uint32"


def singles(row: dict[str, Any], types: dict[str, str]) -> dict[str, Any]:
    """Rounds what is a number of four bytes, of which JSON has fewer digits than Parquet."""
    return {
        name: f"{value:.6g}" if types[name] == "float" else value for name, value in row.items()
    }
