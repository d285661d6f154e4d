"""The check for collisions knows every identifier in generated code.

The code is read in two ways. For the golden cases a compiler lists the definitions at file scope,
including statics of C files. For all schemas of the tests every word that begins with the name of
the world counts, in every file, because anything that is used must be defined. This covers headers
that no other file includes, and the header for C++.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from compilers import ROOT, RUNTIME
from definitions import code, definitions, macros
from emit.emit import render
from generated import Generated, generate_all, golden_cases, model_of
from model.model import Model
from model.named import everything
from names.claims import claims
from plan import make_plan

WORD = re.compile(r"[A-Za-z_]\w*")


def schemas() -> list[Path]:
    """Every schema of a world in the repository that is meant to be right."""
    found = [*(ROOT / "tests").rglob("*.toml"), *(ROOT / "schema").glob("*.toml")]
    bad = ROOT / "tests/language/bad"
    return sorted(
        path
        for path in found
        if "[world]" in path.read_text(encoding="utf-8", errors="replace")
        and (not path.is_relative_to(bad) or path.is_relative_to(bad / "accepted"))
    )


def of_the_world(model: Model, files: dict[str, str]) -> Iterator[str]:
    """Yields the identifiers that begin as those of the world do, in small letters or capitals.

    Names that the schema gives to members, and those of C types of the game, are not made here.
    """
    prefixes = (f"{model.world.name}_", f"{model.world.name}_".upper())
    others = {named.name for named in everything(model)} | runtime_words()
    for owner in (model.types.externs, model.data.kept.resources):
        others |= {word for one in owner.values() for word in WORD.findall(one.c)}
    for text in files.values():
        yield from (
            word
            for word in WORD.findall(code(text))
            if word.startswith(prefixes) and word not in others
        )


@cache
def runtime_words() -> frozenset[str]:
    texts = (path.read_text(encoding="utf-8") for path in RUNTIME.rglob("*.h"))
    return frozenset(word for text in texts for word in WORD.findall(code(text)))


def thing_named(name: str) -> Generated:
    return next(thing for thing in generate_all() if thing.name == name)


def defined(thing: Generated, out: Path) -> set[str]:
    """Asks about all C files as one, and about every header."""
    own = thing.write(out)
    files = [path.name for kind in ("*.c", "*.h") for path in sorted(own.glob(kind))]
    whole = out / "whole.c"
    whole.write_text("".join(f'#include "{name}"\n' for name in files), encoding="utf-8")
    return definitions(whole, [thing.own_headers], own) | macros(thing.files.values())


@pytest.mark.parametrize("name", [*golden_cases(), "colony"])
def test_every_identifier_is_claimed(name: str, tmp_path: Path) -> None:
    thing = thing_named(name)
    claimed = {claim.identifier for claim in claims(thing.model)}
    assert defined(thing, tmp_path) - claimed == set()


def test_every_identifier_of_the_world_is_claimed_in_every_file() -> None:
    missing: dict[str, set[str]] = {}
    kinds: set[str] = set()
    for schema in schemas():
        model = model_of(schema, strict=False)
        files = render(make_plan(model))
        found = set(of_the_world(model, files))
        claimed = {claim.identifier for claim in claims(model)}
        assert {f"{model.world.name}_insight", f"{model.world.name}_open"} <= found
        kinds |= {claim.owner[0] for claim in claims(model)}
        if found - claimed:
            missing[str(schema)] = found - claimed
    assert missing == {}
    assert len(kinds) > 15, kinds


def test_identifiers_are_found(tmp_path: Path) -> None:
    thing = thing_named("system")
    found = defined(thing, tmp_path)
    assert found >= {
        "act_world",
        "act_place",
        "act_place_get",
        "act_everything_ctx",
        "act_stores_iter",
        "ACT_COLUMN_PLACE",
        "ACT_BUFFER_EVERYTHING",
        "ACT_PLACE_H",
        "run_everything",
        "fields_place",
        "act_world_plan",
    }
    assert not found & {"weft_world", "WEFT_OK", "size_t", "puts", "ctx", "dt"}
