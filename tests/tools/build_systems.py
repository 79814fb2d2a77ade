#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Builds characters with Make and Ninja, which read the tool's depfiles: a second build does nothing, and any change of
what a character was read from rebuilds its outputs.

Usage: build_systems.py PCHR ASSETS WORK_FOLDER
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

# What a depfile must escape. The rules of the build files name the characters themselves.
IMAGE = "an image #1 for $5.png"

MAKEFILE = """\
outputs := out/hero.pchr out/villain.pchr
all: $(outputs)
out/%.pchr: cast/%.json
\t./convert $< -o $@ --force --depfile $@.d
-include $(outputs:=.d)
"""

# One run for all, whose depfile has a rule for each.
MAKEFILE_OF_BATCH = """\
all: out/hero.pchr
out/hero.pchr:
\t./convert cast/hero.json cast/villain.json -o 'out/{file}.pchr' --force --depfile out/all.d
-include out/all.d
"""

NINJA = """\
rule convert
  command = ./convert $in -o $out --force --depfile $out.d
  depfile = $out.d
  deps = gcc
build out/hero.pchr: convert cast/hero.json
build out/villain.pchr: convert cast/villain.json
"""

# Runs that find nothing changed leave their outputs as they are.
NINJA_IF_CHANGED = NINJA.replace("--force", "--force --if-changed").replace("deps = gcc", "deps = gcc\n  restat = 1")


def fail(text):
    sys.exit(f"build_systems.py: {text}")


class Project:
    def __init__(self, folder, tool, assets, program, build_file):
        self.folder, self.program, self.past = folder, program, time.time() - 1000
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "out").mkdir(parents=True)
        (folder / "convert").write_text(f'#!/bin/sh\necho "$1" >> runs\nexec "{tool}" convert "$@"\n')
        (folder / "convert").chmod(0o755)
        (folder / {"make": "Makefile", "ninja": "build.ninja"}[program]).write_text(build_file)
        for name in ("hero", "villain"):
            subprocess.run([tool, "unpack", assets / "quad.pchr", "-o", folder / "unpacked" / name], check=True)
            character = json.loads((folder / "unpacked" / name / "quad.json").read_text())
            images = pathlib.Path(name) / IMAGE
            (folder / "cast" / name).mkdir(parents=True)
            shutil.copy(folder / "unpacked" / name / character["images"][0]["path"], folder / "cast" / images)
            character["images"][0]["path"] = os.fspath(images)
            (folder / "cast" / f"{name}.json").write_text(json.dumps(character))

    def run(self):
        """Builds, and returns the characters that were converted."""
        (self.folder / "runs").write_text("")
        done = subprocess.run(self.program, cwd=self.folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        runs = sorted(pathlib.Path(run).stem for run in (self.folder / "runs").read_text().split())
        if done.returncode != 0:
            runs.append(f"failed: {done.stdout}")
        # Whatever changes from now on is newer, whatever the resolution of the clock.
        for path in [self.folder, *self.folder.rglob("*")]:
            os.utime(path, (self.past + (100 if "out" in path.parts else 0),) * 2)
        return runs

    def expect(self, when, *names):
        runs = self.run()
        if runs != list(names):
            fail(f"{self.program}, {when}: built {runs}, not {list(names)}")


def main():
    tool, assets, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    cases = (("make", MAKEFILE), ("make", MAKEFILE_OF_BATCH), ("ninja", NINJA), ("ninja", NINJA_IF_CHANGED))
    for number, (program, build_file) in enumerate(cases):
        project = Project(work / str(number), tool, assets, program, build_file)
        # The batch is one rule, which its first character starts.
        hero, both = ["hero"], ["hero"] if build_file == MAKEFILE_OF_BATCH else ["hero", "villain"]
        project.expect("at first", *both)
        project.expect("again")
        os.utime(project.folder / "cast/hero" / IMAGE)
        project.expect("after a change of an image", *hero)
        project.expect("after that")
        (project.folder / "cast/hero.rig.json").write_text('{"markers": []}')
        # Both looked for one in this folder.
        project.expect("after adding a rig", *both)
        project.expect("after adding a rig, again")
        os.utime(project.folder / "cast/hero.rig.json")
        project.expect("after a change of the rig", *hero)
        (project.folder / "cast/hero.rig.json").unlink()
        project.expect("after removing the rig", *both)
        project.expect("after removing the rig, again")
        (project.folder / "cast/notes.txt").write_text("")
        project.expect("after adding a file of no character", *both)
        project.expect("after adding a file of no character, again")
    print(f"{len(cases)} passed, 0 failed")


main()
