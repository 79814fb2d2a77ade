# SPDX-License-Identifier: MIT
"""Runs the LÖVE example on an X server without a screen, from the parent folder of the game and as a packed game with a
rig, and compares its screenshots with the Python package's images.

    PYTHONPATH=PACKAGE_FOLDER love_test.py BINDING EXAMPLE LIBRARY CHARACTER OUT_FOLDER

CHARACTER has a .rig.json next to it. Exits with 77 without LÖVE or Xvfb.
"""
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

missing = [program for program in ["love", "Xvfb"] if shutil.which(program) is None]
if missing:
    print(f"skipped: {' and '.join(missing)} not found. On Debian or Ubuntu: apt install love xvfb")
    sys.exit(77)

import numpy as np
import pchr
from PIL import Image

TIMEOUT_SECONDS = 600
WIDTH, HEIGHT = 640, 400
TEXT_HEIGHT = 20

binding, example, library, character, out = (pathlib.Path(path).resolve() for path in sys.argv[1:])
rig = character.with_suffix(".rig.json")
shutil.rmtree(out, ignore_errors=True)
game, packed = out / "loose" / "game", out / "packed"
shutil.copytree(example, game)
for path in binding.iterdir():
    shutil.copy(path, game)
shutil.copy(character, game / "hero.pchr")
packed.mkdir()
with zipfile.ZipFile(packed / "game.love", "w", zipfile.ZIP_DEFLATED) as archive:
    for path in game.iterdir():
        archive.write(path, path.name)
    archive.write(rig, "hero.rig.json")
for folder in [game, packed]:
    shutil.copy(library, folder / "libpchr_c.so")


def run(name, folder):
    """Returns the screenshot of a game, started in `folder`."""
    screenshot = out / f"{folder.name}.png"
    reader, writer = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
                              pass_fds=[writer], stderr=subprocess.DEVNULL)
    os.close(writer)
    try:
        display = os.fdopen(reader).readline().strip()
        assert display, "Xvfb did not start"
        environment = {**os.environ, "DISPLAY": f":{display}", "LIBGL_ALWAYS_SOFTWARE": "1", "SDL_VIDEODRIVER": "x11",
                       "HOME": str(out), "XDG_DATA_HOME": str(out)}
        subprocess.run(["love", name, screenshot], cwd=folder, env=environment, check=True, timeout=TIMEOUT_SECONDS)
    finally:
        server.terminate()
        server.wait()
    return np.asarray(Image.open(screenshot).convert("RGBA"), np.int32)


def draw(rig):
    """Returns the image that the game should draw."""
    hero = pchr.load(character)
    animator = pchr.Animator(hero)
    animator.smooth = True
    if rig:
        animator.load_rig(rig)
    animator.play("walk")
    pose = pchr.Pose(hero)
    elapsed = 0.0
    while elapsed <= 1:
        animator.advance(1 / 60)
        animator.pose(pose)
        elapsed += 1 / 60
    _, bottom, _, top = hero.bounds("walk")
    scale = 300 / (top - bottom)
    ground = HEIGHT - (350 + bottom * scale)
    canvas = pchr.Canvas(WIDTH, HEIGHT, samples=1)
    canvas.look((WIDTH / 2, HEIGHT / 2))
    canvas.clear((0.96, 0.94, 0.92, 1))
    canvas.draw(pose, placement=pchr.placement((200, ground), scale=scale))
    canvas.draw(pose, placement=pchr.placement((440, ground), scale=scale, flip_x=True), tint=(0.6, 0.8, 1, 1))
    return canvas.finish()


for actual, expected in [(run("game", game.parent), draw(None)), (run("game.love", packed), draw(rig))]:
    assert actual.shape == expected.shape, actual.shape
    difference = np.abs(actual - expected)[TEXT_HEIGHT:, :, :3].max(axis=-1)
    drawn = (expected[TEXT_HEIGHT:, :, :3] != expected[-1, 0, :3]).any(axis=-1).mean()
    print(f"{drawn:.1%} drawn, {(difference > 4).mean():.3%} different, at most by {difference.max()}")
    assert drawn > 0.1
    assert (difference > 4).mean() < 0.001
