"""Compares fields, including their enums and structs, as `save/match.c` does."""

from __future__ import annotations

from dataclasses import dataclass

from model.model import Model
from model.types import Base, EnumType, EnumValue, ExternType, Field, Shape, StructType, Type
from source.source import Place
from verdict.change import NEVER_HAD, Change, Fate, Verdict
from verdict.numbers import always_fits, is_rounded
from verdict.renames import ACCEPT, gone, pairs, remedy, renamed_to, reordered

_ANOTHER = (
    "give the new field another name, then older saves load without the old one; or remove a "
    "release from the lock if its saves need not load any more"
)
_INNER = (Base.STRUCT, Base.EXTERN)


@dataclass(frozen=True)
class Owner:
    """The declaration that contains the fields."""

    kind: str
    name: str
    place: Place

    def field(self, name: str) -> str:
        return f"field '{name}' of {self.kind} '{self.name}'"


class Fields:
    """Compares fields and their types. Each pair of types is compared once.

    `saved` is set if both saves contain the values. Otherwise only source code can be affected.
    """

    def __init__(self, was: Model, now: Model) -> None:
        self.changes: list[Change] = []
        self._was, self._now = was, now
        self._enums: set[tuple[str, str, bool]] = set()
        self._structs: set[tuple[str, str, bool]] = set()

    def compare(
        self, owner: Owner, was: tuple[Field, ...], now: tuple[Field, ...], saved: bool
    ) -> None:
        matched = pairs(was, now)
        new = [field for before, field in matched if not before]
        for before, field in matched:
            if before:
                self._field(owner, before, field, saved)
            else:
                stays = (owner.kind, field.name) == ("state", "next")
                fate = "stay at the value of 'now'" if stays else "get its default"
                self._add(owner, field, f"{owner.field(field.name)} is new", fate)
        for before in gone(was, matched):
            self._gone(owner, before, new, saved and before.save)
        if reordered(matched, was):
            what = f"fields of {owner.kind} '{owner.name}' are in another order"
            self.changes.append(Change(what, Fate(Verdict.WHOLE, "keep them"), owner.place))

    def rest(self) -> None:
        """Compares the types that no saved field uses: they only matter to source code."""
        for enum in self._was.types.enums.values():
            if enum.name in self._now.types.enums:
                self._enum(enum, self._now.types.enums[enum.name], saved=False)
        for kind, was, now in (
            ("struct", self._was.types.structs, self._now.types.structs),
            ("extern", self._was.types.externs, self._now.types.externs),
        ):
            for name in (name for name in was if name in now):
                self._struct(kind, was[name], now[name], saved=False)

    def _add(self, owner: Owner, field: Field, what: str, fate: str, compiles: bool = True) -> None:
        """Adds a change that saves survive completely."""
        compiles |= owner.kind == "extern"  # the game itself defines the members of an extern
        self.changes.append(Change(what, Fate(Verdict.WHOLE, fate), field.place, compiles))

    def _gone(self, owner: Owner, was: Field, new: list[Field], saved: bool) -> None:
        same = [field for field in new if field.type.text == was.type.text]
        now = renamed_to(was.name, same or [f for f in new if _related(was.type, f.type)])
        self.changes.append(
            Change(
                f"{owner.field(was.name)} was removed",
                Fate(Verdict.LOSES, "lose it") if saved else NEVER_HAD,
                owner.place,
                compiles=owner.kind == "extern",
                help=remedy(was.name, now),
                recorded=was.place,
            )
        )

    def _field(self, owner: Owner, was: Field, now: Field, saved: bool) -> None:
        what = owner.field(now.name)
        if was.name != now.name:
            self._add(
                owner, now, f"{what} was renamed from '{was.name}'", "keep it", compiles=False
            )
        if was.save and not now.save and saved:
            lost = f"{what} is not saved any more"
            self.changes.append(
                Change(lost, Fate(Verdict.LOSES, "lose its values"), now.place, help=ACCEPT)
            )
        elif now.save and not was.save:
            self._add(owner, now, f"{what} is saved now", "get its default")
        self._types(owner, was, now, saved and was.save and now.save)

    def _types(self, owner: Owner, was: Field, now: Field, saved: bool) -> None:
        a, b = was.type, now.type
        told = (b.text, a.text) if a.text != b.text else (_with_kind(b), _with_kind(a))
        changed = f"{owner.field(now.name)} changed from {told[1]} to {told[0]}"
        compiles = owner.kind == "extern" or _compiles(a, b)
        if not _related(a, b):
            fate = Fate(Verdict.REFUSED, "are refused") if saved else NEVER_HAD
            self.changes.append(Change(changed, fate, now.place, compiles, _ANOTHER))
            return
        if (a.base, a.text) != (b.base, b.text):
            fate = _carried(a, b) if saved else NEVER_HAD
            help = f"keep {a.text}; {ACCEPT}" if fate.verdict else ""
            self.changes.append(Change(changed, fate, now.place, compiles, help))
        if a.by and b.by:
            self._elements(what=owner.field(now.name), was=a, now=now, saved=saved)
        if a.base is Base.ENUM:
            self._enum(self._was.types.enums[a.name], self._now.types.enums[b.name], saved)
        elif a.base in _INNER:
            inner, kind = self._now.struct_of(b), b.base.value
            self._struct(kind, self._was.struct_of(a), inner, saved)

    def _elements(self, what: str, was: Type, now: Field, saved: bool) -> None:
        """Compares the enums that give the indices of an array: elements are matched by value
        names.
        """
        old, new = self._was.types.enums[was.by], self._now.types.enums[now.type.by]
        matched = pairs(old.values, new.values)
        lost = [value.name for value in gone(old.values, matched)]
        if lost:
            loses = Fate(Verdict.LOSES, f"lose its elements {', '.join(lost)}")
            self.changes.append(
                Change(
                    f"{what} no longer has {', '.join(lost)}",
                    loses if saved else NEVER_HAD,
                    now.place,
                    compiles=False,
                    help=ACCEPT,
                )
            )
        if _first(self._enums, old.name, new.name, False):
            self._numbering(old, new)

    def _struct(
        self, kind: str, was: StructType | ExternType, now: StructType | ExternType, saved: bool
    ) -> None:
        if _first(self._structs, was.name, now.name, saved):
            self.compare(Owner(kind, now.name, now.place), was.fields, now.fields, saved)

    def _enum(self, was: EnumType, now: EnumType, saved: bool) -> None:
        if not _first(self._enums, was.name, now.name, saved):
            return
        new = self._numbering(was, now)
        matched = pairs(was.values, now.values)
        for before in gone(was.values, matched):
            self._value_gone(now, before, new, saved)
        if was.type != now.type:
            self._value(
                f"{now.kind} '{now.name}' changed from {was.type} to {now.type}",
                "keep it",
                now.place,
            )

    def _numbering(self, was: EnumType, now: EnumType) -> list[EnumValue]:
        """Reports new, renamed and moved values. Returns the new ones."""
        matched = pairs(was.values, now.values)
        for before, value in matched:
            what = f"value '{value.name}' of {now.kind} '{now.name}'"
            if not before:
                self._value(f"{what} is new", "do not use it", value.place)
            elif before.name != value.name:
                self._value(
                    f"{what} was renamed from '{before.name}'",
                    "keep it",
                    value.place,
                    compiles=False,
                )
        if reordered(matched, was.values):
            self._value(
                f"values of {now.kind} '{now.name}' are in another order", "keep them", now.place
            )
        return [value for before, value in matched if not before]

    def _value(self, what: str, fate: str, place: Place, *, compiles: bool = True) -> None:
        self.changes.append(Change(what, Fate(Verdict.WHOLE, fate), place, compiles))

    def _value_gone(
        self, enum: EnumType, was: EnumValue, new: list[EnumValue], saved: bool
    ) -> None:
        now = renamed_to(was.name, new)
        self.changes.append(
            Change(
                f"value '{was.name}' of {enum.kind} '{enum.name}' was removed",
                Fate(Verdict.MAY_REFUSE, "are refused if they use it") if saved else NEVER_HAD,
                enum.place,
                compiles=False,
                help=remedy(was.name, now, f'{{ name = "{now}", was = "{was.name}" }} there'),
                recorded=was.place,
            )
        )


