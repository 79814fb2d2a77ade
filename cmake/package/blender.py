#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""blender.py SOURCE FILE: writes the Blender add-on as the archive FILE. Blender 3.4 to 4.1 want a folder in it, and
extensions of 4.2 and later can have one."""
import pathlib
import sys

import archive


def write(source, path):
    """Writes all files of the add-on, and the license, in a folder named like the module."""
    addon = source / "addons/blender/pachario"
    files = {file.relative_to(addon).as_posix(): file for file in addon.rglob("*")
             if file.is_file() and "__pycache__" not in file.parts}
    files["LICENSE"] = source / "LICENSE"
    archive.write_zip(path, {f"{addon.name}/{name}": files[name].read_bytes() for name in sorted(files)})


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
