"""Every header that a game may include compiles alone, in C and in C++, with the warnings of a
demanding game. Every compiler checks the headers of the runtime. One compiler checks each generated
header of the game and of the differential test's world, which has something of everything. It
checks the headers of each other world together, and the other compilers check those of all worlds
together, because most of their time goes into headers that every world includes.

The headers are read from the disk: the colony's are committed, those of the differential test's
worlds are made by the build. The headers of the golden cases are checked in tests/output/golden.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from compilers import ALONE, COMPILERS, EACH_FIRST, ROOT, RUNTIME, Compiler
from examples import long_after
from generated import write_includers
from headers_alone import complaints
from system_headers import EXTENDED, includes

# Where the [extern] headers of a world that has some are.
OWN = {
    "colony": "game",
    "cycles": "fuzz",
    "land": "fuzz",
    "fuzz": "fuzz",
    "lab": "runtime/world",
    "post": "runtime/world",
    "stage": "runtime/world",
    "casino": "runtime/world",
    "crew": "runtime/world",
    "seed": "fuzz",
    "tree": "runtime/world",
    "crypt": "saves/harm",
    "dust": "saves/harm",
    "faulty": "saves/harm",
    "estate": "runtime/hooks",
    "exact": "saves/harm",
    "vault": "saves/harm",
}


# The worlds whose headers are tried one by one; those of the golden cases are besides.
ONE_BY_ONE = (ROOT / "generated/colony", ROOT / "build/generated/middle/fuzz")


def worlds() -> list[Path]:
    """Folders of generated code: every one with headers below generated/ and build/generated/."""
    out = (ROOT / "generated", ROOT / "build" / "generated")
    return sorted({header.parent for folder in out for header in folder.rglob("*.h")})


def includers(folder: Path, out: Path, *, alone: bool) -> list[Path]:
    headers = (header.name for header in sorted(folder.glob("*.h")))
    return write_includers(headers, out, name=folder.name, alone=alone)


def test_there_is_something_to_include() -> None:
    assert ROOT / "generated" / "colony" in worlds()


def own_headers(world: Path) -> list[Path]:
    return [ROOT / "tests" / OWN[world.name]] if world.name in OWN else []


@pytest.mark.parametrize("compiler", ALONE, ids=lambda compiler: compiler.name)
@pytest.mark.parametrize("world", worlds(), ids=lambda world: str(world.relative_to(ROOT)))
def test_every_generated_header_compiles(world: Path, compiler: Compiler, tmp_path: Path) -> None:
    folders = [world, *own_headers(world)]
    if world in ONE_BY_ONE:
        files = includers(world, tmp_path, alone=True)
        assert complaints(compiler, files, folders, tmp_path) == ""
    else:
        assert compiler.run(includers(world, tmp_path, alone=False), folders) == ""


def groups() -> list[list[Path]]:
    """All worlds by the folder of their own headers, and so that no two in a group have one name:
    the differential test has several."""
    found: dict[tuple[str, int], list[Path]] = {}
    seen: Counter[str] = Counter()
    for world in worlds():
        found.setdefault((OWN.get(world.name, ""), seen[world.name]), []).append(world)
        seen[world.name] += 1
    return list(found.values())


@pytest.mark.parametrize(
    "compiler",
    long_after(1, [one for one in EACH_FIRST if one not in ALONE]),
    ids=lambda compiler: compiler.name,
)
def test_headers_of_all_worlds_compile_together(compiler: Compiler, tmp_path: Path) -> None:
    for i, group in enumerate(groups()):
        headers = [header.name for world in group for header in sorted(world.glob("*.h"))]
        files = write_includers(headers, tmp_path, name=f"group{i}", alone=False)
        folders = [folder for world in group for folder in (world, *own_headers(world))]
        assert compiler.run(files, folders) == ""


@pytest.mark.parametrize("compiler", COMPILERS, ids=lambda compiler: compiler.name)
def test_every_header_of_the_runtime_compiles_alone(compiler: Compiler, tmp_path: Path) -> None:
    assert compiler.run(includers(RUNTIME, tmp_path, alone=True), []) == ""


def test_what_is_generated_includes_the_same_in_cpp() -> None:
    """A compiler of C therefore sees what a header lacks, for both languages."""
    assert not [
        header
        for world in worlds()
        for header in world.glob("*.h")
        if "__cplusplus" in header.read_text(encoding="utf-8")
    ]


# Words of attributes that a game may have as macros of its own, and no names in the runtime.
ATTRIBUTES = """
    aligned always_inline cold constructor deprecated fallthrough flatten gnu_printf hot malloc
    may_alias naked noclone noinline nonnull noreturn nothrow optimize packed printf pure
    returns_nonnull sentinel unused visibility warn_unused_result weak"""
ATTRIBUTE = re.compile(r"__attribute__\(\((.*?)\)\)", re.DOTALL)


def hostile(out: Path) -> list[str]:
    """Flags that make every plainly spelled attribute an error."""
    first = out / "first.h"
    defined = (f"#undef {word}\n#define {word} 1 +\n" for word in ATTRIBUTES.split())
    first.write_text(includes() + "".join(defined), encoding="utf-8")
    return [EXTENDED, "-Wno-pedantic", "-include", str(first)]


@pytest.mark.parametrize("optimised", [[], ["-O2"]], ids=["plain", "optimised"])
def test_no_header_minds_macros_of_attributes(optimised: list[str], tmp_path: Path) -> None:
    """They come first: those of <stdnoreturn.h>, and of a game that shortens what it writes."""
    colony, game = ROOT / "generated" / "colony", ROOT / "tests" / "game"
    files = [file for of in (colony, RUNTIME) for file in includers(of, tmp_path, alone=False)]
    flags = [*hostile(tmp_path), *optimised]
    compiler = ALONE[0]
    assert compiler.run(files, [colony, game], *flags) == ""


def test_attributes_are_spelled_with_underscores() -> None:
    """Also those whose plain words are names in the runtime, such as `format`."""
    spelled = set()
    for path in [*RUNTIME.rglob("*.[ch]"), *(ROOT / "codegen").rglob("*.*")]:
        if path.suffix in (".c", ".h", ".j2", ".py"):
            for text in ATTRIBUTE.findall(path.read_text(encoding="utf-8")):
                outside_strings = re.sub(r'"[^"]*"|\btext\b|\bfirst\b|\bWEFT_LANE\w*\b', "", text)
                spelled |= set(re.findall(r"[A-Za-z_]\w*", outside_strings))
    assert {"__noreturn__", "__format__", "__optimize__"} <= spelled
    assert all(word.startswith("__") and word.endswith("__") for word in spelled), spelled