def _first(seen: set[tuple[str, str, bool]], was: str, now: str, saved: bool) -> bool:
    """Returns whether a pair of types has not been compared yet, and records it."""
    if (was, now, saved) in seen:
        return False
    seen.add((was, now, saved))
    return True


def _with_kind(type: Type) -> str:
    """Returns a type and its kind, because two types of different kinds may share a name."""
    return f"{type.base.value} {type.text}"


def _related(was: Type, now: Type) -> bool:
    """Returns whether values of one type can become values of the other at all."""
    if was.shape is not now.shape:
        return False
    return was.base is now.base or (was.base in _INNER and now.base in _INNER)


def _carried(was: Type, now: Type) -> Fate:
    """Returns what happens to values between related types."""
    losses, conditions = [], []
    fewer = now.count < was.count and not (now.by and was.by)
    if fewer and was.shape is Shape.ARRAY:
        losses.append(f"lose all but the first {now.count} items")
    elif fewer and was.shape is Shape.LIST:
        conditions.append(f"a list has more than {now.count} items")
    elif fewer:
        conditions.append(f"a text has more than {now.count - 1} bytes")
    if was.base is Base.NUMBER and not always_fits(was.name, now.name):
        conditions.append(f"a value does not fit into {now.name}")
        if is_rounded(was.name, now.name):
            losses.append(f"are rounded to {now.name}")
    if conditions:
        losses.append(f"are refused if {' or '.join(conditions)}")
        return Fate(Verdict.MAY_REFUSE, " and ".join(losses))
    return Fate(Verdict.LOSES, losses[0]) if losses else Fate(Verdict.WHOLE, "keep it")


def _compiles(was: Type, now: Type) -> bool:
    """Returns whether C code for one type compiles with the other, by conversions if needed."""
    indexed = (Shape.ARRAY, Shape.STRING)
    if was.shape is not now.shape and not (was.shape in indexed and now.shape in indexed):
        return False
    if was.base in _INNER or now.base in _INNER:
        return (was.base, was.name) == (now.base, now.name)
    plain = (Base.NUMBER, Base.ENUM, Base.CHAR)
    return was.base is now.base or (was.base in plain and now.base in plain)
