"""Writes the C code of a probe's systems for any schema: each prints a line for each call.

    see 0 2             it was given the rows 0 and 2 (entities in order of spawning)
    mourn -2=7 -3=0     2 and 3 lost a component; with its value if the system reads it
    listen 5 6          it heard events with `n` 5 and 6

A system that emits prints `tick` once a turn. The verb `ask` prints what a query or a listener
gives the game; `ask put_order` gives the input `order`.
"""

from __future__ import annotations

from generated import Generated
from model.code import Listener, System
from model.model import Model

TOP = """\
#include "evolve.h"
#include "probe.h"
#include <stdio.h>
#include <string.h>

static unsigned who(evolve_entity e)
{
    return (unsigned)weft_handle_index(evolve_entity_format, e.bits);
}
"""


def game_of(made: Generated, systems: str = "") -> str:
    """systems: C that defines the systems, in place of those above."""
    own = systems or "\n".join(_system(made, system) for system in made.model.code.systems.values())
    return "\n".join([TOP, own, _ask(made.model)])


def _system(made: Generated, system: System) -> str:
    header = made.files[f"evolve/evolve_{system.name}.h"]
    start = header.index("WEFT_HOT void evolve_")
    prototype = header[start : header.index(";", start)].removeprefix("WEFT_HOT ")
    lines = [f'printf("{system.name}");']
    if system.selection.where:
        lines += ["for (uint32_t i = 0; i < count; i++)"]
        lines += ['    printf(" %u", who(ctx->entities[i]));']
    lines += _told(system, "ctx->")
    lines += ['printf("\\n");']
    if system.messages.emits:
        lines = [
            f"evolve_{event.name}_emit(ctx->emit_{event.name}, "
            f"(evolve_{event.name}){{.n = ctx->tick}});"
            for event in system.messages.emits
        ]
    return f"{prototype}\n{{\n    (void)count;\n" + "".join(f"    {x}\n" for x in lines) + "}\n"


def _told(reader: System | Listener, of: str) -> list[str]:
    lines = []
    for removal in reader.messages.removed:
        name = f"{of}removed_{removal.component.name}"
        lines += [f"for (uint32_t i = 0; i < {name}_count; i++) {{"]
        lines += [f'    printf(" -%u", who({name}[i]));']
        lines += [f'    printf("=%u", (unsigned){name}_value[i].x);'] * removal.value
        lines += ["}"]
    for event in reader.messages.hears:
        lines += [f"for (uint32_t i = 0; i < {of}{event.name}_count; i++)"]
        lines += [f'    printf(" %u", (unsigned){of}{event.name}[i].n);']
    return lines


def _ask(model: Model) -> str:
    body = "    (void)w;\n    (void)query;\n"
    for query in model.begun:
        name = f"evolve_{query.name}"
        told = _told(query, "it.") if isinstance(query, Listener) else []
        has_rows = not isinstance(query, Listener) or query.selection.has_rows
        body += (
            f'    if (strcmp(query, "{query.name}") == 0) {{\n'
            f'        printf("{query.name}");\n'
            f"        {name}_iter it = {name}_begin(w);\n"
        )
        body += "".join(f"        {line}\n" for line in told)
        body += (
            f"        while ({name}_next(&it))\n"
            "            for (uint32_t i = 0; i < it.count; i++)\n"
            '                printf(" %u", who(it.entities[i]));\n'
        ) * has_rows
        body += '        printf("\\n");\n    }\n'
    for event in model.data.events.values():
        if event.kind == "input" and any(field.name == "n" for field in event.fields):
            body += f'    if (strcmp(query, "put_{event.name}") == 0)\n'
            body += f"        (void)evolve_{event.name}_put(w, (evolve_{event.name}){{.n = 7}});\n"
    return f"void probe_ask(evolve_world *w, const char *query)\n{{\n{body}}}\n"
