"""Conan 2 recipe of this checkout: `conan create .`. See docs/servers.md."""
import os
import re
import shutil

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.files import load
from conan.tools.scm import Git


class Snapgen(ConanFile):
    name = "snapgen"
    description = "MCP servers in C++20 from JSON Schema"
    license = "MIT"
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"

    def set_version(self):
        self.version = re.search(r"version : '([\d.]+)'", load(self, os.path.join(self.recipe_folder, "meson.build")))[1]

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("snapgen runs only on Linux")

    def export_sources(self):
        for file in Git(self, self.recipe_folder).included_files():
            exported = os.path.join(self.export_sources_folder, file)
            os.makedirs(os.path.dirname(exported), exist_ok=True)
            shutil.copy2(os.path.join(self.recipe_folder, file), exported)

    def package(self):
        self.run(f"runtime/install/install_devel meson {self.package_folder}")

    def package_id(self):
        del self.info.settings.build_type  # The libraries are the same for all.

    def package_info(self):
        # Consumers use the installed CMake and pkg-config files.
        config = next(path for path, _, names in os.walk(self.package_folder) if "snapgenConfig.cmake" in names)
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [config]
        self.buildenv_info.prepend_path("PKG_CONFIG_PATH", os.path.join(config, "../../pkgconfig"))
