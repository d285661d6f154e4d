"""Code, comments and pages use the words of the field, and no comment begins in the middle.

Comments, names and pages are read; strings are not, since what they say is an interface, nor is the
private words of tests/game and generated/, where rooms and people are things of the game.
"""

from __future__ import annotations

import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
TREES = ("runtime", "codegen", "generated", "tests")
PAGES = ("README.md", "CHANGELOG.md", "build.ninja", "schema")
ITSELF = "tests/build/test_words.py"
SKIPPED = ("tests/game/", "generated/colony/", ITSELF)
C_LIKE = {".c", ".h", ".cpp", ".j2", ".mjs"}
LINES = {".md", ".ninja", ".toml"}  # paragraphs are between blank lines
SUFFIXES = {*C_LIKE, *LINES, ".py"}

C_PART = re.compile(
    r"(?P<comment>//[^\n]*|/\*.*?\*/|\{#.*?#\})"
    r'|(?P<string>"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
    r"|(?P<name>[A-Za-z_]\w*)",
    re.DOTALL,
)
# The call that a system writes a tag with, <world>_<system>_<tag>_put, and that of an input,
# <world>_<input>_put, which games are built on.
GENERATED_PUT = re.compile(r"(?!weft_)[a-z0-9]+(_[a-z0-9]+)+_put")


@dataclass(frozen=True)
class Rule:
    """A private word, the word of the field, and patterns of what is refused where."""

    word: str
    use: str
    name: str = ""  # in a name, by its words: `_` stands on either side of each
    text: str = ""  # in comments and pages
    where: str = ""  # only in files whose path has a match of this


# As a noun: what a reader has yet to see. A call that marks rows, and the schema's key, stay.
MARKS = r"(?<![`.])\bmarks\b(?! (rows|a|the|only|nothing|it)\b| = )(?<!order marks)"
PUT = r"\ba put\b|\bputs (of|to)\b|\btags? put\b|\bput (on|off)\b(?! (trial|top))"
TAKE = "^_(take|carry|carried)_|_take_(row|value|kept)_"
RULES = [
    Rule("plane", "bitset", "_planes?_", r"\bplanes?\b"),
    Rule("marks", "change bits", "_marks_", MARKS, "^(tests|runtime)/"),
    Rule("inbox", "a reader and what it has yet to see", "_inbox(es)?_", r"\binbox(es)?\b"),
    Rule("pending", "what a reader has yet to see", "_pending_", r"\bpending\b"),
    Rule("hand over", "see", "_hand(ed)?_over_", r"\bhand(s|ed)? over\b"),
    Rule("shown", "seen", "", r"\b(be|is|are) shown\b", "runtime/changes/"),
    Rule("stream", "change set", "_streams?_", r"\bstreams?\b", "test_filters"),
    Rule("stream", "change set", "_streams?_", r"\bstreams?\b", "saves/world"),
    Rule("stream", "change set", "_change_streams?_", r"\bstreams? of changes\b"),
    Rule("covers", "match", "_covers_(none|some|all)_|_weft_covers?_"),
    Rule("descent", "depth order", "_descents?_", r"\bdescents?\b"),
    Rule("order", "sparse rows", "_weft_order_"),
    Rule("members", "sparse rows", "_(weft|plane)_members_"),
    Rule("tally", "change count", "_tall(y|ies)_", r"\btall(y|ies)\b"),
    Rule("put", "tag write, write", "_puts?_", PUT),
    Rule("recipe", "prefab layout", "_recipes?_", r"\brecipes?\b", "^runtime/"),
    Rule("shake", "relocate", "_sh(ak(e|es|ing|en)|ook)_", r"\bsh(ak(e|es|ing|en)|ook)\b"),
    Rule("say", "report", "^_(weft_)?(world_)?say_"),
    Rule("take, carry", "read, convert", TAKE, "", "save"),
    Rule("born, dying, leaving", "added, despawning, removing", "_(born|dying|leaving)_"),
    Rule("beside", "in parallel", "^_beside_$", r"\bbeside (each other|one another)\b"),
    Rule("holder", "subject", "_holder_", r"\bholders?\b", "hooks"),
    Rule("lens", "reader view", "_lens_", r"\blens\b"),
    Rule("strip", "stream", "_strips?_", r"\bstrips?\b", "^runtime/"),
    Rule("loose", "span of columns", "_loose_"),
    Rule("room", "capacity, buffer, space", "_rooms?_", r"\brooms?\b"),
    Rule("people", "ids", "_(people|persons?)_", r"\b(people|persons?)\b", "json"),
]  # fmt: skip

