"""Makes a page for a schema: one HTML file without further files."""

from __future__ import annotations

from pathlib import Path

from docs.content import Content, make_content
from model.model import Model

HERE = Path(__file__).parent


def docs_files(model: Model) -> dict[str, str]:
    """Returns the page of a sound schema, by file name."""
    return {f"{model.world.name}.html": _render(make_content(model))}


def _render(content: Content) -> str:
    """Renders the page. Imports are local because `check` needs no Jinja2."""
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
