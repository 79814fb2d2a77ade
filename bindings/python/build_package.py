# SPDX-License-Identifier: MIT
"""Builds the Python package with CMake: the build backend of `pip install .`, which needs nothing but pip.

Arguments in the environment variable CMAKE_ARGS are passed to CMake. The C library is built with the package, unless
pchr_ROOT is the folder of an installed one. The setting "platform" names what the library runs on (default: this system).
"""
import base64
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path += [str(HERE.parent), str(ROOT / "cmake/package")]
import archive
import declarations


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Builds a wheel and returns its file name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    version = re.search(r"project\(pchr VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    platform = (config_settings or {}).get("platform", sysconfig.get_platform())
    tag = f"py3-none-{re.sub('[-.]', '_', platform)}"
    info = f"pchr-{version}.dist-info"
    metadata = [f"Metadata-Version: 2.1\nName: pchr\nVersion: {version}\nSummary: {project['description']}\n"
                f"License: MIT\nRequires-Python: {project['requires-python']}\n"]
    metadata += [f"Requires-Dist: {name}\n" for name in project["dependencies"]]
    contents = {f"{info}/METADATA": "".join(metadata).encode(),
                f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: pchr\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
                f"{info}/LICENSE": (ROOT / "LICENSE").read_bytes(),
                f"{info}/licenses.md": (ROOT / "cmake" / "package" / "licenses.md").read_bytes()}
    for path in sorted((HERE / "pchr").iterdir()):
        if path.is_file():
            contents[f"pchr/{path.name}"] = path.read_bytes()
    contents["pchr/_c.py"] = declarations.ctypes(declarations.parse(ROOT / "runtime/include/pchr.h")).encode()
    library = {"win32": "pchr_c.dll", "darwin": "libpchr_c.dylib"}.get(sys.platform, "libpchr_c.so")
    contents[f"pchr/{library}"] = library_of(os.environ.get("pchr_ROOT"), library)

    record = f"{info}/RECORD"
    lines = [f"{name},sha256={hash_of(data)},{len(data)}\n" for name, data in contents.items()]
    contents[record] = "".join([*lines, f"{record},,\n"]).encode()
    wheel = f"pchr-{version}-{tag}.whl"
    archive.write_zip(os.path.join(wheel_directory, wheel), contents)
    return wheel


def library_of(prefix, name):
    """Returns the contents of the C library that is installed in `prefix`. Builds it if there is no prefix."""
    if prefix:
        return next(path for path in pathlib.Path(prefix).rglob(name) if path.is_file()).read_bytes()
    with tempfile.TemporaryDirectory(prefix="pchr-python-") as folder:
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        options = [f"-DPCHR_{part}=OFF" for part in ("TOOLS", "PLAYER", "TESTS", "EXPORT")]
        options += ["-DCMAKE_BUILD_TYPE=Release", "-DPCHR_C_SHARED=ON"]
        cmake("-S", ROOT, "-B", f"{folder}/build", *generator, *options,
              f"-DPython3_EXECUTABLE={sys.executable}", *shlex.split(os.environ.get("CMAKE_ARGS", "")))
        cmake("--build", f"{folder}/build", "--parallel", "--target", "pchr_c_shared")
        cmake("--install", f"{folder}/build", "--component", "c_shared", "--prefix", f"{folder}/prefix", "--strip")
        return library_of(f"{folder}/prefix", name)


def cmake(*arguments):
    # With it, pip hides the installed packages from the programs that the build runs.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    subprocess.run(["cmake", *map(str, arguments)], check=True, env=environment)


def hash_of(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
