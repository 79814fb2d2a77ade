#!/usr/bin/env python3
"""Writes build.ninja, which builds the outputs of the characters in a folder:

    configure.py CAST
"""
import os
import pathlib
import re
import shlex
import shutil
import sys

# As many processes as cores draw side by side, so Mesa needs no threads. An output that pchr finds unchanged keeps its
# time; "restat" lets Ninja accept that.
COMMANDS = {
    "thumbnail": "LP_NUM_THREADS=0 $pchr render --size 128x128 --if-changed --depfile $out.d -o $out -- $in",
    "sheet": "LP_NUM_THREADS=0 $pchr sheet --scale 0.25 --if-changed --depfile $out.d -o $out -- $in",
    "pack": "$pchr pack --force --if-changed --depfile $out.d -o $out -- $in",
}
CHARACTERS = {".pchr", ".json", ".chp", ".px", ".aseprite", ".ase", ".skel", ".psk", ".pskx", ".glb", ".gltf"}
SIDECAR = re.compile(r"(\.(rig|markers)|_tex(_\d+)?)\.json$|\.atlas$")


def escape(path):
    return re.sub(r"([$ :])", r"$\1", str(path))


def quote(*words):
    return shlex.join(words).replace("$", "$$")


def main(cast):
    # Where another program is called pchr, the tool is pchr-tool in the same folder.
    found = (shutil.which(name, path=folder) for folder in os.get_exec_path() for name in ("pchr-tool", "pchr"))
    pchr = next(filter(None, found), None) or sys.exit("configure.py: pchr is not in the PATH")
    lines = [f"pchr = {quote(pchr)}"]
    for rule, command in COMMANDS.items():
        lines += [f"rule {rule}", f"  command = {command}", f"  description = {rule} $out", "  depfile = $out.d",
                  "  deps = gcc", "  restat = 1"]
    lines += ["rule configure", f"  command = {quote(sys.executable, *sys.argv)}", "  generator = 1"]
    # A folder changes when files appear in it or go.
    lines.append(f"build build.ninja: configure | {escape(sys.argv[0])} {escape(cast)}")
    by_name = {}
    for character in sorted(pathlib.Path(cast).iterdir()):
        if character.suffix not in CHARACTERS or SIDECAR.search(character.name):
            continue
        if re.search(r"[{}\n]", character.name):
            sys.exit(f"configure.py: rename {str(character)!r}: pchr would replace the part in braces")
        other = by_name.setdefault(character.stem, character)
        if other != character:
            sys.exit(f"configure.py: rename {str(character)!r}: {str(other)!r} has outputs of the same names")
        for rule in COMMANDS:
            output = pathlib.Path("out", rule, character.stem + (".pchr" if rule == "pack" else ".png"))
            more = f" | {escape(output.with_suffix('.json'))}" if rule == "sheet" else ""
            # Another version of pchr may draw differently, and a rig may appear in the folder.
            lines.append(f"build {escape(output)}{more}: {rule} {escape(character)} | {escape(pchr)} {escape(cast)}")
    pathlib.Path("build.ninja").write_text("\n".join(lines) + "\n")


main(sys.argv[1])
