"""The page for users of other ECS: its schema and code work, and the names in its tables exist.

Blocks of C that define functions are used as they are. Other blocks are the body of a function with
a world `w` of its own. All of them are compiled in one file, as C, and run.
"""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

from built import built
from parse.keys import FILE, tables

HERE = Path(__file__).resolve().parent
WEFT = HERE.parent.parent
PAGE = (WEFT / "schema/coming-from.md").read_text(encoding="utf-8")
KEYS = {key.name for table in tables(FILE) for key in table.keys}
HEADERS = [WEFT / "runtime/weft.h", *(WEFT / "runtime").rglob("*.h")]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
BUILDS = {"gcc": ("gcc", []), "clang": ("asan", SANITIZERS)}  # whose runtime is linked, and flags

HEAD = """#undef NDEBUG
#include "harbor.h"
#include "weft_reflect.h"

#include <assert.h>
#include <stdio.h>
"""


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def program() -> str:
    parts = [HEAD]
    calls = []
    for number, block in enumerate(blocks("c")):
        if re.search(r"^(static|void) ", block, re.MULTILINE):
            parts.append(block)
            continue
        parts.append(f"static void block_{number}(harbor_world *w)\n{{\n{block}}}\n")
        calls.append(f"w = harbor_open(NULL);\nassert(w);\nblock_{number}(w);\nharbor_close(w);\n")
    return "\n".join([*parts, "int main(void)\n{\nharbor_world *w;", *calls, 'puts("run");\n}\n'])


@pytest.fixture(scope="module")
def harbor(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("harbor")
    (schema,) = blocks("toml harbor.toml")
    (folder / "harbor.toml").write_text(schema, encoding="utf-8")
    codegen = [WEFT / ".venv/bin/python3", WEFT / "codegen"]
    checked = subprocess.run(
        [*codegen, "check", "harbor.toml"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    made = [*codegen, "generate", "harbor.toml", "--out", "."]
    subprocess.run(made, cwd=folder, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_seed_U1_every_block_compiles_and_holds(harbor: Path, compiler: str) -> None:
    build, own = BUILDS[compiler]
    (harbor / "main.c").write_text(program(), encoding="utf-8")
    flags = ["-std=c11", "-O0", "-g1", "-pthread", "-I", harbor / "harbor", "-I", WEFT / "runtime"]
    generated = sorted((harbor / "harbor").glob("*.c"))
    sources = ["main.c", *generated, built(f"build/{build}/libweft.a")]
    done = subprocess.run(
        [compiler, *flags, *WARNINGS, *own, *sources, "-o", f"harbor_{compiler}"],
        cwd=harbor,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    ran = subprocess.run(
        [harbor / f"harbor_{compiler}"], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "run\n"), ran.stderr


@cache
def declared(folder: Path) -> set[str]:
    headers = [*HEADERS, *folder.glob("harbor/*.h")]
    return {name for path in headers for name in re.findall(r"\w+", path.read_text("utf-8"))}


def test_the_names_in_the_tables_are_there(harbor: Path) -> None:
    named = set(re.findall(r"\b(?:harbor|weft)_\w+", re.sub(r"_(?=[`…])", "", PAGE)))
    assert len(named) > 40
    assert named - declared(harbor) - {"weft_reflect", "weft_json"} == set()


def test_the_keys_in_the_tables_are_those_of_the_language() -> None:
    keys = set(re.findall(r"`(\w+) = ", PAGE))
    assert len(keys) > 8
    assert keys - KEYS == set()
