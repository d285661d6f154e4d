"""A hash finds the entities that have some values."""

from __future__ import annotations

from typing import ClassVar

from model.code import Index
from plan.indexes.keys import equal, key_parameter, key_statements, key_words
from plan.indexes.kind import Kind, Question, Signature, Subject, argument
from plan.records.index import IndexCallPlan

FIND = "Returns the entity with these values, the one with the lowest index of several, or none."
EACH = "Begins an iteration over all entities with these values, by their indices."
COUNT = "Counts the entities with these values."
HAS = "Lets an iterator be at an entity with the hash, and tells whether it has the values."
KEY = "Makes the words by which values are found. Returns false if no entity can have such values."


class Hash(Kind):
    stem = "each"
    walk = "weft_sorted_walk"
    step = "weft_sorted_next(&it->weft_walk)"
    typed: ClassVar = {"next": "each_next", "each": "each_begin", "find": "find", "count": "count"}
    has_words = True

    def asked_for(self, subject: Subject) -> str:
        return "…"

    def key_type(self, subject: Subject) -> str:
        given = (key_parameter(subject.common, field) for field in subject.fields)
        types = [one[: one.rindex(argument(one))].rstrip() for one in given]
        return f"{'exact' if len(types) == 1 else 'hash_key'}<{', '.join(types)}>"

    def form(self, subject: Subject) -> dict[str, str]:
        return {"words": str(key_words(subject.fields))}

    def how(self, index: Index) -> str:
        return f"by equal {', '.join(ref.name for ref in index.fields)} of {index.of.name}"

    def own_calls(self, subject: Subject) -> list[IndexCallPlan]:
        if key_words(subject.fields) == 1:
            return [self._key(subject), *super().own_calls(subject)]
        has = self._has(subject)
        found = f"    if ({has.function}(it, world, it->weft_walk.id)) return true;"
        next = self.next(subject, [f"while ({self.step}) {{", found, "}", "return false;"])
        return [self._key(subject), has, next]

    def _key(self, subject: Subject) -> IndexCallPlan:
        """Plans the function that makes the words of a key."""
        given = [key_parameter(subject.common, field) for field in subject.fields]
        body = key_statements(subject.names, subject.fields)
        name = subject.name("key")
        return IndexCallPlan(KEY, "bool ", name, ["uint64_t *words", *given], body)

    def _has(self, subject: Subject) -> IndexCallPlan:
        """Plans the function that looks at an entity with the hash of a key of several words."""
        parameters = [f"{self.iterator(subject)} *it", "const weft_world *world", "uint32_t id"]
        found = equal(subject.fields, subject.component)
        body = [*subject.value("id"), f"return it->weft_walk.verified || ({found});"]
        return IndexCallPlan(HAS, "bool ", subject.name("has"), parameters, body)

    def questions(self, subject: Subject) -> list[Question]:
        iterator, entity = self.iterator(subject), subject.names.world("entity")
        parameters = [key_parameter(subject.common, field) for field in subject.fields]
        compared = key_words(subject.fields) > 1
        begun = [
            f"{iterator} it;",
            *_known(subject, "it.weft_words"),
            f"it.weft_walk = weft_sorted_equal(base, {subject.constant}, known, hash, "
            f"{'verified' if compared else 'true'});",
        ]
        # Where no key is asked for, the words would be returned as they are.
        begin = [begun[0], "memset(&it, 0, sizeof it);", *begun[1:], "return it;"]
        each = Question("each_begin", Signature(f"{iterator} ", parameters), begin, EACH, compared)
        find = _compared(subject, begun) if compared else _found(subject)
        count = _counted(subject, each)
        return [
            Question("find", Signature(f"{entity} ", parameters), find, FIND, compared),
            each,
            Question("count", Signature("size_t ", parameters), count, COUNT, compared),
        ]


def _found(subject: Subject) -> list[str]:
    """Returns the statements that return the first entity with a key."""
    found = f"weft_index_found(base, {subject.names.world('entity_format')}, id)"
    return [
        f"uint64_t words[{key_words(subject.fields)}];",
        *_known(subject, "words"),
        f"uint32_t id = weft_sorted_find(base, {subject.constant}, known, hash);",
        f"return {subject.entity_of}({found});",
    ]


def _compared(subject: Subject, begun: list[str]) -> list[str]:
    """Returns those that also compare it with rows, which may differ from the index."""
    none = f"{subject.entity_of}(0)"
    handle = f"weft_index_handle(base, {subject.names.world('entity_format')}, id)"
    return [
        begun[0],
        *_known(subject, "it.weft_words"),
        f"uint32_t id = weft_sorted_find(base, {subject.constant}, known, hash);",
        f"if (id == UINT32_MAX) return {none};",
        f"if (verified) return {subject.entity_of}({handle});",
        "it.weft_walk.verified = false;",
        f"if (WEFT_LIKELY({subject.name('has')}(&it, base, id))) return it.entity;",
        begun[-1],
        f"return {subject.name('each_next')}(&it) ? it.entity : {none};",
    ]


def _counted(subject: Subject, each: Question) -> list[str]:
    begun = each.ask(subject, "base", "made", "verified")
    if not each.compared:
        return [f"return weft_sorted_count({begun}.weft_walk);"]
    return [
        f"{each.signature.result}it = {begun};",
        "if (verified) return weft_sorted_count(it.weft_walk);",
        "size_t count = 0;",
        f"while ({subject.name('each_next')}(&it)) count++;",
        "return count;",
    ]


def _known(subject: Subject, words: str) -> list[str]:
    """Returns the statements that make the words of a key, and their hash."""
    given = ", ".join(subject.names.key(field.name) for field in subject.fields)
    return [
        f"bool known = made && {subject.name('key')}({words}, {given});",
        f"uint64_t hash = known ? weft_key_hash({words}, {key_words(subject.fields)}) : 0;",
    ]
