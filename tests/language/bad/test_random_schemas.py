"""Any schema file, however random, gives diagnostics or code that compiles without warnings."""

from __future__ import annotations

import copy
import hashlib
import shutil
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from check import check
from compilers import C_COMPILERS, CPP_COMPILERS
from emit.emit import render
from examples import examples
from generated import write_files, write_includers, write_whole
from names.claims import claims
from parse import SECTIONS, parse
from plan import Plan, make_plan
from plan.records.data import StructPlan
from source.imports import load_files
from source.source import Report
from toml_text import toml

GCC, CLANG = C_COMPILERS
HERE = Path(__file__).parent
ROOT = HERE.parents[2]

NAMES = st.sampled_from(
    [
        "position", "worker", "building", "burning", "selected", "velocity", "job", "vec2", "mat4",
        "calendar", "villager", "idle", "movement", "simulate", "late", "x", "y", "gather",
        "class", "linux", "spawn", "__x", "A", "a_b", "position_get", "ctx", "count", "weft_x",
    ]
)  # fmt: skip
KEYS = st.sampled_from(
    [
        "name", "entity", "index_bits", "generation_bits", "recycle_after", "max_entities",
        "phases", "doc", "type", "values", "fields", "header", "c", "size", "align", "storage",
        "layout", "requires", "excludes", "save", "components", "read", "write", "where",
        "optional", "rows", "phase", "after", "before", "every", "singletons", "lookup", "queries",
        "commands", "unit", "min", "max", "default", "was", "parallel", "on_add", "emits",
    ]
)  # fmt: skip
WRITTEN = st.sampled_from(
    [
        "u8", "f32[4]", "entity[..2]", "char[4]", "bool", "vec2", "f32[0]", "u9", "char", "sparse",
        "table", "soa", "aos", "mask", "!burning", "position & !worker", "(a | b",
        "worker ^ selected ^ !worker", "changed(position)", "removed(worker)", "math/mat4.h",
        "struct mat4",
    ]
)  # fmt: skip
SCALARS = st.one_of(
    NAMES,
    WRITTEN,
    st.text(max_size=4),
    st.booleans(),
    st.integers(-3, 300),
    st.sampled_from([0.5, -1.5, 1e300, float("inf"), float("nan"), 2**64, -(2**70), 16**3000]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | NAMES, inner, max_size=3),
    max_leaves=6,
)


def judge(data: bytes, folder: Path) -> None:
    """No exception; places are in the file; what nothing is wrong with gives code that compiles."""
    schema = folder / "schema.toml"
    schema.write_bytes(data)
    report = Report()
    parsed = parse(str(schema), report)
    check(parsed, report)
    lines = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")
    for found in report.diagnostics():
        assert found.help
        for place in (found.place, *(note.place for note in found.notes)):
            assert place.length > 0
            assert 1 <= place.line <= len(lines)
            assert 1 <= place.column <= len(lines[place.line - 1]) + 1
    report.render().encode()
    if not report.errors:
        identifiers = [claim.identifier for claim in claims(parsed.model)]
        assert len(identifiers) == len(set(identifiers))
        assert complaints(make_plan(parsed.model), folder, data) == ""


def complaints(plan: Plan, folder: Path, data: bytes) -> str:
    """What gcc says of the code; for every fourth schema clang too, and both of it as C++."""
    digest = hashlib.sha256(data)
    own = write_files(render(plan), folder / digest.hexdigest()) / plan.world.name
    if not write_externs(plan, own):
        return ""
    sources, header = [write_whole(own)], [own / f"{plan.world.name}.h"]
    said = GCC.run(sources, [own])
    if digest.digest()[0] % 4 == 0:
        said += CLANG.run(sources, [own])
        said += "".join(each.run(header, [own]) for each in CPP_COMPILERS)
    shutil.rmtree(own.parent)
    return said


def write_externs(plan: Plan, own: Path) -> bool:
    """Headers such as a game has; False where no C type is what the schema says of it."""
    texts: dict[Path, str] = {}
    externs = [one for one in plan.data.types.externs if one.type != "weft_rng"]  # which Weft has
    for extern in externs:
        path = (own / plan.data.types.extern_headers[extern.name]).resolve()
        if path.suffix != ".h" or path.exists():
            return False
        texts[path] = texts.get(path, "#pragma once\n") + extern_type(plan.world.name, extern)
    if not all(path.is_relative_to(own.parent) for path in texts):
        return False
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    probes = write_includers([extern.page.header for extern in externs], own)
    return not probes or not any(each.run(probes, [own]) for each in (GCC, CPP_COMPILERS[0]))


