# SPDX-License-Identifier: MIT
"""The Conan 2 recipe of the libraries. `./dev package manifests` fills in the version and the archive."""
import os
import shutil

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get


class Pchr(ConanFile):
    name = "pchr"
    version = "@version@"
    description = "@description@"
    license = "MIT"
    homepage = "@homepage@"
    url = "@homepage@"
    topics = "animation", "2d", "skeletal", "opengl"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    # Readers of all formats and the renderer; writers of animations and sheets need both.
    options = {"shared": [True, False], "fPIC": [True, False], "with_import": [True, False], "with_render": [True, False]}
    default_options = {"shared": False, "fPIC": True, "with_import": True, "with_render": True}
    implements = ["auto_shared_fpic"]

    def layout(self):
        cmake_layout(self)

    def requirements(self):
        self.requires("glm/[>=0.9.9.8]", transitive_headers=True)
        self.requires("libdeflate/[>=1.14]")
        self.requires("stb/[>=cci.20220909]")
        if self.options.with_import:
            self.requires("fmt/[>=9]")
            self.requires("giflib/[>=5.2]")
            self.requires("libjpeg-turbo/[>=2.1]")
            self.requires("libwebp/[>=1.2]")
        if self.options.with_render and self.settings.os != "Windows":
            self.requires("egl/system")

    def validate(self):
        if self.settings.os == "Windows" and self.options.shared:
            raise ConanInvalidConfiguration("the C++ libraries of pchr are static on Windows")

    def validate_build(self):
        if self.options.with_render and not shutil.which("glad"):
            raise ConanInvalidConfiguration("pchr's renderer is built with the glad 2 generator: pip install glad2")

    def source(self):
        get(self, "@url:source@", sha256="@sha256:source@", strip_root=True)

    def generate(self):
        both = bool(self.options.with_import and self.options.with_render)
        toolchain = CMakeToolchain(self)
        for part, wanted in {"IMPORT": bool(self.options.with_import), "RENDER": bool(self.options.with_render), "EXPORT": both,
                             "C_SHARED": False, "TOOLS": False, "PLAYER": False, "TESTS": False}.items():
            toolchain.cache_variables[f"PCHR_{part}"] = wanted
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        for name in ["LICENSE", "cmake/package/licenses.md"]:
            copy(self, os.path.basename(name), os.path.join(self.source_folder, os.path.dirname(name)),
                 os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # find_package(pchr COMPONENTS render) reads the files that the build installs.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "pchr")]
