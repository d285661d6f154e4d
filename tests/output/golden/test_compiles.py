"""Generated code compiles with the warnings of a demanding game: each C file, and each header. One
compiler sees each alone, the others see the C files of a world together, and all headers.

tests/build checks the headers of committed worlds; this file checks those of the golden cases.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compilers import ALONE, C_COMPILERS, COMPILERS, EACH_FIRST, Compiler
from examples import long_after
from generated import Generated, generate_all, generate_cases, write_includers, write_whole
from headers_alone import complaints


def written(out: Path) -> list[Path]:
    """Writes all worlds into one folder; gives the folders to include from."""
    things = generate_all()
    own = [thing.own_headers for thing in things if any(thing.own_headers.glob("*.h"))]
    return [*(thing.write(out) for thing in things), *own]


def names(thing: Generated, suffix: str) -> list[str]:
    return [Path(path).name for path in thing.files if path.endswith(suffix)]


@pytest.mark.parametrize("compiler", long_after(2, EACH_FIRST), ids=lambda compiler: compiler.name)
def test_every_header_compiles(compiler: Compiler, tmp_path: Path) -> None:
    folders = written(tmp_path / "generated")
    headers = [name for thing in generate_cases() for name in names(thing, ".h")]
    out = tmp_path / "includers"
    if compiler in ALONE:
        assert complaints(compiler, write_includers(headers, out), folders, out) == ""
    else:
        together = write_includers(headers, out, name="cases", alone=False)
        assert compiler.run(together, folders) == ""


def test_every_header_for_cpp_compiles(tmp_path: Path) -> None:
    """One compiler sees all worlds at once, with all that their classes have."""
    folders = written(tmp_path)
    worlds = [thing.world for thing in generate_all()]
    lines = [
        f'#include "{world}.hpp"\ntemplate class weft::world<{world}_world>;\n' for world in worlds
    ]
    file = tmp_path / "all.cpp"
    file.write_text("".join(lines), encoding="utf-8")
    [compiler] = [one for one in COMPILERS if one.name == "clang++"]
    assert compiler.run([file], folders, "-std=c++20") == ""


@pytest.mark.parametrize("compiler", C_COMPILERS, ids=lambda compiler: compiler.name)
def test_every_c_file_compiles(compiler: Compiler, tmp_path: Path) -> None:
    folders = written(tmp_path)
    files = [tmp_path / path for t in generate_all() for path in t.files if path.endswith(".c")]
    if compiler not in ALONE:
        files = [write_whole(folder) for folder in sorted({file.parent for file in files})]
    assert compiler.run(files, folders) == ""


def test_a_header_that_lacks_an_include_would_be_seen(tmp_path: Path) -> None:
    """One that leads to the header that is compiled once, and one that does not."""
    texts = {
        "whole.h": '#include "weft_gen.h"\nuint32_t whole(void);\n',
        "less.h": "uint32_t less(void);\n",
        "part.h": '#include "whole.h"\nlost part(void);\n',
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    includers = write_includers(texts, tmp_path)
    said = complaints(C_COMPILERS[0], includers, [tmp_path], tmp_path)
    assert set(re.findall(r"^\S+/(\w+)\.h:\d+:\d+: error: ", said, re.MULTILINE)) == {
        "less",
        "part",
    }
    assert complaints(C_COMPILERS[0], includers[:1], [tmp_path], tmp_path) == ""


@pytest.mark.parametrize("compiler", COMPILERS, ids=lambda compiler: compiler.name)
def test_what_is_wrong_would_be_seen(compiler: Compiler, tmp_path: Path) -> None:
    """A conversion that loses something, which only our warnings mind."""
    file = tmp_path / "wrong.c"
    file.write_text("char f(int a);\nchar f(int a) { return a; }\n", encoding="utf-8")
    assert "conversion" in compiler.run([file], [])
