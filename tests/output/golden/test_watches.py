"""Which sets of change bits a reader needs, and which of them it can share."""

from __future__ import annotations

from pathlib import Path

import pytest

from generated import model_of
from model.readers import Readers

SCHEMA = """\
[world]
name = "w"
phases = ["go"]

[component.place]
fields = { x = "f32" }

"""
ALONE = {
    "a system": '[system.look]\nphase = "go"\nremoved = ["place"]\n',
    "a listener": '[listener.look]\nremoved = ["place"]\n',
}


@pytest.mark.parametrize("reader", ALONE)
def test_a_reader_alone_keeps_no_set_of_its_own(reader: str, tmp_path: Path) -> None:
    (tmp_path / "w.toml").write_text(SCHEMA + ALONE[reader], encoding="utf-8")
    readers = Readers(model_of(tmp_path / "w.toml"))
    (view,) = readers.group("added", "place")
    assert not view.watch.own
    assert view.unseen == view.shown == view.incoming
    assert readers.change_sets() == [view.incoming]


SEVERAL = """
[component.speed]
fields = { x = "f32" }
[component.lamp]
storage = "sparse"
fields = { x = "f32" }
[component.lit]
{readers}
"""
LAMP, LIT, PLACE, SPEED = (
    f'[system.see_{name}]\nphase = "go"\nwhere = "{kind}({name})"\n'
    for name, kind in (
        ("lamp", "changed"),
        ("lit", "added"),
        ("place", "changed"),
        ("speed", "changed"),
    )
)
LOST = '[system.miss]\nphase = "go"\nremoved = ["place"]\n'


@pytest.mark.parametrize(
    ("readers", "kept"),
    [
        (PLACE, {"place": 1, "speed": 0, "lamp": 0}),
        (PLACE + LAMP + LIT, {"place": 3, "speed": 0, "lamp": 0}),
        (PLACE + SPEED, {"place": 0, "speed": 0, "lamp": 0}),
        (LAMP + LIT, {"place": 2, "speed": 2, "lamp": 2}),
        (LOST + SPEED, {"place": 0, "speed": 0}),
    ],
    ids=["one", "of tables one", "of tables two", "of no table", "lost"],
)
def test_tables_with_a_component_may_all_keep_every_set(
    readers: str, kept: dict[str, int], tmp_path: Path
) -> None:
    schema = tmp_path / "w.toml"
    schema.write_text(SCHEMA + SEVERAL.replace("{readers}", readers), encoding="utf-8")
    found = Readers(model_of(schema))
    assert {name: found.kept_with(name) for name in kept} == kept
