"""The check for collisions knows every identifier that generated code defines."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from compilers import UNCACHED
from definitions import LINK_SYMBOL
from emit.emit import render
from emit.files import write_tree
from model.model import Model
from names.claims import claims
from names.names import HEADERS, SOURCES, Names
from names.words import VERBS
from parse import parse
from plan import make_plan
from source.source import Report

HERE = Path(__file__).parent
RUNTIME = HERE.parents[2] / "runtime"


def model_of(schema: str) -> Model:
    return parse(str(HERE / "accepted" / schema), Report()).model


def defined(folder: Path, source: str) -> set[str]:
    """What a generated C file and its generated headers define at file scope, as clang sees it."""
    command = ["clang", "-std=c11", "-fsyntax-only", "-Xclang", "-ast-dump=json"]
    includes = [f"-I{folder}", f"-I{RUNTIME}", f"-I{HERE}/accepted/include/in"]
    done = subprocess.run(
        [*command, *includes, f"{folder}/{source}"],
        env=UNCACHED,
        capture_output=True,
        check=True,
    )
    found, file = set(), ""
    for node in json.loads(done.stdout)["inner"]:
        location = node.get("loc", {})
        file = location.get("expansionLoc", location).get("file", file)
        if file.startswith(str(folder)) and node.get("storageClass") != "static":
            found |= {node.get("name")} | _enumerators(node)
        elif file.startswith(str(folder)) and node.get("inline"):
            found.add(node["name"])
    return {name for name in found if name and not name.startswith(LINK_SYMBOL)}


def _enumerators(node: dict[str, Any]) -> set[str]:
    inner = node.get("inner", []) if node["kind"] == "EnumDecl" else []
    return {item["name"] for item in inner if item["kind"] == "EnumConstantDecl"}


@pytest.mark.parametrize("schema", ["design.toml", "edges.toml", "imports/root.toml"])
def test_everything_defined_is_claimed(schema: str, tmp_path: Path) -> None:
    model = model_of(schema)
    write_tree(str(tmp_path), render(make_plan(model)))
    names = Names(model.world.name)
    found: set[str] = set()
    for source in SOURCES:
        found |= defined(tmp_path / names.prefix, names.source(source))
    claimed = {claim.identifier for claim in claims(model)}
    assert len(found) > 50
    assert found <= claimed


@pytest.mark.parametrize("schema", ["design.toml", "edges.toml"])
def test_every_header_has_the_guard_that_is_claimed(schema: str) -> None:
    model = model_of(schema)
    claimed = {claim.identifier for claim in claims(model)}
    for path, text in render(make_plan(model)).items():
        if path.endswith(".h"):
            guard = next(line for line in text.splitlines() if line.startswith("#ifndef "))
            assert guard.removeprefix("#ifndef ") in claimed


def test_names_of_fixed_files_are_reserved_words() -> None:
    assert {*HEADERS, *SOURCES} - {""} <= VERBS


def test_a_verb_in_no_table_is_refused() -> None:
    names = Names("colony")
    for make in (names.component, names.query, names.prefab, names.singleton):
        with pytest.raises(KeyError):
            make("position", "frobnicate")
    with pytest.raises(KeyError):
        names.world("frobnicate")
    with pytest.raises(KeyError):
        names.system("movement", "position", "frobnicate")
    with pytest.raises(KeyError):
        names.cmd("position", "frobnicate")
