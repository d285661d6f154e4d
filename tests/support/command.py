"""The command `codegen saves` within this process, which is faster than to start another."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from built import ROOT


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str


def _command_line() -> ModuleType:
    spec = spec_from_file_location("weft_command_line", ROOT / "codegen/__main__.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Saves:
    def __init__(self) -> None:
        self._main = _command_line().main

    def run(self, *arguments: str | Path) -> Done:
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = self._main(["saves", *map(str, arguments)])
        return Done(code, out.getvalue(), err.getvalue())
