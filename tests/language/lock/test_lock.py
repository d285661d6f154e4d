"""The lock of a world records its schemas, and grows when a new schema is released."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from generated import COLONY
from lock import lock_path, read_lock, with_release
from lock.text import release_document
from lock_files import Recorded, codegen
from model.model import Model
from parse import parse
from random_schemas import schemas
from source.source import Report

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
        'fields = { at = "at", job = { type = "job[..3]", save = false }, '
        'name = { type = "char[8]", was = "title" } }\n'
        '[component.heat]\nstorage = "sparse"\nfields = { to = "entity" }\n'
        '[component.tag]\n[singleton.day]\nsave = false\nfields = { m = "mat" }\n'
        '[event.bang]\nmax = 4\nfields = { who = "entity" }\n'
        '[relation.on]\non_parent_despawn = "detach"\n'
        '[query.all]\nread = ["body"]\n[system.walk]\nphase = "p"\nwrite = ["body"]\n'
    )
    assert world.add() == "release '1' added; keep this file with the schema"
    head, text = world.file.read_text("utf-8").split("\nrelease.1.", 1)
    assert head.startswith("# The schemas of saves of world 'evolve'") and head.endswith(
        "\nlock = 1\n"
    )
    sum, *lines = f"release.1.{text}".splitlines()
    assert re.fullmatch(r'release\.1\.sum = "[0-9a-f]{16}"', sum)
    assert [line.removeprefix("release.1.") for line in lines] == [
        'world.name = "evolve"',
        "world.entity = { index_bits = 20, generation_bits = 12 }",
        "world.max_entities = 99",
        'enum.job.type = "u8"',
        'enum.job.values = ["idle", { name = "carry", was = "haul" }]',
        'struct.at.fields.x = "f32"',
        'extern.mat.header = "m.h"',
        'extern.mat.c = "mat"',
        "extern.mat.size = 8",
        "extern.mat.align = 4",
        'extern.mat.fields.m = "f32[2]"',
        'component.mark.excludes = ["body"]',
        'component.flag.requires = ["mark"]',
        "component.flag.save = false",
        'component.body.was = "corpse"',
        'component.body.layout = "soa"',
        'component.body.fields.at = "at"',
        'component.body.fields.job = { type = "job[..3]", save = false }',
        'component.body.fields.name = { type = "char[8]", was = "title" }',
        'component.heat.storage = "sparse"',
        'component.heat.fields.to = "entity"',
        "component.tag = {}",
        "singleton.day.save = false",
        'singleton.day.fields.m = "mat"',
        "event.bang.max = 4",
        'event.bang.fields.who = "entity"',
        'relation.on.on_parent_despawn = "detach"',
    ]


def test_a_release_is_added_where_saves_differ_from_the_newest(world: Recorded) -> None:
    world.write(BODY + 'x = "u8"')
    world.add()
    first = world.file.read_text()
    world.write(
        f'{BODY}x = {{ type = "u8", doc = "More.", default = 2 }}\n[query.all]\nread = ["body"]'
    )
    assert world.add() == "unchanged, because saves are equal to those of release '1'"
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
    assert "+lock = 1\n" in done.stdout and '.fields.x = "u8"\n' in done.stdout
    assert not world.file.exists()
    world.add()
    assert codegen("lock", world.schema, "--diff").returncode == 0


ALLOWED = "write up to 64 letters, digits and '.', '_', '+', '-'"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("1", "'{lock}' already has a release '1', and its saves differ"),
        ("a b", f"'a b' is not a name for a release: {ALLOWED}"),
        ("", f"'' is not a name for a release: {ALLOWED}"),
        ("x" * 65, f"'{'x' * 65}' is not a name for a release: {ALLOWED}"),
    ],
)
def test_names_that_a_release_cannot_have(world: Recorded, name: str, words: str) -> None:
    world.write(BODY + 'x = "u8"')
    world.add()
    world.write(BODY + 'x = "u16"')
    done = codegen("lock", world.schema, "--release", name)
    said = f"error: {words.format(lock=world.file)}\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_a_release_has_a_name_of_64_characters_at_most(world: Recorded) -> None:
    world.write(BODY + 'x = "u8"')
    for count in (65, 64):
        done = codegen("lock", world.schema, "--release", "a" * count)
        assert done.returncode == (0 if count == 64 else 2), done.stderr


def merge(world: Recorded) -> None:
    """Two sides of a merge add a release each, and the lock keeps both."""
    world.lock(BODY + 'x = "u8"')
    base = world.file.read_text()
    added = []
    for name in ("left", "right"):
        world.file.write_text(base)
        world.write(f'{BODY}x = "u8"\n{name} = "u8"')
        world.add("--release", name)
        added.append(world.file.read_text().removeprefix(base))
    world.file.write_text(base + "".join(added))


def test_a_merge_keeps_both_releases_since_they_have_no_line_in_common(world: Recorded) -> None:
    merge(world)
    assert world.releases() == ["1", "left", "right"]
    lines = [line for line in world.file.read_text().splitlines() if line]
    assert len(lines) == len(set(lines))


def test_what_one_side_of_a_merge_has_the_other_does_not_accept_to_lose(world: Recorded) -> None:
    merge(world)
    world.write(f'{BODY}x = "u8"\nright = "u8"')
    lost = "warning: field 'left' of component 'body' was removed: saves of release left lose it"
    assert lost in codegen("check", world.schema).stderr
    world.add("--release", "both")  # though its saves are as those of the newest
    assert codegen("check", world.schema).stderr == ""


def test_what_would_be_refused_is_not_recorded(world: Recorded) -> None:
    world.lock(BODY + 'x = "u8"')
    before = world.file.read_text()
    world.write(BODY + 'x = "entity"')
    done = codegen("lock", world.schema)
    assert (done.returncode, done.stdout) == (1, "")
    assert "[save-refused]" in done.stderr and world.file.read_text() == before


def test_what_is_lost_is_said_until_it_is_recorded(world: Recorded) -> None:
    world.lock(BODY + 'x = "u8"\ny = "u8"')
    world.write(BODY + 'y = "u8"')
    assert "[save-loses]" in codegen("check", world.schema).stderr
    assert codegen("check", world.schema, "--strict").returncode == 1
    world.add()
    assert codegen("check", world.schema).stderr == ""
    world.write(BODY + 'z = "u8"')
    done = codegen("check", world.schema)
    assert (
        "field 'y' of component 'body' was removed: saves of releases 1 and 2 lose it"
        in done.stderr
    )
    assert "'x'" not in done.stderr


@pytest.mark.parametrize(
    "now", ['z = { type = "u8", was = "y" }', 'y = "u8"'], ids=["renamed-again", "was-taken-away"]
)
def test_what_was_converted_by_a_rename_is_not_accepted_to_be_lost(
    world: Recorded, now: str
) -> None:
    world.lock(BODY + 'x = "u8"')
    world.lock(BODY + 'y = { type = "u8", was = "x" }')
    world.write(BODY + now)
    lost = "warning: field 'x' of component 'body' was removed: saves of release 1 lose it"
    assert lost in codegen("check", world.schema).stderr
    assert codegen("check", world.schema, "--strict").returncode == 1
    world.add()
    assert codegen("check", world.schema).stderr == ""


def test_the_lock_of_a_world_that_was_renamed_is_seen(world: Recorded) -> None:
    world.lock(BODY + 'x = "u8"')
    renamed = '[world]\nname = "newer"\nphases = ["p"]\n'
    world.write(BODY + 'x = "u8"', renamed)
    done = codegen("check", world.schema)
    words = f"error: no schema next to '{world.file}' has world 'evolve', so saves of"
    assert done.returncode == 1 and words in done.stderr and done.stderr.count("error") == 1
    assert codegen("lock", world.schema).returncode == 1
    other = world.schema.with_name("other.toml")
    other.write_text("[world", "utf-8")  # that may be the world's
    assert codegen("check", world.schema).returncode == 0
    other.write_text('[world]\nname = "evolve"\n', "utf-8")
    assert codegen("check", world.schema).stderr == ""
    other.unlink()
    world.file.unlink()
    assert codegen("check", world.schema).stderr == ""


@pytest.mark.parametrize(
    "text", ["", "version = 1\n[[package]]\n", "# yarn\nx@1:\n", "lock = 1\n", "\0",
             'release.1.world.name = "other"', "lock = 1\nrelease = 2\n"]
)  # fmt: skip
def test_locks_of_other_programs_say_nothing(world: Recorded, text: str) -> None:
    world.schema.with_name("uv.lock").write_text(text, "utf-8")
    world.write(BODY + 'x = "u8"')
    done = codegen("check", world.schema)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_list_of_saves_has_every_release(world: Recorded) -> None:
    world.write(BODY + 'x = "u8"')
    none = f"{world.file}: no release is recorded\n{world.schema}: no mistakes\n"
    assert codegen("check", world.schema, "--saves").stdout == none
    world.add("--release", "first")
    assert world.verdicts(BODY + 'x = "u16"') == [
        "a save of release first loads completely",
        "  whole: field 'x' of component 'body' changed from u8 to u16: saves keep it",
    ]
    world.add()
    assert world.verdicts(BODY + 'x = "u16[2]"') == [
        "a save of release first is refused",
        "  refused: field 'x' of component 'body' changed from u8 to u16[2]: saves are "
        "refused; source code "
        "that uses it does not compile",
        "a save of release 1 is refused",
        "  refused: field 'x' of component 'body' changed from u16 to u16[2]: saves are "
        "refused; source code "
        "that uses it does not compile",
    ]


def test_layout_of_the_text_does_not_matter(world: Recorded) -> None:
    world.write(BODY + 'x = "u8"')
    world.add()
    text = world.file.read_text().replace(" = ", "=").replace("\n\n", "\n# more\n")
    world.file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert world.add() == "unchanged, because saves are equal to those of release '1'"


def test_the_list_of_saves_does_not_take_a_damaged_lock_for_an_empty_one(world: Recorded) -> None:
    world.lock(BODY + 'x = "u8"')
    world.file.write_text(world.file.read_text().replace('"u8"', '"u16"'))
    done = codegen("check", world.schema, "--saves")
    assert (done.returncode, done.stdout) == (1, "") and "[lock-edited]" in done.stderr
    world.file.write_text("lock =")
    assert codegen("check", world.schema, "--saves").stdout == ""


@pytest.mark.parametrize(
    ("written", "changed", "id"),
    [
        (r"release\.1\.sum = .*\n", "", "lock-edited"),
        (r"release\.1\.sum = .*", 'release.1.sum = ""', "lock-edited"),
        ("lock = 1", "lock = true", "lock-format"),
        ("lock = 1", "lock = 1.0", "lock-format"),
        ("lock = 1\n", "", "lock-format"),
    ],
)
def test_a_lock_that_lacks_what_it_is_known_by_is_none(
    world: Recorded, written: str, changed: str, id: str
) -> None:
    world.lock(BODY + 'x = "u8"')
    text, count = re.subn(written, changed, world.file.read_text())
    world.file.write_text(text)
    done = codegen("check", world.schema)
    assert (count, done.returncode) == (1, 1) and f"[{id}]" in done.stderr


def test_a_release_can_be_taken_out(world: Recorded) -> None:
    for type in ("u8", "u16"):
        world.write(f'{BODY}x = "{type}"')
        world.add()
    lines = world.file.read_text().splitlines(keepends=True)
    world.file.write_text("".join(line for line in lines if not line.startswith("release.1.")))
    assert world.releases() == ["2"]
    world.file.write_text("".join(line for line in lines if not line.startswith("release.")))
    assert world.releases() == []
    world.add()
    assert world.releases() == ["1"]


def test_a_lock_that_cannot_be_read_is_said_in_words(world: Recorded) -> None:
    world.write(BODY + 'x = "u8"')
    world.file.mkdir()
    for command in ("lock", "check"):
        done = codegen(command, world.schema)
        words = f"error: cannot read '{world.file}': it is not a file\n"
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


@examples(20)
@given(text=schemas())
def test_what_is_read_is_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    schema = tmp_path_factory.mktemp("random") / "root.toml"
    schema.write_text(text, encoding="utf-8")
    model = model_of(schema)
    report = Report()
    empty = read_lock(str(schema), model.world.name, report)
    written, name = with_release(empty, model, None)
    assert tomllib.loads(written)["release"]["1"].items() >= release_document(model).items()
    Path(empty.path).write_text(written, encoding="utf-8")
    lock = read_lock(str(schema), model.world.name, report)
    assert not report.diagnostics(), report.render()
    assert [release_document(release.model) for release in lock.releases] == [
        release_document(model)
    ]
    assert with_release(lock, model, None) == (written, name) == (written, "1")


PIECES = st.sampled_from(
    ['"', "=", "\n", "release.1", ".", "{", "}", "[", "1", "#", "u8", "\x00", "ä"]
)


@cache
def colony_releases() -> dict[str, object]:
    """Reads the lock as it stands once, since that takes long: each release by its name."""
    whole = read_lock(str(COLONY), "colony", Report())
    return {release.name: release_document(release.model) for release in whole.releases}


@examples(150)
@given(start=st.integers(0, 10_000), gone=st.integers(0, 40), inserted=st.lists(PIECES, max_size=3))
def test_a_lock_that_was_tampered_with_says_nothing_wrong(
    tmp_path_factory: pytest.TempPathFactory, start: int, gone: int, inserted: list[str]
) -> None:
    """Either there is a diagnostic with a place, or each release is what it was."""
    text = COLONY.with_suffix(".lock").read_text(encoding="utf-8")
    start %= len(text)
    folder = tmp_path_factory.mktemp("tampered")
    damaged = text[:start] + "".join(inserted) + text[start + gone :]
    (folder / "colony.lock").write_text(damaged, encoding="utf-8")
    report = Report()
    lock = read_lock(str(folder / "colony.toml"), "colony", report)
    found = report.diagnostics()
    assert all(one.place.path == lock.path and one.place.line > 0 and one.help for one in found)
    assert report.render() if found else True
    for release in lock.releases:
        assert found or release_document(release.model) == colony_releases()[release.name]