def extern_type(world: str, extern: StructPlan) -> str:
    """A C struct with the fields and the alignment that the schema says."""
    includes = "".join(
        f'#include "{name}"\n' for name in (f"{world}_entity.h", *extern.page.includes)
    )
    *_, keyword, tag = ["", *extern.type.split()]
    members = "".join(
        f"struct {{ uint32_t count; {m.element} items[{m.count}]; }} {m.name}; "
        if m.list_type
        else f"{m.declaration}; "
        for m in extern.members
    )
    body = f"{{ __attribute__((aligned({extern.layout.align}))) {members}}}"
    return (
        includes + (f"struct {tag} {body};" if keyword else f"typedef struct {body} {tag};") + "\n"
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("random")


def merged(root: Path) -> dict[str, Any]:
    """A schema and all that it imports, as if it were one file."""
    document: dict[str, Any] = {}
    for file in load_files(str(root), Report()):
        for kind, declared in file.table.items():
            if kind != "import":
                document.setdefault(kind, {}).update(declared)
    return document


GOOD = [
    merged(HERE / "accepted/design.toml"),
    merged(HERE / "accepted/edges.toml"),
    merged(ROOT / "schema/colony.toml"),
]


def paths(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every key path in a document."""
    if path:
        yield path
    inner = value.items() if isinstance(value, dict) else ()
    for key, item in inner or (enumerate(value) if isinstance(value, list) else ()):
        yield from paths(item, (*path, key))


def holder(document: dict[str, Any], path: tuple[Any, ...]) -> Any:
    """What holds the last part of a path."""
    for key in path[:-1]:
        document = document[key]
    return document


def mutate(draw: st.DrawFn, document: dict[str, Any]) -> None:
    """One mistake that somebody could make."""
    places = list(paths(document))
    path = draw(st.sampled_from(places))
    inside, last = holder(document, path), path[-1]
    kind = draw(st.sampled_from(["drop", "rename", "retype", "swap", "copy"]))
    if kind == "drop":
        del inside[last]
    elif kind == "rename" and isinstance(inside, dict):
        inside[draw(KEYS | NAMES)] = inside.pop(last)
    elif kind == "swap":
        other = draw(st.sampled_from(places))
        if other[: len(path)] != path and path[: len(other)] != other:
            there = holder(document, other)
            inside[last], there[other[-1]] = there[other[-1]], inside[last]
    elif kind == "copy" and isinstance(inside, dict):
        inside[draw(NAMES)] = copy.deepcopy(inside[last])
    else:
        inside[last] = draw(VALUES)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    document = copy.deepcopy(draw(st.sampled_from(GOOD)))
    for _ in range(draw(st.integers(1, 3))):
        mutate(draw, document)
    return toml(document)


@st.composite
def noisy(draw: st.DrawFn) -> bytes:
    """A good schema with bytes or lines lost, doubled or put elsewhere."""
    data = draw(st.sampled_from([toml(document) for document in GOOD[:2]]))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(start + draw(st.integers(0, 12)), len(data))
        new = draw(
            st.sampled_from([b"", data[start:end] * 2, b"\n", b'"', b"[", b"]", b"=", b"{", b"#"])
            | st.binary(max_size=3)
        )
        data = data[:start] + new + data[end:]
    return data


DECLARED = st.dictionaries(NAMES, st.dictionaries(KEYS, VALUES, max_size=5), max_size=3)
RANDOM = st.fixed_dictionaries(
    {"world": st.dictionaries(KEYS, VALUES, max_size=3) | st.just({"name": "w"})},
    optional=dict.fromkeys(SECTIONS, DECLARED),
)


def test_the_writer_here_writes_what_it_is_given() -> None:
    for document in GOOD:
        assert tomllib.loads(toml(document).decode()) == document


def test_good_schemas_are_good(folder: Path) -> None:
    for document in GOOD:
        report = Report()
        (folder / "good.toml").write_bytes(toml(document))
        parsed = parse(str(folder / "good.toml"), report)
        check(parsed, report)
        assert report.render() == ""
        plan = make_plan(parsed.model)
        own = write_files(render(plan), folder / "good") / plan.world.name
        assert write_externs(plan, own)


@examples(100)
@given(mutated())
def test_mutated_schemas(folder: Path, data: bytes) -> None:
    judge(data, folder)


@examples(100)
@given(noisy())
def test_noisy_schemas(folder: Path, data: bytes) -> None:
    judge(data, folder)


@examples(100)
@given(RANDOM.map(toml))
def test_random_schemas(folder: Path, data: bytes) -> None:
    judge(data, folder)


@examples(200)
@given(st.dictionaries(st.text(max_size=5) | KEYS, VALUES, max_size=4).map(toml))
def test_random_documents(folder: Path, data: bytes) -> None:
    judge(data, folder)


@examples(200)
@given(st.binary(max_size=60))
def test_random_bytes(folder: Path, data: bytes) -> None:
    judge(data, folder)
