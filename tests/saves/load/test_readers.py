"""Readers of changes, removals and events continue where they were, after a load into another
schema.

A system of the probe prints the rows that it is shown: support/probe_game.py. A save stores only
the names of systems, queries and listeners.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from probes import SAVE, probe

pytestmark = pytest.mark.xdist_group("evolution")  # they share programs


def system(name: str, keys: str, every: float = 3.0) -> str:
    return f'[system.{name}]\nphase = "only"\nevery = {every}\n{keys}\n'


def changed(name: str, component: str = "body", every: float = 3.0) -> str:
    return system(name, f'where = "changed({component})"', every)


def removed(component: str, tag: str) -> str:
    return f'removed = [{{ name = "{component}", value = true }}, "{tag}"]'


COMPONENTS = """
[component.body.fields]
x = "u8"
[component.heat]
storage = "sparse"
[component.heat.fields]
x = "u8"
[component.lit]
[component.dim]
save = false
[event.news.fields]
n = "u8"
[system.shout]
phase = "only"
emits = ["news"]
"""
SLOW = changed("slow")
LISTEN = system("listen", 'hears = ["news"]\nafter = ["shout"]')
TOLD = f"""[listener.told]
hears = ["news"]
{removed("body", "lit")}
where = "added(heat)"
"""
OLD = (
    f'{COMPONENTS}{TOLD}[query.asked]\nwhere = "changed(body)"\n'
    '[query.bared]\nwhere = "removed(lit)"\n'
    + changed("see", every=1.0)
    + SLOW
    + system("warm", 'where = "added(heat)"')
    + system("shine", 'where = "added(lit)"')
    + system("dusk", 'where = "added(dim)"')
    + system("mourn", removed("body", "lit"))
    + system("parted", 'where = "removed(body) & !lit | removed(lit) & dim"')
    + LISTEN
)
# All have a turn in the third tick, `see` in the fourth too.
MADE = (
    "spawn 4\nadd 0 body\nadd 1 body\nadd 2 body\nset 2 body.x 9\nadd 2 lit\n"
    "tick\ntick\ntick\nask asked\nask bared\nask told\n"
    "set 0 body.x 5\nremove 2 body\nremove 2 lit\nadd 3 heat\nadd 3 lit\nadd 1 dim\n"
    "tick\nset 1 body.x 6\n"
)
ON = (
    "tick\ntick\nask asked\nask bared\nask told\ntick\ntick\ntick\nask asked\nask bared\nask told\n"
)
GONE_ON = [
    "see 1",
    "slow 0 1", "warm 3", "shine 3", "mourn -2=9 -2", "parted 2", "listen 3 4 5",
    "asked 0 1", "bared 2", "told -2=9 -2 3 4 5 3",
    "mourn", "listen 6 7 8",
    "asked", "bared", "told 6 7 8",
]  # fmt: skip


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("readers")
    probe(OLD).tell(f"{MADE}save {SAVE}\n", folder)
    return folder


def gone_on(schema: str, saved: Path) -> list[str]:
    return probe(schema).tell(f"load {SAVE}\n{ON}", saved)


def of(name: str, lines: list[str]) -> list[str]:
    return [line for line in lines if line.split()[0] == name]


def test_readers_go_on_as_they_would_have(saved: Path) -> None:
    straight = probe(OLD).tell(MADE + ON)[-len(GONE_ON) - 1 :]
    assert [line for line in straight if line != "dusk 1"] == GONE_ON
    assert "dusk 1" in straight  # a tag that is not saved is gone after a load
    assert gone_on(OLD, saved) == GONE_ON


def test_what_readers_read_may_have_another_name_and_form(saved: Path) -> None:
    schema = """
[component.frame]
was = "body"
layout = "soa"
[component.frame.fields]
fresh = "u64"
x = "u16"
[component.heat.fields]
x = "u8"
[component.lamp]
was = "lit"
[component.lamp.fields]
oil = "u8"
[event.word]
was = "news"
[event.word.fields]
n = "u16"
[query.asked]
where = "changed(frame)"
[query.bared]
where = "removed(lamp)"
[system.shout]
phase = "only"
emits = ["word"]
"""
    schema += changed("see", "frame", 1.0) + changed("slow", "frame")
    schema += system("warm", 'where = "added(heat)"') + system("shine", 'where = "added(lamp)"')
    schema += system("mourn", removed("frame", "lamp"))
    schema += system("parted", 'where = "removed(frame) & !lamp"')
    schema += LISTEN.replace("news", "word")
    schema += f"""[listener.heard]
