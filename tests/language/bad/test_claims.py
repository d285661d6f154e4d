"""All generated names come from tables, which the check for collisions uses.

tests/output/golden/test_names.py checks that these tables contain every identifier of generated
code.
"""

from __future__ import annotations

import re
import tomllib
from itertools import combinations
from pathlib import Path

import pytest

from check import check
from emit.emit import render
from model.model import Model
from model.named import declarations
from names.claims import claims
from names.names import HEADERS, SOURCES, Names
from names.words import VERBS
from parse import parse
from parse.keys import FILE, Named
from plan import make_plan
from source.source import Report
from toml_text import toml

HERE = Path(__file__).parent


def model_of(schema: str) -> Model:
    return parse(str(HERE / "accepted" / schema), Report()).model


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


def test_every_claim_names_the_declaration_that_makes_it() -> None:
    """Messages point at it, in the words of the schema."""
    schema = HERE.parents[1] / "output/golden/any_name.toml"
    model = parse(str(schema), Report()).model
    owners = {(one.kind, one.name) for one in declarations(model)}
    owners |= {("phase", phase.name) for phase in model.world.phases} | {("world", "")}
    made = list(claims(model))
    assert {claim.owner for claim in made} == owners
    for claim in made:
        kind, name = claim.owner
        named = f"{kind} '{name}'" in claim.what or (kind == "world" and claim.what)
        part = re.search(rf"'{re.escape(name)}'", claim.what) and kind in ("query", "system")
        assert named or part, claim


KINDS = [key.name for key in FILE.keys if isinstance(key.form, Named)]


def test_each_section_becomes_declarations() -> None:
    """A section that only parse/keys.py names would be accepted, and have no effect."""
    schema = HERE.parents[1] / "output/golden/any_name.toml"
    found = {one.kind for one in declarations(parse(str(schema), Report()).model)}
    missing = sorted({*KINDS} - found)
    steps = "declare one in any_name.toml, read it in parse/__init__.py, list it in model/named.py"
    assert not missing, f"{missing}: {steps}"


@pytest.mark.parametrize(("one", "other"), combinations(KINDS, 2), ids=str)
def test_no_two_kinds_of_declarations_share_a_name(one: str, other: str, tmp_path: Path) -> None:
    """Also kinds that the model keeps together, as events and inputs."""
    schema = tomllib.loads((HERE.parents[1] / "output/golden/any_name.toml").read_text("utf-8"))
    for kind in (one, other):
        schema[kind]["p_both"] = next(iter(schema[kind].values()))
    file = tmp_path / "s.toml"
    file.write_bytes(toml(schema))
    report = Report()
    check(parse(str(file), report), report)
    assert "duplicate-name" in {found.id for found in report.diagnostics()}
