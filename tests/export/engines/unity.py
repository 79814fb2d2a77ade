#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads Unity's import settings as YAML, and runs the component of docs/sheets.md with a stand-in for Unity's classes.

    unity.py PCHR ASSETS OUT DOCUMENT

Exits 77 if Mono is missing, after the other checks.
"""
import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parents[1] / "schema")]

import jsonschema
import yaml
from PIL import Image

from document import examples, make_sheet
from expected import SMALL_PAGES, TWO_CHARACTERS, clips_of, frames_of, same_image
from reading import ASSETS, check, end, failures, same
from strict import strict

DOCUMENT = pathlib.Path(sys.argv[4])


def read_sprites(path, canvas, pivot):
    """Returns the sprites of a page by name, each on its canvas, which the pivots give."""
    settings = yaml.safe_load(path.read_text())
    importer = settings["TextureImporter"]
    image = Image.open(path.with_suffix("")).convert("RGBA")
    same("kind of import", [importer[key] for key in ("textureType", "spriteMode", "nPOTScale")], [8, 2, 0])
    check("the image is not shrunk", importer["maxTextureSize"] >= max(image.size))
    same("size limits", importer["platformSettings"][0]["maxTextureSize"], importer["maxTextureSize"])
    sprites, numbers = {}, {}
    for sprite in importer["spriteSheet"]["sprites"]:
        rect = sprite["rect"]
        # From the bottom left.
        x, y, width, height = (rect[key] for key in ("x", "y", "width", "height"))
        top = image.height - y - height
        check(f"{sprite['name']} is on the page", x >= 0 and top >= 0 and x + width <= image.width)
        same("custom pivot", sprite["alignment"], 9)
        left = pivot[0] - sprite["pivot"]["x"] * width
        above = pivot[1] - (1 - sprite["pivot"]["y"]) * height
        check(f"{sprite['name']}: {left}, {above} are whole pixels",
              max(abs(left - round(left)), abs(above - round(above))) < 0.001)
        shown = Image.new("RGBA", canvas)
        shown.paste(image.crop((x, top, x + width, top + height)), (round(left), round(above)))
        sprites[sprite["name"]] = shown
        numbers[sprite["name"]] = sprite["internalID"]
    sheet = importer["spriteSheet"]
    same("names are unique", len(sprites), len(sheet["sprites"]))
    same("numbers of sprites", sheet["nameFileIdTable"], numbers)
    same("table of sprites", {entry["second"]: entry["first"][213] for entry in importer["internalIDToNameTable"]},
         numbers)
    same("numbers are unique and not 0", len(set(numbers.values()) - {0}), len(numbers))
    same("identifiers are unique", len({sprite["spriteID"] for sprite in sheet["sprites"]}), len(numbers))
    return sprites, settings["guid"]


def check_sheet(name, options, *more, characters=("",)):
    """`more` are options for the sheet. Its characters look the same."""
    folder = make_sheet(name, options, *more)
    clips, canvas, pivot = clips_of(*more[:2])
    clips = {"/".join(filter(None, (character, key))): clip for character in characters for key, clip in clips.items()}
    sprites, images = {}, set()
    pages = sorted(folder.glob("*.png.meta"))
    for page in pages:
        found, image = read_sprites(page, canvas, pivot)
        same("sprites on two pages", set(found) & set(sprites), set())
        sprites.update(found)
        images.add(image)
    same("identifiers of pages", len(images), len(pages))
    sheet = json.loads((folder / "kiri.json").read_text())
    jsonschema.validate(sheet, strict(json.loads((ASSETS / "schema/unity.schema.json").read_text())))
    same("clips", [clip["name"] for clip in sheet["clips"]], list(clips))
    shown = []
    for clip, (durations, loops) in zip(sheet["clips"], clips.values()):
        same(f"durations of {clip['name']}", [frame["milliseconds"] for frame in clip["frames"]], durations)
        same(f"{clip['name']} loops", clip["loop"], loops)
        shown += [frame["sprite"] for frame in clip["frames"]]
    same("sprites that clips show", sorted(shown), sorted(sprites))
    if more:
        for frame, expected in zip(sheet["clips"][-1]["frames"], frames_of("walk"), strict=True):
            same_image(frame["sprite"], sprites[frame["sprite"]], expected)
    return folder, len(pages)


def check_component(folder, code):
    """Plays clips with the component, and compares what it shows with the JSON."""
    (folder / "SheetPlayer.cs").write_text(code)
    program = folder / "player.exe"
    subprocess.run(["mcs", f"-out:{program}", HERE / "UnityEngine.cs", folder / "SheetPlayer.cs"], check=True)
    for clip in json.loads((folder / "kiri.json").read_text())["clips"]:
        frames = [f"{frame['sprite']} {frame['milliseconds']}" for frame in clip["frames"]]
        shown = subprocess.run(["mono", program, folder / "kiri.json", clip["name"], str(2 * len(frames))], check=True,
                               capture_output=True, text=True).stdout.splitlines()
        same(f"{clip['name']} plays", shown, frames * (2 if clip["loop"] else 1))


((options, code),) = examples(DOCUMENT, "Unity")
check("several pages", check_sheet("unity-pages", options, *SMALL_PAGES)[1] > 1)
check_sheet("unity-cast", options, *TWO_CHARACTERS, characters=("kiri", "other"))
folder, pages = check_sheet("unity", options)
same("pages", pages, 1)
before = (folder / "kiri.png.meta").read_bytes()
folder, _ = check_sheet("unity", options)
same("the same settings again", (folder / "kiri.png.meta").read_bytes(), before)
if shutil.which("mcs") and shutil.which("mono"):
    check_component(folder, code)
elif not failures:
    print("skipped: the component. On Debian or Ubuntu: apt install mono-mcs mono-runtime")
    sys.exit(77)
end()
