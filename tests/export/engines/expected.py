# SPDX-License-Identifier: MIT
"""Frames that engines must show: those of `pchr render`, with the durations and pivots of Aseprite's JSON, which other
tests check."""
import functools
import json
import shutil

from PIL import Image

from reading import ASSETS, OUT, pchr, same

FILE = ASSETS / "kiri.pchr"
TIMES = ("--scale", "0.25", "--fps", "15")
ONE_CLIP = ("--clip", "walk")
SMALL_PAGES = (*ONE_CLIP, "--max-size", "200")
# The same character under another name.
OTHER = OUT / "other.pchr"
TWO_CHARACTERS = (*ONE_CLIP, OTHER)

OUT.mkdir(parents=True, exist_ok=True)
OTHER.unlink(missing_ok=True)
for extension in ".pchr", ".rig.json":
    shutil.copyfile(FILE.with_suffix(extension), OTHER.with_suffix(extension))


@functools.cache
def clips_of(*options):
    """Returns durations in milliseconds and whether it loops for each clip, and canvas and pivot in pixels."""
    path = OUT / "expected.json"
    pchr("sheet", FILE, *TIMES, *options, "--layout", "array", "-o", path.with_suffix(".png"))
    sheet = json.loads(path.read_text())
    frames = sheet["frames"]
    clips = {tag["name"]: ([frame["duration"] for frame in frames[tag["from"]:tag["to"] + 1]], "repeat" not in tag)
             for tag in sheet["meta"]["frameTags"]}
    canvas = frames[0]["sourceSize"]
    pivot = frames[0]["pivot"]
    return clips, (canvas["w"], canvas["h"]), (pivot["x"] * canvas["w"], pivot["y"] * canvas["h"])


@functools.cache
def frames_of(clip):
    """Returns the frames of a clip as `pchr render` draws them."""
    folder = OUT / "rendered"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    pchr("render", FILE, "--clip", clip, "--margin", "0", *TIMES, "-o", folder / "{frame:03}.png")
    return [Image.open(path).convert("RGBA") for path in sorted(folder.iterdir())]


def same_image(what, image, expected):
    """Compares images except for the colors of transparent pixels."""
    same(what, image.convert("RGBa").tobytes(), expected.convert("RGBa").tobytes())
