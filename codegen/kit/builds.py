"""The build systems that a new game can use."""

from __future__ import annotations

# For each build system: the name of its file, the folder of the runtime, and the folder of the
# generated C.
BUILDS = {
    "ninja": ("build.ninja", "weft", "generated/{0}"),
    "cmake": ("CMakeLists.txt", "weft", "build/weft/{0}/{0}"),
    "meson": ("meson.build", "subprojects/weft", "build"),
    "make": ("Makefile", "weft", "generated/{0}"),
}
