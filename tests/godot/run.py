#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the tests of the Godot extension, each file in in_godot/ in a process of its own:
run.py GODOT ADDON PCHR_TOOL OUT [--tests REGEX]. ADDON is the archive for users, or the folder pchr with the library in
bin/. Files that tests write are in OUT/NAME. Those whose names end with _editor_test.gd run as plugins of the editor;
those whose names have _window run with a window, once with each of Godot's renderers (the editor: with the first). Exits
77 if Godot is missing."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import zipfile

from PIL import Image, ImageChops

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SKIPPED = 77
TIMEOUT = 600
RENDERERS = ("gl_compatibility", "mobile", "forward_plus")


def environment(home, **more):
    """Returns an environment in which Godot keeps all its files in the folder `home`, which is created."""
    home.mkdir(parents=True, exist_ok=True)
    own = {name: value for name, value in os.environ.items() if not name.startswith("XDG_")}
    return {**own, "HOME": str(home), "TMPDIR": str(home), "LP_NUM_THREADS": "0", **more}


def run(command, **more):
    """Runs a command, and returns its exit status and everything it printed."""
    try:
        done = subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=TIMEOUT, **more)
    except subprocess.TimeoutExpired as error:
        return 124, (error.stdout or b"").decode(errors="replace") + f"\nstopped after {TIMEOUT} seconds"
    return done.returncode, done.stdout.decode(errors="replace")


