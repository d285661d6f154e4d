"""A parser of command lines that explains mistakes and suggests what was meant."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from names.nearest import suggest
from source.source import printable

# argparse prints this about a value of an option without values
_NO_VALUE = ": ignored explicit argument "


class Parser(argparse.ArgumentParser):
    """Answers an unknown word with the nearest choice. argparse itself would list all choices."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.register("action", None, _Once)  # for all arguments without an explicit action

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is None or value in action.choices:
            return
        noun = "choice" if action.option_strings else str(action.metavar).lower()
        said = f"no {noun} '{printable(value)}': {suggest(value, action.choices, f'{noun}s')}"
        if action.option_strings:
            raise argparse.ArgumentError(action, said)
        self.error(said)

    def error(self, message: str) -> NoReturn:
        argument, no_value, _ = message.partition(_NO_VALUE)
        if no_value:
            option = argument.removeprefix("argument ").rpartition("/")[2]
            message = f"{argument}: it takes no value: write '{option}' alone"
        super().error(message)


class _Once(argparse.Action):
    """Stores a value. Refuses a second value of the same option, which would replace the first."""

    _given: Any = None

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        if option_string and self._given is not None:
            both = f"'{printable(str(self._given))}' and '{printable(str(values))}'"
            raise argparse.ArgumentError(self, f"it is set twice, to {both}")
        self._given = values
        setattr(namespace, self.dest, values)


def unrecognized(
    root: argparse.ArgumentParser, options: argparse.Namespace, unknown: Sequence[str]
) -> str:
    """Returns which words a command does not accept, and what the first of them may have meant."""
    said = f"unrecognized arguments: {' '.join(unknown)}"
    option = unknown[0].partition("=")[0]
    having = [name for name, parser in commands_below(root) if option in _options(parser)]
    if not option.startswith("-"):
        meant = "write one schema; its imports are read too" if "schema" in options else ""
    elif having:
        meant = f"'{option}' is an option of {', '.join(having)}"
    else:
        meant = suggest(option, _options(options.parser))
    return f"{said}: {meant}" if meant else said


def commands_below(
    parser: argparse.ArgumentParser, above: str = ""
) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    """Yields the commands of a parser and their own commands, with their names."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield f"{above}{name}", command
                yield from commands_below(command, f"{above}{name} ")


def _options(parser: argparse.ArgumentParser) -> list[str]:
    return [name for action in parser._actions for name in action.option_strings if "--" in name]
