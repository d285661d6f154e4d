"""Joins the modules of a page into one HTML file, and writes a C file that contains it.

    bundle.py OUT.c     read index.html, style.css and the modules in this folder
    bundle.py OUT.html  write the page only
      --page FOLDER        use the page in another folder
      --instead NAME=FILE  use a file in place of the module with that name
      --data NAME=FILE     add a file to the page, as base64, in an element with that id

A module follows the modules that it imports. Each becomes a function, so that names that it does
not export are not visible to the others. Modules may only use these forms of `import` and
`export`: `import { a, b } from "./x.mjs";`, and `export` before a function, class or const.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
MAIN = "main.mjs"
# The style of the entries of a schema, which `weft docs` uses too. The generator is beside the
# runtime in a checkout, and inside of it where CMake has installed it.
ENTRIES = next(
    path
    for above in (FOLDER.parents[2], FOLDER.parents[1])
    if (path := above / "codegen" / "docs" / "entries.css.j2").exists()
)
IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./([\w.]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
COLUMNS = 24  # numbers on a line of the C file


@dataclass(frozen=True)
class Page:
    folder: Path
    instead: dict[str, Path]  # files used in place of modules, by module name
    data: dict[str, Path]  # files that are added to the page, by the id of their element

    def source(self, name: str) -> str:
        """Returns the text of a module."""
        return self.instead.get(name, self.folder / name).read_text(encoding="utf-8")

    def text(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")


def ordered(page: Page, name: str, seen: list[str], path: tuple[str, ...] = ()) -> list[str]:
    """Lists a module after all modules that it imports."""
    if name in path:
        raise SystemExit(f"bundle.py: modules import each other in a circle: {(*path, name)}")
    if name not in seen:
        for _, imported in IMPORT.findall(page.source(name)):
            ordered(page, imported, seen, (*path, name))
        seen.append(name)
    return seen


def variable(name: str) -> str:
    return "module_" + name.removesuffix(".mjs")


def wrapped(page: Page, name: str) -> str:
    """Returns a module as a function that returns its exports."""
    source = page.source(name)
    exported = [match[1] for match in EXPORT.finditer(source)]
    source = EXPORT.sub("", source)
    source = IMPORT.sub(lambda match: f"const {{ {match[1]} }} = {variable(match[2])};\n", source)
    if re.search(r"^(import|export) ", source, re.MULTILINE):
        raise SystemExit(f"bundle.py: {name} has a form of import or export that is not read here")
    return (
        f"const {variable(name)} = (() => {{\n{source}return {{ {', '.join(exported)} }};\n}})();\n"
    )


def script(page: Page) -> str:
    modules = ordered(page, MAIN, [])
    joined = '"use strict";\n' + "".join(wrapped(page, name) for name in modules)
    if "</script" in joined:
        raise SystemExit("bundle.py: a module has the end of a script in it")
    return joined


def data_elements(page: Page) -> str:
    return "".join(
        f'<script type="text/plain" id="{name}">{base64.b64encode(path.read_bytes()).decode()}'
        "</script>\n"
        for name, path in page.data.items()
    )


def style(page: Page) -> str:
    """Returns the style of a page, with that of entries in its place."""
    text = page.text("style.css")
    if "/* entries */\n" not in text:
        return text
    return text.replace("/* entries */\n", ENTRIES.read_text(encoding="utf-8"))


def made(page: Page) -> tuple[str, str]:
    """Returns the page in one file, and its Content-Security-Policy."""
    code = script(page)
    html = page.text("index.html").replace("<!-- data -->\n", data_elements(page))
    html = html.replace("/* style */", style(page)).replace("/* script */", code)
    inline = re.search(r"<script>(.*?)</script>", html, re.DOTALL)
    assert inline
    digest = base64.b64encode(hashlib.sha256(inline[1].encode()).digest()).decode()
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; "
        "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return html, policy


def in_c(html: str, policy: str) -> str:
    data = html.encode()
    rows = [
        ", ".join(str(byte) for byte in data[at : at + COLUMNS])
        for at in range(0, len(data), COLUMNS)
    ]
    return (
        "// Made by runtime/serve/page/bundle.py.\n"
        '#include "page.h"\n\n'
        f'const char serve_page_policy[] = "{policy}";\n'
        f"const size_t serve_page_bytes = {len(data)};\n"
        "const unsigned char serve_page[] = {\n" + ",\n".join(rows) + "\n};\n"
    )


def page_in_c() -> str:
    """Returns the C file of the inspector's page."""
    return in_c(*made(Page(FOLDER, {}, {})))


def named_file(text: str) -> tuple[str, Path]:
    name, _, path = text.partition("=")
    return name, Path(path)


def main() -> None:
    parser = argparse.ArgumentParser(description="Makes one file of a page.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--page", type=Path, default=FOLDER)
    parser.add_argument("--instead", type=named_file, action="append", default=[])
    parser.add_argument("--data", type=named_file, action="append", default=[])
    wanted = parser.parse_args()
    html, policy = made(Page(wanted.page, dict(wanted.instead), dict(wanted.data)))
    out: Path = wanted.out
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(html if out.suffix == ".html" else in_c(html, policy), encoding="utf-8")


if __name__ == "__main__":
    main()
