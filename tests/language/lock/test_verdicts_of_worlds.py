"""Verdicts on properties of the whole world, handles and unread events, are right."""

from __future__ import annotations

from pathlib import Path

import pytest

from lock_files import Recorded, codegen
from probes import SAVE, WORLD, probe, refused

BODY = '[component.body.fields]\nx = "u8"'


def head(index_bits: int, generation_bits: int, max_entities: int) -> str:
    bits = f"index_bits = {index_bits}, generation_bits = {generation_bits}"
    return f"{WORLD}entity = {{ {bits} }}\nmax_entities = {max_entities}\n"


BEFORE = f"{head(8, 8, 8)}recycle_after = 4\n"
FREED = "".join(f"despawn {i}\n" for i in range(5))


@pytest.mark.parametrize(
    ("after", "verdict", "unfit", "refusal"),
    [
        pytest.param(
            head(20, 12, 8),
            "whole: index_bits changed from 8 to 20: saves load as they are\n"
            "whole: generation_bits changed from 8 to 12: saves load as they are",
            "", "", id="wider",
        ),
        pytest.param(
            head(3, 8, 8),
            "may be refused: index_bits changed from 8 to 3: saves are refused if they have "
            "more than 8 indices",
            "spawn 5\ndespawn 0\ndespawn 1\nspawn 2\n",
            "the save has 10 indices, and there are 8 now; raise index_bits", id="fewer-indices",
        ),
        pytest.param(
            head(8, 1, 8),
            "may be refused: generation_bits changed from 8 to 1: saves are refused if an "
            "entity has a generation above 1",
            f"spawn 5\n{FREED}spawn 1\n",
            "entity 0:2 does not fit into handles of 8 bits of index and 1 of generation",
            id="fewer-generations",
        ),
        pytest.param(
            head(8, 8, 4),
            "may be refused: max_entities changed from 8 to 4: saves are refused if they have "
            "more than 4 entities",
            "spawn 2\n", "the save has 5 entities, and max_entities is 4 now", id="fewer-entities",
        ),
    ],
)  # fmt: skip
def test_handles(tmp_path: Path, after: str, verdict: str, unfit: str, refusal: str) -> None:
    recorded = Recorded(tmp_path, BEFORE)
    recorded.lock(BODY)
    _, *lines = recorded.verdicts(BODY, after)
    assert [line.strip() for line in lines] == verdict.split("\n")

    made = "spawn 3\nadd 2 body\nset 2 body.x 9\n"
    assert probe(BODY, BEFORE).tell(f"{made}save {SAVE}\n", tmp_path) == []
    assert probe(BODY, after).tell(f"load {SAVE}\nget 2 body.x\n", tmp_path) == ["9"]
    if unfit:
        assert probe(BODY, BEFORE).tell(f"{made}{unfit}save {SAVE}\n", tmp_path) == []
        answers = probe(BODY, after).tell(f"load {SAVE}\nstats\n", tmp_path)
        assert answers == [refused(refusal), "0 0 0 0"]


@pytest.mark.parametrize(
    ("was", "now", "index", "generation"),
    [
        pytest.param((32, 32), "", 20, 12, id="64-bits-were-the-default"),
        pytest.param((20, 12), "max_entities = 2_000_000\n", 21, 11, id="more-entities"),
        pytest.param((20, 12), "max_entities = 64\n", 6, 10, id="few-entities"),
    ],
)
def test_widths_that_follow_max_entities_do_not_change_unnoticed(
    tmp_path: Path, was: tuple[int, int], now: str, index: int, generation: int
) -> None:
    bits = f"index_bits = {was[0]}, generation_bits = {was[1]}"
    recorded = Recorded(tmp_path, f"{WORLD}entity = {{ {bits} }}\nmax_entities = 60\n")
    recorded.lock(BODY)
    recorded.write(BODY, f"{WORLD}{now}")
    done = codegen("check", recorded.schema)
    wider = f"index_bits = {max(index, was[0])}, generation_bits = {max(generation, was[1])}"
    keep = f"write entity = {{ {wider} }} in [world] to load all saves"
    warned = {
        name: f"{name}_bits changed from {before} to {bits}: saves of release 1 are refused if"
        in done.stderr
        for name, bits, before in (("index", index, was[0]), ("generation", generation, was[1]))
    }
    assert warned == {"index": index < was[0], "generation": generation < was[1]}
    assert done.stderr.count(keep) == sum(warned.values())
    assert codegen("check", recorded.schema, "--strict").returncode == 1

    recorded.write(BODY, f"{WORLD}{now}entity = {{ {wider} }}\n")  # what it says to write
    assert codegen("check", recorded.schema, "--strict").returncode == 0


# ---- events: one system shouts as often as a singleton says, the other hears it a tick later


