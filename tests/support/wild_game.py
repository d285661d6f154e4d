"""Writes the C code of a random world's systems from its schema.

All values that a system is given are mixed into a number for each row. This number decides
everything that it writes, emits and records. A value that was seen too early or too late therefore
changes the world's hash.
"""

from __future__ import annotations

import re
from functools import partial

from wild import ROWS, TAGS, System, World

# The head of a loop over the current rows, by `rows` in the schema.
LOOPS = {
    "": "uint32_t i = 0; i < count; i++",
    "mask": "uint32_t i; weft_next(&rows, &i);",
    "list": "uint32_t k = 0, i; k < count && (i = rows[k], true); k++",
}
SEEN_AT_MOST = 40  # values of an event, removed values, rows of a query


TOP = """\
// The systems of a random world.
#include "wild.h"
#include "wild_game.h"

// What hooks record while a save is loaded would come on top of what is in it.
static bool is_loading(const wild_hook_ctx *ctx)
{
    return ctx->user && *(const bool *)ctx->user;
}
"""

MIX = """\
static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ (b + 0x9e3779b97f4a7c15u)) * 0xff51afd7ed558ccdu;
    return h ^ (h >> 29);
}
"""


class Game:
    """The C code of a world's game."""

    def __init__(self, world: World) -> None:
        self.world = world

    def text(self) -> str:
        systems = [one for one in self.world.systems if not one.inline]
        inline = len(systems) < len(self.world.systems)
        parts = [
            TOP,
            *([f'#include "{ROWS}"\n'] if inline else [MIX, self.record()]),
            self.counts(),
            self.hooks(),
            self.populate(),
            self.listen(),
            self.tick(),
        ]
        parts += [self.ends(one) for one in self.world.systems]
        return "\n".join([*parts, *(self.system(one) for one in systems)])

    def rows(self) -> str:
        """Returns the header with the work of inline systems on a row, and the helpers of all
        systems.
        """
        systems = [one for one in self.world.systems if one.inline]
        headers = "".join(f'#include "wild_{one.name}.h"\n' for one in systems)
        top = '#ifndef WILD_ROWS_H\n#define WILD_ROWS_H\n\n#include "wild_game.h"\n'
        parts = [f"{top}{headers}", MIX, self.record(), *(self.inline(one) for one in systems)]
        return "\n".join([*parts, "#endif\n"])

    def counts(self) -> str:
        """Returns the counts of rows and events by the systems, to compare with the world's own
        counts.
        """
        rows = "".join(f'    {{.system = "{one.name}"}},\n' for one in self.world.systems)
        many = len(self.world.systems)
        return f"wild_count wild_counts[] = {{\n{rows}}};\nconst uint32_t wild_systems = {many};\n"

    def counter(self, one: System) -> str:
        return f"wild_counts[{self.world.systems.index(one)}]"

    def is_soa(self, name: str) -> bool:
        return self.world.kinds[name] == "soa"

    def hooks(self) -> str:
        name = self.world.hooked
        whose = "value->n & 1 ? e : value->who"
        replaced = (
            f"void wild_{name}_on_replace(const wild_hook_ctx *ctx, wild_entity e, "
            f"const wild_{name} *old_value, const wild_{name} *new_value)\n{{\n"
            f"    if (!wild_{name}_has(ctx->world, e)) return; // which it never does\n"
            "    if (new_value->n % 7 == 0) wild_cmd_t2_set(ctx->cmd, new_value->who);\n"
            "    if (old_value->n % 7 == 0) wild_cmd_t2_remove(ctx->cmd, old_value->who);\n"
            "}\n\n"
        )
        changed = "".join(
            f"void wild_{name}_{what}(const wild_hook_ctx *ctx, wild_entity e, "
            f"{const}wild_{name} *value)\n{{\n"
            "    if (is_loading(ctx)) return;\n"
            f"    if (value->n % 5 == 0) wild_cmd_t2_{does}(ctx->cmd, {whose});\n"
            "}\n\n"
            for what, does, const in (("on_add", "set", ""), ("on_remove", "remove", "const "))
        )
        linked = "".join(
            f"void wild_under_{what}(const wild_hook_ctx *ctx, wild_entity child, "
            "wild_entity parent)\n{\n"
            "    if (is_loading(ctx)) return;\n"
            f"    if ((child.bits ^ parent.bits) % 5 == 0) wild_cmd_t0_{does}(ctx->cmd, child);\n"
            "}\n\n"
            for what, does in (("on_attach", "set"), ("on_detach", "remove"))
        )
        return replaced + changed + linked + self.tag_hooks()

    def tag_hooks(self) -> str:
        """Returns the hooks of a tag, if any: they record changes of the component with hooks."""
        name, tag = self.world.hooked, self.world.hooked_tag
        does = {
            "on_add": f"wild_cmd_{name}_set(ctx->cmd, e, (wild_{name}){{.n = (uint32_t)h}})",
            "on_remove": f"wild_cmd_{name}_remove(ctx->cmd, e)",
        }
        return "".join(
            f"void wild_{tag}_{what}(const wild_hook_ctx *ctx, wild_entity e)\n{{\n"
            "    if (is_loading(ctx)) return;\n"
            "    uint64_t h = mix(e.bits, ctx->tick);\n"
            f"    h = mix(h, wild_{name}_has(ctx->world, e));\n"
            "    h = mix(h, wild_under_parent(ctx->world, e).bits);\n"
            f"    if (h % 5 == 0) {call};\n"
            "}\n\n"
            for what, call in does.items()
            if tag
        )

    def fill(self, prefab: str) -> str:
        return f"    wild_{prefab} {prefab} = wild_{prefab}_defaults();\n" + "".join(
            f"    {prefab}.{c}.n = (uint32_t)h;\n    {prefab}.{c}.who = other;\n"
            for c in self.world.prefabs[prefab]
        )

    def record(self) -> str:
        """Returns code that records commands of all kinds, which follow from h."""
        cases = [
            *["wild_cmd_despawn(cmd, e)"] * 14,
            *["wild_cmd_despawn(cmd, other)"] * 2,
            "wild_cmd_p0_spawn(cmd, &p0)",
            "wild_cmd_p0_spawn(cmd, &p0)",
            "wild_cmd_under_attach(cmd, e, other)",
            "wild_cmd_under_attach(cmd, wild_cmd_p1_spawn(cmd, &p1), e)",
            "wild_cmd_under_detach(cmd, other)",
            "if (h >> 61 == 0) wild_cmd_t2_clear(cmd)",
            "wild_cmd_p1_set(cmd, other, &p1)",
        ]
        for name in self.world.kinds:
            made = f"wild_cmd_p1_spawn(cmd, &p1), {value(name)}"
            cases += [
                f"wild_cmd_{name}_remove(cmd, h >> 63 ? e : other)",
                f"wild_cmd_{name}_set(cmd, h >> 63 ? e : other, {value(name)})",
                f"wild_cmd_{name}_set(cmd, {made})",
            ]
        for tag in TAGS:
            cases += [f"wild_cmd_{tag}_{does}(cmd, e)" for does in ("set", "remove")]
        lines = "".join(f"    case {i}: {case}; break;\n" for i, case in enumerate(cases))
        return (
            "static void record(wild_cmd *cmd, uint64_t h, wild_entity e, wild_entity other)\n{\n"
            f"{self.fill('p0')}{self.fill('p1')}"
            f"    switch ((h >> 20) % {len(cases) * 6}) {{\n{lines}"
            "    default: break;\n    }\n}\n"
        )

    def populate(self) -> str:
        sets = "".join(
            f"        if (mix(h, {i}) % 4 == 0) wild_{name}_set(w, e, {value(name)});\n"
            for i, name in enumerate(self.world.kinds)
        )
        sets += "".join(
            f"        if (h >> {50 + i} & 1) wild_{t}_set(w, e);\n" for i, t in enumerate(TAGS)
        )
        return (
            "void wild_populate(wild_world *w)\n{\n    wild_entity other = {0};\n"
            f"    for (uint32_t i = 0; i < {self.world.max_entities * 3 // 4}u; i++) {{\n"
            "        uint64_t h = mix(i, 7);\n"
            f"{self.fill('p0')}{self.fill('p1')}"
            "        wild_entity e = i % 3 == 0 ? wild_p1_spawn(w, &p1) : wild_p0_spawn(w, &p0);\n"
            f"{sets}"
            "        if (i % 7 < 3) wild_under_attach(w, e, other);\n"
            "        if (h % 3 == 0) other = e;\n    }\n}\n"
        )

    def listen(self) -> str:
        """Returns code that mixes all data of the listener into a singleton, and so into the
        hash.
        """
        ear = self.world.ear
        lines = ["uint64_t all = 3;", "wild_ear_iter it = wild_ear_begin(w);"]
        for event in ear.hears:
            lines += [f"for (uint32_t i = 0; i < it.{event}_count; i++)"]
            lines += [f"    all = mix(mix(all, it.{event}[i].n), it.{event}[i].who.bits);"]
        for name in ear.removed:
            value = f" + it.removed_{name}_value[i].n" if name in self.world.kinds else ""
            lines += [f"for (uint32_t i = 0; i < it.removed_{name}_count; i++)"]
            lines += [f"    all = mix(all, it.removed_{name}[i].bits{value});"]
        lines += ["while (wild_ear_next(&it))", "    for (uint32_t i = 0; i < it.count; i++)"]
        lines += [f"        all = mix(mix(all, it.entities[i].bits), it.{self.at(ear.read, 'n')});"]
        lines += ["wild_score_edit(w)->n = mix(wild_score_get(w)->n, all);"]
        body = "".join(f"    {line}\n" for line in lines)
        return f"static void listen(wild_world *w)\n{{\n{body}}}\n"

    def tick(self) -> str:
        """Returns code that switches systems off and on. If a switch is saved, its next value
        follows from its current value.
        """
        unsaved = saved = ""
        for i, one in enumerate(self.world.systems):
            call, when = f"wild_{one.name}_switch(w, ", f"mix(wild_stats(w).ticks, {i + 90})"
            if one.switch == "unsaved":
                unsaved += f"    {call}{when} % 4 != 0);\n"
            elif one.switch:
                saved += f"    if ({when} % 6 == 0) {call}!wild_{one.name}_is_on(w));\n"
        return (
            f"void wild_switch_unsaved(wild_world *w)\n{{\n    (void)w;\n{unsaved}}}\n\n"
            "weft_status wild_go_on(wild_world *w, double dt)\n{\n    wild_switch_unsaved(w);\n"
            f"{saved}    if (wild_stats(w).ticks % 3 == 0) {{\n"
            "        wild_flush(w); // as a save before it does\n        listen(w);\n    }\n"
            "    return wild_tick(w, dt);\n}\n"
        )

    def system(self, one: System) -> str:
        header = self.world.files[f"wild/wild_{one.name}.h"]
        start = header.index("WEFT_HOT void wild_")
        prototype = header[start : header.index(";", start)].removeprefix("WEFT_HOT ")
        macro = re.search(r"`(WILD_DEFINE_\w+\(.*?\)) {", header.replace("\n// ", " "))
        prototype = macro[1] if macro else prototype
        body = self.feed() if one.name == "feed" else self.body(one)
        return f"{prototype}\n{{\n" + "".join(f"    {line}\n" for line in body) + "}\n"

    def inline(self, one: System) -> str:
        """Returns the code of the function for one row, as a function of that row."""
        header = self.world.files[f"wild/wild_{one.name}.h"].replace("\n// ", " ")
        named = re.search(r"calls `(WEFT_HOT WEFT_ALWAYS_INLINE void \w+\(.*?\))`", header)
        assert named
        lines = [*self.start(one), *self.row(one)]
        lines += [f"atomic_fetch_add(&{self.counter(one)}.rows, 1);"]
        return f"{named[1]}\n{{\n" + "".join(f"    {line}\n" for line in lines) + "}\n"

    def feed(self) -> list[str]:
        """Spawns many entities in some ticks, and none in the next ones."""
        many = self.world.max_entities // self.world.fed
        return [
            "uint64_t h = mix(ctx->tick, 5);",
            "wild_entity other = {0};",
            f"{self.fill('p0')}{self.fill('p1')}    if (ctx->tick & 16) return;",
            f"wild_cmd_p0_spawn_many(ctx->cmd, {many}, &p0);",
            f"wild_cmd_p1_spawn_many(ctx->cmd, {many}, &p1);",
        ]

    def body(self, one: System) -> list[str]:
        lines = self.start(one)
        if one.score == "write" and not one.merges_score:
            lines += ["ctx->score->n = mix(ctx->score->n, all);"]
        if one.rows:
            lines += ["uint32_t called_with = 0;"]
            lines += [f"for ({LOOPS[one.form]}) {{", "called_with++;", *self.row(one), "}"]
            lines += [f"atomic_fetch_add(&{self.counter(one)}.rows, called_with);"]
        else:
            lines += [
                "wild_entity e = known, other = known;",
                "uint64_t h = all;",
                "uint32_t i = 0;",
            ]
            lines += self.others(one)
            lines += ["ctx->partial->n = mix(ctx->partial->n, h);"] * one.partial
            lines += self.does(one)
        return lines

    def start(self, one: System) -> list[str]:
        """Mixes in the data that does not depend on a row."""
        lines = [f"uint64_t all = mix(ctx->tick, {one.name[1:]} + (uint64_t)(ctx->dt * 1000.0));"]
        return [*lines, "wild_entity known = {0};", *self.told(one)]

    def told(self, one: System) -> list[str]:
        """Mixes in the data of a call other than its rows."""
        has_score = one.score and not one.merges_score
        lines = ["all = mix(all, ctx->score->n);"] if has_score else []
        for event in one.hears:
            lines += [f"all = mix(all, ctx->{event}_count);"]
            lines += [f"for (uint32_t k = 0; k < ctx->{event}_count && k < {SEEN_AT_MOST}; k++) {{"]
            lines += [f"    all = mix(mix(all, ctx->{event}[k].n), ctx->{event}[k].who.bits);"]
            lines += [f"    known = ctx->{event}[k].who;", "}"]
        for name in one.removed:
            lines += [f"all = mix(all, ctx->removed_{name}_count);"]
            lines += [
                f"for (uint32_t k = 0; k < ctx->removed_{name}_count && k < {SEEN_AT_MOST}; k++)"
            ]
            lines += [f"    all = mix(all, ctx->removed_{name}[k].bits"]
            lines[-1] += f" + ctx->removed_{name}_value[k].n);" if one.valued else ");"
        for query in () if one.rows else one.queries:
            begin = f"wild_{query}_begin_in(ctx->{query})"
            first = self.world.queries[query][0]
            lines += [
                f"all = mix(all, wild_{query}_count_in(ctx->{query}));",
                "{",
                "uint32_t seen = 0;",
            ]
            lines += [f"wild_{query}_iter it = {begin};", f"while (wild_{query}_next(&it)) {{"]
            form = self.world.forms[query]
            k = "k" if form == "list" else "i"
            loop = LOOPS[form].replace("rows", "it.rows").replace("count", "it.count")
            lines += [f"    for ({loop}) {{"]
            lines += [f"        if (seen++ >= {SEEN_AT_MOST}) break;"]
            lines += [f"        all = mix(all, it.{self.at(first, 'n', k=k)});"]
            lines += [f"        known = it.{self.at(first, 'who', k=k)};", "    }", "}", "}"]
        return lines

    def at(self, name: str, of: str, column: str = "", k: str = "i") -> str:
        """k: the index of a pointer to a sparse value."""
        column = column or name
        forms = {
            "aos": f"{column}[i].{of}",
            "soa": f"{column}.{of}[i]",
            "sparse": f"{column}[{k}]->{of}",
        }
        return forms[self.world.kinds[name]]

    def row(self, one: System) -> list[str]:
        k = "k" if one.form == "list" else "i"
        at = partial(self.at, k=k)
        place = "mix(all, e.bits)"  # a pass may begin a range elsewhere
        place = place if self.world.passes else f"mix({place}, i)"
        lines = [
            "wild_entity e = ctx->entities[i], other = known;",
            f"uint64_t h = {place};",
        ]
        columns = one.read + [name for name in one.write if name not in TAGS]
        for name in columns:
            lines += [f"h = mix(mix(h, {at(name, 'n')}), {at(name, 'who')}.bits);"]
            lines += [f"h = mix(h, (uint64_t){at(name, 'more')});"]
            lines += [f"if (h >> 62) other = {at(name, 'who')};"]
        for name in one.optional:
            there = {"aos": name, "soa": f"{name}.n", "sparse": f"{name} && {name}[{k}]"}
            lines += [f"if ({there[self.world.kinds[name]]}) h = mix(h, {at(name, 'n')});"]
        for name in one.parent:
            if name in TAGS:
                lines += [f"h = mix(h, {name}_parent[i]);"]
            else:
                lines += self.single(name, f"{name}_parent[i]")
        lines += self.others(one)
        for name in columns[len(one.read) :]:
            changes = [f"{at(name, 'n')} = (uint32_t)h;"]
            changes += [f"{at(name, 'more')} = {number(self.world.more[name])};"]
            changes += [f"if (h % 3 == 0) {at(name, 'who')} = h & 64 ? e : other;"]
            if one.explicit:
                changes += [f"wild_{one.name}_{name}_touch(ctx, i);"]
            test = "if (h % 4 == 0) " if one.explicit else ""
            lines += [f"{test}{{", *changes, "}"]
        for tag in one.write[len(columns) - len(one.read) :]:
            lines += [f"if (h % 5 == 0) wild_{one.name}_{tag}_put(ctx, i, h >> 40 & 1);"]
        if one.partial:  # a pass may cut parts elsewhere
            sum = "ctx->partial->n + h" if self.world.passes else "mix(ctx->partial->n, h)"
            lines += [f"ctx->partial->n = {sum};", "ctx->partial->rows++;"]
        return lines + self.does(one)

    def single(self, name: str, source: str, *, const: str = "const ") -> list[str]:
        """Mixes in the value of one entity, if it has one, and writes it if allowed."""
        if self.is_soa(name):
            kind, there, of = (
                f"wild_{name}_{'const_' if const else ''}columns one",
                "one.n",
                "*one.",
            )
        else:
            kind, there, of = f"{const}wild_{name} *one", "one", "one->"
        change = "" if const else f" {of}n = (uint32_t)h;"
        return ["{", f"{kind} = {source};", f"if ({there}) {{ h = mix(h, {of}n);{change} }}", "}"]

    def others(self, one: System) -> list[str]:
        """Mixes in data that is looked up from other entities."""
        lines = []
        for name in one.look:
            call, grant = f"wild_{name}", f"ctx->{name}"
            if name == "under":
                lines += [
                    f"h = mix(h, {call}_parent_in({grant}, e).bits"
                    f" + {call}_depth_in({grant}, other));"
                ]
            else:
                lines += self.single(name, f"{call}_get_in({grant}, other)")
        for name in one.edit:
            if name in TAGS:
                lines += self.tagged(f"wild_{name}", f"ctx->{name}")
                continue
            lines += self.single(name, f"wild_{name}_edit_in(ctx->{name}, other)", const="")
        if one.rows:
            for query in one.queries:
                lines += [f"h = mix(h, wild_{query}_passes_in(ctx->{query}, other));"]
        return lines

    def tagged(self, call: str, grant: str) -> list[str]:
        """Writes a tag of another entity immediately, and mixes in whether it succeeded."""
        return [
            f"h = mix(h, {call}_has_in({grant}.reader, other));",
            f"if (h >> 61 & 1) h = mix(h, {call}_set_in({grant}, other));",
            f"else if (h >> 60 & 1) h = mix(h, {call}_remove_in({grant}, other));",
        ]

    def ends(self, one: System) -> str:
        """The functions that begin and end its turns, and merge its partial results."""
        calls = [("begin", ""), ("end", "")] * one.turn
        parts = f", const wild_{one.name}_partial *parts, uint32_t count"
        calls += [("merge", parts)] * one.partial
        return "\n".join(
            f"void wild_{one.name}_{call}(const wild_{one.name}_ctx *ctx{more})\n{{\n"
            + "".join(f"    {line}\n" for line in self.end(one, call))
            + "}\n"
            for call, more in calls
        )

    def end(self, one: System, call: str) -> list[str]:
        """Mixes in the given and merged data, and acts on it."""
        lines = [*self.start(one), f"all = mix(all, {len(call)});"]
        if call == "merge":
            sum = "all + parts[i].n" if self.world.passes else "mix(all, parts[i].n)"
            lines += [f"for (uint32_t i = 0; i < count; i++) all = {sum} + parts[i].rows;"]
        if one.score == "write" and (call == "merge" or not one.merges_score):
            lines += ["ctx->score->n = mix(ctx->score->n, all);"]
        lines += ["wild_entity e = known, other = known;", "uint64_t h = all;"]
        return [*lines, *self.does(one), "(void)e, (void)other, (void)h;"]

    def does(self, one: System) -> list[str]:
        lines = []
        for event in one.emits:
            said = f"(wild_{event}){{(uint32_t)h, h & 64 ? e : other}}"
            lines += ["if (h % 11 == 0) {", f"wild_{event}_emit(ctx->emit_{event}, {said});"]
            if any(event in other.hears for other in (*self.world.systems, self.world.ear)):
                lines += [f"atomic_fetch_add(&{self.counter(one)}.events, 1);"]
            lines += ["}"]
        return lines + ["record(ctx->cmd, h, e, other);"] * one.commands


def value(name: str) -> str:
    return f"(wild_{name}){{.n = (uint32_t)h, .who = other}}"


def number(kind: str) -> str:
    """Makes a number from h; for floats only numbers with one representation."""
    return "(float)(h >> 44)" if kind == "f32" else f"({kind.replace('u', 'uint')}_t)h"
