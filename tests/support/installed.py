"""Weft as pip installs it, and folders of users in which the commands of pages run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
ROOT = Path(__file__).resolve().parent.parent.parent


def new_python(folder: Path) -> Path:
    """Makes a Python with a command `pip`, and returns the folder of its commands.

    It uses the pip of the tests, which is faster than installing one, and downloads nothing: Jinja2
    is already there.
    """
    python = [sys.executable, "-m", "venv", "--without-pip", "--system-site-packages"]
    subprocess.run([*python, str(folder)], check=True)
    commands = folder / "bin"
    pip = f'"{sys.executable}" -m pip --python "{commands}/python3" --disable-pip-version-check'
    script(
        commands / "pip", f'export PIP_NO_INDEX=1 PIP_QUIET="${{PIP_QUIET-1}}"\nexec {pip} "$@"\n'
    )
    return commands


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}", encoding="utf-8")
    path.chmod(0o755)


def install(folder: Path, package: Path = ROOT / "codegen") -> Path:
    """Installs a package in a new Python, and returns the folder of its commands."""
    commands = new_python(folder)
    subprocess.run([str(commands / "pip"), "install", str(package)], check=True)
    return commands


def also(*more: str) -> tuple[str, ...]:
    """Returns its arguments for `ninja test-reach-all`, and nothing otherwise."""
    return more if os.environ.get("WEFT_REACH") == "all" else ()


@dataclass(frozen=True)
class Folder:
    """A folder of a user, and the commands that are in PATH there."""

    path: Path
    commands: Path

    def try_run(self, commands: str, **environment: str) -> subprocess.CompletedProcess[str]:
        own = {"PATH": f"{self.commands}:{os.environ['PATH']}", "SDL_VIDEODRIVER": "dummy"}
        # Users let Python cache compiled modules; without that the generator takes twice as long.
        inherited = {name: os.environ[name] for name in os.environ if name != NO_BYTECODE}
        return subprocess.run(
            ["sh", "-e", "-c", commands],
            cwd=self.path,
            env=inherited | own | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def run(self, commands: str, **environment: str) -> str:
        """Returns the output of the commands. They must succeed, without messages of compilers."""
        done = self.try_run(commands, **environment)
        assert done.returncode == 0, done.stdout
        assert "warning" not in done.stdout.lower(), done.stdout
        return done.stdout

    def write(self, name: str, text: str) -> None:
        (self.path / name).write_text(text, encoding="utf-8")

    def edit(self, name: str, before: str, after: str) -> None:
        path = self.path / name
        text = path.read_text(encoding="utf-8")
        assert text.count(before) == 1, f"{name}: {before}"
        path.write_text(text.replace(before, after), encoding="utf-8")

    def objects(self) -> dict[str, int]:
        """Returns the object files, each with the time of its compilation."""
        return {path.name: path.stat().st_mtime_ns for path in self.path.rglob("*.o")}


def block(page: Path, head: str) -> str:
    """Returns the text of a page's only code block that begins with these words: "sh build"."""
    text = page.read_text(encoding="utf-8")
    found = re.findall(rf"^```{re.escape(head)}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(found) == 1, f"{page} has {len(found)} blocks '{head}'"
    return str(found[0])
