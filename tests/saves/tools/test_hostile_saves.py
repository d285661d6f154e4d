"""The tool answers or reports what is wrong, for any bytes, in bounded memory."""

from __future__ import annotations

import struct
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from built import ROOT
from command import Saves
from examples import examples
from mend import mended
from saves.sections import checksum

EXACT = (ROOT / "tests/saves/exact/world.save").read_bytes()
HUGE = (2**64 - 1, 2**63, 2**40, 2**32, 2**31 - 1, 65536, 256, 0, 1)
MEMORY_MAX = 300 * len(EXACT) + 2**20
ACTIONS = ("show", "json", "csv", "sqlite", "diff", "entity")
HEAD = 32
LONGER = (b"VERS", b"MRKS")  # sections that some saves have with more, or may have


def word(value: int) -> bytes:
    return struct.pack("<Q", value & 2**64 - 1)


def whole(body: bytes) -> bytes:
    """A save of sections: the head that belongs to them before them."""
    head = b"WEFTSAVE" + word(1) + word(len(body) + HEAD)
    return head + word(checksum(head)) + body


def section(kind: bytes, body: bytes, flags: int = 0) -> bytes:
    data = struct.pack("<4sIQ", kind, flags, len(body)) + body
    return data + word(checksum(data))


def text(name: str) -> bytes:
    data = name.encode() + b"\0"
    return word(len(name)) + data + bytes(-len(data) % 8)


def answer(data: bytes, folder: Path, *options: str) -> tuple[int, str]:
    """Runs the command, and checks that it ends well or with words, whatever it was given."""
    path = folder / "bad.save"
    path.write_bytes(data)
    action, *rest = options or ("show",)
    done = Saves().run(action, path, *rest)
    assert done.code in (0, 1, 2), done.err
    assert (done.code == 2) == done.err.startswith("error: ")
    return done.code, done.err


def test_every_kind_of_damage_is_told_with_what_mends_it(tmp_path: Path) -> None:
    path = tmp_path / "bad.save"
    cut = "it was cut off or is still being copied: copy it again, or use an older save"
    told = answer(EXACT[:8000], tmp_path)
    assert told == (2, f"error: {path}: the save has 8,000 of {len(EXACT):,} bytes\nhelp: {cut}\n")
    changed = bytearray(EXACT)
    changed[EXACT.rindex(b"TABL") + 100] ^= 1
    code, words = answer(bytes(changed), tmp_path)
    assert code == 2
    assert (
        "section 'TABL' has changed: its checksum differs\nhelp: the file cannot be repaired"
        in words
    )
    newer = b"WEFTSAVE" + word(2) + word(len(EXACT))
    code, words = answer(newer + word(checksum(newer)) + EXACT[HEAD:], tmp_path)
    assert words == (
        f"error: {path}: byte 8: the save has format 2, but only 1 is known\n"
        "help: a later Weft wrote it: use the tool of that version\n"
    )
    other = newer + word(1) + EXACT[HEAD:]
    code, words = answer(other, tmp_path)
    assert words.startswith(
        f"error: {path}: byte 0: the head has unknown bytes and an unknown format 2\n"
    )
    assert "help: another Weft may have written it" in words
    changed = bytearray(EXACT)
    changed[20] ^= 1
    assert "byte 0: the head has changed\n" in answer(bytes(changed), tmp_path)[1]
    first = ROOT / "tests/saves/exact/first.save"
    assert answer(first.read_bytes(), tmp_path)[1] == (
        f"error: {path}: a Weft of 2026-11-21, before 1.0.0, wrote the save\n"
        "help: no later Weft can read it: load it with the Weft that wrote it\n"
    )
    assert "this is not a save" in answer(b"", tmp_path)[1]
    assert "this is not a file" in Saves().run("show", "/dev/null").err
    assert "no such file" in Saves().run("show", tmp_path / "none").err


def test_sections_of_a_later_weft_are_named(tmp_path: Path) -> None:
    later = EXACT[HEAD:-24] + section(b"RNGS", word(7)) + EXACT[-24:]
    path = tmp_path / "later.save"
    path.write_bytes(whole(later))
    done = Saves().run("show", path)
    assert done.code == 0
    unknown = "unknown sections, which a later Weft wrote"
    assert done.out.endswith(f"\n{unknown}\n  RNGS  8 bytes\n")
    out = Saves().run("export", path, "--to", "json", "--out", tmp_path / "out").out
    assert out.endswith("; without section 'RNGS', which a later Weft wrote\n")


