"""Links in JSON, in the JSON Schema and in exports of saves agree."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from built import built
from json_schemas.export import export
from parse import parse
from saves.to_json import to_json
from saves.world import open_save
from schema_files import ROOT
from source.source import Report

SCHEMA = json.loads(export(parse(str(ROOT / "tests/runtime/json/ties.toml"), Report()).model))
WORLD = Draft202012Validator(SCHEMA)
ENTITY = Draft202012Validator({"$ref": "#/$defs/entity", "$defs": SCHEMA["$defs"]})


def dump(seed: int, save: Path) -> tuple[str, str]:
    """Returns a world and one of its entities as text, and saves the world."""
    program = built("build/clang/json/dump_links")
    done = subprocess.run([program, str(seed), save], capture_output=True, check=True)
    world, entity, rest = done.stdout.decode("utf-8").split("\0")
    assert rest == ""
    return world, entity


@pytest.mark.parametrize("seed", range(4))
def test_an_export_of_a_save_is_what_the_world_writes(seed: int, tmp_path: Path) -> None:
    world, _ = dump(seed, tmp_path / "a.save")
    to_json(open_save(str(tmp_path / "a.save")), str(tmp_path / "a.json"), lambda rows: None)
    assert json.loads((tmp_path / "a.json").read_text(encoding="ascii")) == json.loads(world)
    links = json.loads(world)["links"]
    assert min(len(kind) for kind in links.values()) > 20


def test_the_schema_takes_links(tmp_path: Path) -> None:
    world, entity = dump(1, tmp_path / "a.save")
    assert [each.message for each in WORLD.iter_errors(json.loads(world))] == []
    assert [each.message for each in ENTITY.iter_errors(json.loads(entity))] == []
    assert json.loads(entity)["links"].keys() >= {"owes", "knows"}


WRONG: list[dict[str, Any]] = [
    {"ows": []},
    {"owes": [{"from": "0:1"}]},
    {"owes": [["0:1", "1:1"]]},
    {"owes": [{"from": "0:1", "to": None}]},
    {"owes": [{"from": "0:1", "to": "1:1", "value": {"gold": 1001}}]},
    {"owes": [{"from": "0:1", "to": "1:1", "value": {"silver": 1}}]},
    {"knows": [{"from": "0:1", "to": "1:1", "value": {}}]},
]


@pytest.mark.parametrize("links", WRONG)
def test_the_schema_refuses_wrong_links(links: dict[str, Any]) -> None:
    world = {"weft": 1, "world": "ties", "entities": [], "links": links}
    assert not WORLD.is_valid(world)
    assert WORLD.is_valid(world | {"links": {"knows": [{"from": "0:1", "to": "1:1"}]}})


def test_an_entity_names_only_the_other_end() -> None:
    assert ENTITY.is_valid({"links": {"owes": [{"from": "0:1", "value": {"gold": 1}}]}})
    assert not ENTITY.is_valid({"links": {"owes": [{"from": "0:1", "to": "1:1"}]}})
    assert not ENTITY.is_valid({"links": {"owes": [{}]}})
    inside = {"weft": 1, "world": "ties", "entities": [{"id": "0:1", "links": {}}]}
    assert not WORLD.is_valid(inside)  # links of a world are a part of their own
