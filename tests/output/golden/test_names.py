"""Every identifier in generated code is one that the check for collisions knows of."""

from __future__ import annotations

from pathlib import Path

import pytest

from definitions import definitions, macros
from generated import Generated, generate_all, golden_cases
from names.claims import claims


def thing_named(name: str) -> Generated:
    return next(thing for thing in generate_all() if thing.name == name)


def defined(thing: Generated, out: Path) -> set[str]:
    """Asks about all C files as one, and about every header."""
    own = thing.write(out)
    includes = [*sorted(path.name for path in own.glob("*.c")), f"{thing.world}.h"]
    whole = out / "whole.c"
    whole.write_text("".join(f'#include "{name}"\n' for name in includes), encoding="utf-8")
    return definitions(whole, [thing.own_headers], own) | macros(thing.files.values())


@pytest.mark.parametrize("name", [*golden_cases(), "colony"])
def test_every_identifier_is_claimed(name: str, tmp_path: Path) -> None:
    thing = thing_named(name)
    claimed = {claim.identifier for claim in claims(thing.model)}
    assert defined(thing, tmp_path) - claimed == set()


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
