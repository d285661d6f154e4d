"""A claim is an identifier and the declaration that causes it. Most declarations use these
claims.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from model.types import Field, Shape
from names import names as families
from names.names import Names
from source.source import Place

Owner = tuple[str, str]  # kind and name of a declaration; ("world", "") if there is none


class Claim(NamedTuple):
    identifier: str
    what: str  # as the user knows it, for example "'get' of component 'position'"
    place: Place
    owner: Owner
    is_local: bool = False  # static in a generated C file, so headers and games do not see it
    in_cpp: bool = False  # a struct that stands for a declaration in C++ headers


def list_claims(names: Names, owner: Owner, fields: tuple[Field, ...]) -> Iterator[Claim]:
    for field in fields:
        if field.type.shape is Shape.LIST:
            what = f"the list '{field.name}' of {owner[0]} '{owner[1]}'"
            for verb in families.LIST:
                identifier = names.list(owner[1], field.name, verb)
                yield Claim(identifier, verb_of(verb, what), field.place, owner)
            capacity = names.list_capacity(owner[1], field.name)
            yield Claim(capacity, f"the capacity of {what}", field.place, owner)


def guard_claims(names: Names, owner: Owner, place: Place) -> Iterator[Claim]:
    what = f"the include guard of {owner[0]} '{owner[1]}'"
    yield Claim(names.guard(owner[1]), what, place, owner)
    yield Claim(names.cpp_guard(owner[1]), f"{what} for C++", place, owner)


def local_claims(
    names: Names, owner: Owner, place: Place, kinds: tuple[str, ...]
) -> Iterator[Claim]:
    for kind in kinds:
        what = f"the table '{kind}' of {owner[0]} '{owner[1]}'"
        yield Claim(names.local(kind, owner[1]), what, place, owner, is_local=True)


def verb_of(verb: str, what: str) -> str:
    return f"'{verb}' of {what}" if verb else what
