"""This module is the recipe of Weft for Conan 2: `conan create ../weft/runtime`.

The package contains the same files as `cmake --install`: sources and the generator. They do not
depend on settings, because each game compiles the runtime with its own flags.
"""

import os
import re

from conan import ConanFile
from conan.tools.files import copy, load

SOURCES = (
    "*.c", "*.h", "*.hpp", "*.cmake", "*.ninja", "*.mk", "*.in", "CMakeLists.txt", "serve/page/*"
)  # fmt: skip
GENERATOR = ("*.py", "*.j2")
NUMBER = re.compile(r"^#define WEFT_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$", re.MULTILINE)


class Weft(ConanFile):
    name = "weft"
    description = "An entity component system for C that is compiled from a schema"
    license = "MIT"
    package_type = "header-library"  # nothing in it is compiled
    no_copy_source = True

    def set_version(self):
        text = load(self, os.path.join(self.recipe_folder, "weft.h"))
        self.version = ".".join(NUMBER.findall(text))

    def export_sources(self):
        checkout = os.path.join(self.recipe_folder, "..")
        for pattern in (*SOURCES, "meson.build"):
            copy(self, pattern, self.recipe_folder, self.export_sources_folder)
        for pattern in GENERATOR:
            generator = os.path.join(self.export_sources_folder, "codegen")
            copy(self, pattern, os.path.join(checkout, "codegen"), generator)
        copy(self, "LICENSE", checkout, self.export_sources_folder)

    def package(self):
        copy(self, "*", self.source_folder, os.path.join(self.package_folder, "share", "weft"))

    def package_info(self):
        self.cpp_info.includedirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.bindirs = []
        self.cpp_info.builddirs = [os.path.join("share", "weft")]
        self.cpp_info.set_property("cmake_find_mode", "none")  # weft-config.cmake is there
