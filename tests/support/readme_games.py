"""Games of an author who has only README, built by the commands it gives.

The blocks of README, and of BUILDS.md for Ninja, are used exactly as printed, with the name of the
game in place of the example's. The game's folder is next to Weft's, as README says.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

WEFT = Path(__file__).resolve().parent.parent.parent
USER = WEFT / "tests" / "user"
PAGES = "".join(
    (WEFT / page).read_text(encoding="utf-8") for page in ("README.md", "runtime/BUILDS.md")
)
EXAMPLE = "burrow"
FAST_TO_BUILD = "-O0"


def block(head: str) -> str:
    """Returns the text of the only code block that begins with these words: "c main.c", "sh
    plain".
    """
    found = re.findall(rf"^```{re.escape(head)}\n(.*?)^```$", PAGES, re.MULTILINE | re.DOTALL)
    assert len(found) == 1, f"the pages have {len(found)} blocks '{head}'"
    return str(found[0])


@dataclass(frozen=True)
class Project:
    """A folder of a user next to Weft, and the compiler that is `cc` there."""

    folder: Path
    name: str
    environment: dict[str, str]

    def run(self, commands: str) -> str:
        """Returns the output of the commands, with README's example renamed. They must succeed."""
        done = subprocess.run(
            ["sh", "-e", "-c", commands.replace(EXAMPLE, self.name)],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def build(self, step: str) -> None:
        if step == "ninja":
            text = block("ninja build.ninja").replace(EXAMPLE, self.name)
            (self.folder / "build.ninja").write_text(text, encoding="utf-8")
        self.run(block(f"sh {step}"))

    def says(self) -> str:
        return self.run(f"./{self.name}")


def with_tools(folder: Path, compiler: str, flag: str) -> Project:
    """Returns a project in this folder; `cc` is this compiler with an added flag."""
    tools = folder.parent / "tools"
    tools.mkdir()
    found = shutil.which(compiler)
    assert found is not None
    (tools / "cc").write_text(f'#!/bin/sh\nexec {found} "$@" {flag}\n', encoding="utf-8")
    (tools / "cc").chmod(0o755)
    return Project(folder, folder.name, dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}"))


def beside_weft(parent: Path, name: str, compiler: str, flag: str) -> Project:
    """Makes an empty project in a folder next to Weft."""
    (parent / "weft").symlink_to(WEFT)
    (parent / name).mkdir()
    return with_tools(parent / name, compiler, flag)


def example(parent: Path, compiler: str, flag: str) -> Project:
    project = beside_weft(parent, EXAMPLE, compiler, flag)
    for kind, file in (("toml", f"{EXAMPLE}.toml"), ("c", "main.c")):
        (project.folder / file).write_text(block(f"{kind} {file}"), encoding="utf-8")
    return project


def asteroids(parent: Path, compiler: str, flag: str) -> Project:
    project = beside_weft(parent, "asteroids", compiler, flag)
    for file in ("asteroids.toml", "main.c"):
        shutil.copy(USER / file, project.folder)
    return project


def swarm(parent: Path, compiler: str, flag: str) -> Project:
    project = beside_weft(parent, "swarm", compiler, flag)
    for file in ("swarm.toml", "main.c", "drum.h"):
        shutil.copy(USER / "swarm" / file, project.folder)
    return project


Game = Callable[[Path, str, str], Project]


@dataclass(frozen=True)
class Builds:
    """Builds each project once. Every test gets its own copy, with the original times of the
    files.
    """

    root: Path
    copies: Path

    def copy(self, game: Game, compiler: str, step: str) -> Project:
        parent = self.root / f"{game.__name__}-{compiler}-{step}"
        if not parent.exists():
            parent.mkdir()
            game(parent, compiler, FAST_TO_BUILD).build(step)
        mine = Path(tempfile.mkdtemp(dir=self.copies))
        tools = shutil.ignore_patterns("tools")
        shutil.copytree(parent, mine, symlinks=True, ignore=tools, dirs_exist_ok=True)
        [folder] = (path for path in mine.iterdir() if path.name != "weft")
        return with_tools(folder, compiler, FAST_TO_BUILD)
