"""Runs the recipes of LANGUAGES.md exactly as printed: one game in Rust and in Zig."""

from __future__ import annotations

from pathlib import Path

import pytest

from installed import ROOT, Folder, block

PAGE = ROOT / "runtime/LANGUAGES.md"
README = ROOT / "README.md"
SAYS = "a rabbit at 4, 0\na rabbit at 8, 8\n"
FILES = {
    "rust": ("c calls.h", "c calls.c", "rust main.rs"),
    "zig": ("c plain.h", "zig main.zig"),
}


@pytest.mark.parametrize("language", FILES)
def test_a_game(tmp_path: Path, commands: Path, language: str) -> None:
    (tmp_path / "weft").symlink_to(ROOT)
    (tmp_path / "burrow").mkdir()
    folder = Folder(tmp_path / "burrow", commands)
    folder.write("burrow.toml", block(README, "toml burrow.toml"))
    for head in FILES[language]:
        folder.write(head.split()[1], block(PAGE, head))
    said = folder.run(
        block(PAGE, f"sh {language}"),
        LIBCLANG_PATH="/usr/lib/llvm-14/lib",  # .ci/install has that one, and others may be there
        ZIG_GLOBAL_CACHE_DIR=str(tmp_path / "zig"),
        ZIG_DEBUG_CMD="1",  # zig compiles translate-c when it is first used: do not optimise it
    )
    assert said.endswith(SAYS)
