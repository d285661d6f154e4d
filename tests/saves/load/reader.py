"""Reads a save without its schema, and prints it as JSON. Written from runtime/save/SAVES.md alone.

    reader.py FILE

Entities and singletons look as in Weft's own JSON, less what a save does not have: values that are
not saved, and so the fields of components that are not. Beside them stands the rest of the save.
"""

from __future__ import annotations

import json
import struct
import sys
from pathlib import Path
from typing import Any

from save_bytes import DamagedError
from save_world import Save


def read(data: bytes) -> dict[str, Any]:
    """All of a save. DamagedError says what is wrong with it."""
    try:
        return Save(data).values
    except (UnicodeDecodeError, RecursionError, struct.error, IndexError) as error:
        raise DamagedError(f"the save makes no sense: {error}") from error


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        found = read(Path(arguments[0]).read_bytes())
    except (DamagedError, OSError) as error:
        print(f"{arguments[0]}: {error}", file=sys.stderr)
        return 1
    print(json.dumps(found, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
