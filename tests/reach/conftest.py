"""Weft as pip has installed it, once in each process, for all tests here."""

from __future__ import annotations

from pathlib import Path

import pytest

from installed import install


@pytest.fixture(scope="session")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that has the command `weft`."""
    return install(tmp_path_factory.mktemp("weft") / "python")
