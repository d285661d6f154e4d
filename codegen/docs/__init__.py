"""This package makes a page out of a schema: one HTML file, which needs nothing else."""

from __future__ import annotations

from pathlib import Path

from docs.content import Content, make_content
from model.model import Model

HERE = Path(__file__).parent


def docs_files(model: Model) -> dict[str, str]:
    """Returns the page of a sound schema, by its name."""
    return {f"{model.world.name}.html": _render(make_content(model))}


def _render(content: Content) -> str:
    """Renders the page. The import is here because checking a schema needs no Jinja2."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(HERE),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=True,
    )
    return environment.get_template("page.html.j2").render(page=content)
