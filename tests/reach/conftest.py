"""Shares one installation of Weft by pip, and compilers that compile fast and each file once, among
all tests here.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest

from installed import ROOT, install, script

# Here `.ci/install --reach` puts the tools that pip has.
TOOLS = ROOT / ".venv/reach/bin"
# `cc` and `c++` are what build systems take unless they are told otherwise.
COMPILERS = {"cc": "gcc", "c++": "g++", "gcc": "gcc"}


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of this run, which all processes of it have."""
    base = tmp_path_factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


@pytest.fixture(scope="session")
def commands(shared: Path) -> Path:
    """The folder that has the command `weft`. The first process that wants it installs it."""
    with open(shared / "installing", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = shared / "python/bin"
        return found if (found / "weft").exists() else install(shared / "python")


def real(compiler: str) -> Path:
    """The compiler itself. ccache under its name would look for it in PATH, and find a script of
    `compilers` there, which calls ccache."""
    places = (Path(folder) / compiler for folder in os.environ["PATH"].split(os.pathsep))
    return next(place for place in places if place.exists() and place.resolve().name != "ccache")


@pytest.fixture(scope="session")
def compilers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of compilers that optimise nothing, whatever a build file tells them.

    ccache compiles the runtime once for all games with equal flags. It begins with an empty cache.
    """
    folder = tmp_path_factory.mktemp("compilers")
    ccache = which("ccache") or ""
    for name, compiler in COMPILERS.items():
        script(folder / name, f'exec {ccache} "{real(compiler)}" "$@" -O0\n')
    return folder


@pytest.fixture(scope="session", autouse=True)
def _cache(shared: Path) -> Iterator[None]:
    """Lets games in different folders share objects, because their paths are relative then."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CCACHE_DIR", str(shared / "ccache"))
        patch.setenv("CCACHE_BASEDIR", str(shared))
        patch.setenv("CCACHE_NOHASHDIR", "1")
        yield


@pytest.fixture(autouse=True)
def _tools(compilers: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Puts those compilers first in PATH, since the tests here look at what is compiled and what it
    prints and never at how fast it is, and the tools of .ci/install last."""
    monkeypatch.setenv("PATH", f"{compilers}:{os.environ['PATH']}:{TOOLS}")
