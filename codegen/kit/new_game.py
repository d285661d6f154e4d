"""Makes a new game: schema, main file, build file, and files for editors."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from check.names import is_snake_case, snake_case, why_no_world, why_reserved, why_too_long
from json_schemas.language import FILE_NAME, language
from kit.builds import BUILDS
from kit.runtime import runtime_files
from source.refusal import RefusedError

_TEMPLATES = Path(__file__).parent / "game"


class GameNameError(RefusedError):
    """A folder name from which no world name can be made."""


@dataclass(frozen=True)
class NewGame:
    """A new game as the command line describes it."""

    name: str  # may be a path; its last part is the name
    build: str
    cpp: bool
    sdl: bool

    @property
    def world(self) -> str:
        """Returns the name of the world. Raises GameNameError."""
        name = snake_case(os.path.basename(os.path.abspath(self.name)))
        reserved = why_reserved("world", name)
        reason = f"that is {reserved}" if reserved else why_no_world(name) or why_too_long(name)
        if not is_snake_case(name):
            reason = "use small letters, digits and single underscores, with a letter first"
        if reason:
            raise GameNameError(
                f"a world cannot be named '{name}': {reason}; choose another --name"
            )
        return name


def new_game(game: NewGame) -> dict[str, str]:
    """Returns the files of a game by their paths in its folder. Raises GameNameError.

    Imports are local because `check` needs no Jinja2.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    build_file, runtime, generated = BUILDS[game.build]
    main = "main.cpp" if game.cpp else "main.c"
    pages = {
        f"{game.world}.toml": "game.toml",
        main: main,
        build_file: build_file,
        ".gitignore": "gitignore",
        ".clangd": "clangd",
        "README.md": "README.md",
    }
    known = {
        "game": game,
        "world": game.world,
        "runtime": runtime,
        "generated": generated.format(game.world),
        "main": main,
    }
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    files = {
        name: environment.get_template(f"{template}.j2").render(known)
        for name, template in pages.items()
    }
    files[FILE_NAME] = language()
    return files | {f"{runtime}/{name}": text for name, text in runtime_files().items()}
