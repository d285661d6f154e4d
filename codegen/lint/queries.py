"""Queries that are equal."""

from __future__ import annotations

from collections.abc import Iterator

from lint.finding import Finding, Owner
from model.code import Query
from model.model import Model
from model.refs import Ref
from source.source import Note


def twins(model: Model) -> Iterator[Finding]:
    first: dict[object, Query] = {}
    for query in model.code.queries.values():
        other = first.setdefault(_content(query), query)
        if other is not query:
            message = (
                f"query '{query.name}' selects the same rows and columns as query '{other.name}'"
            )
            notes = (Note(other.place, "the first is here"),)
            help = f"use '{other.name}' instead"
            yield Finding(
                "query-twice", Owner("query", query.name), query.place, message, help, notes
            )


def _content(query: Query) -> object:
    """Returns a key that equal queries share. The order in lists only matters to iterators.

    A query that asks for changes has a memory of its own as a reader, so it equals no other query.
    """
    chosen = query.selection
    where = chosen.where
    if where and any(atom.text != atom.ref.name for atom in where.atoms() if atom.ref):
        return query.name
    return (
        *(_names(refs) for refs in (chosen.read, chosen.write, chosen.optional, query.all)),
        where.text if where else "",
        chosen.rows,
    )


def _names(refs: tuple[Ref, ...]) -> frozenset[str]:
    return frozenset(ref.name for ref in refs)


LINTS = (twins,)
