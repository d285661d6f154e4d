"""Schema files that git or an editor would not keep unchanged, so the tests write them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from check import check
from check.world import MAX_COLUMNS, MAX_OF_A_KIND
from parse import parse
from source.imports import MAX_FILE_BYTES, UnreadableError
from source.source import Diagnostic, Place, Report
from source.toml_syntax import MAX_SYNTAX_ERRORS

WORLD = b'[world]\nname = "colony"\n'


@pytest.fixture(autouse=True)
def _from_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)


def found_in(data: bytes) -> list[Diagnostic]:
    Path("x.toml").write_bytes(data)
    report = Report()
    check(parse("x.toml", report), report)
    report.render()
    return report.diagnostics()


def places_in(data: bytes) -> list[tuple[str, int, int]]:
    return [(found.id, found.place.line, found.place.column) for found in found_in(data)]


def test_line_ends_of_windows_and_a_byte_order_mark_change_no_place() -> None:
    plain = WORLD + b'[component.x]\ndoc = """\na\n"""\nfelds = 1\n[query.q]\nread = ["x", "y"]\n'
    assert places_in(plain) == [("unknown-key", 7, 1), ("unknown-component", 9, 14)]
    assert places_in(plain.replace(b"\n", b"\r\n")) == places_in(plain)
    assert places_in(b"\xef\xbb\xbf" + plain) == places_in(plain)


def test_a_lone_carriage_return_is_an_error() -> None:
    assert places_in(WORLD + b'[component.x]\rdoc = ""\n') == [("toml-syntax", 3, 14)]


@pytest.mark.parametrize("code", [0x00, 0x01, 0x0B, 0x1B, 0x7F])
@pytest.mark.parametrize(
    "line",
    [
        b'doc = "a@b"',
        b'doc = """a@b"""',
        b"doc = 'a@b'",
        b'doc = ""@',
        b"doc =@1",
        b"doc = 1@",
        b"doc = true@ ",
        b"doc = [1,@2]",
        b"doc = {@a = 1}",
        b"d@oc = 1",
        b"@doc = 1",
        b"@",
        b"# a@b",
        b"[component@.x]",
        b"[@component.x]",
        b"[component.x]@",
    ],
)
def test_a_control_character_is_said_to_be_one(line: bytes, code: int) -> None:
    found = found_in(WORLD + line.replace(b"@", bytes([code])) + b"\n")
    assert [one.id for one in found] == ["toml-syntax"]
    assert found[0].place == Place("x.toml", 3, line.index(b"@") + 1, 1)
    assert found[0].message == f"a control character, U+{code:04X}"
    other = {0: "remove it", 13: "end lines with LF, or CR and LF"}
    assert found[0].help == other.get(code, f"remove it; in text, write '\\u{code:04X}'")


def test_syntax_errors_are_bounded() -> None:
    found = found_in(WORLD + b"x = = 1\n" * (MAX_SYNTAX_ERRORS + 20))
    assert len(found) == MAX_SYNTAX_ERRORS


@pytest.mark.parametrize("kind", ["component", "query", "phase"])
def test_what_is_of_a_kind_is_bounded(kind: str) -> None:
    """The last that fits is accepted, and one more is not."""

    def many(count: int) -> bytes:
        names = [f"a{i}" for i in range(count)]
        tables = "".join(f"[{kind}.{name}]\n" for name in names)
        return WORLD + (f"phases = {names}\n" if kind == "phase" else tables).encode()

    assert MAX_OF_A_KIND == 1024
    assert found_in(many(MAX_OF_A_KIND)) == []
    assert [found.id for found in found_in(many(MAX_OF_A_KIND + 1))] == ["too-many"]


def test_columns_are_bounded() -> None:
    """Handles, a tag, and a field each: the last fits, one more does not."""

    def columns(fields: int) -> bytes:
        rows = "".join(f'a{i} = "u8"\n' for i in range(fields))
        return (
            WORLD
            + b'[component.t]\n[component.x]\nlayout = "soa"\n[component.x.fields]\n'
            + rows.encode()
        )

    assert found_in(columns(MAX_COLUMNS - 2)) == []
    assert [found.id for found in found_in(columns(MAX_COLUMNS - 1))] == ["too-many"]


def test_a_file_has_a_size_limit() -> None:
    Path("x.toml").write_bytes(WORLD + b"#" * MAX_FILE_BYTES)
    with pytest.raises(UnreadableError, match="more than 4194304 bytes"):
        parse("x.toml", Report())
    Path("y.toml").write_bytes(b'import = ["x.toml"]\n' + WORLD)
    report = Report()
    parse("y.toml", report)
    assert [found.id for found in report.diagnostics()] == ["unreadable-file"]


def test_a_file_that_never_ends_is_not_read() -> None:
    os.mkfifo("pipe.toml")
    with pytest.raises(UnreadableError, match="not a file"):
        parse("pipe.toml", Report())


@pytest.mark.parametrize("name", [r"a\u0000b.toml", "", ".", "x" * 5000, "~/x.toml"])
def test_odd_import_paths_are_diagnosed(name: str) -> None:
    data = f'import = ["{name}"]\n'.encode() + WORLD
    assert found_in(data)[0].id in ("missing-file", "unreadable-file")


def test_an_import_through_a_link_is_the_same_file() -> None:
    Path("parts.toml").write_bytes(b'[component.x]\nfields = { x = "f32" }\n')
    Path("link.toml").symlink_to("parts.toml")
    assert found_in(b'import = ["parts.toml", "link.toml", "./parts.toml"]\n' + WORLD) == []


def test_one_mistake_is_said_once_however_much_depends_on_it() -> None:
    """A component that cannot be read in whole is still there for all that use it."""
    uses = """
[component.worker]
requires = ["position"]
fields = { job = "u8" }
[prefab.villager]
components = { position = { x = 1.0, y = 2.0 }, worker = {} }
[query.idle]
read = ["position"]
where = "worker"
[system.movement]
phase = "simulate"
write = ["position"]
lookup = { read = ["worker"] }
queries = ["idle"]
"""
    broken = '[component.position.fields]\nx = "f23"\ny = "f33"\n'
    data = f'[world]\nname = "colony"\nphases = ["simulate"]\n{broken}{uses}'
    assert places_in(data.encode()) == [("unknown-type", 5, 6), ("unknown-type", 6, 6)]
    data = f'[world]\nname = "colony"\nphases = ["simulate"\n{broken}{uses}'
    assert [id for id, _, _ in places_in(data.encode())] == ["toml-syntax"]
