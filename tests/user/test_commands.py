"""COMMANDS.md has a section for every command, with each of its options."""

from __future__ import annotations

import re

import pytest

from built import ROOT
from commands.options import make_parser
from commands.parser import commands_below

PAGE = (ROOT / "codegen/COMMANDS.md").read_text(encoding="utf-8")
EVERYWHERE = {"-h", "--help", "--strict"}
COMMANDS = dict(commands_below(make_parser("weft")))


def section(command: str) -> str:
    found = re.search(rf"^##+ `weft {command}`\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_has_a_section_with_its_options(command: str) -> None:
    text = section(command)
    assert text, f"no section ## `weft {command}`"
    options = {name for one in COMMANDS[command]._actions for name in one.option_strings}
    missing = {name for name in options - EVERYWHERE if f"`{name}" not in text}
    assert missing == set()


def test_no_section_is_about_a_command_that_does_not_exist() -> None:
    assert set(re.findall(r"^##+ `weft ([\w ]+)`$", PAGE, re.MULTILINE)) == set(COMMANDS)
