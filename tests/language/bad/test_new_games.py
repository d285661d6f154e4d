"""`check` accepts every name that `init` accepts."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import CommandLine

NAMES = (
    "a", "a" * 64, "a" * 65, "a" * 200, "A" + "b" * 64, "int", "weft", "con", "main", "spawn",
    "x__y", "7",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES, ids=lambda name: name[:9] + str(len(name)))
def test_a_game_that_is_made_is_right(name: str, tmp_path: Path) -> None:
    run = CommandLine().run
    made = run("init", "game", "--name", name, cwd=tmp_path)
    assert made.code in (0, 2)
    if made.code == 2:
        assert made.err.startswith("error: a world cannot be named '")
        assert list(tmp_path.iterdir()) == []
        return
    schema = next((tmp_path / "game").glob("*.toml"))
    assert run("check", schema, "--strict").err == ""
