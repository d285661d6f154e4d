"""The table of contents: which part of the site a page belongs to.

README.md is the first page. GitHub would show a toctree in it as code, so Sphinx gets the toctrees
when it reads the page.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

PARTS = {
    "Tutorials": ["schema/GUIDE", "schema/tutorials/*"],
    "How to": [
        "schema/howto/*",
        "schema/coming-from",
        "runtime/BUILDS",
        "runtime/LANGUAGES",
    ],
    "Reference": [
        "schema/README",
        "schema/reference/*",
        "codegen/COMMANDS",
        "runtime/LIMITS",
        "runtime/save/SAVES",
        "runtime/serve/RPC",
        "runtime/COMPILERS",
        "runtime/MACHINES",
        "CHANGELOG",
    ],
    "Explanation": ["schema/explanation/*", "tests/bench/RESULTS", "tests/bench/STORAGE"],
    "Inside Weft": ["codegen/README", "runtime/README", "tests/README", "generated/README"],
}

# Pages below another one.
BELOW = {
    "codegen/README": ["codegen/RECIPES", "codegen/*/README"],
    "runtime/README": ["runtime/*/README"],
    "schema/README": ["schema/site/README"],
    "tests/README": ["tests/*", "tests/*/**"],
    "tests/bench/RESULTS": ["tests/bench/machines/*"],
}


def toctree(pages: list[str], *, caption: str = "") -> str:
    lines = [f":caption: {caption}"] if caption else []
    return "\n".join(["```{toctree}", *lines, ":hidden:", ":glob:", "", *pages, "```\n"])


def toctrees(page: str) -> str:
    if page == "README":
        parts = [toctree(pages, caption=part) for part, pages in PARTS.items()]
        return "\n".join(["", *parts])
    return "\n" + toctree(["/" + below for below in BELOW[page]]) if page in BELOW else ""


def page_of(folder: Path, found: re.Match[str]) -> str:
    """Returns a link to the page of a folder, or only its text if the folder has no page."""
    text, target, anchor = found[1], found[2], found[3] or ""
    if "://" in target or not (folder / target).is_dir():
        return found[0]
    if (folder / target / "README.md").exists():
        return f"[{text}]({target.rstrip('/')}/README.md{anchor})"
    return text


def read_source(app: Any, page: str, source: list[str]) -> None:
    text = source[0] + toctrees(page)
    # ```c run names how a test runs the block. Sphinx takes the first word as the language.
    text = re.sub(r"^```(\w+)[ \t]+[^\n{]+$", r"```\1", text, flags=re.MULTILINE)
    folder = Path(app.srcdir, page).parent
    link = r"(?<!!)\[([^]\n]*)\]\(([^)#\s]+)(#[^)]*)?\)"
    source[0] = re.sub(link, lambda found: page_of(folder, found), text)


def write_index(app: Any, error: Exception | None) -> None:
    """`index.html` leads to the first page, README.html."""
    if error is None and app.builder.format == "html":
        to = '<!doctype html><meta charset="utf-8"><title>Weft</title>'
        to += '<meta http-equiv="refresh" content="0; url=README.html">'
        to += '<a href="README.html">Weft</a>\n'
        Path(app.outdir, "index.html").write_text(to, encoding="utf-8")


def setup(app: Any) -> dict[str, bool]:
    app.connect("source-read", read_source)
    app.connect("build-finished", write_index)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
