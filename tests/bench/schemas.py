"""Writes the schemas that are too regular to write by hand.

    schemas.py NAME FILE

fragments26, fragments256   26 or 256 components of four bytes, and `data` of 48; an entity has
  `data` and one other component, so there is a table for each
fragments5000               13 components of four bytes; each set of them with `data` is a table
crowd                       18 components, each five of which make a table; without prefabs scale
crowd with 200 tags, space for 16 million entities, wide handles dense                       one
component, 16 million entities in handles of 32 bits, FIFO
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

CROWD_PARTS = 18
SCALE_TAGS = 200

FRAGMENT_SYSTEMS = """
[component.data]
fields = { v = "f32[12]" }

[query.all]
write = ["data"]

[system.scale_first]
doc = "One float of twelve."
phase = "first"
write = ["data"]

[system.scale_all]
phase = "all"
write = ["data"]
"""


def fragments(count: int) -> str:
    """A world `fragments<count>` with `count` small components, each in a prefab with `data`."""
    parts = [
        "# As many tables as there are small components.\n\n[world]\n"
        f'name = "fragments{count}"\n'
        "entity = { index_bits = 22, generation_bits = 10 }\n"
        'phases = ["first", "all"]\n',
        FRAGMENT_SYSTEMS,
    ]
    for i in range(count):
        parts.append(
            f'\n[component.own_{i:03}]\nfields = {{ v = "f32" }}\n'
            f"\n[prefab.kind_{i:03}]\ncomponents = {{ data = {{}}, own_{i:03} = {{}} }}\n"
        )
    return "".join(parts)


def scattered(name: str, components: int) -> str:
    """A world whose tables have `data` and any of the other components; in place of prefabs."""
    parts = [
        "# A table for each choice of the small components.\n\n[world]\n"
        f'name = "{name}"\n'
        "entity = { index_bits = 22, generation_bits = 10 }\n"
        'phases = ["first", "all"]\n',
        FRAGMENT_SYSTEMS,
        "\n[prefab.kind]\ncomponents = { data = {} }\n",
    ]
    parts += [f'\n[component.own_{i:02}]\nfields = {{ v = "f32" }}\n' for i in range(components)]
    return "".join(parts)


def crowd(name: str, world: str, tags: int) -> str:
    """A world of that name with CROWD_PARTS components of 12 bytes and `tags` tags."""
    parts = [f'# Any five components make a table.\n\n[world]\nname = "{name}"\n{world}']
    for i in range(CROWD_PARTS):
        parts.append(f'\n[component.part_{i:02}]\nfields = {{ x = "f32", y = "f32", z = "f32" }}\n')
    for i in range(tags):
        parts.append(f"\n[component.tag_{i:03}]\n")
    parts.append('\n[query.first]\nread = ["part_00"]\n')
    parts.append('\n[query.pair]\nread = ["part_00", "part_01"]\n')
    if tags:
        parts.append('\n[query.tagged]\nread = ["part_00"]\nwhere = "tag_000 & !tag_199"\n')
        parts.append("\n[prefab.single]\ncomponents = { part_00 = {} }\n")
    return "".join(parts)


DENSE = """# As many entities as handles of 32 bits leave room for beside what waits for reuse.

[world]
name = "dense"
entity = { index_bits = 24, generation_bits = 8 }
max_entities = 16_000_000
recycle_after = 100_000

[component.part_00]
fields = { x = "f32", y = "f32", z = "f32" }

[query.first]
read = ["part_00"]

[prefab.single]
components = { part_00 = {} }
"""

SCHEMAS: dict[str, Callable[[], str]] = {
    "fragments26": lambda: fragments(26),
    "fragments256": lambda: fragments(256),
    "fragments5000": lambda: scattered("fragments5000", 13),
    "crowd": lambda: crowd("crowd", "entity = { index_bits = 22, generation_bits = 10 }\n", 0),
    "dense": lambda: DENSE,
    "scale": lambda: crowd("scale", "max_entities = 16_000_000\n", SCALE_TAGS),
}


def main(arguments: list[str]) -> int:
    match arguments:
        case [name, path] if name in SCHEMAS:
            Path(path).write_text(SCHEMAS[name](), encoding="utf-8")
            return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
