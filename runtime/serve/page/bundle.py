"""Makes one HTML file of the page's modules, and a C file that has it.

    bundle.py OUT.c    read index.html, style.css and the modules beside this file
    bundle.py OUT.html the page alone

The modules are joined in the order in which they import each other, each in a function of its
own, so that what one does not export stays its own. They keep to the few forms of `import` and
`export` that are read here: `import { a, b } from "./x.mjs";`, and `export` before a function,
class or const.
"""

from __future__ import annotations

import base64
import hashlib
import re
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
MAIN = "main.mjs"
IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./([\w.]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
COLUMNS = 24  # numbers on a line of the C file


def ordered(name: str, seen: list[str], path: tuple[str, ...] = ()) -> list[str]:
    """Lists a module behind all that it imports."""
    if name in path:
        raise SystemExit(f"bundle.py: modules import each other in a circle: {(*path, name)}")
    if name not in seen:
        for _, imported in IMPORT.findall((FOLDER / name).read_text(encoding="utf-8")):
            ordered(imported, seen, (*path, name))
        seen.append(name)
    return seen


def variable(name: str) -> str:
    return "module_" + name.removesuffix(".mjs")


def wrapped(name: str) -> str:
    """Returns a module as a function that gives what it exports."""
    source = (FOLDER / name).read_text(encoding="utf-8")
    exported = [match[1] for match in EXPORT.finditer(source)]
    source = EXPORT.sub("", source)
    source = IMPORT.sub(lambda match: f"const {{ {match[1]} }} = {variable(match[2])};\n", source)
    if re.search(r"^(import|export) ", source, re.MULTILINE):
        raise SystemExit(f"bundle.py: {name} has a form of import or export that is not read here")
    return (
        f"const {variable(name)} = (() => {{\n{source}return {{ {', '.join(exported)} }};\n}})();\n"
    )


def script() -> str:
    joined = '"use strict";\n' + "".join(wrapped(name) for name in ordered(MAIN, []))
    if "</script" in joined:
        raise SystemExit("bundle.py: a module has the end of a script in it")
    return joined


def page() -> tuple[str, str]:
    """Returns the page, and its Content-Security-Policy."""
    code = script()
    style = (FOLDER / "style.css").read_text(encoding="utf-8")
    html = (FOLDER / "index.html").read_text(encoding="utf-8")
    html = html.replace("/* style */", style).replace("/* script */", code)
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


def main() -> None:
    out = Path(sys.argv[1])
    html, policy = page()
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(html if out.suffix == ".html" else in_c(html, policy), encoding="utf-8")


if __name__ == "__main__":
    main()