def sections(data: bytes) -> Iterator[tuple[bytes, int, bytes]]:
    """Yields the kind, the flags and the body of each section of a save."""
    at = HEAD
    while at < len(data):
        kind, flags, size = struct.unpack_from("<4sIQ", data, at)
        yield kind, flags, data[at + 16 : at + 16 + size]
        at += size + 24


def test_a_section_with_more_than_belongs_there_is_refused(tmp_path: Path) -> None:
    *found, end = sections(EXACT)
    kinds = {kind for kind, _, _ in found}
    more = ((b"SWCH", word(0)), (b"SEED", word(7)))
    found += [(kind, 0, body) for kind, body in more if kind not in kinds]
    for longer in (*found, end):
        if longer[0] in LONGER:
            continue
        parts = [
            section(kind, body + bytes(8 * ((kind, flags, body) == longer)), flags)
            for kind, flags, body in (*found, end)
        ]
        code, words = answer(whole(b"".join(parts)), tmp_path)
        name = longer[0].decode().strip()
        assert (code, name, "has more bytes than expected" in words) == (2, name, True), words


def schema_of_structs(structs: list[list[tuple[str, int, int]]]) -> bytes:
    """A save whose schema has structs, each with fields: a name, a struct and how many."""
    body = text("bad") + word(6) + word(2) + word(2) + word(0) + word(len(structs))
    for number, fields in enumerate(structs):
        body += text(f"s{number}") + word(8) + word(len(fields))
        for name, of, count in fields:
            body += text(name) + word(14) + word(0 if count == 1 else 1) + word(of) + word(1)
            body += word(0) + word(8 * count) + word(8) + word(0) + word(count)
    body += word(0) * 5
    rest = section(b"ENTS", word(0) * 3) + section(b"CLKS", word(0) * 3) + section(b"END ", b"")
    return whole(section(b"SCHM", body) + rest)


@pytest.mark.parametrize(
    ("structs", "words"),
    [
        ([[("a", 0, 1)]], "'s0' has structs in structs more than 64 deep"),
        ([[("a", 1, 1)], [("a", 0, 1)]], "'s0' has structs in structs more than 64 deep"),
        (
            [[("a", n - 1, 1), ("b", n - 1, 1)] if n else [] for n in range(40)],
            "'s8' has 256 values in 8 bytes",
        ),
        ([[("a", 0, 2**50)]], "field 'a' of 's0' has an impossible type or place"),
        ([[("a", 7, 1)]], "the save's own schema has no struct 7"),
        ([[("a", 0, 1), ("a", 0, 1)]], "'a' occurs twice"),
    ],
)
def test_schemas_that_would_never_end_are_refused(
    structs: list[list[tuple[str, int, int]]], words: str, tmp_path: Path
) -> None:
    code, told = answer(schema_of_structs(structs), tmp_path)
    assert (code, words in told) == (2, True), told


def options_of(action: str, folder: Path) -> tuple[str, ...]:
    """The arguments of one kind of call, which writes into this folder if it writes."""
    options = {
        "show": ("show", "--limit", "0"),
        "entity": ("show", "--entity", "1:1"),
        "diff": ("diff", str(ROOT / "tests/saves/exact/world.save"), "--limit", "0"),
    }
    return options.get(action, ("export", "--to", action, "--out", str(folder / "out")))


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each action has run once, so that the modules it imports do not count as its memory: which
    of them are there already depends on the tests before."""
    for action in ACTIONS:
        folder = tmp_path_factory.mktemp("imported")
        assert answer(EXACT, folder, *options_of(action, folder))[0] == 0


@pytest.mark.usefixtures("imported")
@examples(40)
@given(
    at=st.integers(HEAD // 8, len(EXACT) // 8 - 1),
    value=st.sampled_from(HUGE) | st.integers(0, 2**64 - 1),
    action=st.sampled_from(ACTIONS),
)
def test_a_changed_word_with_the_right_checksum_is_answered(
    tmp_path_factory: pytest.TempPathFactory, at: int, value: int, action: str
) -> None:
    data = bytearray(EXACT)
    data[8 * at : 8 * at + 8] = word(value)
    folder = tmp_path_factory.mktemp("hostile")
    tracemalloc.start()
    try:
        answer(mended(data, 8 * at), folder, *options_of(action, folder))
        assert tracemalloc.get_traced_memory()[1] < MEMORY_MAX
    finally:
        tracemalloc.stop()
