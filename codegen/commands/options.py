"""The commands of the command line and their options."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TypeAlias

from commands.outcome import UNUSABLE
from commands.parser import Parser, unrecognized
from kit.builds import BUILDS
from kit.version import version
from saves.options import add_options
from source.source import printable

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"


def read_options(program: str, arguments: Sequence[str]) -> argparse.Namespace:
    """Reads a command line. If it is wrong or asks for help, argparse prints that and exits."""
    words = list(arguments)
    if words[:1] == ["help"]:
        words = [*words[1:], "--help"]
    try:
        parser = make_parser(program)
        options, unknown = parser.parse_known_args(words)
        if unknown:  # the command's own parser also prints the usage of the command
            options.parser.error(unrecognized(parser, options, unknown))
    finally:
        sys.stdout.flush()
    return options


def make_parser(program: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = Parser(
        prog=program,
        description="Turns a schema into C for the Weft runtime.",
        epilog=f"'{program} help COMMAND' shows the options of a command.",
    )
    parser.set_defaults(run=_show_commands, parser=parser)
    parser.add_argument("--version", action="version", version=f"weft {version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_generate(commands)
    _add_check(commands)
    _command(
        commands,
        "diff",
        "generating.diff",
        "show what generate would change; exit 1 if there is a difference",
    )
    _add_schedule(commands)
    _add_prefabs(commands)
    _add_stubs(commands)
    _add_pages(commands)
    _add_lock(commands)
    _add_json_schema(commands)
    _add_ninja(commands)
    _add_kit(commands)
    return parser


def _add_generate(commands: Commands) -> None:
    generate = _command(
        commands, "generate", "generating.generate", "write the C files of a schema"
    )
    _add_file(generate, "--stamp", "touch this file when everything is written")
    _add_file(generate, "--depfile", "write a dependency file for a build system")
    lists = generate.add_mutually_exclusive_group()
    lists.add_argument(
        "--list", action="store_true", help="only print the paths that it would write"
    )
    lists.add_argument(
        "--list-schema",
        action="store_true",
        help="only print the paths of the schema and its imports",
    )


def _add_check(commands: Commands) -> None:
    judge = _command(
        commands, "check", "judging.check", "report mistakes in a schema", writes=False
    )
    judge.add_argument(
        "--saves", action="store_true", help="list what happens to saves of each release"
    )


def _add_schedule(commands: Commands) -> None:
    help = "show which systems run together, and why others wait"
    schedule = _command(commands, "schedule", "judging.schedule", help, writes=False)
    shown = schedule.add_mutually_exclusive_group()
    shown.add_argument("--dot", action="store_true", help="print a graph for Graphviz")
    shown.add_argument(
        "--profile", metavar="FILE", type=_path, help="add the times of a trace of the game"
    )


def _add_prefabs(commands: Commands) -> None:
    help = "list the prefabs, or show where each value of one of them comes from"
    prefabs = _command(commands, "prefabs", "judging.prefabs", help, writes=False)
    prefabs.add_argument(
        "name", metavar="NAME", nargs="?", default="", help="show the values of this prefab"
    )


def _add_lock(commands: Commands) -> None:
    help = "record the schema of a release, so that its saves keep loading"
    lock = _command(commands, "lock", "judging.lock", help, writes=False)
    lock.add_argument("--release", metavar="NAME", help="its name; default: the next number")
    lock.add_argument(
        "--diff",
        action="store_true",
        help="show what would change; exit 1 if there is a difference",
    )


def _add_json_schema(commands: Commands) -> None:
    help = "write the JSON Schema of a world's JSON, or without SCHEMA that of schema files"
    json = _command(commands, "jsonschema", "writing.json_schema", help, writes=False, schema="?")
    json.add_argument(
        "--out", metavar="PATH", type=_path, required=True, help="a file, or the folder for it"
    )
    json.add_argument(
        "--diff",
        action="store_true",
        help="show what would change; exit 1 if there is a difference",
    )


def _add_ninja(commands: Commands) -> None:
    help = "list the inputs and outputs of generate, for Ninja"
    ninja = _command(commands, "dyndep", "generating.tell_ninja", help)
    ninja.add_argument("--stamp", metavar="FILE", required=True, help="an output of that build")
    _add_file(ninja, "--to", "write to this file instead of printing")
    _add_file(ninja, "--depfile", "write a dependency file for this command")


def _add_stubs(commands: Commands) -> None:
    functions = _command(
        commands,
        "stubs",
        "writing.print_stubs",
        "print empty systems and hooks, to be filled in",
        writes=False,
    )
    functions.add_argument(
        "--system", metavar="NAME", default="", help="print only the function of this system"
    )
    functions.add_argument("--cpp", action="store_true", help="use the C++20 header")
    _add_file(
        functions,
        "--names",
        "instead print a patch that replaces old calls in this C file by calls with grants",
    )


def _add_pages(commands: Commands) -> None:
    """Adds the commands whose files are for people and debuggers."""
    about = {
        "debug": (
            "writing.debug",
            "write scripts that show a world in gdb, lldb and Visual Studio",
        ),
        "docs": ("writing.docs", "write the schema as a page for people"),
    }
    for name, (run, help) in about.items():
        made = _command(commands, name, run, help, writes=False)
        made.add_argument(
            "--out", metavar="DIR", type=_path, required=True, help="the folder to write to"
        )


def _add_kit(commands: Commands) -> None:
    """Adds the commands that read no schema."""
    init = _add(commands, "init", "kit.init", "make a new game that builds and runs")
    init.add_argument(
        "dir", metavar="DIR", type=_path, help="the folder; Weft makes it if it is missing"
    )
    init.add_argument("--build", choices=BUILDS, default="ninja", help="the build system")
    init.add_argument(
        "--name", metavar="NAME", help="the name of the world; default: the folder's name"
    )
    init.add_argument("--cpp", action="store_true", help="use C++")
    init.add_argument("--sdl", action="store_true", help="open a window with SDL2")
    help = "print where the runtime is, or copy it"
    runtime = _add(commands, "runtime", "kit.runtime", help)
    runtime.add_argument("--out", metavar="DIR", type=_path, help="copy it into this folder")
    runtime.add_argument(
        "--one-file", action="store_true", help="copy it as two .c files and their headers"
    )
    runtime.add_argument("--inspector", action="store_true", help="also copy the inspector")
    add_options(_add(commands, "saves", "kit.saves", "show, compare or export save files"))


def _command(
    commands: Commands,
    name: str,
    run: str,
    help: str,
    *,
    writes: bool = True,
    schema: str | None = None,
) -> argparse.ArgumentParser:
    """Adds a command that reads a schema."""
    command = _add(commands, name, run, help)
    command.add_argument(
        "schema", metavar="SCHEMA", nargs=schema, help="the root file of the schema, in TOML"
    )
    if writes:
        command.add_argument(
            "--out",
            metavar="DIR",
            type=_path,
            required=True,
            help="write to DIR/<world>/",
        )
        command.add_argument("--flat", action="store_true", help="write to DIR itself")
    command.add_argument("--strict", action="store_true", help="treat warnings as errors")
    return command


def _add_file(command: argparse.ArgumentParser, option: str, help: str) -> None:
    command.add_argument(option, metavar="FILE", type=_file, help=help)


def _add(commands: Commands, name: str, run: str, help: str) -> argparse.ArgumentParser:
    command = commands.add_parser(
        name, help=help, description=f"{help[0].upper()}{help[1:]}.", allow_abbrev=False
    )
    command.set_defaults(run=_later(run), parser=command)
    return command


def _later(run: str) -> Callable[[argparse.Namespace], int]:
    """Returns a command that imports its module only when it runs."""
    return lambda options: named_command(run)(options)


def named_command(run: str) -> Callable[[argparse.Namespace], int]:
    """Imports the module of a command and returns its function."""
    module, name = run.split(".")
    command: Callable[[argparse.Namespace], int] = getattr(
        import_module(f"commands.{module}"), name
    )
    return command


def _show_commands(options: argparse.Namespace) -> int:
    """Prints help for a command line without a command."""
    options.parser.print_help(sys.stderr)
    return UNUSABLE


def _path(text: str) -> str:
    if not text:
        raise argparse.ArgumentTypeError("the path is empty; for the current folder, write '.'")
    return text


def _file(text: str) -> str:
    if text.endswith("/") or os.path.isdir(text):
        raise argparse.ArgumentTypeError(
            f"'{printable(text)}' is a folder: write the path of a file in it"
        )
    return text
