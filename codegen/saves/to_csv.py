"""Writes a save as a folder of CSV files, one for each sheet."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Sequence
from typing import Any

from saves.plain import plain
from saves.schema import BOOL, ONE, Field
from saves.sheets import sheets
from saves.world import Save

_BOOL = {False: "false", True: "true"}


def to_csv(save: Save, path: str, written: Callable[[int], None]) -> None:
    os.mkdir(path)
    for sheet in sheets(save):
        file_path = os.path.join(path, f"{sheet.name}.csv")
        with open(file_path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow([name for name, _ in sheet.columns])
            for part in sheet.parts():
                pairs = zip(sheet.columns, part, strict=True)
                columns = [_cells(one, column) for (_, one), column in pairs]
                writer.writerows(zip(*columns, strict=True))
                written(len(columns[0]))


def _cells(one: Field, column: Sequence[Any]) -> Sequence[Any]:
    if one.type == BOOL and one.shape == ONE:
        return list(map(_BOOL.__getitem__, column))
    return plain(one, column)
