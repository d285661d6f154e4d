"""Cached compiled templates print the text of the current templates, also if the cache is stale or
damaged.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jinja2 import Environment

from emit.compiled import CompiledTemplates
from emit.templates import WholeTemplates


@pytest.fixture(autouse=True)
def _writing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def printed(folder: Path) -> str:
    """Returns the text that a template prints in a program that begins anew."""
    environment = Environment(
        loader=WholeTemplates(folder), bytecode_cache=CompiledTemplates(folder), autoescape=False
    )
    return environment.get_template("page.j2").render(name="weft")


def kept(folder: Path) -> list[Path]:
    return sorted((folder / "__pycache__").iterdir())


def test_it_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "page.j2").write_text("this is {{ name }}")
    assert printed(tmp_path) == "this is weft"
    monkeypatch.setattr(Environment, "_generate", None)  # which compiles
    assert printed(tmp_path) == "this is weft"
    assert len(kept(tmp_path)) == 1


def test_another_text_is_compiled_anew(tmp_path: Path) -> None:
    (tmp_path / "page.j2").write_text("this is {{ name }}")
    printed(tmp_path)
    (tmp_path / "page.j2").write_text("that is {{ name }}")
    assert printed(tmp_path) == "that is weft"


def test_another_text_of_a_part_is_compiled_anew(tmp_path: Path) -> None:
    (tmp_path / "page.j2").write_text('{% include "_part.j2" %}\n{{ name }}')
    (tmp_path / "_part.j2").write_text("this is ")
    assert printed(tmp_path) == "this is weft"
    (tmp_path / "_part.j2").write_text("that is ")
    assert printed(tmp_path) == "that is weft"
    assert len(kept(tmp_path)) == 1


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.9])
def test_what_was_cut_off_is_compiled_anew(tmp_path: Path, share: float) -> None:
    (tmp_path / "page.j2").write_text("this is {{ name }}")
    printed(tmp_path)
    (path,) = kept(tmp_path)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    assert printed(tmp_path) == "this is weft"
    assert path.read_bytes() == data


def test_a_folder_that_takes_nothing_costs_time_alone(tmp_path: Path) -> None:
    (tmp_path / "page.j2").write_text("this is {{ name }}")
    (tmp_path / "__pycache__").write_text("no folder")
    assert printed(tmp_path) == "this is weft"


def test_python_may_be_told_to_keep_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page.j2").write_text("this is {{ name }}")
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert printed(tmp_path) == "this is weft"
    assert not (tmp_path / "__pycache__").exists()
