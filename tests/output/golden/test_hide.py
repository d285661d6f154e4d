"""Hiding a tag equals `& !tag` in each selection that does not name the tag, to the letter."""

from __future__ import annotations

from pathlib import Path

from check import check
from emit.emit import render
from parse import parse
from plan import make_plan
from source.source import Report

HIDDEN = """\
[world]
name = "w"
phases = ["go"]
hide = ["disabled", "asleep"]

[component.position]
fields = { x = "f32" }

[component.kick]
storage = "sparse"
fields = { x = "f32" }

[component.disabled]

[component.asleep]

[query.all]

[query.seen]
read = ["position"]
where = "changed(position)"

[query.either]
read = ["position"]
where = "kick | asleep"

[query.sleepers]
optional = ["asleep", "disabled"]

[system.once]
phase = "go"
commands = true

[system.move]
phase = "go"
write = ["position"]
parallel = true

[system.fly]
phase = "go"
after = ["move"]
read = ["kick"]
write = ["position", "asleep"]
where = "position & !added(asleep)"
rows = "list"

[system.told]
phase = "go"
after = ["fly"]
where = "removed(disabled)"
queries = ["all", "seen"]
"""

# By hand: each table that names less, and its where.
WRITTEN = {
    "[query.all]\n": 'where = "!disabled & !asleep"\n',
    'where = "changed(position)"\n': 'where = "changed(position) & !disabled & !asleep"\n',
    'where = "kick | asleep"\n': 'where = "(kick | asleep) & !disabled"\n',
    'write = ["position"]\n': 'where = "!disabled & !asleep"\n',
    'where = "position & !added(asleep)"\n': 'where = "position & !added(asleep) & !disabled"\n',
    'where = "removed(disabled)"\n': 'where = "removed(disabled) & !asleep"\n',
}


def generated(text: str, folder: Path) -> dict[str, str]:
    folder.mkdir()
    schema = folder / "w.toml"
    schema.write_text(text, encoding="utf-8")
    report = Report()
    parsed = parse(str(schema), report)
    check(parsed, report)
    assert not report.errors
    return render(make_plan(parsed.model))


def test_hiding_is_a_negated_tag_in_each_selection(tmp_path: Path) -> None:
    by_hand = HIDDEN.replace('hide = ["disabled", "asleep"]\n', "")
    for line, where in WRITTEN.items():
        assert by_hand.count(line) == 1
        kept = "" if line.startswith("where") else line
        by_hand = by_hand.replace(line, kept + where)
    hidden = generated(HIDDEN, tmp_path / "hidden")
    assert hidden == generated(by_hand, tmp_path / "by_hand")
    assert "disabled" not in hidden["w/w_once.h"]


INDEXES = """
[index.by_x]
of = "position"
ordered = "x"

[index.awake]
of = "position"
ordered = "x"
where = "kick & (asleep | !asleep)"

[index.all_of_them]
of = "position"
ordered = "x"
where = "disabled | asleep | position"
"""

INDEXED = {
    "by_x": "Indexes the entities with position, by ordered x of position. No call finds an entity "
    "with the tag disabled or asleep, because the world hides it and `where` of the index does not "
    "name the tag.",
    "awake": "Indexes the entities with position and `kick & (asleep | !asleep)`, by ordered x of "
    "position. No call finds an entity with the tag disabled, because the world hides it and "
    "`where` of the index does not name the tag.",
    "all_of_them": "Indexes the entities with position and `disabled | asleep | position`, by "
    "ordered x of position. The index is brought up to date by each call",
}


def test_an_index_names_the_tags_that_hide_entities_from_it(tmp_path: Path) -> None:
    files = generated(HIDDEN + INDEXES, tmp_path / "w")
    for index, words in INDEXED.items():
        text = " ".join(files[f"w/w_{index}.h"].replace("\n// ", " ").split())
        assert words in text, text[:600]
