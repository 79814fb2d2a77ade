# SPDX-License-Identifier: MIT
"""What the packages contain that this project did not write."""
import pathlib
import subprocess
from typing import NamedTuple

_GCC = subprocess.run(["gcc", "-dumpversion"], check=True, capture_output=True, text=True).stdout.strip()

# Name, SPDX license, and source package of Debian, or its binary package for what is installed on this system.
COMPILED = {
    "libdeflate": ("MIT", "libdeflate"),
    "libjpeg-turbo": ("IJG AND BSD-3-Clause AND Zlib", "libjpeg-turbo"),
    "giflib": ("MIT AND ISC", "giflib"),
    "libwebp": ("BSD-3-Clause", "libwebp"),
    "fmt": ("MIT", "fmtlib"),
    "GLFW": ("Zlib", "glfw3"),
    "Dear ImGui": ("MIT", "imgui")}
INSTALLED = {
    # In npm, whose modules contain only its headers.
    "fmt": ("MIT", "libfmt-dev"),
    "stb": ("MIT", "libstb-dev"),
    "GLM": ("MIT", "libglm-dev"),
    "glad": ("MIT AND Apache-2.0", "python3-glad"),
    "CLI11": ("BSD-3-Clause", "libcli11-dev"),
    "GCC runtime libraries": ("GPL-3.0-or-later WITH GCC-exception-3.1", f"libstdc++-{_GCC}-dev"),
    "GCC runtime libraries for Windows": ("GPL-3.0-or-later WITH GCC-exception-3.1", "g++-mingw-w64-x86-64-posix"),
    "MinGW-w64 runtime": ("ZPL-2.1 AND MIT AND BSD-3-Clause", "mingw-w64-x86-64-dev"),
    "libc++": ("Apache-2.0 WITH LLVM-exception", "libc++-19-dev-wasm32"),
    "wasi-libc": ("MIT AND BSD-2-Clause AND Apache-2.0 WITH LLVM-exception", "wasi-libc")}

_READERS = ["libdeflate", "libjpeg-turbo", "giflib", "libwebp", "fmt", "stb", "GLM"]
_PROGRAMS = [*_READERS, "glad", "CLI11", "GLFW", "Dear ImGui"]
CONTENTS = {
    "deb": [*_PROGRAMS, "GCC runtime libraries"],
    "tar": [*_PROGRAMS, "GCC runtime libraries"],
    "zip": [*_PROGRAMS, "GCC runtime libraries for Windows", "MinGW-w64 runtime"],
    # The JavaScript calls WebGL itself.
    "npm": [*_READERS, "libc++", "wasi-libc"],
    "blender": [],
    # With the library for Windows, and without.
    "godot": [*_READERS, "GCC runtime libraries", "GCC runtime libraries for Windows", "MinGW-w64 runtime"],
    "godot-linux": [*_READERS, "GCC runtime libraries"],
    "c_library": [*_READERS, "glad", "GCC runtime libraries", "GCC runtime libraries for Windows", "MinGW-w64 runtime"],
    "c_library-linux": [*_READERS, "glad", "GCC runtime libraries"],
    "source": []}


def variant(kind, names):
    """Returns the kind of a package for all systems, of which it has these files: `kind`, or that without Windows."""
    return kind if any(name.endswith(".dll") for name in names) else f"{kind}-linux"


class Component(NamedTuple):
    name: str
    version: str  # Of Debian's source package.
    license: str
    source: str  # Its name.
    copyright: pathlib.Path  # The notices and license texts.


def _query(package, field):
    found = subprocess.run(["dpkg-query", "-W", "-f", "${" + field + "}", package], check=True, capture_output=True)
    return found.stdout.decode()


def web_compilers():
    """Returns what makes the modules and scripts, each with its version. Without the last two, they are larger."""
    return {name: _query(name, "Version") for name in ["clang-19", "lld-19", "binaryen", "esbuild"]
            if subprocess.run(["dpkg-query", "-W", name], capture_output=True).returncode == 0}


def components(kind, sources):
    """Returns what a package of this kind contains. `sources` are those that libraries.sh compiles."""
    result = []
    for name in CONTENTS[kind]:
        if name in COMPILED and (kind, name) != ("npm", "fmt"):
            license, source = COMPILED[name]
            changelog = (sources / source / "debian" / "changelog").read_text(errors="replace")
            version = changelog.split("(", 1)[1].split(")", 1)[0]
            text = sources / source / "debian" / "copyright"
        else:
            license, package = INSTALLED[name]
            source, version = _query(package, "source:Package"), _query(package, "source:Version")
            text = pathlib.Path("/usr/share/doc") / package / "copyright"
        result.append(Component(name, version, license, source, text))
    return result