# Words that stay, by file, with the reason.
ALLOWED = {
    ("schema/README.md", "put"): "the generated call of a tag has that name",
    ("schema/MORE.md", "put"): "the generated call of a tag has that name",
    (
        "codegen/templates/soa.h.j2",
        "put",
    ): "the generated call for the fields of a row has that name",
    ("codegen/templates/world.hpp.j2", "put"): "the call of an input has that name",
    ("tests/output/edges/typed.cpp", "put"): "the call of an input has that name",
    ("tests/reach/calls.cpp", "put"): "the call of an input has that name",
    ("runtime/BUILDS.md", "strip"): "Meson calls it so",
    ("runtime/conanfile.py", "recipe"): "Conan calls it so",
    ("runtime/change/batch.c", "strip"): "the generated call has that name",
    ("runtime/change/batch.h", "strip"): "the generated call has that name",
    ("runtime/change/calls.c", "strip"): "the generated call has that name",
    ("runtime/change/calls.h", "strip"): "the generated call has that name",
    ("CHANGELOG.md", "lens"): "a component of a game has that name",
    ("tests/support/examples.py", "marks"): "a parameter of pytest's",
    ("tests/runtime/workers/test_wild.py", "marks"): "a parameter of pytest's",
    ("tests/saves/load/test_replay.py", "marks"): "a parameter of pytest's",
    ("tests/saves/harm/lies.c", "marks"): "a field of the schema of the vault",
    ("tests/saves/harm/lies.h", "marks"): "a field of the schema of the vault",
    ("tests/saves/harm/systems.c", "marks"): "a field of the schema of the vault",
    ("tests/saves/harm/test_lies.c", "marks"): "a field of the schema of the vault",
}

# Comments that begin so have no subject, and these words hide one.
OPENING = re.compile(r"^(That|Who|What|Of|So|Whether)\b")
VAGUE = re.compile(r"\b(the same|nobody|somebody)\b", re.IGNORECASE)


STARTS = (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)


@dataclass(frozen=True)
class Part:
    kind: str  # "name" or "text"
    line: int
    text: str


def parts_of_c(source: str) -> Iterator[Part]:
    line, at = 1, 0
    for match in C_PART.finditer(source):
        line, at = line + source.count("\n", at, match.start()), match.start()
        if match.lastgroup != "string":
            yield Part("name" if match.lastgroup == "name" else "text", line, match.group())


def parts_of_python(source: str) -> Iterator[Part]:
    starts_statement = True
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME:
            yield Part("name", token.start[0], token.string)
        elif token.type == tokenize.COMMENT or (token.type == tokenize.STRING and starts_statement):
            yield Part("text", token.start[0], token.string)
        if token.type != tokenize.COMMENT:
            starts_statement = token.type in STARTS or (
                starts_statement and token.type == tokenize.NL
            )


@cache
def parts_of(path: Path) -> tuple[Part, ...]:
    source = path.read_text(encoding="utf-8")
    if path.suffix in C_LIKE:
        return tuple(parts_of_c(source))
    if path.suffix == ".py":
        return tuple(parts_of_python(source))
    if path.suffix == ".toml":
        source = re.sub(r"^(?!#|doc = ).*?(#.*)?$", r"\1", source, flags=re.MULTILINE)
    lines = enumerate(source.splitlines(), 1)
    return tuple(Part("text", number, line) for number, line in lines)


