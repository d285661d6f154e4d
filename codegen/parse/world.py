"""Reads [world]."""

from __future__ import annotations

from model.declared import Declared
from model.handles import MAX_BITS, indices, widths
from model.model import Entities, Ticks, World
from parse import keys
from parse.reader import Table
from parse.spans import read_step
from source.imports import File
from source.source import Report

DEFAULT_MAX_ENTITIES = 1_000_000
BITS = ("index_bits", "generation_bits")


def read_world(root: File, report: Report) -> World:
    top = Table(root.table, (), "the file", root, report)
    top.require("world")
    table = top.table("world")
    table.what = "the world"
    if isinstance(root.table.get("world"), dict):
        table.expect(keys.WORLD)
    entity = table.table("entity")
    entity.expect(keys.ENTITY)
    chosen = {key: entity.integer(key, MAX_BITS) for key in BITS if key in entity.data}
    recycle_after = table.integer("recycle_after", 0)
    most = indices(min(max(chosen.get("index_bits", MAX_BITS), 1), MAX_BITS)) - recycle_after
    max_entities = table.integer("max_entities", max(min(DEFAULT_MAX_ENTITIES, most), 1))
    index_bits, generation_bits = widths(
        chosen.get("index_bits"), chosen.get("generation_bits"), max_entities + recycle_after
    )
    return World(
        Declared(table.text("name"), table.value_place("name"), table.text("doc")),
        entities=Entities(
            index_bits=index_bits,
            generation_bits=generation_bits,
            chosen=len(chosen) == len(BITS),
            recycle_after=recycle_after,
            max=max_entities,
            on_despawn=table.flag("on_despawn", False),
        ),
        phases=table.refs("phases"),
        ticks=Ticks(
            run_systems=table.flag("run_systems", False),
            step=read_step(table),
            max_steps=table.integer("max_steps", 0) if "max_steps" in table.data else None,
        ),
        hide=table.refs("hide"),
        fragments=table.flag("fragments", False),
    )
