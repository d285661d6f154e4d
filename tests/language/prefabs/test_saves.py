"""`check --saves` predicts what an edit of parts does to saves, in which a hidden component stores
their handles.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from lock_files import Recorded, codegen

WORLD = '[world]\nname = "evolve"\nphases = ["only"]\n'
TANK = """
[component.rim]
fields = { size = "f32" }
[relation.on]
on_parent_despawn = "despawn"
[prefab.wheel]
components = { rim = {} }
[prefab.tank]
components = { rim = {} }
parts.wheel = { prefab = "wheel", by = "on", count = 2 }
parts.spare = { prefab = "wheel", by = "on" }
"""
SPARE = 'parts.spare = { prefab = "wheel", by = "on" }'

EDITS = {
    "nothing": ("", "", []),
    "part renamed": (
        "parts.spare = {",
        'parts.extra = { was = "spare",',
        [
            "whole: field 'extra' of component 'tank_parts' was renamed from 'spare': saves keep "
            "it; source code that uses it does not compile"
        ],
    ),
    "part removed": (
        SPARE,
        "",
        [
            "loses: field 'spare' of component 'tank_parts' was removed: saves lose it; source "
            "code that uses it does not compile"
        ],
    ),
    "prefab renamed": (
        "[prefab.tank]",
        '[prefab.truck]\nwas = "tank"',
        [
            "whole: component 'truck_parts' was renamed from 'tank_parts': saves keep it; source "
            "code that uses it does not compile"
        ],
    ),
    "part added": (
        SPARE,
        f'{SPARE}\nparts.more = {{ prefab = "wheel", by = "on" }}',
        ["whole: field 'more' of component 'tank_parts' is new: saves get its default"],
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_of_parts_has_its_verdict(edit: str, tmp_path: Path) -> None:
    before, after, verdicts = EDITS[edit]
    recorded = Recorded(tmp_path, WORLD)
    recorded.lock(TANK)
    changed = TANK.replace(before, after) if before else TANK
    assert changed != TANK or not before
    assert [line.strip() for line in recorded.verdicts(changed)[1:]] == verdicts


def test_a_variant_with_more_of_a_part_keeps_saves(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path, WORLD)
    recorded.lock(TANK)
    variant = '[prefab.large]\nis = "tank"\nparts = { wheel = { count = 5 } }\n'
    summary, *lines = recorded.verdicts(TANK + variant)
    assert summary == "a save of release 1 loads completely"
    assert "'wheel' of component 'tank_parts'" in lines[0]


def test_the_remedy_of_a_renamed_prefab_names_the_prefab(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path, WORLD)
    recorded.lock(TANK)
    recorded.write(TANK.replace("[prefab.tank]", "[prefab.truck]"))
    done = codegen("check", recorded.schema)
    assert (
        "help: 'truck_parts' is new: if it is the new name of 'tank_parts', "
        'write was = "tank" in [prefab.truck]; if this is intended' in done.stderr
    )
