#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""godot.py SOURCE ADDON FILE: writes the Godot extension in the folder ADDON, with the libraries built there, as the
archive FILE, which is unpacked in a project."""
import pathlib
import sys

import archive
import contents


def write(source, addon, path):
    """Writes the files of the repository and the libraries, and nothing else that is in the folder of the build."""
    ours = source / "addons/godot/pchr"
    files = {file.relative_to(ours).as_posix(): file.read_bytes() for file in ours.rglob("*")
             if file.is_file() and file.suffix not in (".import", ".uid")}
    libraries = [file for file in addon.glob("bin/*") if file.suffix in (".so", ".dll")]
    if not libraries:
        sys.exit(f"godot.py: {addon}/bin has no library; ./dev godot builds one")
    files |= {f"bin/{file.name}": file.read_bytes() for file in libraries}
    files["LICENSE"] = (source / "LICENSE").read_bytes()
    files["README.md"] = (source / "cmake/package/README.godot").read_bytes()
    for component in contents.components(contents.variant("godot", files), source / "build/sources"):
        files[f"licenses/{component.name.lower().replace(' ', '-')}.txt"] = component.copyright.read_bytes()
    archive.write_zip(path, {f"addons/pchr/{name}": files[name] for name in sorted(files)})


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
