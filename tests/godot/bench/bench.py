#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the CPU time of many characters in Godot, and of what Godot has for the same purpose:
bench.py GODOT ADDON PCHR_TOOL OUT. Prints the microseconds per character and frame."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import run  # noqa: E402


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    godot, addon, tool, out = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
    project = out.resolve() / "project"
    run.make_project(addon, project)
    kiri = run.ROOT / "assets/kiri.pchr"
    for command in (["sheet", kiri, "--clip", "walk", "--format", "godot", "-o", project / "sheet.png"],
                    ["convert", kiri, "-o", project / "kiri.json", "--force"]):
        subprocess.run([tool.resolve(), *command], check=True, stdout=subprocess.DEVNULL)
    (project / "bench.gd").write_text((run.HERE / "bench/bench.gd").read_text())
    environment = run.environment(out.resolve() / "home")
    for command in (["--import"], ["--fixed-fps", "60", "--script", "res://bench.gd"]):
        status, output = run.run([godot, "--headless", "--path", project, *command], env=environment)
        if status != 0 or run.problems(output, [r"warning W\d"]):
            sys.exit(f"{output}\n{command[0]} failed with exit status {status}")
    rows = [line.split("\t") for line in output.splitlines() if line.count("\t") == 2]
    for kind, count, milliseconds in rows:
        each = float(milliseconds) * 1000 / int(count)
        print(f"{kind:36}{int(count):8,} characters {float(milliseconds):9.3f} ms per frame {each:9.3f} us each")
    return 0 if rows else "nothing was measured"


if __name__ == "__main__":
    sys.exit(main())
