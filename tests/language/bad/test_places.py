"""The locator finds a place for every key and value that `tomllib` finds, in whatever form."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from source.source import Place, Report
from source.toml_places import Path, Places, locate

TEXT = """\
title = "x" # not = here
'quoted key' = 'C:\\path'
a.b."c.d" = 0x1F
[servers]
[servers.alpha]
ip = "10.0.0.1"
ports = [ 8001, 8002, # two
          [ 8003 ], ]
point = { x = 1, y . z = "}" , "w" = [ { q = 1979-05-27 07:32:00 } ] }
[[fruit]]
name = "apple"
[fruit.colour]
red = true
[[fruit]]
name = \"\"\"
ban\\
   ana\\u0041\"\"\"
[[fruit.kind]]
k = '''a''b'''
"""


def paths(value: object, path: Path = ()) -> Iterator[tuple[Path, object]]:
    """Every key path in what tomllib read, with its value."""
    if path:
        yield path, value
    inner = value.items() if isinstance(value, dict) else ()
    for key, item in inner or (enumerate(value) if isinstance(value, list) else ()):
        yield from paths(item, (*path, key))


def span(text: str, place: Place) -> str:
    line = text.split("\n")[place.line - 1]
    return line[place.column - 1 : place.column - 1 + place.length]


def as_key(text: str) -> str:
    """The key that such a text is in TOML."""
    return next(iter(tomllib.loads(f"{text} = 1")))


def check_places(text: str, document: dict[str, Any], places: Places) -> None:
    for path, value in paths(document):
        assert places.has(path), path
        if isinstance(path[-1], str):
            assert as_key(span(text, places.key(path))) == path[-1]
        if isinstance(value, dict | list):
            continue
        written = span(text, places.value(path))
        if written.startswith(('"""', "'''")):
            continue  # shown up to the end of its first line
        read = tomllib.loads(f"x = {written}")["x"]
        assert read == value or (read != read and value != value)


@pytest.mark.parametrize(
    ("path", "key", "value"),
    [
        (("title",), "title", '"x"'),
        (("quoted key",), "'quoted key'", r"'C:\path'"),
        (("a",), "a", "a"),
        (("a", "b", "c.d"), '"c.d"', "0x1F"),
        (("servers", "alpha"), "alpha", "alpha"),
        (("servers", "alpha", "ports"), "ports", "[ 8001, 8002, # two"),
        (("servers", "alpha", "ports", 2), "[ 8003 ]", "[ 8003 ]"),
        (("servers", "alpha", "ports", 2, 0), "8003", "8003"),
        (("servers", "alpha", "point", "y", "z"), "z", '"}"'),
        (("servers", "alpha", "point", "w", 0, "q"), "q", "1979-05-27 07:32:00"),
        (("fruit",), "fruit", "fruit"),
        (("fruit", 0, "colour", "red"), "red", "true"),
        (("fruit", 1, "name"), "name", '"""'),
        (("fruit", 1, "kind", 0, "k"), "k", "'''a''b'''"),
        (("servers", "alpha", "not there"), "alpha", "alpha"),
        (("nothing",), "t", "t"),
    ],
)
def test_key_and_value(path: Path, key: str, value: str) -> None:
    places = locate("x.toml", TEXT)
    assert span(TEXT, places.key(path)) == key
    assert span(TEXT, places.value(path)) == value


def test_every_path_of_the_sample() -> None:
    check_places(TEXT, tomllib.loads(TEXT), locate("x.toml", TEXT))


@pytest.mark.parametrize(
    ("text", "start", "length", "expected"),
    [
        ('x = "abcdef"', 2, 3, "cde"),
        ("x = 'abcdef'", 0, 1, "a"),
        (r'x = "a\tb\u0041\U00000042c"', 3, 2, r"\u0041\U00000042"),
        ('x = """\nab\ncd"""', 3, 2, "cd"),
        ('x = """a\\\n   bc"""', 1, 2, "bc"),
        ("x = '''\nab'''", 0, 2, "ab"),
        ('x = ""', 0, 1, '"'),
        ('x = """a""b"""', 1, 2, '""'),
        ('x = """a"""""', 1, 2, '""'),
    ],
)
def test_inside_a_string(text: str, start: int, length: int, expected: str) -> None:
    value = tomllib.loads(text)["x"]
    place = locate("x.toml", text).inside(("x",), start, length)
    assert span(text, place) == expected
    if expected.isalpha():
        assert value[start : start + length] == expected


def test_duplicates_are_found_with_both_places() -> None:
    text = "[a]\nx = 1\n[b]\n'x' = 1\nx = 2\n[a]\n"
    found = [(d.path, d.first.line, d.second.line) for d in locate("x.toml", text).duplicates()]
    assert found == [(("b", "x"), 4, 5), (("a",), 1, 6)]


KEYS = st.one_of(
    st.text("abc_-9", min_size=1, max_size=3),
    st.text('a. #=]é"\\', max_size=4).map(lambda text: repr_key(text, '"')),
    st.text('a. #=]é"\\', max_size=4).map(lambda text: f"'{text}'"),
)
BLANKS = st.sampled_from(["", " ", "\t", "  "])
LINES = st.sampled_from(["", " ", "\n", ' # ] } = "\n', "\n\t\n"])
SCALARS = st.sampled_from(
    [
        "1", "-1_000", "0xFF", "1.5", "-inf", "nan", "1e3", "true", "false", "1979-05-27",
        "1979-05-27T07:32:00Z", "1979-05-27 07:32:00", "07:32:00.5", '""', "''", '"a#b]}"',
        r'"\"\\\u00e9\U0001F600\t"', r"'\'", '"""a"b""c"""', "'''\n]'''", '"""\n\\\n  x\\\\"""',
        '"位置"', '""""quoted"""""',
    ]
)  # fmt: skip


