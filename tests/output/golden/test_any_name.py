"""Any name in any role gives a diagnostic, or code that compiles.

The riskiest names are those that generated code uses itself: members, parameters, local variables,
macros, types, functions. The test therefore takes names from generated code and tries each as the
name of everything that a schema can name: few names usually, more in `ninja test-long`, all with
WEFT_EXAMPLES set. The world of any_name.toml has one of everything.
"""

from __future__ import annotations

import copy
import os
import re
import subprocess
import tomllib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from check import check
from check.indexes import MAX_KEY_WORDS
from check.names import is_snake_case
from check.selections import MAX_ROW_POINTERS
from compilers import C_COMPILERS, RUNTIME, Compiler
from definitions import code
from emit.emit import render
from examples import LONG, PART
from generated import write_files, write_whole
from names.system_identifiers import IDENTIFIERS
from names.variables import VARIABLES
from parse import parse
from plan import Plan, make_plan
from source.source import Place, Report
from system_headers import EXTENDED, includes
from system_headers import macros as macros_of_headers
from toml_text import Table, toml

WORLD = "odd"
ALL = bool(os.environ.get("WEFT_EXAMPLES"))
STRIDE = 1 if ALL else 17 if LONG else 101  # of all names: primes

OF_C = tuple(
    Compiler(name, (standard, "-x", "c"))
    for name, standard in (
        ("gcc", "-std=c11"), ("clang", "-std=c2x"), ("gcc", "-std=c2x"), ("clang", "-std=c11"),
    )
)  # fmt: skip
OF_CPP = tuple(Compiler(name, ("-std=c++20", "-x", "c++")) for name in ("clang++", "g++"))

Name = TypeVar("Name")

VALUE = {"a": "f32", "e": "entity", "s": "char[4]", "l": "u8[..3]", "n": "u16[2]"}


@cache
def _document() -> Table:
    return tomllib.loads((Path(__file__).parent / "any_name.toml").read_text(encoding="utf-8"))


def base() -> Table:
    """A world with one of everything, in every role."""
    return copy.deepcopy(_document())


# ---- names to try


@cache
def names() -> list[str]:
    """Every word of generated code for the base as a schema would write it, and macros beneath."""
    plan, _ = judged(base())
    assert plan
    words = set().union(*(re.findall(r"[A-Za-z_]\w*", text) for text in render(plan).values()))
    words = {word.lower() for word in words | set(macros())}
    plain = words | {word.removeprefix(f"{WORLD}_") for word in words}
    return sorted(name for name in plain if is_snake_case(name))


def macros() -> list[str]:
    """Returns what the headers define that generated code includes, and compilers by themselves."""
    command = ["gcc", "-std=gnu11", "-dM", "-E", "-x", "c", f"-I{RUNTIME}", "-"]
    text = '#include "weft_gen.h"\n'
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    found = re.findall(r"^#define ([a-z]\w*)", done.stdout, re.MULTILINE)
    assert {"linux", "bool"} <= set(found)
    return found


def some(all_names: list[Name], offset: int) -> list[Name]:
    return all_names[offset % STRIDE :: STRIDE]


def parts(words: list[Name]) -> list[list[Name]]:
    """As many at a time as may be gathered row by row beside one more."""
    size = MAX_ROW_POINTERS - 1
    return [words[at : at + size] for at in range(0, len(words), size)]


# ---- roles


def components(schema: Table, words: list[str], extra: Table) -> None:
    """Every role that a component with fields can have, beside those of the base."""
    schema["component"] |= {word: {"fields": {"a": "f32"}, **extra} for word in words}
    always = {"phase": "p_phase", "singletons": {"read": ["p_single"]}, "commands": True}
    for i, part in enumerate(parts(words) if extra.get("storage") == "sparse" else [words]):
        schema["query"] |= {
            f"all_read{i}": {"read": [*part, "p_sparse"], "optional": ["p_tag"]},
            f"all_written{i}": {"write": [*part, "p_sparse"], "rows": "mask"},
            f"all_optional{i}": {"read": ["p_sparse"], "optional": part},
        }
        schema["system"] |= {
            f"sys_read{i}": {**always, "read": [*part, "p_sparse"], "lookup": {"read": words}},
            f"sys_list{i}": {**always, "write": [*part, "p_sparse"], "rows": "list"},
            f"sys_write{i}": {**always, "write": [*part, "p_tag"], "lookup": {"write": words}},
            f"sys_optional{i}": {**always, "read": ["p_sparse"], "optional": part, "rows": "mask"},
        }
    down = {**always, "write": ["p_sparse"], "order": "p_relation"}
    schema["system"] |= {
        f"sys_down{i}": {**down, "parent": part} for i, part in enumerate(parts(words))
    }
    schema["prefab"]["all"] = {"components": {word: {} for word in ["p_sparse", *words]}}


