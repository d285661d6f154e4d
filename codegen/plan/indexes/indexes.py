"""Indexes get their iterators and calls here: those of the game, and those that take a grant."""

from __future__ import annotations

from model.code import Index, System
from model.record import replace
from plan import text
from plan.common import Common
from plan.indexes.grid import Grid
from plan.indexes.hash import Hash
from plan.indexes.keys import key_words
from plan.indexes.kind import COMPARED, MADE, Kind, Subject
from plan.indexes.ordered import Ordered
from plan.lists import ListPlan, list_plan
from plan.pages import make_page
from plan.records.data import ComponentPlan
from plan.records.index import (
    IndexCallPlan,
    IndexCallsPlan,
    IndexIteratorPlan,
    IndexPlan,
    IndexWords,
    KnownIndexPlan,
)
from plan.records.selection import SelectionPlan
from plan.selections import QueryNames, Request, make_selection, where_text

GRANTED = "These ask it inside a system that lists it, with its grant."

KINDS: dict[str, Kind] = {"grid": Grid(), "hash": Hash(), "ordered": Ordered()}


class Indexes:
    """Plans indexes out of the components that they go by."""

    def __init__(self, common: Common, components: dict[str, ComponentPlan]) -> None:
        self.common, self.names, self.components = common, common.names, components

    def index(self, index: Index) -> IndexPlan:
        names, name, kind = self.names, index.name, KINDS[index.kind]
        subject = self._subject(index)
        selection = self._selection(index)
        numbers = [str(self._numbers(index)[field.name]) for field in subject.fields]
        keyed = list_plan("uint16_t", names.local("keyed", name), numbers)
        include = subject.component.struct.page.header
        return IndexPlan(
            name=name,
            kind=index.kind,
            stem=names.index(name, ""),
            page=make_page(names, name, index.doc, self._info(index, keyed), [include], [keyed]),
            words=IndexWords(
                _summary(index), _example(subject), kind.how(index) + _narrowed(index)
            ),
            known=KnownIndexPlan(
                constant=subject.constant,
                selection=selection,
                row=self._row(subject, keyed.name, selection),
            ),
            iterator=IndexIteratorPlan(kind.iterator(subject), _members(subject)),
            calls=IndexCallsPlan(
                functions=[*kind.own_calls(subject), *_calls(subject)],
                granted=self._granted(subject),
                typed=[(call, subject.name(verb)) for call, verb in kind.typed.items()],
                key=kind.key_type(subject),
                axes=len(subject.fields) if index.kind == "grid" else 0,
            ),
        )

    def _selection(self, index: Index) -> SelectionPlan:
        names, name = self.names, index.name
        request = Request(
            selection=index.selection,
            columns=[],
            names=QueryNames(
                constant=names.number("query", name),
                match=names.index(name, "match"),
                filter=names.index(name, "filter"),
                matches=names.local("matches", name),
            ),
            shown={},
        )
        return make_selection(self.common, request)

    def _row(self, subject: Subject, keyed: str, selection: SelectionPlan) -> dict[str, str]:
        names, index = self.names, subject.index
        return {
            "kind": f"WEFT_INDEX_{index.kind.upper()}",
            "component": names.number("component", index.of.name),
            "query": names.number("query", index.name),
            "reader": names.number("reader", index.name),
            "field_count": str(len(subject.fields)),
            "fields": keyed,
            **KINDS[index.kind].form(subject),
            **({"filter": selection.filter_name} if selection.functions else {}),
        }

    def _info(self, index: Index, keyed: ListPlan) -> dict[str, str]:
        cell = {"cell": text.float_literal(index.cell, "f64")} if index.cell else {}
        return {
            "name": text.string_literal(index.name),
            "doc": text.string_literal(index.doc),
            "where": text.string_pointer(where_text(index.selection)),
            "kind": f"WEFT_INDEX_{index.kind.upper()}",
            "component": self.names.number("component", index.of.name),
            "field_count": str(len(keyed.items)),
            "fields": keyed.name,
            **cell,
        }

    def _granted(self, subject: Subject) -> list[IndexCallPlan]:
        """Returns the calls for systems that list an index.

        If any of them writes the component, no call compares with rows, because these may be newer
        than the index.
        """
        index = subject.index
        listing = [
            system
            for system in self.common.model.code.systems.values()
            if index.name in {ref.name for ref in system.reach.indexes}
        ]
        if not listing:
            return []
        written = any(index.of.name in self._written(system) for system in listing)
        verified = "true" if written else "false"
        calls = [one.of_grant(subject, verified) for one in KINDS[index.kind].questions(subject)]
        return [replace(calls[0], comment=GRANTED), *calls[1:]]

    def _written(self, system: System) -> set[str]:
        """Returns the components that a system writes, while its indexes stay as they are."""
        written = [*system.selection.write, *system.reach.lookup.write]
        for ref in system.reach.queries:
            written += self.common.model.code.queries[ref.name].selection.write
        return {ref.name for ref in written}

    def _numbers(self, index: Index) -> dict[str, int]:
        fields = self.common.model.data.components[index.of.name].fields
        return {field.name: number for number, field in enumerate(fields)}

    def _subject(self, index: Index) -> Subject:
        by_name = {f.name: f for f in self.common.model.data.components[index.of.name].fields}
        fields = [by_name[ref.name] for ref in index.fields]
        return Subject(self.common, index, self.components[index.of.name], fields)


def _calls(subject: Subject) -> list[IndexCallPlan]:
    """Returns the bodies that the game and systems share, and the calls of the game."""
    questions = KINDS[subject.index.kind].questions(subject)
    comment = f"{MADE} {COMPARED}" if questions[0].compared else MADE
    comments = [comment, *("" for _ in questions[1:])]
    bodies = (one.once(subject, comment) for one, comment in zip(questions, comments, strict=True))
    return [*bodies, *(one.of_game(subject) for one in questions)]


def _members(subject: Subject) -> list[tuple[str, str]]:
    """Returns the members of an iterator."""
    names, component, kind = subject.names, subject.component, KINDS[subject.index.kind]
    value = f"const {component.struct.type} *{component.name}"
    if component.storage.kind == "soa":
        value = f"{names.component(component.name, 'const_columns')} {component.name}"
    words = [(f"uint64_t weft_words[{key_words(subject.fields)}]", "likewise")]
    return [
        (f"{names.world('entity')} entity", ""),
        (value, "good until the next structural change"),
        (f"{kind.walk} weft_walk", "not for the game"),
        *(words if kind.has_words else []),
    ]


def _example(subject: Subject) -> list[str]:
    kind = KINDS[subject.index.kind]
    begin, next = (subject.name(f"{kind.stem}_{verb}") for verb in ("begin", "next"))
    return [
        f"{kind.iterator(subject)} it = {begin}(w, {kind.asked_for(subject)});",
        f"while ({next}(&it)) {{",
        f"    it.entity, it.{subject.index.of.name} …",
        "}",
    ]


def _summary(index: Index) -> str:
    narrowed = _narrowed(index)
    passing = f" and{narrowed}" if narrowed else ""
    return f"It has every entity with {index.of.name}{passing}: {KINDS[index.kind].how(index)}."


def _narrowed(index: Index) -> str:
    where = where_text(index.selection)
    return f" where {where}" if where else ""
