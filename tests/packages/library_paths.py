#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""library_paths.py PATH...: checks that the programs and libraries in these folders look for shared libraries only where
the system says or beside themselves: each entry of a RUNPATH or RPATH begins with $ORIGIN. An empty one would be the
current folder, in which anybody may have put a library."""
import pathlib
import re
import subprocess
import sys


def is_elf(path):
    if path.is_symlink() or not path.is_file():
        return False
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def paths_elsewhere(file):
    """The entries of its paths that do not begin with $ORIGIN. Object files have none."""
    dynamic = subprocess.run(["readelf", "-dW", file], check=True, capture_output=True, text=True).stdout
    entries = [entry for path in re.findall(r"\(R(?:UN)?PATH\).*\[(.*)\]", dynamic) for entry in path.split(":")]
    return [entry for entry in entries if not re.fullmatch(r"\$ORIGIN(/.*)?", entry)]


def check(folder):
    """Checks each program and library in a folder, and returns how many there are."""
    files = [file for file in sorted(pathlib.Path(folder).rglob("*"))
             if file.suffix != ".o" and "CMakeFiles" not in file.parts and is_elf(file)]
    wrong = [f"{file}: {entries}" for file in files if (entries := paths_elsewhere(file))]
    assert not wrong, "these look for shared libraries elsewhere:\n" + "\n".join(wrong)
    return len(files)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        count = check(name)
        assert count, f"{name} has no program"
        print(f"{name}: {count} programs and libraries")
