"""What the lock of a world says, and when it says more."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from generated import COLONY
from lock import lock_path, read_lock, with_release
from lock.text import release_document
from lock_files import Recorded, codegen
from model import Model
from parse import parse
from random_schemas import schemas
from source import Report

BODY = "[component.body.fields]\n"


def model_of(schema: Path) -> Model:
    report = Report()
    model = parse(str(schema), report).model
    assert not report.errors, report.render()
    return model


@pytest.fixture
def world(tmp_path: Path) -> Recorded:
    return Recorded(tmp_path, '[world]\nname = "evolve"\nphases = ["p"]\n')


def test_a_release_is_what_saves_know_of_the_schema(world: Recorded) -> None:
    world.write(
        'max_entities = 99\n[enum.job]\nvalues = ["idle", { name = "carry", was = "haul" }]\n'
        '[struct.at]\ndoc = "Where."\nfields = { x = { type = "f32", min = 0, default = 1 } }\n'
        '[extern.mat]\nheader = "m.h"\nc = "mat"\nsize = 8\nalign = 4\nfields = { m = "f32[2]" }\n'
        '[component.mark]\non_add = true\nexcludes = ["body"]\n'
        '[component.flag]\nsave = false\nrequires = ["mark"]\n'
        '[component.body]\nlayout = "soa"\nwas = "corpse"\n'
        'fields = { at = "at", job = { type = "job[..3]", save = false }, name = "char[8]" }\n'
        '[component.heat]\nstorage = "sparse"\nfields = { to = "entity" }\n'
        '[singleton.day]\nsave = false\nfields = { m = "mat" }\n'
        '[event.bang]\nmax = 4\nfields = { who = "entity" }\n'
        '[relation.on]\non_parent_despawn = "detach"\n'
        '[query.all]\nread = ["body"]\n[system.walk]\nphase = "p"\nwrite = ["body"]\n'
    )
    assert world.add() == "release added; keep it with the schema"
    head, text = world.file.read_text("utf-8").split("\n[[release]]\n")
    assert head.startswith("# What saves of world 'evolve' hold") and head.endswith("\nlock = 1\n")
    name, sum, rest = text.split("\n", 2)
    assert (name, len(sum)) == ('name = "1"', len('sum = "0123456789abcdef"'))
    assert rest == (
        '\n[release.world]\nname = "evolve"\n'
        "entity = { index_bits = 32, generation_bits = 32 }\nmax_entities = 99\n"
        '\n[release.enum.job]\ntype = "u8"\nvalues = ["idle", "carry"]\n'
        '\n[release.struct.at.fields]\nx = "f32"\n'
        '\n[release.extern.mat]\nheader = "m.h"\nc = "mat"\nsize = 8\nalign = 4\n'
        '[release.extern.mat.fields]\nm = "f32[2]"\n'
        '\n[release.component.mark]\nexcludes = ["body"]\n'
        '\n[release.component.flag]\nrequires = ["mark"]\nsave = false\n'
        '\n[release.component.body]\nlayout = "soa"\n[release.component.body.fields]\n'
        'at = "at"\njob = { type = "job[..3]", save = false }\nname = "char[8]"\n'
        '\n[release.component.heat]\nstorage = "sparse"\n'
        '[release.component.heat.fields]\nto = "entity"\n'
        '\n[release.singleton.day]\nsave = false\n[release.singleton.day.fields]\nm = "mat"\n'
        '\n[release.event.bang]\nmax = 4\n[release.event.bang.fields]\nwho = "entity"\n'
        '\n[release.relation.on]\non_parent_despawn = "detach"\n'
    )


def test_a_release_is_added_where_saves_differ_from_the_newest(world: Recorded) -> None:
    world.write(BODY + 'x = "u8"')
    world.add()
    first = world.file.read_text()
    world.write(
        f'{BODY}x = {{ type = "u8", doc = "More.", default = 2 }}\n[query.all]\nread = ["body"]'
    )
    assert world.add() == "nothing new, saves are those of release '1'"
    assert world.file.read_text() == first
    world.write(BODY + 'x = "u16"')
    world.add("--release", "spring-2.0")
    assert world.file.read_text().startswith(first)  # what is there stays as it is
    world.write(BODY + 'x = "u8"')
    world.add("--release", "7")
    world.write(BODY + 'x = "u32"')
    world.add()
    assert world.releases() == ["1", "spring-2.0", "7", "8"]


def test_diff_shows_the_release_and_writes_nothing(world: Recorded) -> None:
    world.write(BODY + 'x = "u8"')
    done = codegen("lock", world.schema, "--diff")
    assert (done.returncode, done.stderr) == (1, "")
    assert "+lock = 1\n" in done.stdout and '+x = "u8"\n' in done.stdout
    assert not world.file.exists()
    world.add()
    assert codegen("lock", world.schema, "--diff").returncode == 0


ALLOWED = "write up to 64 letters, digits and '.', '_', '+', '-'"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("1", "'{lock}' has a release '1' whose saves are different"),
        ("a b", f"a release cannot be named 'a b': {ALLOWED}"),
        ("", f"a release cannot be named '': {ALLOWED}"),
        ("x" * 65, f"a release cannot be named '{'x' * 65}': {ALLOWED}"),
    ],
)
def test_names_that_a_release_cannot_have(world: Recorded, name: str, words: str) -> None:
    world.write(BODY + 'x = "u8"')
    world.add()
    world.write(BODY + 'x = "u16"')
    done = codegen("lock", world.schema, "--release", name)
    said = f"error: {words.format(lock=world.file)}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_both_releases_of_a_merge_are_kept_in_any_order(world: Recorded) -> None:
    world.write(BODY + 'x = "u8"')
    world.add()
    base = world.file.read_text()
    added = []
    for type in ("u16", "u32"):
        world.file.write_text(base)
        world.write(f'{BODY}x = "{type}"')
        world.add("--release", type)
        added.append(world.file.read_text().removeprefix(base))
    for order in (added, added[::-1]):
        world.file.write_text(base + "".join(order))
        assert sorted(world.releases()) == ["1", "u16", "u32"]


def test_layout_of_the_text_does_not_matter(world: Recorded) -> None:
    world.write(BODY + 'x = "u8"')
    world.add()
    text = world.file.read_text().replace(" = ", "=").replace("\n\n", "\n# more\n")
    world.file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert world.add() == "nothing new, saves are those of release '1'"


def test_a_release_can_be_taken_out(world: Recorded) -> None:
    for type in ("u8", "u16"):
        world.write(f'{BODY}x = "{type}"')
        world.add()
    head, _, second = world.file.read_text().split("[[release]]")
    world.file.write_text(f"{head}[[release]]{second}")
    assert world.releases() == ["2"]
    world.file.write_text(head)
    assert world.releases() == []
    world.add()
    assert world.releases() == ["1"]


def test_a_lock_that_cannot_be_read_is_said_in_words(world: Recorded) -> None:
    world.write(BODY + 'x = "u8"')
    world.file.mkdir()
    for command in ("lock", "check"):
        done = codegen(command, world.schema)
        words = f"error: cannot read '{world.file}': not a file\n"
        assert (done.returncode, done.stdout, done.stderr) == (2, "", words)
    world.file.rmdir()
    world.file.symlink_to("nowhere/x.lock")
    done = codegen("lock", world.schema)
    words = f"error: cannot read '{world.file}': no such file or directory\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", words)


def test_a_lock_that_cannot_be_written_is_said_in_words(world: Recorded) -> None:
    world.write(BODY + 'x = "u8"')
    with world.schema.open() as schema:  # by a path in a folder that even root cannot write to
        done = codegen("lock", "/proc/self/fd/0", stdin=schema)
    words = "error: cannot write '/proc/self/fd/evolve.lock': no such file or directory\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", words)


def test_a_wrong_schema_adds_nothing(world: Recorded) -> None:
    world.write(BODY + 'x = "u9"')
    done = codegen("lock", world.schema)
    assert (done.returncode, done.stdout) == (1, "")
    assert "[unknown-type]" in done.stderr and not world.file.exists()


def test_the_lock_of_the_colony_lies_beside_its_schema() -> None:
    assert lock_path(str(COLONY), "colony") == str(COLONY.with_suffix(".lock"))
    assert lock_path("game.toml", "play") == "play.lock"


@settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=schemas())
def test_what_is_read_is_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    schema = tmp_path_factory.mktemp("random") / "root.toml"
    schema.write_text(text, encoding="utf-8")
    model = model_of(schema)
    report = Report()
    empty = read_lock(str(schema), model.world.name, report)
    written = with_release(empty, model, None)
    assert tomllib.loads(written)["release"][0].items() >= release_document(model).items()
    Path(empty.path).write_text(written, encoding="utf-8")
    lock = read_lock(str(schema), model.world.name, report)
    assert not report.diagnostics(), report.render()
    assert [release_document(release.model) for release in lock.releases] == [
        release_document(model)
    ]
    assert with_release(lock, model, None) == written
