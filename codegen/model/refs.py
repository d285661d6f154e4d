"""These records hold names as a schema writes them."""

from __future__ import annotations

from typing import NamedTuple

from source.source import Place


class Ref(NamedTuple):
    """A name as written somewhere in the schema, for instance in `read = ["position"]`."""

    name: str
    place: Place