def tags(schema: Table, words: list[str]) -> None:
    schema["component"] |= {word: {} for word in words}
    where = {"where": " | ".join(words[:99])}
    schema["query"] |= {
        "all_where": {"write": ["p_sparse"], **where},
        "all_optional": {"read": ["p_sparse"], "optional": words},
    }
    schema["system"] |= {
        "sys_where": {"phase": "p_phase", "write": ["p_sparse"], **where},
        "sys_optional": {"phase": "p_phase", "read": ["p_sparse"], "optional": words},
        "sys_put": {"phase": "p_phase", "write": words, "rows": "mask"},
    }
    schema["prefab"]["all"] = {"components": {word: {} for word in ["p_sparse", *words]}}


def fields(schema: Table, words: list[str]) -> None:
    types = ["f32", "entity", "char[4]", "p_enum", "p_struct", "u8[3]", "u8[..3]", "entity[..2]"]
    every = {word: types[i % len(types)] for i, word in enumerate(words)}
    schema["component"] |= {
        "by_row": {"fields": every},
        "by_field": {"fields": every, "layout": "soa"},
        "by_slot": {"fields": every, "storage": "sparse"},
    }
    schema["query"]["all_fields"] = {"read": ["p_soa"], "write": ["by_field"]}
    schema["system"]["sys_fields"] = {"phase": "p_phase", "write": ["by_field", "p_soa"]}
    schema["struct"]["by_struct"] = {"fields": every}
    schema["singleton"]["by_world"] = {"fields": every}


def keys(schema: Table, words: list[str]) -> None:
    """Fields by which a hash is asked, one by one and as many as it may go by."""
    schema["component"]["keyed"] = {"fields": dict.fromkeys(words, "u32")}
    groups = [words[at : at + MAX_KEY_WORDS] for at in range(0, len(words), MAX_KEY_WORDS)]
    indexes = {
        f"by{i}": {"of": "keyed", "hash": group}
        for i, group in enumerate([*groups, *([word] for word in words[:200])])
    }
    schema["index"] |= indexes
    schema["system"]["sys_ask"] = {"phase": "p_phase", "indexes": list(indexes)}


def singletons(schema: Table, words: list[str]) -> None:
    schema["singleton"] |= {word: {"fields": {"a": "f32"}} for word in words}
    always = {"phase": "p_phase", "read": ["p_aos", "p_sparse"], "commands": True}
    schema["system"] |= {
        "sys_read": {**always, "singletons": {"read": words}},
        "sys_write": {**always, "singletons": {"write": words}, "every": 1.0},
    }


def prefabs(schema: Table, words: list[str]) -> None:
    schema["prefab"] |= dict.fromkeys(words, schema["prefab"]["p_prefab"])


def prefab_parts(schema: Table, words: list[str]) -> None:
    """Parts of several prefabs, because one has few entities, and a part of each of them."""
    one = {"prefab": "p_prefab", "by": "p_relation"}
    for i in range(0, len(words), 500):
        names = words[i : i + 500]
        refs = {f"p_aos.e@{word}": "self" for word in names}
        whole = {"parts": dict.fromkeys(names, one), "refs": refs}
        schema["prefab"][f"whole_{i}"] = {"components": {"p_aos": {}}, **whole}
        schema["prefab"][f"variant_{i}"] = {"is": f"whole_{i}", "components": {"p_tag": {}}}


def relations(schema: Table, words: list[str]) -> None:
    schema["relation"] |= {word: {"on_parent_despawn": "detach"} for word in words}
    always = {"phase": "p_phase", "read": ["p_aos"], "parent": ["p_aos"]}
    schema["system"] |= {f"sys_down{i}": {**always, "order": w} for i, w in enumerate(words[:9])}
    schema["system"]["sys_ask"] = {"phase": "p_phase", "lookup": {"read": words}}


def queries(schema: Table, words: list[str]) -> None:
    schema["query"] |= {
        word: schema["query"]["p_mask" if i % 2 else "p_query"] for i, word in enumerate(words)
    }
    schema["system"]["sys_inside"] = {"phase": "p_phase", "write": ["p_sparse"], "queries": words}


