"""Random worlds as JSON are read by Python, by the JSON Schema, and by a fuzzer."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from built import built
from examples import SEED, rounds
from json_schemas.export import export
from parse import parse
from schema_files import ROOT
from source.source import Report

WIDTHS = ("narrow", "middle", "wide")
SEEDS = 12
RUNS = rounds(6000)  # texts that the fuzzer makes up


def dump(width: str, seed: int) -> bytes:
    program = built(f"build/clang/json/{width}/dump")
    return subprocess.run([program, str(seed)], capture_output=True, check=True).stdout


def pairs(found: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len(dict(found)) == len(found), "a name is there twice"
    return dict(found)


def refuse(word: str) -> None:
    raise AssertionError(f"{word} is not JSON")


@pytest.mark.parametrize("width", WIDTHS)
def test_is_json_of_its_schema(width: str) -> None:
    schema = json.loads(export(parse(str(ROOT / f"tests/fuzz/{width}.toml"), Report()).model))
    judge = Draft202012Validator(schema)
    seen: set[str] = set()
    linked: set[str] = set()
    for seed in range(SEEDS):
        text = dump(width, seed).decode("utf-8")
        world = json.loads(text, object_pairs_hook=pairs, parse_constant=refuse)
        assert [f"{e.json_path}: {e.message}" for e in judge.iter_errors(world)] == []
        ids = [entity["id"] for entity in world["entities"]]
        assert len(set(ids)) == len(ids)
        assert text.count("\n    {") == len(ids)  # a line each
        for entity in world["entities"]:
            seen |= entity["components"].keys()
        linked |= {name for name, links in world.get("relations", {}).items() if links}
    components = schema["$defs"]["entity"]["properties"]["components"]["properties"]
    assert seen == components.keys()
    assert linked == schema["properties"]["relations"]["properties"].keys() != set()


@pytest.mark.rounds
def test_a_fuzzer_finds_nothing(tmp_path: Path) -> None:
    for seed in range(SEEDS):
        (tmp_path / f"world{seed}").write_bytes(dump("middle", seed))
    words = f"-dict={ROOT / 'tests/runtime/json/json.dict'}"
    fuzzer = built("build/fuzzer/fuzz_json")
    done = subprocess.run(
        [
            fuzzer,
            f"-runs={RUNS}",
            f"-seed={SEED}",
            "-max_len=4000",
            "-timeout=60",
            words,
            str(tmp_path),
        ],
        cwd=tmp_path,  # where it would leave what it found
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    assert f"Done {RUNS} runs" in done.stderr
