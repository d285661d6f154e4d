"""The JSON Schema of a world as JSON is valid for every world, and right at the limits of types."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from json_schemas.export import export
from parse import parse
from schema_files import ROOT, good_files, read
from source.source import Report

ROOTS = [file for file in good_files() if "world" in read(ROOT / file)]


def validator(file: Path) -> Draft202012Validator:
    schema = json.loads(export(parse(str(file), Report()).model))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("file", ROOTS)
def test_is_a_valid_schema_that_takes_an_empty_world(file: str) -> None:
    name = read(ROOT / file)["world"]["name"]
    judge = validator(ROOT / file)
    assert judge.is_valid({"weft": 1, "world": name, "singletons": {}, "entities": []})
    assert not judge.is_valid({"weft": 2, "world": name})
    assert not judge.is_valid({"weft": 1, "world": "another"})
    assert not judge.is_valid({"weft": 1, "world": name, "frobnicate": 1})


SCHEMA = """
[world]
name = "edges"
[enum.job]
values = ["idle", "haul"]
[enum.mood]
doc = "How it feels."
values = ["calm", { name = "glad", doc = "After a meal." }]
[struct.vec2]
fields = { x = "f32", y = "f32" }
[component.selected]
[component.c.fields]
flag = "bool"
small = "i8"
bounded = { type = "u16", min = 3, max = 7 }
real = "f64"
least = { type = "f32", min = 0.1 }
most = { type = "f32", max = 0.123456789 }
who = "entity"
job = "job"
mood = "mood"
at = "vec2"
name = "char[4]"
three = "u8[3]"
some = "vec2[..2]"
[relation.part_of]
on_parent_despawn = "detach"
"""

TAKEN = {
    "flag": [True, False],
    "small": [-128, 127],
    "bounded": [3, 7],
    "real": [-1e300, 5, "nan", "inf", "-inf"],
    "least": [0.1, 1, "inf"],
    "most": [0.12345679, -1, "-inf"],
    "who": [None, "0:1", "12:345"],
    "job": ["idle", "haul"],
    "mood": ["calm", "glad"],
    "at": [{}, {"x": 1}, {"x": 1, "y": "nan"}],
    "name": ["", "abc"],
    "three": [[0, 1, 255]],
    "some": [[], [{}, {"y": 2}]],
}
REFUSED: dict[str, list[Any]] = {
    "flag": [0, None, "true"],
    "small": [-129, 128, 1.5, "1"],
    "bounded": [2, 8],
    "real": ["NaN", None, "1"],
    "least": [0.09, "-inf", "nan"],
    "most": [0.124, "inf", "nan"],
    "who": ["", "1", "0:0", "01:1", 1, "1:1:1"],
    "job": ["walk", 0],
    "mood": ["idle", 0, "After a meal."],
    "at": [{"z": 1}, [1, 2], None],
    "name": ["abcd", 1],
    "three": [[1, 2], [1, 2, 3, 4], [1, 2, 256], 1],
    "some": [[{}, {}, {}], {}],
}


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Draft202012Validator:
    file = tmp_path_factory.mktemp("edges") / "edges.toml"
    file.write_text(SCHEMA, encoding="utf-8")
    return validator(file)


def world(components: dict[str, Any]) -> dict[str, Any]:
    return {"weft": 1, "world": "edges", "entities": [{"id": "0:1", "components": components}]}


@pytest.mark.parametrize("field", TAKEN)
def test_takes_what_a_field_can_be_and_nothing_else(
    field: str, judge: Draft202012Validator
) -> None:
    for value in TAKEN[field]:
        assert judge.is_valid(world({"c": {field: value}})), value
    for value in REFUSED[field]:
        assert not judge.is_valid(world({"c": {field: value}})), value


def test_values_have_their_docs(judge: Draft202012Validator) -> None:
    values = [{"const": "calm"}, {"const": "glad", "description": "After a meal."}]
    assert judge.schema["$defs"]["type.mood"] == {"description": "How it feels.", "oneOf": values}
    assert judge.schema["$defs"]["type.job"] == {"enum": ["idle", "haul"]}


def test_tags_are_true_and_entities_have_ids(judge: Draft202012Validator) -> None:
    assert judge.is_valid(world({"selected": True}))
    assert not judge.is_valid(world({"selected": {}}))
    assert not judge.is_valid(world({"unknown": {}}))
    assert not judge.is_valid({**world({}), "entities": [{"components": {}}]})


LINKS: dict[bool, list[Any]] = {
    True: [[], [["0:1", "2:3"]], [["0:1", "2:3"], ["4:1", "2:3"]]],
    False: [{}, ["0:1"], [["0:1"]], [["0:1", None]], [["0:1", "0:0"]], [["0:1", "1:1", "2:1"]]],
}


def test_relations_are_pairs_of_handles(judge: Draft202012Validator) -> None:
    for right, texts in LINKS.items():
        for links in texts:
            assert judge.is_valid({**world({}), "relations": {"part_of": links}}) == right, links
    assert not judge.is_valid({**world({}), "relations": {"unknown": []}})


def test_only_an_entity_alone_has_parents(judge: Draft202012Validator) -> None:
    alone = judge.evolve(schema={"$defs": judge.schema["$defs"], "$ref": "#/$defs/entity"})
    for parents in ({}, {"part_of": "0:1"}, {"part_of": None}):
        assert alone.is_valid({"components": {}, "parents": parents})
        inside = {"id": "0:1", "components": {}, "parents": parents}
        assert not judge.is_valid({**world({}), "entities": [inside]})
    for parents in ({"part_of": 1}, {"unknown": None}):
        assert not alone.is_valid({"components": {}, "parents": parents})
