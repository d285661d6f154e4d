"""Generated calls exist and return what the tables of schema/reference/calls.md specify."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from compilers import ROOT
from emit.emit import render
from generated import model_of
from pages import merged
from plan import make_plan

PAGE = ROOT / "schema/reference/calls.md"
# A call of the game: what it returns, and its name without that of the world.
CALL = re.compile(r"([A-Za-z_][\w ]*?[ *]+)odd_(\w+)\(\s*(?:const )?odd_world \*w\b")
NUMBERS = ("uint32_t", "uint64_t", "size_t")


@cache
def calls() -> dict[str, str]:
    """By name: the type that it returns, as the table calls it."""
    model = model_of(ROOT / "tests/output/golden/any_name.toml", strict=False)
    files = render(make_plan(model)).items()
    text = "\n".join(re.sub(r"//.*", "", text) for path, text in files if path.endswith(".h"))
    found: dict[str, str] = {}
    for match in CALL.finditer(text):
        type = re.sub(r"\b(static|inline|const|WEFT_\w+)\b", "", match[1]).strip()
        found[match[2]] = _kind(type.replace(" ", ""))
    return found


def _kind(type: str) -> str:
    if type in NUMBERS:
        return "a number"
    kinds = {"bool": "`bool`", "odd_entity": "a handle", "weft_status": "`weft_status`"}
    return "a pointer" if type.endswith("*") else kinds.get(type, type)


def table() -> dict[str, set[str]]:
    """By what is returned: the verbs that the table names for it."""
    rows = re.findall(r"^\| (.+?) \| (.+?) \| .+ \|$", PAGE.read_text(encoding="utf-8"), re.M)
    kinds = set(calls().values())
    return {
        kind: set(re.findall(r"`(?:burrow)?(_\w+)`", said)) for kind, said in rows if kind in kinds
    }


def with_verb(verb: str) -> dict[str, str]:
    return {name: kind for name, kind in calls().items() if f"_{name}".endswith(verb)}


def test_there_are_calls() -> None:
    assert len(calls()) > 120
    assert {"`bool`", "a handle", "a pointer", "a number", "`weft_status`"} == set(table())


def test_calls_return_what_the_table_says() -> None:
    for kind, verbs in table().items():
        for verb in verbs:
            found = with_verb(verb)
            assert found, f"there is no call {verb}"
            verbs_of_all = {other for row in table().values() for other in row}
            longer = {other for other in verbs_of_all - {verb} if other.endswith(verb)}
            own = {n: k for n, k in found.items() if not any(f"_{n}".endswith(o) for o in longer)}
            # Of a soa component a pointer is a struct of pointers.
            assert {k for k in own.values() if not k.endswith("columns")} == {kind}, own


def test_the_table_lists_every_call_that_returns_a_status() -> None:
    listed = table()["`weft_status`"]
    of_phases = {"run_p_phase", "run_p_late", "entity_sort", "fragment_merge"}
    statuses = {name for name, kind in calls().items() if kind == "`weft_status`"} - of_phases
    assert {n for n in statuses if not any(f"_{n}".endswith(verb) for verb in listed)} == set()


def test_the_calls_of_the_tables_exist(tmp_path: Path) -> None:
    """The world is the burrow, with declarations that the page names and the burrow lacks."""
    more = """
[resource.canvas]
header = "canvas.h"
c = "struct canvas"

[system.walk]
phase = "live"
read = ["velocity"]
write = ["position"]
switch = "saved"

[link.owes]
fields = { carrots = "u32" }

[prefab.warren]
components = { position = {} }

[prefab.warren.parts]
store = { prefab = "rabbit", by = "family" }
resident = { prefab = "rabbit", by = "family", count = 2 }

[system.look]
phase = "end"
lookup = { read = ["family"] }
links = { write = ["owes"] }
queries = ["animals"]
indexes = ["animals_by_place"]
"""
    schema = tmp_path / "burrow.toml"
    schema.write_text(merged([more]), encoding="utf-8")
    model = model_of(schema, strict=False)
    text = "\n".join(render(make_plan(model)).values())
    named = set(re.findall(r"\b(burrow_\w+)\(", PAGE.read_text(encoding="utf-8")))
    assert len(named) > 80
    assert {call for call in named if not re.search(rf"\b{call}\(", text)} == set()
