"""The headers of ISO C and of POSIX, and their macros that look like names of a schema."""

from __future__ import annotations

import json
import re
import subprocess
from functools import cache

from compilers import UNCACHED

# POSIX.1-2017 and C23. Headers that this C library lacks are left out (ndbm, stropts, trace).
_LISTED = """
    aio arpa/inet assert complex cpio ctype dirent dlfcn errno fcntl fenv float fmtmsg fnmatch ftw
    glob grp iconv inttypes iso646 langinfo libgen limits locale math monetary mqueue ndbm net/if
    netdb netinet/in netinet/tcp nl_types poll pthread pwd regex sched search semaphore setjmp
    signal spawn stdalign stdarg stdatomic stdbit stdbool stdckdint stddef stdint stdio stdlib
    stdnoreturn string strings stropts sys/ipc sys/mman sys/msg sys/resource sys/select sys/sem
    sys/shm sys/socket sys/stat sys/statvfs sys/time sys/times sys/types sys/uio sys/un sys/utsname
    sys/wait syslog tar termios tgmath threads time trace uchar ulimit unistd utime utmpx wchar
    wctype wordexp"""

EXTENDED = "-D_GNU_SOURCE"  # every interface that the C library has

_MACRO = re.compile(r"^#define ([a-z][a-z0-9]*(?:_[a-z0-9]+)*)(\(?)", re.MULTILINE)


def _preprocessed(text: str, *flags: str) -> str | None:
    done = subprocess.run(
        ["gcc", "-std=gnu11", EXTENDED, "-E", *flags, "-x", "c", "-"],
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout if done.returncode == 0 else None


@cache
def headers() -> tuple[str, ...]:
    """Returns the installed headers, written as in `#include <sys/stat.h>`. The compiler checks all
    of them at once, because starting it for each takes longer than the check.
    """
    listed = [f"{name}.h" for name in _LISTED.split()]
    asked = "".join(f"#if __has_include(<{name}>)\n<{name}>\n#endif\n" for name in listed)
    there = (_preprocessed(asked, "-P") or "").split()
    return tuple(name for name in listed if f"<{name}>" in there)


def includes() -> str:
    """All of them in one text."""
    return "".join(f"#include <{name}>\n" for name in headers())


@cache
def macros() -> dict[str, bool]:
    """Returns every macro in snake_case, and whether it takes arguments."""
    text = _preprocessed(includes(), "-dM")
    assert text
    return {name: bool(arguments) for name, arguments in _MACRO.findall(text)}


@cache
def identifiers() -> frozenset[str]:
    """Returns everything that they declare or define at file scope, as clang sees it."""
    command = ["clang", "-std=gnu11", EXTENDED, "-w", "-fsyntax-only", "-Xclang", "-ast-dump=json"]
    done = subprocess.run(
        [*command, "-x", "c", "-"],
        input=includes(),
        env=UNCACHED,
        capture_output=True,
        text=True,
        check=True,
    )
    nodes = json.loads(done.stdout)["inner"]
    enums = [node for node in nodes if node["kind"] == "EnumDecl"]
    nodes += [inner for node in enums for inner in node.get("inner", [])]
    defined = re.findall(r"^#define (\w+)", _preprocessed(includes(), "-dM") or "", re.MULTILINE)
    return frozenset(node["name"] for node in nodes if "name" in node) | frozenset(defined)


@cache
def object_macros_of(header: str) -> frozenset[str]:
    """Returns the macros without arguments that one header, or a header that it includes,
    defines.
    """
    text = _preprocessed(f"#include <{header}>\n", "-dM")
    assert text is not None, f"<{header}> is not there"
    return frozenset(name for name, arguments in _MACRO.findall(text) if not arguments)
