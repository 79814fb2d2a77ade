"""Fails if vcpkg.json has another version than the project, or lacks a dependency.

    manifest.py REPOSITORY VERSION
"""
import json
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
manifest = json.loads((root / "vcpkg.json").read_text())
assert manifest["version"] == sys.argv[2], f"vcpkg.json has version {manifest['version']}, the project {sys.argv[2]}"


def names(dependencies):
    return {entry if isinstance(entry, str) else entry["name"] for entry in dependencies}


listed = names(manifest["dependencies"])
for feature in manifest["features"].values():
    listed |= names(feature["dependencies"])
PORTS = {"GIF": "giflib", "JPEG": "libjpeg-turbo", "CLI11": "cli11", "Catch2": "catch2"}
build = (root / "cmake" / "PchrDependencies.cmake").read_text()
found = set(re.findall(r"pchr_find\([\w:]+ (\w+)", build)) | set(re.findall(r"find_package\((\w+)", build))
needed = {PORTS.get(package, package) for package in found} - {"Threads", "PkgConfig", "PACKAGE"} | {"stb", "libwebp", "libdeflate"}
assert needed <= listed, f"vcpkg.json lacks {needed - listed}"
print(f"vcpkg.json has version {sys.argv[2]} and {len(listed)} dependencies")
