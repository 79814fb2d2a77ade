#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Exports the demo of the Godot extension for Linux, and checks that the game draws what the project does:
export_test.py GODOT TEMPLATE ADDON OUT. TEMPLATE is a program such as godot-template-release. Exits 77 without it."""
import pathlib
import re
import shutil
import sys

from PIL import Image, ImageChops

import run

FRAMES = 12
PRESET = """[preset.0]

name="Linux"
platform="Linux"
runnable=true
export_filter="all_resources"
include_filter=""
exclude_filter="tests/*"
export_path=""

[preset.0.options]

custom_template/release="{template}"
binary_format/architecture="x86_64"
"""


def check(command, **more):
    """Runs a command that must end well and report nothing."""
    status, output = run.run(command, **more)
    wrong = run.problems(output, ["V-Sync mode", r"warning W\d"])
    if status != 0 or wrong:
        sys.exit(f"{output}\n{command} failed with exit status {status}:\n  " + "\n  ".join(wrong))


def last_frame(command, folder, home, **more):
    """Runs a game in a window for some frames, and returns the last image."""
    folder.mkdir(parents=True)
    check(["xvfb-run", "-a", "-s", "-screen 0 1280x1024x24", *command, "--rendering-method", "gl_compatibility",
           "--audio-driver", "Dummy", "--fixed-fps", "30", "--quit-after", FRAMES,
           "--write-movie", folder / "frame.png"], env=run.environment(home), **more)
    return Image.open(max(folder.glob("frame*.png"))).convert("RGB")


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    godot, template = (shutil.which(program) for program in sys.argv[1:3])
    if not godot or not template:
        print(f"skipped: there is no {sys.argv[1]} or no {sys.argv[2]}")
        sys.exit(run.SKIPPED)
    out = pathlib.Path(sys.argv[4]).resolve()
    shutil.rmtree(out, ignore_errors=True)
    project, game, home = out / "project", out / "game", out / "home"
    run.make_project(pathlib.Path(sys.argv[3]), project)
    (project / "export_presets.cfg").write_text(PRESET.format(template=template))
    game.mkdir()
    engine = [godot, "--headless", "--path", project]
    check([*engine, "--import"], env=run.environment(home))
    check([*engine, "--export-release", "Linux", game / "demo"], env=run.environment(home))
    files = sorted(str(path.relative_to(game)) for path in game.rglob("*") if path.is_file())
    if not any(re.fullmatch(r"libpchr_godot\.linux\.x86_64\.so", name) for name in files):
        sys.exit(f"the exported game has no library, only {files}")

    expected = last_frame([godot, "--path", project], out / "expected", home)
    # Away from the project, so that only what was exported can be found.
    found = last_frame([game / "demo"], out / "found", out / "game_home", cwd=game)
    if min(high - low for low, high in expected.getextrema()) < 64:
        sys.exit(f"the project drew nothing: {out / 'expected'}")
    if found.size != expected.size or ImageChops.difference(found, expected).getbbox():
        sys.exit(f"the exported game does not draw what the project does: {out / 'found'} and {out / 'expected'}")
    print(f"the exported game draws what the project does; it has {', '.join(files)}")


if __name__ == "__main__":
    main()