def systems(schema: Table, words: list[str]) -> None:
    schema["system"] |= {
        word: schema["system"]["p_put" if i % 2 else "p_system"] for i, word in enumerate(words)
    }


def enums(schema: Table, words: list[str]) -> None:
    schema["enum"] |= {word: {"values": ["a", "b"]} for word in words}


def values(schema: Table, words: list[str]) -> None:
    schema["enum"]["choice"] = {"values": words}
    schema["component"]["chosen"] = {"fields": {"c": {"type": "choice", "default": words[-1]}}}


def structs(schema: Table, words: list[str]) -> None:
    schema["struct"] |= {word: {"fields": {"a": "f32"}} for word in words}
    schema["component"]["holder"] = {"fields": {f"x{i}": w for i, w in enumerate(words)}}


def states(schema: Table, words: list[str]) -> None:
    schema["state"] |= {word: {"values": ["a", "b"]} for word in words}
    schema["component"]["of_state"] = {"fields": {f"x{i}": w for i, w in enumerate(words[:9])}}
    schema["prefab"]["that_lives"] = {"lives": f"{words[0]}.a", "components": {"p_aos": {}}}
    schema["system"] |= {
        "sys_read": {"phase": "p_phase", "states": {"read": words}},
        "sys_write": {"phase": "p_phase", "states": {"write": words}, "enters": f"{words[0]}.a"},
    }


def state_values(schema: Table, words: list[str]) -> None:
    schema["state"]["at"] = {"values": words}
    lives = {"lives": f"at.{words[-1]}", "components": {"p_aos": {}}}
    schema["prefab"]["that_lives"] = lives
    schema["system"]["sys_when"] = {"phase": "p_phase", "when": f"at == {words[0]}"}


def events(schema: Table, words: list[str]) -> None:
    schema["event"] |= {word: {"fields": dict(VALUE)} for word in words}
    always = {"phase": "p_phase", "read": ["p_aos"], "after": ["p_system"]}
    schema["system"] |= {
        "sys_emit": {**always, "emits": words, "parallel": True},
        "sys_hear": {**always, "hears": words, "commands": True},
    }
    schema["listener"]["all_hear"] = {"hears": words, "read": ["p_aos"]}


def inputs(schema: Table, words: list[str]) -> None:
    schema["input"] |= {word: {"fields": dict(VALUE)} for word in words}
    schema["system"]["sys_hear"] = {"phase": "p_phase", "read": ["p_aos"], "hears": words}


def resources(schema: Table, words: list[str]) -> None:
    one = {"header": "own.h", "c": "own_screen"}
    schema["resource"] |= dict.fromkeys(words, one)
    always = {"phase": "p_phase", "after": ["p_system"], "read": ["p_aos"]}
    schema["system"] |= {
        "sys_read": {**always, "resources": {"read": words}},
        "sys_write": {**always, "resources": {"write": words}, "states": {"read": ["p_state"]}},
    }


def externs(schema: Table, words: list[str]) -> None:
    one = schema["extern"]["p_extern"]
    schema["extern"] |= {word: {**one, "c": f"struct own_{i}"} for i, word in enumerate(words)}
    schema["component"]["of_c"] = {"fields": {f"x{i}": w for i, w in enumerate(words)}}


def c_types(schema: Table, words: list[str]) -> None:
    """Types of the game's own headers, whose names a schema only uses."""
    extern, resource = schema["extern"]["p_extern"], schema["resource"]["p_resource"]
    schema["extern"] |= {f"c_{i}": {**extern, "c": word} for i, word in enumerate(words[::2])}
    schema["resource"] |= {f"r_{i}": {**resource, "c": word} for i, word in enumerate(words[1::2])}
    schema["component"]["of_c"] = {"fields": {f"x{i}": f"c_{i}" for i in range(len(words[:99:2]))}}
    read = {"read": [f"r_{i}" for i in range(len(words[1:99:2]))]}
    schema["system"]["sys_read"] = {"phase": "p_phase", "resources": read}


def listeners(schema: Table, words: list[str]) -> None:
    one = schema["listener"]["p_listener"]
    schema["listener"] |= dict.fromkeys(words, one)