def files_of(tree: str, but: tuple[str, ...] = SKIPPED) -> list[Path]:
    found = [ROOT / tree] if (ROOT / tree).is_file() else sorted((ROOT / tree).rglob("*"))
    return [
        path
        for path in found
        if path.suffix in SUFFIXES
        and not {"expected", "bad"} & set(path.parts)
        and not path.relative_to(ROOT).as_posix().startswith(but)
    ]


@cache
def schema_names() -> frozenset[str]:
    """Names in the schemas of tests with a word of a rule, which are things of theirs."""
    found: set[str] = set()
    left: list[Any] = [
        tomllib.loads(path.read_text(encoding="utf-8"))
        for path in (ROOT / "tests").rglob("*.toml")
        if "bad" not in path.parts
    ]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            left += [*one, *one.values()]
        elif isinstance(one, list):
            left += one
        elif isinstance(one, str) and re.fullmatch(r"\w+", one):
            found.add(one.lower())
    return frozenset(
        name for name in found if any(re.search(rule.name or "^$", f"_{name}_") for rule in RULES)
    ) - {"marks", "order"}  # keys of the language


@cache
def refusing(kind: str, text: str, of_tests: bool) -> tuple[Rule, ...]:
    """The rules, of any place, that a name or a comment breaks."""
    if kind == "text":
        return tuple(
            rule for rule in RULES if rule.text and re.search(rule.text, text, re.IGNORECASE)
        )
    if GENERATED_PUT.fullmatch(text):
        return ()
    name = f"_{re.sub(r'(?<=[a-z])(?=[A-Z])', '_', text).lower().strip('_')}_"
    known = [f"_{one}_" for one in schema_names() if f"_{one}_" in name] if of_tests else []
    found = ((rule, re.search(rule.name, name)) for rule in RULES if rule.name)
    return tuple(
        rule for rule, match in found if match and not any(match.group() in one for one in known)
    )


def refused(rule: Rule, file: str, part: Part) -> bool:
    return rule in refusing(part.kind, part.text, file.startswith("tests/"))


def shown(rule: Rule, part: Part) -> str:
    """The words around what a rule refuses in a text, or the name."""
    match = re.search(rf".{{0,30}}({rule.text}).{{0,30}}", part.text, re.IGNORECASE)
    return match[0] if part.kind == "text" and match else part.text


@cache
def hits(tree: str) -> dict[tuple[str, str], list[str]]:
    """Refused words by file and word, each as a line to read."""
    found: dict[tuple[str, str], list[str]] = {}
    for path in files_of(tree):
        file = path.relative_to(ROOT).as_posix()
        for part in [*names_of(path), *comments_of(path)]:
            for rule in refusing(part.kind, part.text, file.startswith("tests/")):
                if (file, rule.word) not in ALLOWED and re.search(rule.where, file):
                    line = f"{file}:{part.line}: '{rule.word}' is {rule.use}: {shown(rule, part)!r}"
                    found.setdefault((file, rule.word), []).append(line)
    return found


def names_of(path: Path) -> Iterator[Part]:
    return (part for part in parts_of(path) if part.kind == "name")


def comments_of(path: Path) -> Iterator[Part]:
    """Comments without their signs, docstrings and paragraphs, each as one line.

    Behind code a comment is one of its own, not the end of the one above.
    """
    signs = re.compile(r'^\s*(//|/\*+|\*|\{#-?|#+(?!\S)|doc = "+)?\s*(-{3,}\s*)?')
    behind_code = {part.line for part in names_of(path)}
    first, last, text = 0, -1, ""
    for part in parts_of(path):
        if part.kind != "text":
            continue
        plain = " ".join(signs.sub("", part.text).removeprefix('"""').split())
        starts = part.line != last + 1 or part.line in behind_code
        if text and (starts or (path.suffix in LINES and not plain)):
            yield Part("text", first, text)
            text = ""
        first = first if text else part.line
        text = f"{text} {plain}".strip()
        last = part.line
    if text:
        yield Part("text", first, text)