def events(declared: str, names: list[str]) -> str:
    return (
        f'{declared}\n[singleton.times.fields]\nn = "u8"\n'
        f'[system.listen]\nphase = "only"\nhears = {names}\n'
        f'[system.shout]\nphase = "only"\nafter = ["listen"]\nemits = {names}\n'
        'singletons = { read = ["times"] }\n'
    ).replace("'", '"')


def game(names: list[str], formed: tuple[str, str]) -> str:
    """Values are numbered from 300; `formed` has two fields more, 5 and 6."""
    printed = "".join(
        f"for (uint32_t i = 0; i < ctx->{name}_count; i++) {{\n"
        f"const evolve_{name} *at = &ctx->{name}[i];\n"
        + (
            f'printf("formed %u %u %u\\n", (unsigned)at->n, at->{formed[0]}, at->{formed[1]}); }}\n'
            if name == "formed"
            else f'printf("{name} %u\\n", (unsigned)at->n); }}\n'
        )
        for name in names
    )
    more = f", .{formed[0]} = 5, .{formed[1]} = 6"
    emitted = "".join(
        f"evolve_{name}_emit(ctx->emit_{name}, (evolve_{name}){{.n = 300 + i"
        f"{more if name == 'formed' else ''}}});\n"
        for name in names
    )
    return (
        "void evolve_listen(const evolve_listen_ctx *ctx, uint32_t count) "
        f"{{ (void)count; {printed} }}\n"
        "void evolve_shout(const evolve_shout_ctx *ctx, uint32_t count) { (void)count; "
        f"for (uint32_t i = 0; i < ctx->times->n; i++) {{ {emitted} }} }}\n"
    )


def event(name: str, more: str = "", type: str = "u16") -> str:
    return f'[event.{name}]\n{more}\n[event.{name}.fields]\nn = "{type}"\n'


OLD_FORMED, NEW_FORMED = ("left", "lost"), ("right", "fresh")
OLD_NAMES = ["formed", "renamed", "gone", "fewer", "wider"]
OLD = events(
    '[event.formed.fields]\nn = "u16"\nlost = "u8"\nleft = "u8"\n'
    + event("renamed")
    + event("gone")
    + event("fewer", "max = 10")
    + event("wider", "max = 10"),
    OLD_NAMES,
)
NEW_NAMES = ["wider", "added", "fewer", "now", "formed"]
NEW = events(
    event("wider", "max = 99", "u32")
    + event("added")
    + event("fewer", "max = 2")
    + event("now", 'was = "renamed"')
    + '[event.formed.fields]\nfresh = { type = "u8", default = 7 }\n'
    + 'right = { type = "u8", was = "left" }\nn = "u16"\n',
    NEW_NAMES,
)


def test_unread_events(tmp_path: Path) -> None:
    recorded = Recorded(tmp_path, WORLD)
    recorded.lock(OLD)
    _, *lines = recorded.verdicts(NEW)
    breaks = "; source code that uses it does not compile"
    assert [line.strip() for line in lines] == [
        "whole: event 'added' is new: saves do not contain it",
        f"whole: event 'now' was renamed from 'renamed': saves keep it{breaks}",
        f"loses: event 'gone' was removed: saves lose it{breaks}",
        "whole: 'max' of event 'wider' changed from 10 to 99: saves keep them",
        "may be refused: 'max' of event 'fewer' changed from 10 to 2: saves are refused if they "
        "contain more than 2 unread",
        "whole: field 'n' of event 'wider' changed from u16 to u32: saves keep it",
        "whole: field 'fresh' of event 'formed' is new: saves get its default",
        f"whole: field 'right' of event 'formed' was renamed from 'left': saves keep it{breaks}",
        f"loses: field 'lost' of event 'formed' was removed: saves lose it{breaks}",
        "whole: fields of event 'formed' are in another order: saves keep them",
    ]

    old, new = (
        probe(OLD, WORLD, game(OLD_NAMES, OLD_FORMED)),
        probe(NEW, WORLD, game(NEW_NAMES, NEW_FORMED)),
    )
    assert old.tell(f"set - times.n 2\ntick\nsave {SAVE}\n", tmp_path) == []
    assert new.tell(f"load {SAVE}\nset - times.n 0\ntick\ntick\n", tmp_path) == [
        "wider 300", "wider 301", "fewer 300", "fewer 301", "now 300", "now 301",
        "formed 300 5 7", "formed 301 5 7",
    ]  # fmt: skip
    assert old.tell(f"set - times.n 3\ntick\nsave {SAVE}\n", tmp_path) == []
    assert new.tell(f"load {SAVE}\nget - times.n\n", tmp_path) == [
        refused("the save has 3 unread values of event 'fewer', whose max is 2 now"), "0",
    ]  # fmt: skip
