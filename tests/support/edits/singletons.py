"""Edits of singletons."""

from __future__ import annotations

from edits.edit import Edit

_TOLD = '[event.@_told]\nfields = { n = "u8" }\n'
_DAY = '[singleton.@.fields]\nd = { type = "u8", default = 1 }\n'

SINGLETON_EDITS = (
    Edit(
        "singleton_added", "", _DAY, ("whole: singleton '@' is new: saves do not contain it",),
        asked="get - @.d", answers=("1",),
    ),
    Edit(
        "singletons_moved", f'[singleton.@_z.fields]\nd = "u8"\n{_DAY}',
        f'{_DAY}[singleton.@_z.fields]\nd = "u8"', (), "set - @_z.d 4\nset - @.d 5",
        "get - @_z.d\nget - @.d", ("4", "5"), "evolve_@_edit(w)->d = 1;",
    ),
    Edit(
        "singleton_gone", '[singleton.@_gone.fields]\nd = "u8"', "",
        ("loses: singleton '@_gone' was removed: saves lose it~",),
        "set - @_gone.d 2", source="evolve_@_gone_edit(w)->d = 1;", compiles=False,
    ),
    Edit(
        "singleton_renamed", _DAY,
        '[singleton.@_now]\nwas = "@"\n[singleton.@_now.fields]\nd = "u16"',
        (
            "whole: singleton '@_now' was renamed from '@': saves keep it~",
            "whole: field 'd' of singleton '@_now' changed from u8 to u16: saves keep it",
        ),
        "set - @.d 200", "get - @_now.d", ("200",), "evolve_@_edit(w)->d = 1;", False,
    ),
    Edit(
        "singleton_not_saved_any_more", _DAY, f"[singleton.@]\nsave = false\n{_DAY}",
        ("loses: singleton '@' is not saved any more: saves lose its values",),
        "set - @.d 9", "get - @.d", ("1",), "evolve_@_edit(w)->d = 1;",
    ),
    Edit(
        "singleton_saved_now", f"[singleton.@]\nsave = false\n{_DAY}", _DAY,
        ("whole: singleton '@' is saved now: saves get its defaults",),
        "set - @.d 9", "get - @.d", ("1",), "evolve_@_edit(w)->d = 1;",
    ),
    Edit(
        "unsaved_singleton_gone", "[singleton.@_gone]\nsave = false\n"
        '[singleton.@_gone.fields]\nd = "u8"', "",
        ("whole: singleton '@_gone' was removed: saves never contained it~",),
        source="evolve_@_gone_edit(w)->d = 1;", compiles=False,
    ),
    Edit(
        "state_values_moved", '[state.@]\nvalues = ["menu", "play", "over"]',
        '[state.@]\nvalues = ["map", "over", "menu", { name = "game", was = "play" }]',
        (
            "whole: value 'map' of state '@' is new: saves do not use it",
            "whole: value 'game' of state '@' was renamed from 'play': saves keep it~",
            "whole: values of state '@' are in another order: saves keep them",
        ),
        "text - @.next play", "get - @.now\nget - @.next", ("menu", "game"),
        "(void)e; evolve_@_go(w, EVOLVE_@@_PLAY);", False,
    ),
    Edit(
        "state_renamed", '[state.@]\nvalues = ["off", "on"]',
        '[state.@_now]\nwas = "@"\nvalues = ["off", "on"]',
        (
            "whole: state '@_now' was renamed from '@': saves keep it~",
            "whole: field 'now' of state '@_now' changed from @ to @_now: saves keep it",
            "whole: field 'next' of state '@_now' changed from @ to @_now: saves keep it",
        ),
        "text - @.next on", "get - @_now.next", ("on",), "evolve_@_now(w);", False,
    ),
    Edit(
        "input_edited", '[input.@]\nmax = 8\nfields = { a = "u8" }',
        '[input.@_now]\nwas = "@"\nmax = 9\nfields = { a = "u16" }',
        (
            "whole: input '@_now' was renamed from '@': saves keep it~",
            "whole: 'max' of input '@_now' changed from 8 to 9: saves keep them",
            "whole: field 'a' of input '@_now' changed from u8 to u16: saves keep it",
        ),
        source="evolve_@_put(w, (evolve_@){1});", compiles=False,
    ),
    Edit(
        "listener_renamed", f'{_TOLD}[listener.@]\nhears = ["@_told"]',
        f'{_TOLD}[listener.@_now]\nwas = "@"\nhears = ["@_told"]',
        ("whole: listener '@_now' was renamed from '@': saves keep what it has not seen yet~",),
        source="evolve_@_begin(w);", compiles=False,
    ),
    Edit(
        "listener_gone", f'{_TOLD}[listener.@_gone]\nhears = ["@_told"]',
        f'{_TOLD}[listener.@_other]\nhears = ["@_told"]',
        (
            "loses: listener '@_gone' was removed: saves lose what it had not seen yet~",
            "whole: listener '@_other' is new: saves show it everything as added",
        ),
        source="evolve_@_gone_begin(w);", compiles=False,
    ),
    Edit(
        "state_gone", '[state.@_gone]\nvalues = ["off", "on"]', "",
        ("loses: state '@_gone' was removed: saves lose it~",),
        "text - @_gone.next on", source="evolve_@_gone_now(w);", compiles=False,
    ),
)  # fmt: skip