def indexes(schema: Table, words: list[str]) -> None:
    kinds = [schema["index"][name] for name in ("p_grid", "p_hash", "p_ordered")]
    schema["index"] |= {word: kinds[i % len(kinds)] for i, word in enumerate(words)}
    schema["system"]["sys_ask"] = {"phase": "p_phase", "indexes": words}


def hooks(schema: Table, words: list[str]) -> None:
    """The game's functions, named after the component or the relation."""
    schema["component"]["told"] = {"fields": {"a": "f32"}, "on_add": words}
    schema["component"]["told_tag"] = {"on_remove": words}
    schema["relation"]["told_of"] = {"on_parent_despawn": "detach", "on_attach": words}


def phases(schema: Table, words: list[str]) -> None:
    schema["world"]["phases"] += words


ROLES: dict[str, Callable[[Table, list[str]], None]] = {
    "aos": lambda schema, words: components(schema, words, {}),
    "soa": lambda schema, words: components(schema, words, {"layout": "soa"}),
    "sparse": lambda schema, words: components(schema, words, {"storage": "sparse"}),
    "tag": tags,
    "field": fields,
    "singleton": singletons,
    "prefab": prefabs,
    "part": prefab_parts,
    "query": queries,
    "relation": relations,
    "system": systems,
    "enum": enums,
    "value": values,
    "struct": structs,
    "phase": phases,
    "key": keys,
    "state": states,
    "state_value": state_values,
    "event": events,
    "input": inputs,
    "resource": resources,
    "extern": externs,
    "c_type": c_types,
    "listener": listeners,
    "index": indexes,
    "hook": hooks,
}

# The others are of the game's own headers, where any word is no name to try.
NAMED_BY_SCHEMAS = [role for role in ROLES if role != "c_type"]


# ---- judging them


def judged(schema: Table, folder: Path | None = None) -> tuple[Plan | None, list[set[str]]]:
    """A plan, or for each complaint the words at the places that it shows."""
    data = toml(schema)
    file = (folder or Path(os.environ.get("TMPDIR", "/tmp"))) / f"names-{os.getpid()}.toml"
    file.write_bytes(data)
    report = Report()
    parsed = parse(str(file), report)
    check(parsed, report)
    file.unlink()
    if not report.errors:
        return make_plan(parsed.model), []
    lines = data.decode().split("\n")

    def word(place: Place) -> str:
        text = lines[place.line - 1][place.column - 1 :][: place.length]
        return text.split(".")[-1].strip('"[] ')

    return None, [
        {word(found.place), *(word(note.place) for note in found.notes)}
        for found in report.diagnostics()
    ]


@dataclass
class Sorted:
    """Names that may stand together in a role, and those that were complained about."""

    plan: Plan | None
    accepted: list[str]
    refused: list[str] = field(default_factory=list)


def is_accepted(role: str, word: str) -> bool:
    schema = copy.deepcopy(base())
    ROLES[role](schema, [word])
    return judged(schema)[0] is not None


def sort_out(role: str, words: Iterable[str]) -> Sorted:
    left, refused = list(words), []
    while left:
        schema = copy.deepcopy(base())
        ROLES[role](schema, left)
        plan, complaints = judged(schema)
        if plan:
            return Sorted(plan, left, refused)
        bad = {min(shown & set(left)) for shown in complaints if shown & set(left)}
        if not bad:  # a complaint may name only what a word met
            bad = {word for word in left if not is_accepted(role, word)}
        assert bad, f"complaints about none of the names: {complaints}"
        refused += [word for word in left if word in bad]
        left = [word for word in left if word not in bad]
    return Sorted(None, [], refused)


def plans_of(role: str, words: list[str]) -> Iterator[Plan]:
    """Plans with all of these names that are accepted; a refusal can be another name's mistake."""
    while words:
        result = sort_out(role, words)
        if result.plan is None:
            break  # nothing but refusals
        yield result.plan
        words = result.refused


def game(plan: Plan) -> str:
    """Definitions of the functions that a game has to give, and of those that it may."""
    heads = [
        s.function.head.example
        if s.function.head
        else f"void {s.function.name}({', '.join(s.function.parameters)})"
        for s in plan.code.systems
        if not s.function.inline
    ]
    for i, query in enumerate(plan.code.queries):
        if query.head:
            macro, arguments = query.head.example.removesuffix(")").split("(")
            columns = arguments.split(", ")[2:-2]
            own = [f"p_rows{i}", "p_it", *columns, "const float *", "p_more"]
            heads.append(f"{macro}({', '.join(own)})")
    bodies = (f"{head}\n{{\n}}\n" for head in heads)
    headers = (f"{plan.world.name}.h", f"{plan.world.name}_insight.h")
    return "".join(f'#include "{header}"\n' for header in headers) + "\n".join(bodies)


