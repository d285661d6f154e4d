"""Computes the contents of a save after a later schema has loaded it, from SAVES.md alone.

It is slow, and independent of the code that it judges: it takes the save as reader.py reads it, and
the new schema as TOML. It supports only what random pairs of schemas use: no imports of files, no
events, no externs.
"""

from __future__ import annotations

import re
import struct
from itertools import permutations
from typing import Any

Table = dict[str, Any]

WHOLE = {"bool": (0, 1)}
WHOLE |= {f"u{bits}": (0, 2**bits - 1) for bits in (8, 16, 32, 64)}
WHOLE |= {f"i{bits}": (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) for bits in (8, 16, 32, 64)}
FLOATS = {"f32": 24, "f64": 53}  # bits of whole numbers that they hold
NUMBERS = {*WHOLE, *FLOATS}
F32_END = 3.4028235677973366e38  # from here on it would round to infinity
NOT_FINITE = ("nan", "inf", "-inf")
TYPE = re.compile(r"(\w+)(?:\[(\.\.)?(\w+)\])?")


class Kept:
    """The new schema, and what it does to a save. `refused` has why it cannot take it: the names of
    what is in the way, each as often as it is met."""

    def __init__(self, saved: Table, schema: Table) -> None:
        self.saved, self.was, self.schema = saved, saved["schema"], schema
        self.refused: list[tuple[str, ...]] = []
        entity = schema["world"].get("entity", {"index_bits": 32, "generation_bits": 32})
        self.widths = (entity["index_bits"], entity["generation_bits"])
        self._match("component", self.was["components"])
        self._match("singleton", self.was["singletons"])
        self._match("event", self.was["events"])

    def things(self, kind: str) -> Table:
        found: Table = self.schema.get(kind, {})
        return found

    # ---- whether the schemas go together at all

    def _match(self, kind: str, old: Table) -> None:
        for name, thing in self.things(kind).items():
            before = _before(name, thing, old)
            if before and _is_saved(thing) and old[before]["save"] and old[before]["fields"]:
                self._match_fields(name, old[before]["fields"], thing.get("fields", {}))

    def _match_fields(self, thing: str, old: Table, new: Table) -> None:
        for name, field in _fields(new):
            before = _before(name, field, old)
            if not before or not old[before]["save"] or not _is_saved(field):
                continue
            was, is_ = _type(old[before]["type"]), _type(field["type"])
            if was[1] != is_[1] or self._family(was[0], True) != self._family(is_[0], False):
                self.refused.append((thing, name))
            elif self._family(is_[0], False) == "struct":
                inner = self.was["structs"][was[0]]["fields"]
                self._match_fields(thing, inner, self.things("struct")[is_[0]]["fields"])

    def _family(self, name: str, old: bool) -> str:
        enums = self.was["enums"] if old else self.things("enum")
        if name in NUMBERS:
            return "number"
        return name if name in ("entity", "char") else "enum" if name in enums else "struct"

    # ---- values

    def default(self, field: Table) -> Any:
        name, shape, count = _type(field["type"])
        if shape in ("string", "list"):
            return field.get("default", "" if shape == "string" else [])
        if by := _by(field["type"]):
            given = field.get("default", {})
            return {key: given.get(key, self._zero(name)) for key in self._values(by)}
        if shape == "array":
            return field.get("default", [self._zero(name) for _ in range(count)])
        return field.get("default", self._zero(name))

    def _values(self, enum: str) -> list[str]:
        return [_value_name(value) for value in self.things("enum")[enum]["values"]]

    def _zero(self, name: str) -> Any:
        if name in NUMBERS:
            return False if name == "bool" else 0
        if name == "entity":
            return None
        if name in self.things("enum"):
            return _value_name(self.things("enum")[name]["values"][0])
        return self.defaults(self.things("struct")[name]["fields"])

    def defaults(self, fields: Table) -> Table:
        return {name: self.default(field) for name, field in _fields(fields) if _is_saved(field)}

    def fields(self, thing: str, old: Table, values: Table, new: Table, start: Table) -> Table:
        """Fields by name, over the values that they start from."""
        found = dict(start)
        for name, field in _fields(new):
            before = _before(name, field, old)
            if not before or not old[before]["save"] or not _is_saved(field):
                continue
            at = (thing, name)
            found[name] = self._member(at, old[before], values[before], field, start[name])
        return found

    def _member(self, at: tuple[str, str], old: Table, value: Any, new: Table, start: Any) -> Any:
        (was, _, _), (name, shape, count) = _type(old["type"]), _type(new["type"])
        if shape == "string":
            if len(value.encode("utf-8", "surrogateescape")) >= count:
                self.refused.append(at)
            return value
        if shape == "one":
            return self._element(at, was, value, name, start)
        if shape == "list":
            if len(value) > count:
                self.refused.append(at)
            return [self._element(at, was, item, name, self._zero(name)) for item in value]
        now = _by(new["type"])
        if _by(old["type"]) and now:
            found = dict(start)
            for key, item in value.items():
                to = _value_now(key, self.things("enum")[now]["values"])
                if to is not None:
                    found[to] = self._element(at, was, item, name, start[to])
            return found
        items = list(value.values()) if _by(old["type"]) else value
        starts = list(start.values()) if now else start
        both = zip(items, starts, strict=False)
        whole = [self._element(at, was, item, name, one) for item, one in both]
        whole += starts[len(items) :]
        return dict(zip(start, whole, strict=True)) if now else whole

    def _element(self, at: tuple[str, str], was: str, value: Any, name: str, start: Any) -> Any:
        family = self._family(name, False)
        if family == "number":
            return self._number(at, was, value, name)
        if family == "entity":
            return self.handle(value)
        if family == "enum":
            now = _value_now(value, self.things("enum")[name]["values"])
            if now is None:
                self.refused.append((*at, value))
            return now
        old = self.was["structs"][was]["fields"]
        return self.fields(at[0], old, value, self.things("struct")[name]["fields"], start)

    def _number(self, at: tuple[str, str], was: str, value: Any, name: str) -> Any:
        now = number_now(was, value, name)
        if now is None:
            self.refused.append(at)
        return now

    def handle(self, text: str | None) -> str | None:
        """One in a field. What does not fit is dead."""
        if text is None or self.widths == (self.was["index_bits"], self.was["generation_bits"]):
            return text
        return text if self._fits(text) and not text.endswith(":0") else None

    def _fits(self, text: str) -> bool:
        index, generation = map(int, text.split(":"))
        return index < 2 ** self.widths[0] and generation < 2 ** self.widths[1]

    # ---- the world

    def result(self) -> Table:
        """Returns what a save of it is then; nothing that counts if it was refused."""
        entities = [self._entity(entity) for entity in self.saved["entities"]]
        gone = [int(text.split(":")[0]) for text in self.saved["free"] if not self._fits(text)]
        indices = len(entities) + len(self.saved["free"]) + len(self.saved["retired"])
        if indices > 2 ** self.widths[0] or len(entities) > self._capacity():
            self.refused.append(())
        return {
            "entities": entities,
            "singletons": {
                name: self._singleton(name, thing)
                for name, thing in self.things("singleton").items()
                if _is_saved(thing)
            },
            "relations": self._relations(),
            "free": [text for text in self.saved["free"] if self._fits(text)],
            "retired": sorted([*self.saved["retired"], *gone]),
            "ticks": self.saved["ticks"],
        }

    def _capacity(self) -> int:
        capacity: int = self.schema["world"].get("max_entities", 1_000_000)
        return capacity

    def _entity(self, entity: Table) -> Table:
        if not self._fits(entity["id"]):
            self.refused.append(())
        components = self.things("component")
        there: set[str] = set()
        found: Table = {}
        for name, thing in components.items():
            before = _before(name, thing, self.was["components"])
            if before not in entity["components"]:
                continue
            if "fields" not in thing and not _is_saved(thing):
                continue
            there |= self._closure(name)
            found[name] = self._component(name, entity["components"][before], before)
        self.refused += [pair for pair in permutations(there, 2) if self._exclude(*pair)]
        values = {
            name: found[name] if name in found else self._brought(name, found)
            for name in components
            if name in there
        }
        return {
            "id": entity["id"],
            "components": {
                name: value
                for name, value in values.items()
                if value is not True or _is_saved(components[name])
            },
        }

    def _closure(self, name: str) -> set[str]:
        there, waiting = set(), [name]
        while waiting:
            one = waiting.pop()
            if one not in there:
                there.add(one)
                waiting += self._requires(one)
        return there

    def _requires(self, name: str) -> dict[str, Table]:
        """Names that a component lists, each with the values that it gives to it."""
        listed = self.things("component")[name].get("requires", [])
        tables = [{"name": one} if isinstance(one, str) else one for one in listed]
        return {one["name"]: one.get("values", {}) for one in tables}

    def _brought(self, name: str, found: Table) -> Any:
        """The value of a component that an entity gets because others require it."""
        thing, start = self.things("component")[name], self._fresh(name)
        if start is True or not _is_saved(thing):
            return start
        by = name
        while requirers := [c for c in found if c != by and by in self._closure(c)]:
            order = list(self.things("component"))
            by = min(requirers, key=order.index)
        return start | self._given(by, name, thing["fields"])

    def _given(self, by: str, name: str, fields: Table) -> Table:
        """The value that one gives to another that it requires, by the topmost that lists it."""
        listing = [one for one in self._closure(by) if name in self._requires(one)]
        top = [
            one
            for one in listing
            if not any(one in self._closure(other) for other in listing if other != one)
        ]
        given = self._requires(top[0])[name]
        return self.defaults(
            {
                field: thing | {"default": given[field]} if field in given else thing
                for field, thing in _fields(fields)
            }
        )

    def _exclude(self, one: str, other: str) -> bool:
        """Returns whether one excludes the other, or what it requires does."""
        for name in self._closure(one):
            excluded = self.things("component")[name].get("excludes", [])
            if not self._closure(other).isdisjoint(excluded):
                return True
        return False

    def _fresh(self, name: str) -> Any:
        thing = self.things("component")[name]
        if "fields" not in thing:
            return True
        return self.defaults(thing["fields"]) if _is_saved(thing) else {}

    def _component(self, name: str, value: Any, before: str) -> Any:
        thing, old = self.things("component")[name], self.was["components"][before]
        start = self._fresh(name)
        if start is True or not _is_saved(thing) or not old["save"] or not old["fields"]:
            return start
        return self.fields(name, old["fields"], value, thing["fields"], start)

    def _singleton(self, name: str, thing: Table) -> Table:
        before = _before(name, thing, self.was["singletons"])
        start = self.defaults(thing["fields"])
        if not before or not self.was["singletons"][before]["save"]:
            return start
        old = self.was["singletons"][before]["fields"]
        return self.fields(name, old, self.saved["singletons"][before], thing["fields"], start)

    def _relations(self) -> Table:
        found = {}
        for name, thing in self.things("relation").items():
            before = _before(name, thing, dict.fromkeys(self.was["relations"]))
            if before in self.saved["relations"]:
                found[name] = self.saved["relations"][before]
        return found


