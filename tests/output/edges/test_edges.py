"""Worlds at the limits of the schema language behave like any other world."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from built import built
from compilers import LINKERS, RUNTIME, SANITIZERS, WARNINGS
from generated import generate, write_whole

HERE = Path(__file__).resolve().parent
LIBRARY = "build/asan/libweft.a"


def run(source: str, schemas: dict[str, str], out: Path, *flags: str, strict: bool = True) -> None:
    """Builds a program here with the worlds of these schemas, and runs it."""
    folders = []
    for name, text in schemas.items():
        (out / f"{name}.toml").write_text(text, encoding="utf-8")
        folders.append(generate(out / f"{name}.toml", strict=strict).write(out))
    files = [write_whole(folder) for folder in folders]
    include = [f"-I{folder}" for folder in (RUNTIME, out, *folders)]
    command = ["clang", "-std=c11", *WARNINGS, *SANITIZERS, *flags, *include, LINKERS["clang"]]
    made = subprocess.run(
        [*command, HERE / source, *files, built(LIBRARY), "-o", out / "program"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    done = subprocess.run([out / "program"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "index_bits, generation_bits, handle_bytes, entities",
    [
        (1, 1, 2, 1),
        (1, 1, 2, 2),
        (8, 8, 2, 256),
        (15, 1, 2, 1000),
        (1, 31, 4, 2),
        (24, 8, 4, 1000),
        (1, 32, 8, 2),
        (32, 32, 8, 1),
    ],
)
def test_seed_N3_handles_take_what_their_bits_need(
    index_bits: int, generation_bits: int, handle_bytes: int, entities: int, tmp_path: Path
) -> None:
    text = (HERE / "small.toml").read_text(encoding="utf-8")
    text = text.replace("index_bits = 1", f"index_bits = {index_bits}")
    text = text.replace("generation_bits = 1", f"generation_bits = {generation_bits}")
    text = text.replace("max_entities = 1", f"max_entities = {entities}")
    flags = f"-DINDEX_BITS={index_bits} -DHANDLE_BYTES={handle_bytes} -DENTITIES={entities}u"
    run("small.c", {"small": text}, tmp_path, *flags.split())


def test_worlds_without_components_or_systems(tmp_path: Path) -> None:
    schemas = {
        "hollow": "",
        "bare": 'phases = ["only"]\n[query.all]\n[system.count]\nphase = "only"\n',
        "idle": '[component.place]\nfields = { x = "u8" }\n',
    }
    worlds = {name: f'[world]\nname = "{name}"\n{rest}' for name, rest in schemas.items()}
    run("hollow.c", worlds, tmp_path)


def test_a_where_that_is_always_true(tmp_path: Path) -> None:
    text = (HERE / "certain.toml").read_text(encoding="utf-8")
    run("certain.c", {"certain": text}, tmp_path, strict=False)


# Each query, and how the model says what it asks for.
QUERIES = {
    "last": ("c{last}", "model[e][{last}]"),
    "without": ("c0 & !c{last}", "model[e][0] && !model[e][{last}]"),
    "either": ("c63 ^ c{last}", "model[e][63] != model[e][{last}]"),
    "between": ("c62 | c{last} & !c1", "model[e][62] || (model[e][{last}] && !model[e][1])"),
}


@pytest.mark.parametrize("count", [64, 65, 128, 129])
def test_sets_of_whole_words_and_one_more(count: int, tmp_path: Path) -> None:
    last = count - 1
    kinds = {f"c{i}": ("table", "tag", "sparse")[(i + count) % 3] for i in range(count)}
    schema = '[world]\nname = "boundary"\n'
    for name, kind in kinds.items():
        schema += f"[component.{name}]\n"
        schema += {
            "table": 'fields = { v = "u8" }\n',
            "sparse": 'storage = "sparse"\nfields = { v = "u8" }\n',
            "tag": "",
        }[kind]
    header = f"#define COUNT {count}u\n"
    for macro, wanted in (
        ("COMPONENT", ("table", "tag", "sparse")),
        ("VALUE", ("table", "sparse")),
        ("TAG", ("tag",)),
    ):
        each = " ".join(f"X({name})" for name, kind in kinds.items() if kind in wanted)
        header += f"#define EACH_{macro}(X) {each}\n"
    asked = {name: (q.format(last=last), m.format(last=last)) for name, (q, m) in QUERIES.items()}
    if last == 63:
        del asked["either"]  # one component twice
    for name, (where, _) in asked.items():
        schema += f'[query.{name}]\nwhere = "{where}"\n'
    conditions = " ".join(f"X({name}, {condition})" for name, (_, condition) in asked.items())
    header += f"#define EACH_QUERY(X) {conditions}\n"
    (tmp_path / "components.h").write_text(header, encoding="utf-8")
    run("boundary.c", {"boundary": schema}, tmp_path)
