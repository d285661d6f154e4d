"""What a game may include compiles alone, in C and in C++, with the warnings of a demanding game.

These are the headers as they are on disk: committed for the colony, made by the build for the
worlds of the differential test. The headers of the golden cases are tried in tests/golden.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from compilers import COMPILERS, ROOT, RUNTIME, Compiler
from generated import write_includers

# Where the [extern] headers of a world that has some are.
OWN = {
    "colony": "game",
    "cycles": "fuzz",
    "fuzz": "fuzz",
    "lab": "world",
    "post": "world",
    "crew": "world",
    "seed": "fuzz",
    "tree": "world",
    "crypt": "harm",
    "dust": "harm",
    "vault": "harm",
}


def worlds() -> list[Path]:
    """Folders of generated code: every one with headers below generated/ and build/generated/."""
    out = (ROOT / "generated", ROOT / "build" / "generated")
    return sorted({header.parent for folder in out for header in folder.rglob("*.h")})


def test_there_is_something_to_include() -> None:
    assert ROOT / "generated" / "colony" in worlds()


@pytest.mark.parametrize("compiler", COMPILERS, ids=lambda compiler: compiler.name)
@pytest.mark.parametrize("world", worlds(), ids=lambda world: str(world.relative_to(ROOT)))
def test_every_generated_header_compiles_alone(
    world: Path, compiler: Compiler, tmp_path: Path
) -> None:
    includers = write_includers((header.name for header in sorted(world.glob("*.h"))), tmp_path)
    own = [ROOT / "tests" / OWN[world.name]] if world.name in OWN else []
    assert compiler.run(includers, [world, *own]) == ""


@pytest.mark.parametrize("compiler", COMPILERS, ids=lambda compiler: compiler.name)
def test_every_header_of_the_runtime_compiles_alone(compiler: Compiler, tmp_path: Path) -> None:
    includers = write_includers((header.name for header in sorted(RUNTIME.glob("*.h"))), tmp_path)
    assert compiler.run(includers, []) == ""
