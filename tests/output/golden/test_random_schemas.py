"""A schema that the checks accept gives code that compiles, whatever it contains."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import assume, given

from check import check
from compilers import C_COMPILERS, CPP_COMPILERS, Compiler
from definitions import definitions, macros
from emit.emit import render
from examples import examples
from generated import write_files, write_whole
from model.model import Model
from names.claims import claims
from parse import parse
from plan import make_plan
from random_schemas import schemas
from source.source import Report

GCC, CLANG = C_COMPILERS
GPP, CLANGPP = CPP_COMPILERS


def accepted(schema: str, folder: Path) -> Model:
    """The schema's meaning; what the checks refuse is no example."""
    file = folder / "schema.toml"
    file.write_text(schema, encoding="utf-8")
    report = Report()
    parsed = parse(str(file), report)
    check(parsed, report)
    assume(report.errors == 0)
    return parsed.model


def written(schema: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[Model, Path]:
    folder = tmp_path_factory.mktemp("schema")
    model = accepted(schema, folder)
    return model, write_files(render(make_plan(model)), folder) / model.world.name


def complaints(compiler: Compiler, own: Path) -> str:
    is_c = compiler in C_COMPILERS
    file = write_whole(own) if is_c else own / f"{own.name}.h"
    return compiler.run([file], [own])


@examples(15, slow=True)
@given(schema=schemas())
def test_it_compiles_as_c_and_as_cpp(schema: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    _, own = written(schema, tmp_path_factory)
    assert complaints(GCC, own) == ""
    assert complaints(CLANGPP, own) == ""


@examples(8, slow=True)
@given(schema=schemas())
def test_it_compiles_with_the_other_compilers(
    schema: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    _, own = written(schema, tmp_path_factory)
    assert complaints(CLANG, own) == ""
    assert complaints(GPP, own) == ""


@examples(8, slow=True)
@given(schema=schemas())
def test_every_identifier_is_claimed_by_one(
    schema: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    model, own = written(schema, tmp_path_factory)
    whole = own / "whole.c"
    names = [*sorted(path.name for path in own.glob("*_*.c")), f"{own.name}.h"]
    whole.write_text("".join(f'#include "{name}"\n' for name in names), encoding="utf-8")
    texts = [path.read_text(encoding="utf-8") for path in own.glob("*.h")]
    claimed = {(claim.identifier, claim.what) for claim in claims(model)}  # one hook may be two's
    identifiers = {identifier for identifier, _ in claimed}
    assert definitions(whole, [], own) | macros(texts) <= identifiers
    assert len(claimed) == len(identifiers)


@examples(10, slow=True)
@given(schema=schemas())
def test_the_same_bytes_come_out_twice(
    schema: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    model = accepted(schema, tmp_path_factory.mktemp("schema"))
    assert render(make_plan(model)) == render(make_plan(model))
