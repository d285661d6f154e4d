"""The comment on parents in a system's header fits values, tags, or both."""

from __future__ import annotations

from pathlib import Path

import pytest

from generated import generate

SCHEMA = """\
[world]
name = "w"
phases = ["go"]

[component.place]
fields = {{ x = "f32" }}

[component.hot]

[relation.tree]
on_parent_despawn = "detach"

[system.look]
phase = "go"
read = ["place"]
parent = {parents}
relation = "tree"
"""
VALUES = "is NULL if the row has no parent"
TAGS = "is true if the row has a parent with the tag"


@pytest.mark.parametrize(
    "parents, values, tags",
    [('["place"]', True, False), ('["hot"]', False, True), ('["place", "hot"]', True, True)],
)
def test_parents_are_told_of_by_their_kinds(
    parents: str, values: bool, tags: bool, tmp_path: Path
) -> None:
    schema = tmp_path / "w.toml"
    schema.write_text(SCHEMA.format(parents=parents), encoding="utf-8")
    header = " ".join(generate(schema).files["w/w_look.h"].replace("\n//", " ").split())
    assert (VALUES in header, TAGS in header) == (values, tags)
