"""The generator's modules import each other in one direction, and only the command line prints."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from model.graph import circles

CODEGEN = Path(__file__).parents[3] / "codegen"

# A module may import its own layer and what is above it in this list.
# A package stands for all of its modules, or each of them stands here.
LAYERS = (
    ("source", "source.source", "source.refusal"),
    ("source.toml_places",),
    ("source.toml_syntax",),
    ("source.imports",),
    ("model", "model.record", "model.graph"),
    ("model.declared", "model.scalars", "model.refs"),
    ("model.types", "model.expressions"),
    ("model.data", "model.code"),
    ("model.model",),
    (
        "model.readers",
        "model.named",
        "model.handles",
        "model.satisfy",
        "model.trees",
        "model.rng",
        "model.hide",
        "model.required",
        "model.holds",
        "model.sizes",
        "model.parts",
    ),
    ("model.states", "model.decide", "model.granted"),
    ("model.whens",),
    ("names", "names.system_macros", "names.system_identifiers"),
    ("names.words", "names.nearest", "names.names", "names.variables"),
    ("names.claim",),
    ("names.data_claims", "names.code_claims"),
    ("names.claims",),
    ("parse",),
    ("schedule",),
    ("docs",),
    ("check", "lint", "lock"),
    ("verdict",),
    ("json_schemas",),
    ("plan",),
    ("debugger",),
    ("emit", "emit.compiled", "emit.files", "emit.layout", "emit.links", "emit.ninja"),
    ("kit.runtime", "kit.version", "kit.builds"),
    ("emit.templates",),
    ("emit.emit", "emit.stubs", "emit.renames"),
    ("saves",),
    ("kit", "kit.new_game", "kit.one_file", "kit.backend"),
    ("commands",),
    ("__main__",),
)

# What the plan may know: the checked model, its readers, schedule, names; not how it was read.
PLAN_IMPORTS = {
    "model.code",
    "model.data",
    "model.decide",
    "model.declared",
    "model.expressions",
    "model.granted",
    "model.graph",
    "model.hide",
    "model.holds",
    "model.model",
    "model.parts",
    "model.readers",
    "model.record",
    "model.refs",
    "model.required",
    "model.rng",
    "model.scalars",
    "model.sizes",
    "model.states",
    "model.trees",
    "model.types",
    "model.whens",
    "names.names",
    "schedule",
    "plan",
}

LAYER = {name: index for index, layer in enumerate(LAYERS) for name in layer}
LISTED_BY_MODULE = {name.split(".")[0] for name in LAYER if "." in name}


@cache
def modules() -> dict[str, Path]:
    """Every module by its dotted name; a package is named for its folder."""
    found = {}
    for path in sorted(CODEGEN.rglob("*.py")):
        parts = path.relative_to(CODEGEN).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


@cache
def imports(path: Path) -> frozenset[str]:
    """The generator's own modules that one imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = {f"{node.module}.{alias.name}" for alias in node.names} & set(modules())
            found |= inner or {node.module}
    return frozenset(found & set(modules()))


def entry(module: str) -> str:
    """A module as LAYERS lists it: by itself, or with its package."""
    package = module.split(".")[0]
    return module if package in LISTED_BY_MODULE else package


def layer_of(module: str) -> int:
    return LAYER[entry(module)]


def test_every_module_has_its_layer() -> None:
    assert {entry(name) for name in modules()} == set(LAYER)


def test_the_command_line_is_the_only_module_outside_of_a_package() -> None:
    assert {path.name for path in CODEGEN.glob("*.py")} == {"__main__.py"}


def test_imports_go_one_way() -> None:
    against = [
        f"{module} imports {name}"
        for module, path in modules().items()
        for name in imports(path)
        if layer_of(name) > layer_of(module)
    ]
    assert not against


def test_imports_have_no_circle() -> None:
    assert not circles({name: sorted(imports(path)) for name, path in modules().items()})


def test_the_plan_sees_only_the_model_and_the_names() -> None:
    known = {
        entry(used)
        for name, path in modules().items()
        if name.split(".")[0] == "plan"
        for used in imports(path)
    }
    assert known <= PLAN_IMPORTS


def test_only_the_command_line_prints() -> None:
    prints = {"print", "sys.stdout.write", "sys.stderr.write", "sys.exit"}
    found = [
        f"{path}:{node.lineno}"
        for module, path in modules().items()
        if layer_of(module) < LAYER["commands"]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) in prints
    ]
    assert not found
