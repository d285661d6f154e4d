"""Each defect of the corpus is reported once and can be silenced with a reason; no game has any."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from check import check
from lint import lint
from parse import parse
from source.source import Diagnostic, Report

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
CORPUS = HERE / "corpus.toml"
GAMES = [ROOT / "schema/colony.toml", *sorted((ROOT / "tests/user").glob("*.toml"))]
ABOUT_SILENCE = {"quiet-nothing", "quiet-reason"}


def report_on(schema: str) -> Report:
    report = Report()
    parsed = parse(schema, report)
    check(parsed, report)
    assert report.errors == 0, report.render()
    checked = len(report.diagnostics())
    lint(parsed.model, report)
    assert checked == 0, report.render()
    return report


def warned(schema: Path) -> list[Diagnostic]:
    return report_on(str(schema)).diagnostics()


def ids() -> set[str]:
    """The ids in the modules of the package, each a literal."""
    texts = set()
    for path in (ROOT / "codegen/lint").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
    return {text for text in texts if re.fullmatch(r"[a-z]+-[a-z]+", text)}


def test_the_corpus_gives_exactly_this_text(monkeypatch: pytest.MonkeyPatch, update: bool) -> None:
    monkeypatch.chdir(HERE)
    said = report_on("corpus.toml").render()
    if update:
        CORPUS.with_suffix(".expected").write_text(said, encoding="utf-8")
    assert said == CORPUS.with_suffix(".expected").read_text(encoding="utf-8")


def test_each_defect_is_told_once_and_nothing_else() -> None:
    lines = enumerate(CORPUS.read_text(encoding="utf-8").splitlines(), 1)
    behind = [(number, line.partition(" # ")[2]) for number, line in lines]
    marked = [(number, id) for number, id in behind if id in ids()]
    assert [(found.place.line, found.id) for found in warned(CORPUS)] == marked


def test_the_corpus_has_every_kind_of_defect() -> None:
    assert {found.id for found in warned(CORPUS)} | ABOUT_SILENCE == ids()


def test_every_warning_comes_with_help() -> None:
    assert not [found.message for found in warned(CORPUS) if not found.help]


# The declarations of the defects, by the ids that silence them there.
SILENCE = {
    "world": "long-step",
    "enum.colour": "value-unreached", "struct.loose": "padding-order",
    "component.wings": "never-written", "component.dust": "never-read",
    "component.ghost": "never-added", "component.holes": "padding-order",
    "component.locked": "never-added", "component.folded": "never-added",
    "component.spare": "never-read", "singleton.lamp": "never-written",
    "singleton.key": "never-read", "event.echo": "never-heard", "event.knock": "never-emitted",
    "event.silence": "never-emitted", "input.unwanted": "never-heard",
    "query.crates": "query-twice", "link.string": "never-read",
    "system.seek": "lookup-unused", "system.obey": "input-missed",
}  # fmt: skip


def silenced(reason: str, folder: Path) -> Path:
    text = CORPUS.read_text(encoding="utf-8")
    for owner, id in SILENCE.items():
        text = text.replace(f"[{owner}]", f'[{owner}]\nquiet = {{ {id} = "{reason}" }}', 1)
    path = folder / "silenced.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_each_is_silenced_with_a_reason(tmp_path: Path) -> None:
    assert warned(silenced("drawn by the game", tmp_path)) == []


def test_silence_wants_a_reason(tmp_path: Path) -> None:
    found = warned(silenced(" ", tmp_path))
    assert [one.id for one in found] == ["quiet-reason"] * len(SILENCE)
    assert found[0].message == "world 'attic' silences long-step without a reason"
    assert found[1].message == "enum 'colour' silences value-unreached without a reason"


def test_silence_about_nothing_is_told(tmp_path: Path) -> None:
    text = CORPUS.read_text(encoding="utf-8")
    path = tmp_path / "needless.toml"
    path.write_text(
        text.replace("[component.torn]", '[component.torn]\nquiet = { never-read = "no" }'),
        encoding="utf-8",
    )
    found = [one for one in warned(path) if one.id in ABOUT_SILENCE]
    assert [one.message for one in found] == [
        "component 'torn' silences never-read, but there is no such warning"
    ]


@pytest.mark.parametrize("schema", GAMES, ids=lambda path: path.name)
def test_games_have_none(schema: Path) -> None:
    assert warned(schema) == []


@pytest.mark.parametrize(
    ("step", "help"),
    [
        ('"60"', 'write step = "1/60" for 60 ticks in a second;'),
        ("1.5", 'write step = "1/1.5" for 1.5 ticks in a second;'),
        ('"120 / 50"', 'write step = "50/120" for 2.4 ticks in a second;'),
        ('"1/60"', ""),
        ("1", ""),
        ("0.25", ""),
    ],
)
def test_a_tick_of_more_than_a_second_is_told(step: str, help: str, tmp_path: Path) -> None:
    path = tmp_path / "stepped.toml"
    path.write_text(f'[world]\nname = "w"\nstep = {step}\n', encoding="utf-8")
    found = warned(path)
    told = [("long-step", 3)] if help else []
    assert [(one.id, one.place.line) for one in found] == told
    assert not help or found[0].help.startswith(help)


def test_a_new_game_has_none_and_check_tells(tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        command = [sys.executable, str(ROOT / "codegen"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stdout + done.stderr

    run("init", str(tmp_path / "drift"))
    assert run("check", str(tmp_path / "drift/drift.toml")).endswith("no mistakes\n")
    assert "[query-twice]" in run("check", str(CORPUS))


def test_commands_of_one_system_may_add_anything(tmp_path: Path) -> None:
    """No schema says what commands do, so that warnings about it would be guesses."""
    path = tmp_path / "open.toml"
    text = CORPUS.read_text(encoding="utf-8")
    path.write_text(
        text.replace('emits = ["creak"', 'commands = true\nemits = ["creak"'), encoding="utf-8"
    )
    found = {one.id for one in warned(path)}
    assert not found & {"never-added", "value-unreached"}
    assert "never-written" in found  # a singleton, which commands do not reach


BY_CALLS = """
world = { name = "w", phases = ["go"] }
prefab.marker.components = { spot = {} }
component.spot = { fields = { x = "f32" } }
"""


@pytest.mark.parametrize("count", [1, 3, 13])
def test_a_game_that_adds_components_by_calls_is_not_told_of_them(
    count: int, tmp_path: Path
) -> None:
    """The schema names what it reads, and nothing in it adds these."""
    path = tmp_path / "calls.toml"
    names = [f"c{i}" for i in range(count)]
    declared = [f'component.{name} = {{ fields = {{ x = "f32" }} }}\n' for name in names]
    read = f'system.go = {{ phase = "go", read = {[*names, "spot"]} }}\n'
    path.write_text(BY_CALLS + "".join(declared) + read, encoding="utf-8")
    assert warned(path) == []


@pytest.mark.parametrize(
    ("step", "every", "told"),
    [('"1/60"', 0.05, True), ('"1/60"', 0.016, False), ("0.5", 0.5, False), ("", 0.01, True)],
)
def test_a_system_that_misses_inputs_is_told(
    step: str, every: float, told: bool, tmp_path: Path
) -> None:
    """One whose turn comes in every tick misses none."""
    path = tmp_path / "inputs.toml"
    path.write_text(
        f'[world]\nname = "w"\nphases = ["go"]\n{f"step = {step}" if step else ""}\n'
        '[input.order]\nfields = { n = "u32" }\n'
        f'[system.obey]\nphase = "go"\nevery = {every}\nhears = ["order"]\n',
        encoding="utf-8",
    )
    assert [one.id for one in warned(path)] == ["input-missed"] * told


@pytest.mark.parametrize("depth", [0, 1, 2])
@pytest.mark.parametrize(("given", "told"), [("", "bc"), ("b", "c"), ("c", "b"), ("a", "bc")])
def test_each_value_that_nothing_gives_is_told(
    depth: int, given: str, told: str, tmp_path: Path
) -> None:
    """Of an enum in a component, or in structs inside of it."""
    types = ["colour", "s0", "s1"]
    structs = [f'[struct.s{i}]\nfields = {{ v = "{types[i]}" }}\n' for i in range(depth)]
    value = f'"{given}"'
    for _ in range(depth):
        value = f"{{ v = {value} }}"
    path = tmp_path / "values.toml"
    path.write_text(
        '[world]\nname = "w"\n[enum.colour]\nvalues = ["a", "b", "c"]\n'
        + "".join(structs)
        + f'[component.box]\nfields = {{ v = "{types[depth]}" }}\n[query.all]\nread = ["box"]\n'
        + f"[prefab.chest.components]\nbox = {{ {f'v = {value}' if given else ''} }}\n",
        encoding="utf-8",
    )
    found = warned(path)
    assert [one.id for one in found] == ["value-unreached"] * len(told)
    assert [one.message.split("'")[1] for one in found] == list(told)


def test_a_value_that_only_a_part_gives_is_reached(tmp_path: Path) -> None:
    """Nothing reports the component that stores the parts either, because spawning writes it."""
    path = tmp_path / "parts.toml"
    path.write_text(
        '[world]\nname = "w"\n[enum.colour]\nvalues = ["a", "b", "c"]\n'
        '[component.box]\nfields = { v = "colour" }\n[query.all]\nread = ["box"]\n'
        '[relation.on]\non_parent_despawn = "despawn"\n'
        "[prefab.lid.components]\nbox = {}\n"
        '[prefab.chest]\nparts.lid = { prefab = "lid", by = "on", with = { box = { v = "b" } } }\n',
        encoding="utf-8",
    )
    assert [one.message.split("'")[1] for one in warned(path)] == ["c"]