def repr_key(text: str, quote: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f"{quote}{escaped}{quote}"


@st.composite
def dotted_keys(draw: st.DrawFn) -> str:
    parts = draw(st.lists(KEYS, min_size=1, max_size=3))
    dots = [f"{draw(BLANKS)}.{draw(BLANKS)}" for _ in parts[1:]]
    return parts[0] + "".join(dot + part for dot, part in zip(dots, parts[1:], strict=True))


@st.composite
def arrays(draw: st.DrawFn, items: st.SearchStrategy[str]) -> str:
    drawn = draw(st.lists(items, max_size=3))
    inner = ",".join(f"{draw(LINES)}{item}{draw(LINES)}" for item in drawn)
    comma = draw(st.sampled_from(["", ","])) if drawn else ""
    return f"[{inner}{comma}{draw(LINES)}]"


@st.composite
def inline_tables(draw: st.DrawFn, items: st.SearchStrategy[str]) -> str:
    pairs = [
        f"{draw(dotted_keys())} ={draw(BLANKS)}{item}" for item in draw(st.lists(items, max_size=3))
    ]
    return "{" + ",".join(f"{draw(BLANKS)}{pair}{draw(BLANKS)}" for pair in pairs) + "}"


VALUES = st.recursive(SCALARS, lambda inner: arrays(inner) | inline_tables(inner), max_leaves=6)


@st.composite
def statements(draw: st.DrawFn) -> str:
    key, blank, end = draw(dotted_keys()), draw(BLANKS), draw(st.sampled_from(["", " # x = ["]))
    form = draw(st.sampled_from(["pair", "pair", "pair", "table", "array"]))
    if form == "pair":
        return f"{blank}{key}{draw(BLANKS)}={draw(BLANKS)}{draw(VALUES)}{end}"
    return f"{blank}[{key}]{end}" if form == "table" else f"{blank}[[{key}]]{end}"


@examples(400)
@given(st.lists(statements(), max_size=6))
def test_random_documents(lines: list[str]) -> None:
    """Keeps what tomllib accepts, and looks up every path of it."""
    text = ""
    for line in lines:
        try:
            tomllib.loads(f"{text}{line}\n")
        except tomllib.TOMLDecodeError:
            locate("x.toml", f"{text}{line}\n")
        else:
            text += f"{line}\n"
    check_places(text, tomllib.loads(text), locate("x.toml", text))


@examples(400)
@given(st.text("ab.='\"[]{}#,\\u0\n\t é"))
def test_random_text_is_no_trouble(text: str) -> None:
    places = locate("x.toml", text)
    places.duplicates()
    places.statements()
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    check_places(text, document, places)


@pytest.mark.parametrize(
    ("line", "place", "shown"),
    [
        ("abc", (2, 1), "abc\n      |  ^"),
        ("abc", (2, 9), "abc\n      |  ^~"),
        ("abc", (4, 1), "abc\n      |    ^"),
        ("abc", (9, 1), "abc\n      |    ^"),
        ("", (1, 1), "\n      | ^"),
        ("\ta\tb", (4, 1), "        a       b\n      |                 ^"),
        ("位x", (2, 1), "位x\n      |   ^"),
        ("x位y", (2, 2), "x位y\n      |  ^~~"),
        ("e\u0301x", (3, 1), "e\u0301x\n      |  ^"),
        ("\x1b[31mx", (6, 1), "\ufffd[31mx\n      |      ^"),
        ("a\u202eb", (3, 1), "a\ufffdb\n      |   ^"),
        (160 * "a", (160, 1), f"{160 * 'a'}\n      | {159 * ' '}^"),
        (999 * "a", (120, 1), f"{160 * 'a'}…\n      | {119 * ' '}^"),
        (999 * "a", (121, 41), f"…{160 * 'a'}…\n      | {41 * ' '}^{40 * '~'}"),
        (999 * "a", (3, 900), f"{160 * 'a'}…\n      |   ^{157 * '~'}"),
        (999 * "a", (200, 700), f"…{160 * 'a'}…\n      | {41 * ' '}^{119 * '~'}"),
        (999 * "a", (999, 1), f"…{160 * 'a'}\n      | {160 * ' '}^"),
        (999 * "a", (1000, 1), f"…{160 * 'a'}\n      | {161 * ' '}^"),
    ],
)
def test_caret(line: str, place: tuple[int, int], shown: str) -> None:
    report = Report()
    report.add_source("x.toml", line)
    report.error("an-id", Place("x.toml", 1, *place), "wrong")
    head = f"x.toml:1:{place[0]}: error: wrong [an-id]\n"
    assert report.render() == f"{head}    1 | {shown}\n".replace("| \n", "|\n", 1)


def test_report_sorts_and_says_each_thing_once() -> None:
    report = Report()
    for line, column in ((3, 1), (1, 2), (1, 1), (3, 1)):
        report.error("an-id", Place("x.toml", line, column, 1), "wrong")
    report.warning("an-id", Place("a.toml", 9, 1, 1), "odd")
    heads = [found.place for found in report.diagnostics()]
    assert [(place.path, place.line, place.column) for place in heads] == [
        ("a.toml", 9, 1),
        ("x.toml", 1, 1),
        ("x.toml", 1, 2),
        ("x.toml", 3, 1),
    ]
    assert report.errors == 3