def number_now(was: str, value: Any, name: str) -> Any:
    """A number as one of another type; None: it does not fit."""
    if name in FLOATS and was in FLOATS:
        if value in NOT_FINITE:
            return value
        exact = _rounded(value) if was == "f32" else value
        if name == "f64":
            return exact
        return shortest(_rounded(exact)) if abs(exact) < F32_END else None
    if name in FLOATS:
        odd = abs(value)
        while odd and odd % 2 == 0:
            odd //= 2
        if odd >= 2 ** FLOATS[name]:
            return None
        return shortest(float(value)) if name == "f32" else float(value)
    if value in NOT_FINITE:
        return None
    exact = _rounded(value) if was == "f32" else value
    low, high = WHOLE[name]
    if exact != int(exact) or not low <= int(exact) <= high:
        return None
    return bool(exact) if name == "bool" else int(exact)


def _before(name: str, thing: Any, old: Table) -> str | None:
    was = thing.get("was") if isinstance(thing, dict) else None
    return name if name in old else was if was in old else None


def _is_saved(thing: Table) -> bool:
    saved: bool = thing.get("save", True)
    return saved


def _fields(fields: Table) -> list[tuple[str, Table]]:
    """In the long form."""
    return [
        (name, field if isinstance(field, dict) else {"type": field})
        for name, field in fields.items()
    ]


def _type(text: str) -> tuple[str, str, int]:
    """Name, shape, count."""
    match = TYPE.fullmatch(text)
    assert match, text
    if not match[3]:
        return match[1], "one", 1
    shape = "string" if match[1] == "char" else "list" if match[2] else "array"
    return match[1], shape, int(match[3]) if match[3].isdigit() else 0


def _by(text: str) -> str:
    """Returns the enum whose values number the elements, or nothing."""
    match = TYPE.fullmatch(text)
    return match[3] if match and match[3] and not match[3].isdigit() else ""


def _value_name(value: Any) -> str:
    name: str = value["name"] if isinstance(value, dict) else value
    return name


def _value_now(value: str, values: list[Any]) -> str | None:
    names = [_value_name(one) for one in values]
    if value in names:
        return value
    renamed = [one["name"] for one in values if isinstance(one, dict) and one.get("was") == value]
    return renamed[0] if renamed else None


def _rounded(value: float) -> float:
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def shortest(number: float) -> float:
    """Returns the number with the fewest digits of all that round to a number of four bytes."""
    found = (float(f"{number:.{digits}g}") for digits in range(6, 10))
    return next(short for short in found if _rounded(short) == number)
