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
