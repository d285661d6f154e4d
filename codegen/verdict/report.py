"""Reports what the schema makes of released saves, as diagnostics and as a list.

A new release accepts the losses of the releases before it. Refused and misread saves are reported
until their release is removed from the lock, because players have such saves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lock import Release
from model.model import Model
from names.nearest import SHOWN
from source.source import Note, Report
from verdict import changes, worst
from verdict.change import Change, Verdict
from verdict.reuse import misread

_SUMMARY = {
    Verdict.WHOLE: "loads completely",
    Verdict.LOSES: "loads with losses",
    Verdict.MISREADS: "is misread",
    Verdict.MAY_REFUSE: "may be refused",
    Verdict.REFUSED: "is refused",
}


@dataclass
class _Finding:
    """A change, and the releases whose saves it affects."""

    change: Change
    releases: list[str] = field(default_factory=list)


def report_changes(releases: Sequence[Release], now: Model, report: Report) -> None:
    """Reports losses, misread values and refused saves."""
    for found in _unaccepted(releases, now):
        change = found.change
        message = f"{change.what}: saves of {_names(found.releases)} {change.fate.words}"
        notes = [Note(change.recorded, "it was here")] if change.recorded else []
        place, help = change.place, change.help
        if change.fate.verdict is Verdict.REFUSED:
            report.error("save-refused", place, message, help=help, notes=notes)
        elif change.fate.verdict is Verdict.MISREADS:
            report.error("save-misread", place, message, help=help, notes=notes)
        elif change.fate.verdict is Verdict.MAY_REFUSE:
            report.warning("save-may-be-refused", place, message, help=help, notes=notes)
        else:
            report.warning("save-loses", place, message, help=help, notes=notes)


def _unaccepted(releases: Sequence[Release], now: Model) -> list[_Finding]:
    found: dict[_Key, _Finding] = {}
    for release in releases:
        bad = [c for c in _since(release, releases, now) if c.fate.verdict is not Verdict.WHOLE]
        fates = {_key(change): change for change in bad}
        for later in reversed(releases):  # the newest release has accepted most
            if fates and release.name in later.after:
                for change in changes(release.model, later.model):
                    if change.fate.verdict is not Verdict.REFUSED:
                        fates.pop(_key(change), None)
        for key, change in fates.items():
            found.setdefault(key, _Finding(change)).releases.append(release.name)
    return list(found.values())


def _since(release: Release, releases: Sequence[Release], now: Model) -> list[Change]:
    """Returns every change since a release."""
    last, between = release, []
    for later in releases:
        if {release.name, last.name} <= later.after:
            last = later
            between.append(later.model)
    return [*changes(release.model, now), *misread(release.model, between, now)]


_Key = tuple[str, str]


def _key(change: Change) -> _Key:
    """Returns a key of a change that does not depend on the release."""
    return change.what, change.fate.words


def _names(releases: Sequence[str]) -> str:
    if len(releases) == 1:
        return f"release {releases[0]}"
    more = f" and {len(releases) - SHOWN} more" if len(releases) > SHOWN else ""
    if more:
        return f"releases {', '.join(releases[:SHOWN])}{more}"
    return f"releases {', '.join(releases[:-1])} and {releases[-1]}"


def as_text(releases: Sequence[Release], now: Model) -> str:
    """Returns a list of every change since every release, including the harmless ones."""
    return "".join(_release_text(release, releases, now) for release in releases)


def _release_text(release: Release, releases: Sequence[Release], now: Model) -> str:
    found = _since(release, releases, now)
    head = f"a save of release {release.name} {_SUMMARY[worst(found)]}\n"
    return head + "".join(_line(change) for change in found)


def _line(change: Change) -> str:
    source = "" if change.compiles else "; source code that uses it does not compile"
    return f"  {change.fate.verdict.text}: {change.what}: saves {change.fate.words}{source}\n"
