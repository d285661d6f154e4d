"""Weft as pip installs it, and folders of users in which the commands of pages run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def install(folder: Path, package: Path = ROOT / "codegen") -> Path:
    """Installs a package with the pip of a new Python, and returns the folder of its commands.

    Jinja2 is the one that the tests have: nothing is fetched.
    """
    subprocess.run(
        [sys.executable, "-m", "venv", "--system-site-packages", str(folder)], check=True
    )
    pip = [str(folder / "bin/python3"), "-m", "pip", "install", "--quiet", "--no-index"]
    subprocess.run([*pip, "--disable-pip-version-check", str(package)], check=True)
    return folder / "bin"


@dataclass(frozen=True)
class Folder:
    """A folder of a user's own, and the commands that are in PATH there."""

    path: Path
    commands: Path

    def try_run(self, commands: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-e", "-c", commands],
            cwd=self.path,
            env=os.environ
            | {"PATH": f"{self.commands}:{os.environ['PATH']}", "SDL_VIDEODRIVER": "dummy"}
            | environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def run(self, commands: str, **environment: str) -> str:
        """Returns what the commands print. They must succeed, and compilers have nothing to say."""
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
        """The object files, and when each was compiled."""
        return {path.name: path.stat().st_mtime_ns for path in self.path.rglob("*.o")}


def block(page: Path, head: str) -> str:
    """The text of a page's only code block that begins with these words: "sh build"."""
    text = page.read_text(encoding="utf-8")
    found = re.findall(rf"^```{re.escape(head)}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    assert len(found) == 1, f"{page} has {len(found)} blocks '{head}'"
    return str(found[0])
