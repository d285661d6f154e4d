"""No macro of the C library's headers is a name in a schema, and the list of them is right.

A macro without arguments replaces a name wherever it stands, so a game that includes <sys/stat.h>
before a header with a field `st_mtime` would not compile. One with arguments, such as `exp` of
<tgmath.h>, only replaces a name before a parenthesis, where no name of a schema ever stands:
tests/output/golden/test_any_name.py compiles those.
"""

from __future__ import annotations

import pytest

from names.system_macros import MEMBERS
from names.words import RESERVED
from system_headers import headers, macros, object_macros_of


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
