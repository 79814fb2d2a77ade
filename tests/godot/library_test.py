#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that libraries of the Godot extension export only the function that the engine calls, and need only libraries
that every system has: library_test.py LIBRARY..."""
import re
import subprocess
import sys

ENTRY = "pchr_godot"
ALLOWED = {".so": {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"},
           ".dll": {"kernel32.dll", "msvcrt.dll", "shell32.dll", "user32.dll"}}


def printed(*command):
    """Returns what a command prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def check(path):
    """Checks one library."""
    if path.endswith(".dll"):
        text = printed("objdump", "-p", path)
        names = re.findall(r"^\s*\[ *\d+\] (?:\+base\[ *\d+\] +[0-9a-f]+ )?(\w+)$", text, re.MULTILINE)
        needs = {name.lower() for name in re.findall(r"DLL Name: (\S+)", text)}
    else:
        names = [line.split()[0] for line in printed("nm", "-DP", "--defined-only", path).splitlines()]
        needs = set(re.findall(r"\(NEEDED\).*\[(.*)\]", printed("readelf", "-d", path)))
    if names != [ENTRY]:
        sys.exit(f"{path} exports {len(names)} functions, such as {names[:5]}, but only {ENTRY} was expected")
    more = needs - ALLOWED[path[path.rindex("."):]]
    if more:
        sys.exit(f"{path} needs {', '.join(sorted(more))}, which systems can lack")


if __name__ == "__main__":
    for library in sys.argv[1:]:
        check(library)
