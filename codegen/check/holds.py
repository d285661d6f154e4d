"""Rules about `holds`: which fields it uses, and what it compares them with."""

from __future__ import annotations

from collections.abc import Iterator

from model.data import Component, Singleton
from model.decide import Decider
from model.expressions import Expr
from model.holds import MAX_RULES, Leaf, Wrong, is_literal, leaf, rules, words
from model.refs import Ref
from model.scalars import SCALARS, Kind
from names.nearest import suggest
from parse import Parsed
from source.source import Note, Report

Owner = Component | Singleton


def holds_tag(parsed: Parsed, report: Report) -> None:
    for kind, owner in _owners(parsed):
        if not owner.fields and parsed.sound(kind, owner.name):
            place = parsed.book.key(kind, owner.name, "holds")
            message = f"'{owner.name}' is a tag, which has no fields"
            report.error("holds-tag", place, message, help="remove 'holds'")


def holds_rules(parsed: Parsed, report: Report) -> None:
    for kind, owner in _owners(parsed):
        count = len(rules(owner.holds)) if owner.holds else 0
        if count > MAX_RULES:
            place = parsed.book.value(kind, owner.name, "holds")
            message = f"'holds' of {kind} '{owner.name}' has {count} parts, more than {MAX_RULES}"
            help = "put some of them in parentheses"
            report.error("holds-rules", place, message, help=help)


def holds_values(parsed: Parsed, report: Report) -> None:
    for kind, owner in _owners(parsed):
        if not owner.holds or not owner.fields:
            continue
        sound = [_is_sound(parsed, owner, atom, report) for atom in owner.holds.atoms()]
        if all(sound):
            _decided(parsed, kind, owner, report)


def _is_sound(parsed: Parsed, owner: Owner, atom: Expr, report: Report) -> bool:
    """Reports what is wrong with one comparison. Returns whether it can be evaluated."""
    assert atom.ref is not None
    before = report.errors
    left = _leaf(parsed, owner, atom.ref, report)
    if left and atom.value:
        return _compared(parsed, owner, atom, left, report) and report.errors == before
    if left and not left.is_bool:
        message = f"'{left.path}' is {left.type.text}, which is neither true nor false"
        report.error("holds-value", atom.place, message, help="compare it by == != < <= > >=")
    return left is not None and report.errors == before


def _decided(parsed: Parsed, kind: str, owner: Owner, report: Report) -> None:
    """Reports parts that are always or never true: for all values of the types, else within
    limits.
    """
    assert owner.holds is not None
    for limits in (False, True):
        decider = Decider(parsed.model, owner.fields, limits=limits)
        found = list(decider.decided(owner.holds))
        within = " within the limits of its fields" if limits else ""
        for part, truth in found:
            whole = part is owner.holds
            what = f"{'' if whole else 'this part of '}'holds' of {kind} '{owner.name}'"
            id, always = ("holds-always", "always") if truth else ("holds-never", "never")
            cause = decider.cause(part)
            notes = [Note(cause.place, "because of this part")] if cause is not part else []
            help = _remedy(truth, whole=whole, limits=limits)
            message = f"{what} is {always} true{within}"
            report.warning(id, part.place, message, help=help, notes=notes)
        if found:
            return


def _remedy(truth: bool, *, whole: bool, limits: bool) -> str:
    if truth and limits:
        return "remove it: the limits are checked anyway"
    if whole and not truth:
        return "correct the comparison: some values must match it"
    return "remove it, or correct the comparison"


def _owners(parsed: Parsed) -> Iterator[tuple[str, Owner]]:
    for component in parsed.model.data.components.values():
        if component.holds:
            yield "component", component
    for singleton in parsed.model.data.kept.singletons.values():
        if singleton.holds:
            yield "singleton", singleton


def _leaf(parsed: Parsed, owner: Owner, ref: Ref, report: Report) -> Leaf | None:
    found = leaf(parsed.model, owner.fields, ref.name)
    if isinstance(found, Wrong):
        help = found.help or suggest(ref.name, found.names, "fields")
        report.error(
            "holds-field", ref.place, f"'holds' of '{owner.name}': {found.message}", help=help
        )
        return None
    return found


def _compared(parsed: Parsed, owner: Owner, atom: Expr, left: Leaf, report: Report) -> bool:
    """Checks the right side and the sign. Returns false if the comparison cannot be read."""
    assert atom.value is not None
    equality = atom.sign in ("==", "!=")
    if not left.is_number and not equality:
        message = f"'{left.path}' is {left.type.text}, which has no order"
        report.error("holds-value", atom.place, message, help="write == or !=")
        return False
    names = words(parsed.model, left)
    text = atom.value.name
    if text in names or (left.is_number and is_literal(text)):
        if left.is_number:
            _fits(left, atom.value, report)
        return True
    if is_literal(text) or leaf(parsed.model, owner.fields, text.split(".")[0]) is None:
        right = None
    elif names and text.isidentifier() and text not in {field.name for field in owner.fields}:
        message = f"'{left.path}' is {left.type.text}, which has no value '{text}'"
        report.error("holds-value", atom.value.place, message, help=suggest(text, names, "values"))
        return False
    else:
        right = _leaf(parsed, owner, atom.value, report)
        if right is None:
            return False
    if right is None or not _alike(left, right):
        got = f"{right.type.text} '{text}'" if right else f"'{text}'"
        message = f"'{left.path}' is {left.type.text}, so it cannot be compared with {got}"
        help = f"values: {', '.join(names)}" if names else "compare numbers with numbers"
        report.error("holds-value", atom.value.place, message, help=help)
        return False
    return True


def _fits(left: Leaf, value: Ref, report: Report) -> None:
    scalar = SCALARS[left.type.name]
    whole = scalar.kind is not Kind.FLOAT
    if whole and not value.name.lstrip("-").isdigit():
        message = f"'{left.path}' is {scalar.name}, but {value.name} is not a whole number"
        report.error("holds-value", value.place, message, help="write it without a fraction")
    elif not scalar.low <= (int(value.name) if whole else float(value.name)) <= scalar.high:
        message = f"{value.name} does not fit into {scalar.name}"
        help = f"{scalar.name} stores {scalar.low} to {scalar.high}"
        report.error("holds-value", value.place, message, help=help)


def _alike(left: Leaf, right: Leaf) -> bool:
    """Returns whether C compares two values like mathematical numbers."""
    if not (left.is_number and right.is_number):
        return (left.type.base, left.type.name) == (right.type.base, right.type.name)
    kinds = {SCALARS[one.type.name].kind for one in (left, right)}
    unsigned = {one.type.name for one in (left, right)}
    return not (kinds == {Kind.SIGNED, Kind.UNSIGNED} and "u64" in unsigned)


RULES = (holds_tag, holds_rules, holds_values)
