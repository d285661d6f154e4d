"""Makes what a release consists of, in build/dist or the folder that is given: `ninja dist`.

    weft-1.0.0-source.tar.gz    this repository, as git knows it, with the text of today
    weft-1.0.0-py3-none-any.whl the generator with the runtime inside, for pip
    weft-1.0.0-runtime.tar.gz   the runtime as two C files, for builds that have no generator
    SHA256SUMS                  for `sha256sum -c`

The same sources give the same bytes: no time, no owner and no order of a disk is in them.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "codegen"))

from kit.backend import build_wheel, tar  # noqa: E402
from kit.one_file import one_file  # noqa: E402
from kit.runtime import runtime_files  # noqa: E402
from kit.version import version  # noqa: E402

EXECUTABLE = 0o755


def source_archive(head: str) -> bytes:
    """Returns the files that git keeps, below a folder of that name. A removed one is left out."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True
    ).stdout.decode()
    paths = [ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    names = {f"{head}/{path.relative_to(ROOT).as_posix()}": path for path in paths}
    modes = {name: EXECUTABLE for name, path in names.items() if path.stat().st_mode & 0o100}
    return tar({name: path.read_bytes() for name, path in names.items()}, modes)


def main(out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    head = f"weft-{version()}"
    runtime = {f"{head}-runtime/{name}": text for name, text in one_file(runtime_files()).items()}
    (out / f"{head}-source.tar.gz").write_bytes(source_archive(head))
    (out / f"{head}-runtime.tar.gz").write_bytes(
        tar({name: text.encode() for name, text in runtime.items()})
    )
    names = sorted([f"{head}-source.tar.gz", f"{head}-runtime.tar.gz", build_wheel(str(out))])
    sums = {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in names}
    text = "".join(f"{digest}  {name}\n" for name, digest in sums.items())
    (out / "SHA256SUMS").write_text(text, encoding="utf-8")
    print(text, end="")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/dist")
