"""Writes a save as a folder of CSV files, one for each sheet.

One template makes the text of all rows of a sheet.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from saves.columns import Column, Stored
from saves.plain import each_text, encoded, valid
from saves.schema import BOOL, ENTITY, F32, F64, ONE, STRING, Field
from saves.sheets import sheets
from saves.singles import texts
from saves.world import Save

_BOOL = {False: "false", True: "true"}
_QUOTED = re.compile('[,"\\n\\r]')
# Spreadsheets take these for the start of a formula. The last four are wide forms of the first
# four.
_FORMULA = re.compile("[=+\\-@\\t\\r\\n\uff1d\uff0b\uff0d\uff20]")


def to_csv(
    save: Save, path: str, written: Callable[[int], None], *, plain_cells: bool = False
) -> None:
    """Writes texts unchanged. With `plain_cells`, no spreadsheet can run them as formulas."""
    os.mkdir(path)
    text_cell = _plain if plain_cells else _as_it_is
    for sheet in sheets(save):
        file_path = os.path.join(path, f"{sheet.name}.csv")
        with open(file_path, "w", encoding="utf-8", newline="") as file:
            file.write(",".join(name for name, _ in sheet.columns) + "\n")
            template = ",".join(["%s"] * len(sheet.columns)) + "\n"
            for part in sheet.parts():
                pairs = zip(sheet.columns, part, strict=True)
                columns = [cells(one, column, text_cell) for (_, one), column in pairs]
                if len(columns) == 1:  # an empty line would not be a row
                    columns = [['""' if cell == "" else cell for cell in columns[0]]]
                file.write("".join(map(template.__mod__, zip(*columns, strict=True))))
                written(len(columns[0]))


def cells(one: Field, column: Column, text_cell: Callable[[str], str]) -> Sequence[Any]:
    """Returns what a template writes for each value of a column."""
    if one.type.shape == STRING:
        return [text or "" for text in each_text(column.values, text_cell)]
    if one.type.shape != ONE:
        return list(map(_quoted, encoded(one, column.values)))
    if one.type.base == F32 and isinstance(column, Stored):
        return texts(column.span.numbers("I"), "%s")
    if one.type.base in (F32, F64):
        return list(map(str, column.values))
    if one.type.base == BOOL:
        return list(map(_BOOL.__getitem__, column.values))
    if one.type.base == ENTITY:
        return [text or "" for text in column.values]
    return column.values


def _as_it_is(text: str) -> str:
    return _quoted(valid(text))


def _plain(text: str) -> str:
    """Returns a text that no spreadsheet runs. A text that looks like a formula gets an
    apostrophe at the front, which marks a text in spreadsheets.
    """
    return _quoted(valid(f"'{text}" if _FORMULA.match(text) else text))


def _quoted(text: str) -> str:
    if _QUOTED.search(text):
        return '"' + text.replace('"', '""') + '"'
    return text
