"""Verdicts that one more word in the schema changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lock_files import Recorded, codegen
from probes import WORLD

BREAKS = "; source code that uses it does not compile"
BODY = "[component.body.fields]\n"
ONCE = (
    '[state.game]\nvalues = ["menu", "play"]\n'
    '[system.start]\nphase = "only"\nenters = "game.play"\n'
)


def two(of_a: str, of_b: str) -> str:
    fields = 'fields = { x = "u8" }\n'
    return f"[component.a]\n{of_a}{fields}[component.b]\n{of_b}{fields}"


def extern(members: str) -> str:
    return (
        '[extern.mat]\nheader = "mat.h"\nc = "mat"\nsize = 8\nalign = 4\n'
        f'fields = {{ {members} }}\n{BODY}m = "mat"\n'
    )


def pair(members: str) -> str:
    """One that is saved, and one that is not."""
    fields = 'a = "pair"\nb = { type = "pair", save = false }\n'
    return f"[struct.pair]\nfields = {{ {members} }}\n{BODY}{fields}"


@pytest.mark.parametrize(
    ("before", "after", "verdicts"),
    [
        pytest.param(
            extern('a = "f32"'), extern('b = { type = "f32", was = "a" }'),
            ["whole: field 'b' of extern 'mat' was renamed from 'a': saves keep it"],
            id="members-of-externs-are-the-games-own",
        ),
        pytest.param(
            pair('x = "u8", y = "u8"'), pair('x = "u8"'),
            [f"loses: field 'y' of struct 'pair' was removed: saves lose it{BREAKS}"],
            id="what-is-lost-is-said-once",
        ),
        pytest.param(
            f'{BODY}x = "u8"\ny = {{ type = "u8", save = false }}\n', f'{BODY}x = "u8"\n',
            [f"whole: field 'y' of component 'body' was removed: saves never contained it{BREAKS}"],
            id="what-was-not-saved-is-not-lost",
        ),
        pytest.param(
            two("", ""), two('excludes = ["b"]\n', ""),
            ["may be refused: component 'a' excludes 'b': saves are refused if an entity has both"],
            id="excludes",
        ),
        pytest.param(
            two('excludes = ["b"]\n', ""), two("", 'excludes = ["a"]\n'),
            [], id="excludes-the-other-way-round",
        ),
        pytest.param(
            two("", 'excludes = ["a"]\n'), two('excludes = ["b"]\n', ""),
            [], id="excludes-this-way-round",
        ),
        pytest.param(
            ONCE, f"{ONCE}{BODY}x = \"u8\"\n",
            ["whole: component 'body' is new: saves do not contain it"],
            id="which-turns-are-due-is-not-new",
        ),
    ],
)  # fmt: skip
def test_exactly_so(tmp_path: Path, before: str, after: str, verdicts: list[str]) -> None:
    recorded = Recorded(tmp_path, WORLD)
    recorded.lock(before)
    _, *said = recorded.verdicts(after)
    assert [line.strip() for line in said] == verdicts


def test_no_other_name_is_offered_for_what_cannot_be_it(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path, WORLD)
    recorded.lock(f'{BODY}home = "entity"\n')
    recorded.write(f'{BODY}homes = "entity[4]"\nhomely = "f32"\n')
    said = codegen("check", recorded.schema).stderr
    assert "help: if this is intended, the next `lock` accepts it\n" in said
    recorded.write(f'{BODY}homes = "entity[4]"\nplace = "entity"\n')
    assert "place" in codegen("check", recorded.schema).stderr.split("help: ")[1]


def test_a_new_name_is_offered_although_a_field_was_added_too(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path, WORLD)
    recorded.lock('[component.hunger]\nfields = { level = "f32" }\n')
    recorded.write('[component.appetite]\nfields = { level = "f32", rate = "u8" }\n')
    told = codegen("check", recorded.schema).stderr
    assert "if it is the new name of 'hunger', write was = \"hunger\" there" in told
