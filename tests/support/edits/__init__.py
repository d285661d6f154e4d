"""Every kind of edit of a schema: the verdict of `check`, and the effect on saves and source.

All tests of edits share this table. An edit is two pieces of a schema. Every edit has names of its
own, so that many edits can stand in one schema: `@` in all its texts becomes its id, `@@` that id
in capitals. `#0` and `#1` are two entities of its own.
"""

from __future__ import annotations

from collections.abc import Iterable

from edits.components import COMPONENT_EDITS
from edits.edit import Edit
from edits.enums import ENUM_EDITS
from edits.externs import EXTERN_EDITS
from edits.fields import FIELD_EDITS
from edits.links import LINK_EDITS
from edits.refused import REFUSED_EDITS
from edits.relations import RELATION_EDITS
from edits.rules import RULE_EDITS
from edits.singletons import SINGLETON_EDITS
from edits.storage import STORAGE_EDITS
from edits.structs import STRUCT_EDITS


def _numbered(*edits: Edit) -> tuple[Edit, ...]:
    return tuple(edit.own(number) for number, edit in enumerate(edits))


# Saves come through these, if their values suit: they can all be in one pair of schemas.
CONVERTED = _numbered(
    *FIELD_EDITS, *ENUM_EDITS, *STRUCT_EDITS, *EXTERN_EDITS, *COMPONENT_EDITS,
    *STORAGE_EDITS, *RULE_EDITS, *SINGLETON_EDITS, *RELATION_EDITS,
    *LINK_EDITS,
)  # fmt: skip

# No save survives these: they are in one schema before, and in one each after.
REFUSED = _numbered(*REFUSED_EDITS)


def before(edits: Iterable[Edit]) -> str:
    """A schema, all but [world], of several edits."""
    return "\n".join(edit.before for edit in edits)


def after(edits: Iterable[Edit]) -> str:
    return "\n".join(edit.after for edit in edits)


# own.h: the types that externs stand for.
OWN = "#pragma once\n#include <stdint.h>\n" + "".join(
    f"typedef struct {{ float a; int32_t b; }} own_{edit.id};\n" for edit in EXTERN_EDITS
)
