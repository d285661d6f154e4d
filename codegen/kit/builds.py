"""The build systems that a game can begin with."""

from __future__ import annotations

# Each build system with the name of its file, the folder in which it wants the runtime, and the one
# in which it generates C.
BUILDS = {
    "ninja": ("build.ninja", "weft", "generated/{0}"),
    "cmake": ("CMakeLists.txt", "weft", "build/weft/{0}/{0}"),
    "meson": ("meson.build", "subprojects/weft", "build"),
    "make": ("Makefile", "weft", "generated/{0}"),
}