def own_headers(plan: Plan) -> dict[str, str]:
    """The headers of the game that the world asks for."""
    types = [f"{one.type} {{ float a; }};\n" for one in plan.data.types.externs]
    own = [one for one in types if "own_" in one]
    used = {one.type for one in (*plan.data.types.externs, *plan.data.resources)}
    names = sorted(one for one in used if not one.startswith(("struct ", "own_", "weft_")))
    own += [f"typedef struct own_{one} {{ float a; }} {one};\n" for one in names]
    inline = [system.function.inline for system in plan.code.systems]
    rows = [
        f"WEFT_HOT WEFT_ALWAYS_INLINE void {one.function}({', '.join(one.parameters)})\n{{\n}}\n"
        for one in inline
        if one
    ]
    return {
        "own.h": "#pragma once\n" + "".join(own) + "typedef struct own_screen own_screen;\n",
        "own_rows.h": "#pragma once\n" + "".join(rows),
    }


def written(plan: Plan, out: Path) -> Path:
    """The folder of the generated code, with a game for it."""
    folder = write_files(render(plan), out) / plan.world.name
    for name, text in own_headers(plan).items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / f"{folder.name}_game.c").write_text(game(plan), encoding="utf-8")
    typed = f'#include "{folder.name}.hpp"\n#include "{folder.name}_game.c"\n'
    (folder / f"{folder.name}_game.cpp").write_text(typed, encoding="utf-8")
    return folder


def complaints_of(compiler: Compiler, folders: list[Path], *flags: str) -> str:
    is_c = compiler.language[-1] == "c"
    files = [write_whole(one) if is_c else one / f"{one.name}_game.cpp" for one in folders]
    unused = ("-Wno-unused-parameter", "-Wno-unused-function")
    return compiler.run(files, folders, *unused, *flags)


def compilers(turn: int) -> tuple[Compiler, ...]:
    """All of them, or two that take turns: one of each language, one of each make."""
    return OF_C + OF_CPP if ALL else (OF_C[turn % 4], OF_CPP[turn % 2])


def compiles(plan: Plan, out: Path, turn: int) -> None:
    folder = written(plan, out)
    for compiler in compilers(turn):
        assert complaints_of(compiler, [folder]) == ""


def test_a_hash_may_go_by_fields_named_as_its_own_code(tmp_path: Path) -> None:
    """The parameters of its calls are named after fields, beside variables of those calls."""
    schema = base()
    keys(schema, ["x"])
    plan, _ = judged(schema)
    assert plan
    text = next(text for path, text in render(plan).items() if path.endswith("_by0.h"))
    found = sorted(set(re.findall(r"\b[a-z]\w*", text)))
    assert {"id", "hash", "w", "known"} <= set(found)
    for plan in plans_of("key", [name for name in found if is_snake_case(name)]):
        compiles(plan, tmp_path, 0)


def test_no_variable_hides_a_c_type(tmp_path: Path) -> None:
    """Compilers warn of a variable or a parameter that has the name of a type (-Wshadow)."""
    plan, _ = judged(base())
    assert plan
    text = " ".join(render(plan).values())
    found = set(re.findall(r"\b[a-z]\w*", code(text))) - IDENTIFIERS.keys() - {"index"}
    not_the_games = ("weft_", "own_", f"{WORLD}_", "mem", "str")  # or of <string.h>
    words = sorted(word for word in found if not word.startswith(not_the_games))
    assert {"it", "row", "value", "above_p_soa", "p_field"} <= set(words)
    accepted = set()
    for part in (words[at : at + 400] for at in range(0, len(words), 400)):
        result = sort_out("c_type", part)
        accepted |= set(result.accepted)
        assert result.plan
        folder = written(result.plan, tmp_path)
        for compiler in (OF_C[0], OF_CPP[1]):
            assert complaints_of(compiler, [folder]) == ""
    assert {"it", "row", "value"}.isdisjoint(accepted)
    assert len(accepted) > 150  # other words may be types


