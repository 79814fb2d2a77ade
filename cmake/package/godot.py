#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""godot.py SOURCE ADDON FILE: writes the Godot extension in the folder ADDON, with the libraries built there, as the
archive FILE, which is unpacked in a project. Its times are SOURCE_DATE_EPOCH, or 1980."""
import os
import pathlib
import sys
import time
import zipfile

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
    for component in contents.components(contents.kind_of_godot(files), source / "build/sources"):
        files[f"licenses/{component.name.lower().replace(' ', '-')}.txt"] = component.copyright.read_bytes()
    # Archives cannot hold an earlier time.
    date = max(time.gmtime(int(os.environ.get("SOURCE_DATE_EPOCH", "0")))[:6], (1980, 1, 1, 0, 0, 0))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(f"addons/pchr/{name}", date)
            entry.create_system = 3
            entry.external_attr = 0o100644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, files[name])


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
