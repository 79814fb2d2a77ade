#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests of the Blender add-on, each file in in_blender/ in a process of its own:
run.py BLENDER PCHR_TOOL OUT [--tests REGEX] [--all]. Files that tests write are in OUT/NAME. Exits 77 if Blender is
missing."""
import argparse
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
SKIPPED = 77


def environment(home):
    """Returns an environment in which Blender keeps all its files in the folder `home`, which is created."""
    home.mkdir(parents=True, exist_ok=True)
    own = {name: value for name, value in os.environ.items() if not name.startswith(("BLENDER_", "XDG_"))}
    return {**own, "HOME": str(home), "TMPDIR": str(home)}


def run(command, home):
    """Runs a command, and returns its exit status and everything it printed."""
    done = subprocess.run([str(part) for part in command], env=environment(home), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace")


def run_test(blender, tool, out, file):
    """Runs one test file in Blender, and returns a line that says how it went, and its output if it failed."""
    folder = out / file.stem.removesuffix("_test")
    shutil.rmtree(folder, ignore_errors=True)
    start = time.monotonic()
    status, output = run([blender, "--background", "--factory-startup", "--python-exit-code", "1", "--python", file,
                          "--", tool, folder], folder / "home")
    seconds = time.monotonic() - start
    count = re.search(r"^Ran (\d+) tests? in", output, re.MULTILINE)
    if status == 0 and count and int(count[1]) > 0:
        return f"passed in {seconds:5.1f} s: {file.name}, {count[1]} tests", ""
    if status == 0:
        output += f"{file.name}: no test ran\n"
    return f"FAILED in {seconds:5.1f} s: {file.name}, exit status {status}", output


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("blender")
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--tests", default="", help="only files whose names match")
    parser.add_argument("--all", action="store_true", help="import all characters instead of a few")
    arguments = parser.parse_args()
    if arguments.all:
        os.environ["PCHR_ALL_CHARACTERS"] = "1"
    blender = shutil.which(arguments.blender)
    if not blender:
        print(f"skipped: there is no {arguments.blender}. On Debian or Ubuntu: apt install blender python3-numpy")
        sys.exit(SKIPPED)
    files = [file for file in sorted((HERE / "in_blender").glob("*_test.py")) if re.search(arguments.tests, file.name)]
    if not files:
        sys.exit(f"no file in {HERE / 'in_blender'} matches {arguments.tests!r}")
    out = arguments.out.resolve()
    failures = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as executor:
        tests = [executor.submit(run_test, blender, arguments.tool.resolve(), out, file) for file in files]
        for test in concurrent.futures.as_completed(tests):
            line, output = test.result()
            print(line, *output.splitlines(), sep="\n  ", flush=True)
            failures += bool(output)
    print(f"{len(files)} files, {failures} failed")
    sys.exit(min(failures, 1))


if __name__ == "__main__":
    main()