# What of these kinds is called `x` has a type or a function `odd_x`.
NAMED = {
    "aos": {"fields": {"a": "f32"}},
    "soa": {"fields": {"a": "f32"}, "layout": "soa"},
    "singleton": {"fields": {"a": "f32"}},
    "struct": {"fields": {"a": "f32"}},
    "event": {"fields": {"a": "f32"}},
    "input": {"fields": {"a": "f32"}},
    "enum": {"values": ["a"]},
    "state": {"values": ["a", "b"]},
    "prefab": {"components": {"p_aos": {}}},
    "system": {"phase": "p_phase"},
}


@pytest.mark.parametrize("kind", NAMED)
def test_every_identifier_is_refused_as_a_name(kind: str) -> None:
    """Without a compiler, so each of them is asked of every such kind."""
    plan, _ = judged(base())
    assert plan
    files = render(plan).values()
    found = {name for text in files for name in re.findall(rf"\b{WORLD}_(\w+)", code(text))}
    asked = sorted(name for name in found if is_snake_case(name))
    assert len(asked) > 300
    section = "component" if kind in ("aos", "soa") else kind
    left = [name for name in asked if name not in base()[section]]
    while left:  # a collision of two things is reported once, whatever else they collide over
        schema = base()
        schema[section] |= dict.fromkeys(left, NAMED[kind])
        plan, complaints = judged(schema)
        refused = set().union(*complaints) & set(left)
        assert refused, left
        left = [name for name in left if name not in refused]


@pytest.mark.rounds
@pytest.mark.parametrize("role", NAMED_BY_SCHEMAS)
def test_any_name_in_a_role(role: str, tmp_path: Path) -> None:
    turn = list(ROLES).index(role)
    for plan in plans_of(role, some(names(), turn)):
        compiles(plan, tmp_path, turn)


@pytest.mark.rounds
@pytest.mark.parametrize("role", NAMED_BY_SCHEMAS)
def test_a_variable_of_generated_code_as_a_name(role: str, tmp_path: Path) -> None:
    """No sample: with -Wshadow each of them may go wrong in its own way."""
    for plan in plans_of(role, sorted(filter(is_snake_case, VARIABLES))):
        assert complaints_of(OF_C[0], [written(plan, tmp_path)]) == ""


def of_the_system(role: str) -> list[str]:
    """The macros of the C library's headers: all as fields, and some in every other role."""
    every = sorted(macros_of_headers())
    return every if role == "field" else some(every, list(ROLES).index(role))


@pytest.mark.rounds
@pytest.mark.parametrize("role", NAMED_BY_SCHEMAS)
def test_a_game_may_include_any_header_first(role: str, tmp_path: Path) -> None:
    """A name that they make a macro of is refused, or is only one before a parenthesis."""
    first = tmp_path / "first.h"
    first.write_text(includes(), encoding="utf-8")
    flags = (EXTENDED, "-Wno-pedantic", "-include", str(first))
    for plan in plans_of(role, of_the_system(role)):
        assert complaints_of(C_COMPILERS[0], [written(plan, tmp_path)], *flags) == ""


# ---- worlds, whose names begin those of everything else


def halves() -> list[tuple[str, str]]:
    """Names of a world and of something in it that together make a name of generated code."""
    found = dict.fromkeys((name, "p_name") for name in names() if "_" not in name)
    for name in names():
        parts = name.split("_")
        for end in range(2, len(parts) + 1):
            for cut in range(1, end):
                found[("_".join(parts[:cut]), "_".join(parts[cut:end]))] = None
    return sorted(pair for pair in found if all(map(is_snake_case, pair)))


@pytest.mark.rounds
def test_any_world_name(tmp_path: Path) -> None:
    plans: dict[str, Plan] = {}
    roles = NAMED_BY_SCHEMAS
    step = 1 if STRIDE == 1 else 2 * PART
    pairs = [("from", "row"), ("to", "row")]  # two that a parameter once met
    # The worlds that tables of weft.hpp are named like: `system_calls`, `row_calls`.
    pairs += [(name, "row") for name in ("system", "row", "all", "enum", "resource", "world")]
    pairs += some(halves(), 1)[::step]
    for i, (world, name) in enumerate(pairs):
        schema = base()
        schema["world"]["name"] = world
        ROLES[roles[i % len(roles)]](schema, [name])
        plan, _ = judged(schema)
        if plan:
            plans.setdefault(world, plan)
    assert len(plans) > 10
    folders = [written(plan, tmp_path) for plan in plans.values()]
    for compiler in compilers(0):
        assert complaints_of(compiler, folders) == ""