def comments_with(pattern: re.Pattern[str], paths: list[Path]) -> list[str]:
    """Returns the comments in which a pattern is found, each as a line to read."""
    found = []
    for path in paths:
        name = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name
        parts = [part for part in comments_of(path) if pattern.search(part.text)]
        found += [f"{name}:{part.line}: {part.text}" for part in parts]
    return found


@pytest.mark.parametrize("tree", [*TREES, *PAGES])
def test_private_words_are_gone(tree: str) -> None:
    assert not [line for lines in hits(tree).values() for line in lines]


@pytest.mark.parametrize("tree", TREES)
def test_comments_begin_with_their_subject(tree: str) -> None:
    assert not comments_with(OPENING, files_of(tree, (ITSELF,)))


@pytest.mark.parametrize("tree", TREES)
def test_comments_name_who_and_what_they_mean(tree: str) -> None:
    assert not comments_with(VAGUE, files_of(tree, (ITSELF,)))


def test_words_are_seen_where_they_are_read() -> None:
    """Comments, names and docstrings are seen; strings, generated calls and verbs are not."""
    room, put = (next(one for one in RULES if one.word == word) for word in ("room", "put"))
    of_c = 'int make_room; // the room\nf("room"); a_b_c_put(); row_put();'
    of_python = '"""A room."""\nroom = "room"  # room\n'
    assert [p.line for p in parts_of_c(of_c) if refused(room, "runtime/x.c", p)] == [1, 1]
    assert [p.text for p in parts_of_c(of_c) if refused(put, "runtime/x.c", p)] == ["row_put"]
    assert [p.line for p in parts_of_python(of_python) if refused(room, "x.py", p)] == [1, 2, 2]


@pytest.mark.parametrize(
    ("suffix", "text"),
    [
        (".c", "// It is handed\n// over.\n"),
        (".py", '"""It is handed\n\n   over."""\n'),
        (".md", "Handed\nover.\n"),
        (".toml", 'take = "handed over"\ndoc = "Handed over."\n'),
        (".j2", "{{ type }}_hand_over\n"),
    ],
)
def test_a_phrase_is_seen_in_every_kind_of_file(suffix: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / f"file{suffix}"
    path.write_text(text, encoding="utf-8")
    parts = [*names_of(path), *comments_of(path)]
    words = [rule.word for part in parts for rule in refusing(part.kind, part.text, False)]
    assert words == ["hand over"]


@pytest.mark.parametrize(
    ("suffix", "text", "lines"),
    [
        (".c", "int a; // a label\nint b; // Whether b\n\n// ----\n// What follows\n", [2, 5]),
        (".c", 'f("Who"); // It says\n// Who did it.\n', []),
        (".py", '"""What it is."""\nwho = "Who"  # who\n', [1]),
        (".j2", "{# Of all. #}\n{#- So it is. #}\n", [1]),
        (".toml", '[a]\ndoc = "What it is."\nb = "Who" # who\n', [2]),
        (".md", "# Who\n\nIt says\nWhat.\n\nSome.\n\nSo it is.\n", [1, 8]),
    ],
)
def test_an_opening_is_seen_where_a_comment_begins(
    suffix: str, text: str, lines: list[int], tmp_path: Path
) -> None:
    path = tmp_path / f"file{suffix}"
    path.write_text(text, encoding="utf-8")
    assert [int(found.split(":")[1]) for found in comments_with(OPENING, [path])] == lines


def test_a_vague_word_is_seen_over_the_end_of_a_line(tmp_path: Path) -> None:
    path = tmp_path / "file.c"
    path.write_text('// It does the\n// same.\nf("nobody");\nint a; // Nobody\n', "utf-8")
    assert comments_with(VAGUE, [path]) == ["file.c:1: It does the same.", "file.c:4: Nobody"]
