"""`init`, `runtime` and `saves`: the commands that read no schema."""

from __future__ import annotations

import argparse
import os
import sys

from commands.outcome import OK, show_progress
from emit.files import WriteError, write_file
from kit.new_game import NewGame, new_game
from kit.one_file import one_file
from kit.runtime import inspector_files, runtime_files, runtime_folder
from saves.command import answer
from saves.progress import Progress
from source.source import printable


def runtime(options: argparse.Namespace) -> int:
    if not options.out:
        if options.one_file or options.inspector:
            options.parser.error("--one-file and --inspector need --out DIR")
        print(runtime_folder())
        return OK
    files = runtime_files() | (inspector_files() if options.inspector else {})
    if options.one_file:
        files = one_file(files)
    written = [write_file(os.path.join(options.out, name), text) for name, text in files.items()]
    print(f"{options.out}: {sum(written)} of {len(files)} files written")
    return OK


def init(options: argparse.Namespace) -> int:
    game = NewGame(options.name or options.dir, options.build, options.cpp, options.sdl)
    paths = {os.path.join(options.dir, name): text for name, text in new_game(game).items()}
    for path in paths:
        if os.path.lexists(path):
            raise WriteError(f"'{path}' already exists: choose a new folder for the game")
    for path, text in paths.items():
        write_file(path, text)
    print(f"{options.dir}: new game; its README.md explains how to build it")
    return OK


def saves(options: argparse.Namespace) -> int:
    progress = Progress(show_progress if sys.stderr.isatty() else None)
    code, lines = answer(options, progress)
    for line in lines:
        print(printable(line))
    return code
