"""All kinds of indexes have this in common; each one has a module that fills it in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from model.code import Index
from model.types import Field
from names.names import Names
from plan.common import Common
from plan.records.data import ComponentPlan
from plan.records.index import IndexCallPlan

NEXT = (
    "Steps to the next entity and returns false at the end. After a structural change, or if the "
    "index was asked again when values had changed, it asserts; release builds end the iteration."
)


@dataclass(frozen=True)
class Asker:
    """Says by whom an index is asked."""

    first: str  # parameter
    system: str  # its name; "": the game
    base: list[str]  # statements that declare `base`, the world of the runtime
    made: str  # C expression: whether the index is up to date; "{}" stands for the call's name
    verified: bool  # what it finds is not compared with rows, which the asking system may write


@dataclass(frozen=True)
class Subject:
    """An index, its component, and the fields that it goes by."""

    common: Common
    index: Index
    component: ComponentPlan
    fields: list[Field]

    @property
    def names(self) -> Names:
        return self.common.names

    @property
    def entity_of(self) -> str:
        return self.names.world("entity_of")

    def name(self, verb: str) -> str:
        """Returns the C name of one of its calls or types."""
        return self.names.index(self.index.name, verb)

    def value(self, id: str) -> list[str]:
        """Returns the statements that let an iterator be at an entity."""
        names, of = self.names, self.component.name
        handle = f"weft_index_handle(world, {names.world('entity_format')}, {id})"
        get = names.component(of, "get")
        return [
            f"it->entity = {self.entity_of}({handle});",
            f"it->{of} = {get}((const {names.world('world')} *)(const void *)world, it->entity);",
        ]


@dataclass(frozen=True)
class Asking:
    """Makes the calls of an index for one that asks it."""

    subject: Subject
    asker: Asker

    def call(
        self,
        verb: str,
        result: str,
        parameters: list[str],
        body: list[str],
        comment: str,
        inline: str = "static inline",
    ) -> IndexCallPlan:
        """Makes a call; in its body {made} and {index} are filled in."""
        subject, asker = self.subject, self.asker
        constant = subject.names.number("index", subject.index.name)
        function = subject.name(verb)
        if asker.system:
            function = subject.names.system(asker.system, subject.index.name, verb)
        ask = asker.made.format(index=constant, call=function)
        made = "true" if ask == "true" else "made"
        given = asker.base if made == "true" else [*asker.base, f"bool made = {ask};"]
        filled = [line.replace("{made}", made).replace("{index}", constant) for line in body]
        return IndexCallPlan(
            comment, result, function, [asker.first, *parameters], [*given, *filled], inline
        )


class Kind(ABC):
    """A kind of index: what it is asked for, and how the runtime walks over it."""

    stem: str  # its iterator and the calls of that are named for it
    walk: str  # type of the runtime
    step: str  # C expression: whether there is another entity
    typed: ClassVar[
        dict[str, str]
    ]  # calls by the names that go with the type of the iterator in C++
    inline = "static inline"
    has_words = False  # whether iterators keep the words of a key

    @abstractmethod
    def asked_for(self, subject: Subject) -> str:
        """Returns the arguments that begin an iteration, for an example."""

    @abstractmethod
    def key_type(self, subject: Subject) -> str:
        """Returns the type in C++ of what an index is asked for."""

    @abstractmethod
    def form(self, subject: Subject) -> dict[str, str]:
        """Returns what the row of an index has for its kind."""

    @abstractmethod
    def how(self, index: Index) -> str:
        """Returns how it finds entities, for comments."""

    @abstractmethod
    def calls(self, asking: Asking) -> list[IndexCallPlan]:
        """Returns the calls that ask an index."""

    def iterator(self, subject: Subject) -> str:
        return subject.name(f"{self.stem}_iter")

    def own_calls(self, subject: Subject) -> list[IndexCallPlan]:
        """Returns the calls that do not depend on who asks: the step to the next entity."""
        return [self.next(subject, self.steps(subject))]

    def steps(self, subject: Subject) -> list[str]:
        """Returns the statements that step to the next entity."""
        value = subject.value("it->weft_walk.id")
        return [f"if (!{self.step}) return false;", *value, "return true;"]

    def next(self, subject: Subject, steps: list[str], form: str = "") -> IndexCallPlan:
        parameters = [f"{self.iterator(subject)} *it"]
        world = "const weft_world *world = it->weft_walk.world;"
        body = [*([form] if form else []), world, *steps]
        name = subject.name(f"{self.stem}_next")
        return IndexCallPlan(NEXT, "bool ", name, parameters, body, self.inline)
