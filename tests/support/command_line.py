"""The commands of codegen as a user gives them, with their output and exit codes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from built import ROOT
from command import CommandLine

ACCEPTED = "tests/language/bad/accepted/design.toml"  # a valid schema

_command = CommandLine()


def run(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Runs `python3 codegen ARGUMENT…` in this process. Use `run_alone` if sharing it matters."""
    done = _command.run(*arguments, cwd=cwd)
    return subprocess.CompletedProcess(arguments, done.code, done.out, done.err)


def run_alone(
    *arguments: str,
    cwd: Path = ROOT,
    env: dict[str, str] | None = None,
    before: Callable[[], None] | None = None,
) -> subprocess.CompletedProcess[str]:
    """Runs `python3 codegen ARGUMENT…` as a process."""
    return _process([str(ROOT / "codegen"), *arguments], cwd, env, before)


def run_after(
    code: str, *arguments: str, env: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs `python3 codegen ARGUMENT…` as a process that has run these statements before."""
    script = (
        "import runpy, sys; sys.path.insert(0, 'codegen'); "
        f"{code}; sys.argv = {['codegen', *arguments]!r}; "
        "runpy.run_path('codegen', run_name='__main__')"
    )
    return _process(["-c", script], ROOT, env, None)


def _process(
    command: list[str], cwd: Path, env: dict[str, str] | None, before: Callable[[], None] | None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-B", *command],
        cwd=cwd,
        env={**os.environ, **(env or {})},
        preexec_fn=before,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def fields(done: subprocess.CompletedProcess[str]) -> tuple[int, str, str]:
    """Returns the exit code, the output, and the error output."""
    return done.returncode, done.stdout, done.stderr
