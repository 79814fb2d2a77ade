#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""blender.py SOURCE FILE: writes the Blender add-on as the archive FILE. Its times are SOURCE_DATE_EPOCH, or 1980. Blender
3.4 to 4.1 want a folder in it, and extensions of 4.2 and later can have one."""
import os
import pathlib
import sys
import time
import zipfile


def write(source, path):
    """Writes all files of the add-on, and the license, in a folder named like the module."""
    addon = source / "addons/blender/pachario"
    files = {file.relative_to(addon).as_posix(): file for file in addon.rglob("*")
             if file.is_file() and "__pycache__" not in file.parts}
    files["LICENSE"] = source / "LICENSE"
    # Archives cannot hold an earlier time.
    date = max(time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", "0")))[:6], (1980, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"{addon.name}/{name}", date)
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name].read_bytes())


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
