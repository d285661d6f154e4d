"""Writes a save as a folder of CSV files, one for each sheet.

The text of a row is made by one template for all of its sheet.
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


def to_csv(save: Save, path: str, written: Callable[[int], None]) -> None:
    os.mkdir(path)
    for sheet in sheets(save):
        file_path = os.path.join(path, f"{sheet.name}.csv")
        with open(file_path, "w", encoding="utf-8", newline="") as file:
            file.write(",".join(name for name, _ in sheet.columns) + "\n")
            template = ",".join(["%s"] * len(sheet.columns)) + "\n"
            for part in sheet.parts():
                pairs = zip(sheet.columns, part, strict=True)
                columns = [cells(one, column) for (_, one), column in pairs]
                if len(columns) == 1:  # an empty line would be no row
                    columns = [['""' if cell == "" else cell for cell in columns[0]]]
                file.write("".join(map(template.__mod__, zip(*columns, strict=True))))
                written(len(columns[0]))


def cells(one: Field, column: Column) -> Sequence[Any]:
    """Returns what a template writes for each value of a column."""
    if one.type.shape == STRING:
        return [text or "" for text in each_text(column.values, lambda text: _quoted(valid(text)))]
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


def _quoted(text: str) -> str:
    if _QUOTED.search(text):
        return '"' + text.replace('"', '""') + '"'
    return text
