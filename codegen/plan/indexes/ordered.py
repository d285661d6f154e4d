"""An ordered index finds what lies between two values, and the least and greatest."""

from __future__ import annotations

from typing import ClassVar

from model.code import Index
from plan.indexes.keys import key_words, word
from plan.indexes.kind import Kind, Question, Signature, Subject

RANGE = (
    "Begins an iteration over the values from one to another, both included, ascending; equal ones "
    "by the indices of their entities."
)
FIRST = "Returns the entity with the least value, or none. It takes O(1)."
LAST = "Returns the one with the greatest value, or none. What is no number comes last."


class Ordered(Kind):
    stem = "range"
    walk = "weft_sorted_walk"
    step = "weft_sorted_next(&it->weft_walk)"
    typed: ClassVar = {
        "next": "range_next",
        "range": "range_begin",
        "first": "first",
        "last": "last",
    }

    def asked_for(self, subject: Subject) -> str:
        return "from, to"

    def key_type(self, subject: Subject) -> str:
        return subject.common.types.element(subject.fields[0].type)

    def form(self, subject: Subject) -> dict[str, str]:
        return {"words": str(key_words(subject.fields))}

    def how(self, index: Index) -> str:
        return f"by ordered {', '.join(ref.name for ref in index.fields)} of {index.of.name}"

    def questions(self, subject: Subject) -> list[Question]:
        field = subject.fields[0]
        iterator, entity = self.iterator(subject), subject.names.world("entity")
        low, high = (word(field, end) for end in ("from", "to"))
        begun = [
            f"{iterator} it;",
            f"it.weft_walk = weft_sorted_range(base, {subject.constant}, made, {low}, {high});",
            "return it;",
        ]
        end = Signature(f"{entity} ", [])
        ends = [f"{self.key_type(subject)} {end}" for end in ("from", "to")]
        return [
            Question("range_begin", Signature(f"{iterator} ", ends), begun, RANGE),
            Question("first", end, _end(subject, "least"), FIRST),
            Question("last", end, _end(subject, "greatest"), LAST),
        ]


def _end(subject: Subject, member: str) -> list[str]:
    bits = f"made ? base->indexes[{subject.constant}].{member} : 0"
    return [f"return {subject.entity_of}({bits});"]
