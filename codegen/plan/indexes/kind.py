"""All kinds of indexes have this in common; each one has a module that fills it in."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from model.code import Index
from model.record import record
from model.types import Field
from names.names import Names
from plan.common import Common
from plan.records.data import ComponentPlan
from plan.records.index import IndexCallPlan

NEXT = (
    "Steps to the next entity and returns false at the end. After a structural change, or if the "
    "index was asked again when values had changed, it asserts; release builds end the iteration."
)


MADE = "These bodies serve the game and systems; they find nothing unless the index is made."
COMPARED = "What they find is compared with rows unless it is verified."


@record
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

    @property
    def constant(self) -> str:
        return self.names.number("index", self.index.name)

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


def argument(parameter: str) -> str:
    """Returns the name of a parameter."""
    return parameter.replace("*", " ").split()[-1]


@record
class Signature:
    """The types of a function."""

    result: str  # C type, with a blank or star at its end
    parameters: list[str]

    @property
    def arguments(self) -> list[str]:
        return [argument(parameter) for parameter in self.parameters]


@record
class Question:
    """A call that asks an index: its body stands once, and the game and systems call it."""

    verb: str
    signature: Signature
    body: list[str]  # `base` is the world of the runtime, `made` whether the index is up to date
    comment: str
    compared: bool = False  # with rows, unless it is `verified`, as a system may write them
    inline: str = "static inline"  # of the calls; the body is inlined into them

    def ask(self, subject: Subject, base: str, made: str, verified: str) -> str:
        """Returns the C expression that calls its body."""
        told = [base, made, *([verified] if self.compared else [])]
        arguments = ", ".join([*told, *self.signature.arguments])
        return f"{subject.name(f'{self.verb}_made')}({arguments})"

    def once(self, subject: Subject, comment: str) -> IndexCallPlan:
        """Plans the function that has its body."""
        told = [
            "const weft_world *base",
            "bool made",
            *(["bool verified"] if self.compared else []),
        ]
        name, inline = subject.name(f"{self.verb}_made"), "WEFT_ALWAYS_INLINE"
        return self._call(comment, name, told, self.body, inline)

    def of_game(self, subject: Subject) -> IndexCallPlan:
        """Plans the call of the game, which brings the index up to date."""
        names, name = subject.names, subject.name(self.verb)
        base = f"weft_world *base = {names.world('world_base')}(w);"
        made = f'bool made = weft_index_ask(base, {subject.constant}, "{name}" WEFT_INDEXED);'
        body = [base, made, f"return {self.ask(subject, 'base', 'made', 'false')};"]
        return self._call(self.comment, name, [f"{names.world('world')} *w"], body, self.inline)

    def of_grant(self, subject: Subject, verified: str) -> IndexCallPlan:
        """Plans the call of a system, before whose turn the index was brought up to date."""
        grant = f"{subject.name('reader')} grant"
        asked = self.ask(subject, "weft_granted(grant.door)", "true", verified)
        name = subject.name(f"{self.verb}_in")
        return self._call("", name, [grant], [f"return {asked};"], self.inline)

    def _call(
        self, comment: str, name: str, told: list[str], body: list[str], inline: str
    ) -> IndexCallPlan:
        """Plans a function with its types, which is told something before what it asks."""
        parameters = [*told, *self.signature.parameters]
        return IndexCallPlan(comment, self.signature.result, name, parameters, body, inline)


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
    def questions(self, subject: Subject) -> list[Question]:
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