was = "told"
hears = ["word"]
{removed("frame", "lamp")}
where = "added(heat)"
"""
    lines = probe(schema).tell(f"load {SAVE}\n{ON.replace('ask told', 'ask heard')}", saved)
    assert [line.replace("heard", "told") for line in lines] == GONE_ON


def test_readers_without_a_past_see_all_as_added(saved: Path) -> None:
    schema = f'{OLD}[query.other]\nwhere = "added(body)"\n'.replace("system.slow", "system.lazy")
    schema += changed("fresh", every=1.0) + system("warm_too", 'where = "added(heat)"', 1.0)
    schema += system("mourn_too", removed("body", "lit"), 1.0)
    schema += system("parted_too", 'where = "removed(body) | removed(lit)"', 1.0)
    schema += system("hark", LISTEN.split("\n", 3)[3], 1.0)
    lines = probe(schema).tell(f"load {SAVE}\nask other\n{ON}", saved)
    assert lines[0] == "other 0 1"
    assert of("lazy", lines) == ["lazy 0 1"]  # at its third tick, not at the second
    assert lines.index("lazy 0 1") > lines.index("asked 0 1")
    assert of("fresh", lines) == ["fresh 0 1"]
    assert of("warm_too", lines) == ["warm_too 3"]
    assert of("mourn_too", lines) == ["mourn_too"] * 5  # what was lost before is not its own
    assert of("hark", lines)[:2] == ["hark 3 4", "hark 5"]  # what was kept for `listen`
    assert of("parted_too", lines) == []
    own = ("lazy", "fresh", "warm_too", "mourn_too", "hark", "other")
    others = [line for line in lines if line.split()[0] not in own]
    assert others == [line for line in GONE_ON if not line.startswith("slow")]


def test_readers_that_are_gone_leave_the_others_theirs(saved: Path) -> None:
    alone = COMPONENTS + SLOW + LISTEN
    assert gone_on(alone, saved) == of("slow", GONE_ON) + of("listen", GONE_ON)


def test_a_reader_that_was_alone_goes_on_among_others(tmp_path: Path) -> None:
    alone = COMPONENTS + SLOW + LISTEN
    probe(alone).tell(f"{MADE}save {SAVE}\n", tmp_path)
    lines = gone_on(OLD, tmp_path)
    assert of("slow", lines) == of("slow", GONE_ON)
    assert of("listen", lines) == of("listen", GONE_ON)
    assert of("see", lines) == ["see 0 1"]


def test_a_reader_that_begins_to_ask_for_removals_knows_who_had_it(tmp_path: Path) -> None:
    was = COMPONENTS + system("parted", 'where = "added(body)"')
    probe(was).tell(f"{MADE}save {SAVE}\n", tmp_path)
    now = COMPONENTS + system("parted", 'where = "removed(body)"')
    on = f"load {SAVE}\nadd 3 body\nremove 3 body\nremove 0 body\n"
    assert probe(now).tell(f"{on}tick\ntick\ntick\n", tmp_path) == ["parted 0"]


def test_values_of_removals_that_nobody_asked_for_are_defaults(tmp_path: Path) -> None:
    def losing(value: str) -> str:
        body = '[component.body.fields]\nx = { type = "u8", default = 3 }\n'
        return body + system("mourn", f'removed = [{{ name = "body", value = {value} }}]')

    made = "spawn 1\nadd 0 body\ntick\ntick\ntick\nset 0 body.x 9\nremove 0 body\n"
    probe(losing("false")).tell(f"{made}save {SAVE}\n", tmp_path)
    on = f"load {SAVE}\ntick\ntick\ntick\n"
    assert probe(losing("true")).tell(on, tmp_path) == ["mourn -0=3"]
    probe(losing("true")).tell(f"{made}save {SAVE}\n", tmp_path)
    assert probe(losing("true")).tell(on, tmp_path) == ["mourn -0=9"]
    assert probe(losing("false")).tell(on, tmp_path) == ["mourn -0"]


def dated(singletons: str, *names: str) -> str:
    """Rows that are shown when a singleton was changed, by a system and by a query."""
    date, mood = names
    return (
        f"{COMPONENTS}{singletons}"
        f'[query.asked]\nwhere = "changed({date}) & body"\n'
        + system("late", f'where = "changed({date}) & body"')
        + system("moody", f'where = "changed({mood}) & lit"')
        + system("unsaved", 'where = "changed(shown) & lit"', 1.0)
    )


def singleton(name: str, keys: str = "") -> str:
    return f'[singleton.{name}]\n{keys}[singleton.{name}.fields]\nx = "u8"\n'


def test_changes_of_singletons_that_are_not_seen_yet_are_in_a_save(tmp_path: Path) -> None:
    shown = singleton("shown", "save = false\n")
    was = dated(singleton("date") + singleton("mood") + shown, "date", "mood")
    made = "spawn 2\nadd 0 body\nadd 1 lit\ntick\ntick\ntick\nask asked\n"
    lines = probe(was).tell(f"{made}set - date.x 5\nhash\nsave {SAVE}\n", tmp_path)
    assert lines[:-1] == ["unsaved 1", "late 0", "moody 1", "asked 0"]
    on = f"load {SAVE}\nask asked\nask asked\ntick\ntick\ntick\nask asked\n"
    goes_on = ["asked 0", "asked", "late 0", "asked"]
    assert probe(was).tell(on, tmp_path) == goes_on
    moved = shown + singleton("day", 'was = "date"\n')
    renamed = dated(singleton("mood") + moved, "day", "mood")
    assert probe(renamed).tell(on, tmp_path) == goes_on
    # The temper is a singleton that the save has not, so that its readers have yet to see it.
    new = dated(singleton("temper") + moved, "day", "temper")
    assert probe(new).tell(on, tmp_path) == [*goes_on[:3], "moody 1", "asked"]


def test_no_reader_is_told_that_an_unsaved_singleton_has_its_defaults(tmp_path: Path) -> None:
    """A loaded world saves equal bytes, and goes on as the saved one; but for what starts over."""

    def schema(keys: str, more: str = "") -> str:
        return (
            COMPONENTS
            + singleton("shown", keys)
            + '[query.asked]\nwhere = "changed(shown) & body"\n'
            + system("gated", f'when = "changed(shown)"\n{more}', 1.0)
            + system("rows", f'where = "changed(shown) & body"\n{more}', 1.0)
        )

    unsaved = schema("save = false\n")
    made = "spawn 1\nadd 0 body\ntick\nask asked\n"
    on = "tick\nask asked\nset - shown.x 3\ntick\nask asked\n"
    again = "again.save"
    for change in ("", "set - shown.x 2\n"):
        straight = probe(unsaved).tell(f"{made}{change}save {SAVE}\nhash\n{on}", tmp_path)[3:]
        lines = probe(unsaved).tell(f"load {SAVE}\nhash\nsave {again}\n{on}", tmp_path)
        assert lines == straight
        assert (tmp_path / again).read_bytes() == (tmp_path / SAVE).read_bytes()
    # One that only one of the schemas saves, and systems that start over, are told.
    probe(unsaved).tell(f"{made}save {SAVE}\n", tmp_path)
    told = ["gated", "rows 0", "asked 0"]
    shows = f"load {SAVE}\ntick\nask asked\n"
    assert probe(schema("")).tell(shows, tmp_path) == told
    anew = schema("save = false\n", 'after_load = "everything"\n')
    assert probe(anew).tell(shows, tmp_path) == [*told[:2], "asked"]
    probe(schema("")).tell(f"{made}save {SAVE}\n", tmp_path)
    assert probe(schema("")).tell(shows, tmp_path) == ["asked"]
    assert probe(unsaved).tell(shows, tmp_path) == told


def test_a_save_from_before_singletons_were_watched_shows_them_as_changed(tmp_path: Path) -> None:
    values = singleton("date") + singleton("shown")
    before = COMPONENTS + values + changed("late")
    probe(before).tell(f"spawn 2\nadd 0 body\nadd 1 lit\ntick\nsave {SAVE}\n", tmp_path)
    on = f"load {SAVE}\ntick\ntick\ntick\nask asked\nask asked\n"
    now = dated(values, "date", "date")
    assert probe(now).tell(on, tmp_path) == ["unsaved 1", "late 0", "moody 1", "asked 0", "asked"]


def gated(singletons: str, date: str, mood: str) -> str:
    """Systems whose turns come when singletons were changed."""
    return (
        f"{COMPONENTS}{singletons}"
        + system("late", f'when = "changed({date})"', 1.0)
        + system("moody", f'when = "changed({mood}) | !changed({date})"', 1.0)
    )


def test_what_lets_a_turn_come_is_in_a_save(tmp_path: Path) -> None:
    was = gated(singleton("date") + singleton("mood"), "date", "mood")
    made = "tick\ntick\nset - date.x 5\n"
    lines = probe(was).tell(f"{made}hash\nsave {SAVE}\n", tmp_path)
    assert lines[:-1] == ["late", "moody", "moody"]
    on = f"load {SAVE}\ntick\nset - mood.x 1\ntick\ntick\n"
    goes_on = ["late", "moody", "moody"]  # once the mood has changed, and where no date has
    assert probe(was).tell(on, tmp_path) == goes_on
    renamed = singleton("mood") + singleton("day", 'was = "date"\n')
    assert probe(gated(renamed, "day", "mood")).tell(on, tmp_path) == goes_on


def test_in_a_save_from_before_there_was_a_when_all_is_changed(tmp_path: Path) -> None:
    values = singleton("date") + singleton("mood")
    before = COMPONENTS + values + changed("late", every=1.0)
    probe(before).tell(f"tick\nsave {SAVE}\n", tmp_path)
    lines = probe(gated(values, "date", "mood")).tell(f"load {SAVE}\ntick\ntick\n", tmp_path)
    assert lines == ["late", "moody", "moody"]


GAME = '[state.game]\nvalues = ["menu", "play"]\n'


def once(name: str, key: str, value: str) -> str:
    return f'[system.{name}]\nphase = "only"\n{key} = "game.{value}"\n'


# A new system, or one that had another name, has its turn when the value next comes or goes.
LATER = (
    GAME
    + once("show_menu", "enters", "menu")
    + once("start", "enters", "play")
    + once("hide_menu", "leaves", "menu")
)
AGAIN = f"load {SAVE}\ntick\nget - game.now\nset - game.next 0\ntick\nset - game.next 1\ntick\n"


def test_a_value_that_came_before_the_save_is_not_entered_by_new_systems(tmp_path: Path) -> None:
    made = "tick\nset - game.next 1\ntick\n"
    was = GAME + once("open_menu", "enters", "menu")
    assert probe(was).tell(f"{made}save {SAVE}\n", tmp_path) == ["open_menu"]
    turns = ["show_menu", "start", "hide_menu"]
    assert probe(LATER).tell(AGAIN, tmp_path) == ["play", *turns]


def test_a_turn_that_was_due_when_the_world_was_saved_is_had_after_the_load(tmp_path: Path) -> None:
    waits = LATER.replace("[system.show_menu]\n", '[system.show_menu]\nwhen = "game == play"\n')
    probe(LATER).tell(f"save {SAVE}\n", tmp_path)
    script = f"load {SAVE}\ntick\nset - game.next 1\ntick\n"
    assert probe(waits).tell(script, tmp_path) == ["show_menu", "start", "hide_menu"]


def test_a_singleton_that_becomes_a_state_stays_at_its_value(tmp_path: Path) -> None:
    was = '[enum.at]\nvalues = ["menu", "play"]\n[singleton.game.fields]\nnow = "at"\n'
    probe(was).tell(f"tick\nset - game.now 1\nsave {SAVE}\n", tmp_path)
    turns = ["show_menu", "start", "hide_menu"]
    assert probe(LATER).tell(AGAIN, tmp_path) == ["play", *turns]


def test_a_state_that_the_save_has_not_begins_in_its_first_value(tmp_path: Path) -> None:
    probe(COMPONENTS).tell(f"tick\nsave {SAVE}\n", tmp_path)
    assert probe(LATER).tell(f"load {SAVE}\ntick\ntick\n", tmp_path) == ["show_menu"]
