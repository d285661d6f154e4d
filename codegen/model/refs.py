"""Names as a schema writes them."""

from __future__ import annotations

from typing import NamedTuple

from source.source import Place


class Ref(NamedTuple):
    """A name with its place in the schema, for example in `read = ["position"]`."""

    name: str
    place: Place
