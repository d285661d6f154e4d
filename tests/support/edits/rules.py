"""Edits of `requires` and `excludes`."""

from __future__ import annotations

from edits.edit import WITH_X, Edit

RULE_EDITS = (
    Edit(
        "requires_added", f"{WITH_X}[component.@_mark]",
        f'{WITH_X}[component.@_mark]\nrequires = ["@"]',
        ("whole: component '@_mark' requires '@': saves get '@' with its defaults if "
         "they lack it",),
        "add #0 @_mark", "get #0 @.x\nhas #1 @", ("3", "no"), "evolve_@_mark_set(w, e);",
    ),
    Edit(
        "requires_added_with_values", f"{WITH_X}[component.@_mark]",
        f'{WITH_X}[component.@_mark]\nrequires = [{{ name = "@", values = {{ x = 7 }} }}]',
        ("whole: component '@_mark' requires '@': saves get '@' with the values given "
         "there if they lack it",),
        "add #0 @_mark\nadd #1 @\nadd #1 @_mark", "get #0 @.x\nget #1 @.x",
        ("7", "3"), "evolve_@_mark_set(w, e);",
    ),
    Edit(
        "excludes_added", f"{WITH_X}[component.@_mark]",
        f'{WITH_X}[component.@_mark]\nexcludes = ["@"]',
        ("may be refused: component '@_mark' excludes '@': saves are refused if an entity has "
         "both",),
        "add #0 @_mark\nadd #1 @", "has #0 @_mark\nhas #1 @", ("yes", "yes"),
        "evolve_@_mark_set(w, e);", True,
        "add #1 @_mark",
        "the save has entities with both '@' and '@_mark', which exclude each other now",
    ),
    Edit(
        "excludes_through_requires",
        f'{WITH_X}[component.@_mark]\nexcludes = ["@"]\n[component.@_flag]\n',
        f'{WITH_X}[component.@_mark]\nexcludes = ["@"]\n[component.@_flag]\n'
        'requires = ["@_mark"]\n',
        (
            "whole: component '@_flag' requires '@_mark': saves get '@_mark' with its defaults "
            "if they lack it",
            "may be refused: component '@_mark' excludes '@': saves are refused if an entity has "
            "both",
        ),
        "add #0 @_flag\nadd #1 @", "has #0 @_mark\nhas #1 @_mark", ("yes", "no"), "", True,
        "add #1 @_flag",
        "the save has entities with both '@' and '@_mark', which exclude each other now",
    ),
)  # fmt: skip
