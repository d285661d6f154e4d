"""No macro of the C library's headers can be a name in a schema, and the list of them is right.

A macro without arguments replaces a name everywhere, so a game that includes <sys/stat.h> before a
header with a field `st_mtime` would not compile. A macro with arguments, such as `exp` of
<tgmath.h>, only replaces a name before a parenthesis. No name of a schema stands there;
tests/output/golden/test_any_name.py compiles these names.
"""

from __future__ import annotations

import re

import pytest

from check.names import why_no_world, why_reserved
from names.system_identifiers import IDENTIFIERS
from names.system_macros import MEMBERS
from names.words import RESERVED
from system_headers import headers, identifiers, macros, object_macros_of

# As generated code may have them: `<world>_<name>…`, `<WORLD>_<NAME>_…` and `<WORLD>_NONE`.
OF_A_WORLD = re.compile(
    r"[a-z][a-z0-9]*(_[a-z0-9]+)+|[A-Z][A-Z0-9]*(_[A-Z0-9]+){2,}|[A-Z][A-Z0-9]*_NONE"
)


def test_the_headers_are_there() -> None:
    assert {"stdio.h", "sys/stat.h", "signal.h", "stdnoreturn.h"} <= set(headers())
    assert len(headers()) > 75


def test_every_macro_without_arguments_is_reserved() -> None:
    found = {name for name, has_arguments in macros().items() if not has_arguments}
    assert {"st_mtime", "sa_handler", "si_pid", "errno", "stdin"} <= found
    assert not found - set(RESERVED)


@pytest.mark.parametrize("header", MEMBERS)
def test_a_header_defines_what_is_listed_for_it(header: str) -> None:
    assert not set(MEMBERS[header].split()) - object_macros_of(header)


def test_every_reserved_macro_of_a_member_is_one_of_a_header() -> None:
    listed = [name for names in MEMBERS.values() for name in names.split()]
    assert len(listed) == len(set(listed))
    assert {RESERVED[name] for name in listed} == {f"a macro of <{header}>" for header in MEMBERS}


def refused(identifier: str) -> bool:
    """Returns whether no world is called what it begins with, or another list has it."""
    world = identifier.split("_")[0].lower()
    no_world = why_no_world(world) or why_reserved("world", world)
    return bool(no_world) or identifier in RESERVED or identifier.endswith("_t")


def test_every_identifier_that_a_world_could_make_is_listed() -> None:
    found = {name for name in identifiers() if OF_A_WORLD.fullmatch(name)}
    assert {"aligned_alloc", "fd_set", "MB_CUR_MAX", "PROT_NONE", "pthread_create"} <= found
    assert {name for name in found - set(IDENTIFIERS) if not refused(name)} == set()
    assert not [name for name in IDENTIFIERS if not OF_A_WORLD.fullmatch(name) or refused(name)]
