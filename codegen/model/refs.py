"""These records hold names as a schema writes them."""

from __future__ import annotations

from dataclasses import dataclass

from source.source import Place


@dataclass(frozen=True)
class Ref:
    """A name as written somewhere in the schema, for instance in `read = ["position"]`."""

    name: str
    place: Place
