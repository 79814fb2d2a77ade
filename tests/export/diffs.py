#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks that `pchr diff` and `pchr render --reference` detect single changes."""
import json
import shutil

from PIL import Image

from reading import ASSETS, KIRI, OUT, check, end, pchr, same

# A copy without markers, which the changed character does not have.
PLAIN = OUT / "plain.pchr"
shutil.copy(KIRI, PLAIN)
FIRST, SECOND = OUT / "first.json", OUT / "second.json"
# A file from an earlier run would protect the images that it shares with the first.
SECOND.unlink(missing_ok=True)
pchr("convert", PLAIN, "-o", FIRST, "--force")


def changed(change):
    """Writes the character with its JSON modified by `change`."""
    character = json.loads(FIRST.read_text())
    change(character)
    SECOND.write_text(json.dumps(character))
    return SECOND


def diff(second, *options, code=5):
    return json.loads(pchr("diff", FIRST, second, "--json", *options, code=code).stdout)


def index_of(parts, name):
    return next(i for i, part in enumerate(parts) if part["name"] == name)


def clip_index(name):
    return index_of(json.loads(FIRST.read_text())["animations"], name)


def move_head(character):
    head = index_of(character["bones"], "head")
    walk = character["animations"][index_of(character["animations"], "walk")]
    walk["frames"][10][head]["x"] += 25


def rename_bone(character):
    character["bones"][index_of(character["bones"], "pupils")]["name"] = "eyes"


def drop_clip(character):
    del character["animations"][index_of(character["animations"], "jump")]


def shorten_clip(character):
    del character["animations"][index_of(character["animations"], "walk")]["frames"][20:]


same("the same", diff(FIRST, code=0)["same"], True)
same("another format of the same", pchr("diff", PLAIN, FIRST).stdout, b"The characters are the same.\n")

found = diff(changed(move_head), "-o", OUT / "moved.png")
same("structure of a moved head", found["structure"], [])
walk = found["poses"][index_of([{"name": p["clip"]} for p in found["poses"]], "walk")]
same("where it moved", (walk["frame"], round(walk["pixels"], 1)), (10, 25.0))
others = [p["pixels"] for p in found["poses"] if p["clip"] != "walk"]
same("the other clips", others, [0] * len(others))
image = Image.open(OUT / "moved.png")
same("the image's width", image.size[0], 3 * 256)
same("a tolerance", diff(changed(move_head), "--no-pixels", "--tolerance", "26", code=0)["same"], True)
# The few compared frames include the one with the largest pose difference.
looks = {p["clip"]: p for p in diff(changed(move_head), "--frames", "3")["images"]}
check("it looks different", looks["walk"]["score"] > 0.02 and looks["walk"]["frame"] == 10)
same("the other clips look the same", looks["idle"]["score"], 0)

same("a renamed bone", [(d["kind"], d["name"], d["change"]) for d in diff(changed(rename_bone))["structure"]],
     [("bone", "pupils", 'renamed to "eyes"')])
same("a missing clip", diff(changed(drop_clip))["structure"],
     [{"kind": "clip", "name": "jump", "index": clip_index("jump"), "change": "only in the first"}])
same("missing frames", diff(changed(shorten_clip))["structure"][0],
     {"kind": "clip", "name": "walk", "index": clip_index("walk"), "change": "30 frames, then 20"})

OLD, NEW = OUT / "old", OUT / "new"
for folder in (OLD, NEW):
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "deep").mkdir(parents=True)
    shutil.copy(ASSETS / "quad.pchr", folder / "same.pchr")
    shutil.copy(ASSETS / "quad.pchr", folder / "broken.pchr")
    (folder / "other.json").write_text("{}")
shutil.copy(PLAIN, OLD / "deep" / "kiri.pchr")
pchr("pack", changed(move_head), "-o", NEW / "deep" / "kiri.pchr")
shutil.copy(ASSETS / "quad.pchr", OLD / "gone.pchr")
shutil.copy(ASSETS / "quad.pchr", NEW / "arrived.pchr")
text = b"""arrived.pchr: only in the second
deep/kiri.pchr:
  pose in clip 2 walk: up to 25.000 px apart, at frame 10 in bone 9 fringe
gone.pchr: only in the first
5 characters: 2 the same, 1 different, 1 only in the first, 1 only in the second
"""
same("two folders", pchr("diff", OLD, NEW, "--no-pixels", code=5).stdout, text)
same("in two processes", pchr("diff", OLD, NEW, "--no-pixels", "-j", "2", code=5).stdout, text)
same("equal folders", pchr("diff", OLD, OLD).stdout, b"4 characters: 4 the same\n")
(NEW / "broken.pchr").write_bytes(b"")
done = pchr("diff", OLD, NEW, "--json", code=1)
files = {each["path"]: each for each in json.loads(done.stdout)["files"]}
same("files of two folders", {path: (each["firstPath"], each["secondPath"], each["same"]) for path, each in files.items()},
     {"arrived.pchr": (None, "arrived.pchr", False), "broken.pchr": ("broken.pchr", "broken.pchr", False),
      "deep/kiri.pchr": ("deep/kiri.pchr",) * 2 + (False,), "gone.pchr": ("gone.pchr", None, False),
      "same.pchr": ("same.pchr",) * 2 + (True,)})
check("the error of a file", "error E" in files["broken.pchr"]["error"] and b"error E" in done.stderr)
pchr("diff", OLD, PLAIN, code=2)
pchr("diff", OLD, NEW, "-o", OUT / "folders.png", code=2)

options = ["--clip", "walk", "--frame", "10", "--size", "200x200"]
pchr("render", PLAIN, *options, "-o", OUT / "reference.png")
pchr("render", PLAIN, *options, "--reference", OUT / "reference.png", "--threshold", "0.004")
done = pchr("render", changed(move_head), *options, "--reference", OUT / "reference.png", code=5)
check("why the reference differs", b"score 0." in done.stderr)
pchr("render", changed(move_head), *options, "--reference", OUT / "reference.png", "--threshold", "1")
done = pchr("render", PLAIN, "--size", "20x20", "--reference", OUT / "reference.png", code=5)
check("another size", b"is 200 x 200 pixels" in done.stderr)
pchr("render", PLAIN, "--reference", PLAIN, code=1)
end()
