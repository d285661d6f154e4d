"""Which sets of change bits a reader needs, and which it shares with nothing but what comes in."""

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
