"""The blocks of the pages work as the pages say: schemas pass `check`, code compiles and prints."""

from __future__ import annotations

import re
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from built import ROOT
from command import CommandLine
from pages import (
    Block,
    answer,
    blocks,
    compile_block,
    compile_world,
    do_as_the_page_says,
    merged,
    name,
    needs_more,
    output,
    pages,
    plain,
    write_schema,
)

PAGES = [page for page in pages() if not needs_more(page)]
CODE = ("c", "cpp")


def of_burrow(page: Path) -> list[Block]:
    """Returns the blocks about the example world, without those of a page's own game."""
    return [block for block in blocks(page) if not block.is_file and block.language != "sh"]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_is_tried(page: Path) -> None:
    """Blocks of other languages must be files of the page's own game, which `sh` blocks use."""
    found = blocks(page)
    known = {"toml", "c", "cpp", "sh", "text"}
    labels = {"", "run", "wrong", "output", "error", "shown"}
    wrong = [
        b for b in found if not b.is_file and (b.language not in known or b.label not in labels)
    ]
    assert [(block.line, block.language, block.label) for block in wrong] == []
    has_sh = any(block.language == "sh" for block in found)
    assert has_sh or not any(block.is_file for block in found), "files that no `sh` block uses"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_schemas_pass_check(page: Path, tmp_path: Path) -> None:
    """A block is added to the burrow and stays for the rest of the page, unless it is `wrong`."""
    found = of_burrow(page)
    fragments: list[str] = []
    for number, block in enumerate(found):
        if block.language != "toml" or block.label == "shown":
            continue
        whole = re.search(r"^name *=", block.text.split("\n\n")[0], re.MULTILINE) and (
            "[world]" in block.text
        )
        text = block.text if whole else merged([*fragments, block.text])
        (tmp_path / "burrow.toml").write_text(text, encoding="utf-8")
        done = CommandLine().run("check", "burrow.toml", cwd=tmp_path)
        if block.label == "wrong":
            told = answer(found, number)
            assert told and done.code != 0, f"line {block.line} is no mistake"
            assert plain(told.text) in plain(done.err), done.err
        else:
            assert done.code == 0, f"line {block.line}\n{done.err}"
            fragments += [] if whole else [block.text]


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_code_does_what_the_page_says(page: Path, tmp_path: Path) -> None:
    """A block sees the schema with the fragments above it. One that is to `run` prints the next."""
    found = of_burrow(page)
    fragments: list[str] = []
    world, made = None, None
    for number, block in enumerate(found):
        if (
            block.language == "toml"
            and block.label == ""
            and not block.text.startswith("[world]\nname")
        ):
            fragments.append(block.text)
            world, made = None, None
        if block.language not in CODE or block.label == "shown":
            continue
        world = world or write_schema(tmp_path, fragments)
        thing = compile_block(block, world, tmp_path)
        if block.label == "run":
            made = made or compile_world(tmp_path)
            told = answer(found, number)
            assert told, f"line {block.line}: no output follows"
            assert output(thing, made, tmp_path) == told.text, f"line {block.line}"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_reader_can_do_what_the_page_says(page: Path, tmp_path: Path) -> None:
    """Files and commands, in the order of the page, in an empty folder beside Weft's."""
    do_as_the_page_says(page, tmp_path)


def test_pictures_are_as_they_are_drawn() -> None:
    folder = ROOT / "schema/explanation"
    drawn = load(folder / "draw.py").drawn()
    files = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.svg")}
    assert files == drawn


def load(module: Path) -> ModuleType:
    spec = spec_from_file_location(module.stem, module)
    assert spec and spec.loader
    made = module_from_spec(spec)
    spec.loader.exec_module(made)
    return made