def make_project(addon, folder):
    """Makes a project of the demo, the add-on, characters and tests."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "addons/godot/demo", folder)
    if addon.suffix == ".zip":
        zipfile.ZipFile(addon).extractall(folder)
    else:
        shutil.copytree(addon, folder / "addons/pchr")
    shutil.copytree(ROOT / "addons/godot/doc_classes", folder / "doc_classes")
    for name in ("docs/godot.md", "tests/c/look.rig.json"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(HERE / "in_godot", folder / "tests")
    for name in ("kiri.pchr", "kiri.rig.json", "corners.pchr", "quad.pchr", "kaeru.aseprite", "hotaru.px", "hata.gltf", "akari",
                 "konpei", "tako"):
        source = ROOT / "assets" / name
        shutil.copytree(source, folder / name) if source.is_dir() else shutil.copy(source, folder)
    # Godot 4.6 crashes when an import without a window ends that has found a new extension.
    (folder / ".godot").mkdir()
    (folder / ".godot/extension_list.cfg").write_text("res://addons/pchr/pchr.gdextension\n")


def make_plugin(project, folder, file):
    """Copies a project, with a test as a plugin of the editor, and returns the copy."""
    shutil.copytree(project, folder)
    (folder / "tests/plugin.cfg").write_text(
        f'[plugin]\n\nname="test"\ndescription=""\nauthor=""\nversion="1"\nscript="{file.name}"\n')
    settings = folder / "project.godot"
    settings.write_text(settings.read_text().replace('plugin.cfg")', 'plugin.cfg", "res://tests/plugin.cfg")'))
    return folder


def problems(output, expected=()):
    """Returns the lines of a log that report errors, warnings or leaks, except those that match `expected`."""
    found = [line for line in output.splitlines()
             if re.search(r"\bERROR\b|\bWARNING\b|[Ll]eaked|^FAILED|Parse Error|handle_crash", line)]
    return [line for line in found if not any(re.search(pattern, line) for pattern in expected)]


def check_image(tool, file):
    """Compares what a test drew in NAME.png with what the tool renders, with the arguments in NAME.txt, one a line.
    Returns what is wrong, if anything."""
    expected = file.with_name(f"{file.stem}_expected.png")
    character, *rest = file.with_suffix(".txt").read_text().split("\n")
    subprocess.run([tool, "render", "--quiet", "--no-rig", ROOT / "assets" / character, *rest, "-o", expected], check=True)
    images = [Image.open(path).convert("RGB") for path in (file, expected)]
    if images[0].size != images[1].size:
        return f"{file} has {images[0].size} pixels, not {images[1].size}"
    difference = ImageChops.difference(*images)
    # The tool smooths edges of triangles, which Godot's Compatibility renderer does not.
    wrong = sum(max(pixel) > 3 for pixel in zip(*(band.tobytes() for band in difference.split())))
    if wrong > images[0].width * images[0].height / 250:
        difference.point(lambda value: min(255, value * 16)).save(file.with_name(f"{file.stem}_difference.png"))
        return f"{wrong} pixels differ by more than 3 from {expected}"
    return ""


def renderers_of(name):
    """The renderers to run a test file with: none for a headless test."""
    if "_window" not in name:
        return [""]
    return RENDERERS[:1] if name.endswith("_editor_test") else RENDERERS


def run_test(arguments, project, file, renderer):
    """Runs one test file, and returns whether it passed."""
    name = file.stem.removesuffix("_test")
    folder = arguments.out / (f"{name}_{renderer}" if renderer else name)
    shutil.rmtree(folder, ignore_errors=True)
    # Godot 4.6 forgets the reference pages of extensions in the session that makes its cache of pages.
    shutil.copytree(arguments.out / "home", folder / "home")
    start = time.monotonic()
    command = [arguments.godot, "--path", project, "--script", f"res://tests/{file.name}"]
    if file.stem.endswith("_editor_test"):
        command = [arguments.godot, "--editor", "--path", make_plugin(project, folder / "project", file)]
    command[1:1] = ["--rendering-method", renderer, "--audio-driver", "Dummy"] if renderer else ["--headless"]
    if renderer:
        command[:0] = ["xvfb-run", "-a", "-s", "-screen 0 1280x1024x24"]
    status, output = run(command, env=environment(folder / "home", PCHR_TEST_FOLDER=str(folder)))
    expected = re.findall(r"^# expects: (.*)$", file.read_text(), re.MULTILINE)
    # With a window, the editor also looks for Vulkan.
    wrong = problems(output, [*expected, "V-Sync mode", "VK_KHR_surface", '"err != OK" is true. Returning: err$'])
    wrong += [f"the log does not have {pattern!r}" for pattern in expected if not re.search(pattern, output)]
    count = re.search(r"^Ran (\d+) tests?", output, re.MULTILINE)
    if status != 0 or not count or int(count[1]) == 0:
        wrong.append(f"exit status {status}, {count[0] if count else 'no test ran'}")
    if not wrong:
        images = [path.with_suffix(".png") for path in sorted(folder.glob("*.txt"))]
        wrong += filter(None, [check_image(arguments.tool, image) for image in images])
    seconds = time.monotonic() - start
    print(f"{'FAILED' if wrong else 'passed'} in {seconds:5.1f} s: {file.name} {renderer}", flush=True)
    if wrong:
        print(output, *wrong, sep="\n  ", flush=True)
    return not wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("godot")
    parser.add_argument("addon", type=pathlib.Path)
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--tests", default="", help="only files whose names match")
    arguments = parser.parse_args()
    if not shutil.which(arguments.godot):
        print(f"skipped: there is no {arguments.godot}")
        sys.exit(SKIPPED)
    files = [file for file in sorted((HERE / "in_godot").glob("*_test.gd")) if re.search(arguments.tests, file.name)]
    if not files:
        sys.exit(f"no file in {HERE / 'in_godot'} matches {arguments.tests!r}")
    arguments.out = arguments.out.resolve()
    arguments.tool = arguments.tool.resolve()
    project = arguments.out / "project"
    make_project(arguments.addon, project)
    status, output = run([arguments.godot, "--headless", "--path", project, "--import"],
                         env=environment(arguments.out / "home"))
    wrong = problems(output, [r"\bW\d\d\d: "])
    if status != 0 or wrong:
        sys.exit(f"{output}\nThe import failed with exit status {status}:\n  " + "\n  ".join(wrong))
    status, output = run([arguments.godot, "--headless", "--path", project, "--quit-after", "30"],
                         env=environment(arguments.out / "home"))
    if status != 0 or problems(output):
        sys.exit(f"{output}\nThe demo failed with exit status {status}")
    runs = [(file, renderer) for file in files for renderer in renderers_of(file.stem)]
    failures = sum(not run_test(arguments, project, file, renderer) for file, renderer in runs)
    print(f"{len(runs)} runs, {failures} failed")
    sys.exit(min(failures, 1))


if __name__ == "__main__":
    main()
