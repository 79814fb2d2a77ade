#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads sprite sheets like an engine does, using only the JSON."""
import json
import shutil

from PIL import Image

from reading import ASSETS, KIRI, KONPEI, OUT, check, clip_of, end, pchr, same


def read_sheet(path):
    """Returns (image, [(name, frame)], meta) for both layouts."""
    sheet = json.loads(path.with_suffix(".json").read_text())
    frames = sheet["frames"]
    listed = [(f["filename"], f) for f in frames] if isinstance(frames, list) else list(frames.items())
    image = Image.open(path.parent / sheet["meta"]["image"]).convert("RGBA")
    same("size of the page", {"w": image.size[0], "h": image.size[1]}, sheet["meta"]["size"])
    return image, listed, sheet["meta"]


def canvas_of(image, frame):
    """Returns a frame as it was before trimming."""
    place, source, size = frame["frame"], frame["spriteSourceSize"], frame["sourceSize"]
    same("size of a frame", (place["w"], place["h"]), (source["w"], source["h"]))
    canvas = Image.new("RGBA", (size["w"], size["h"]))
    box = (place["x"], place["y"], place["x"] + place["w"], place["y"] + place["h"])
    check(f"{box} is on the page", box[2] <= image.size[0] and box[3] <= image.size[1])
    part = image.crop(box)
    # Transparent pixels may have colors.
    canvas.paste(part, (source["x"], source["y"]), part.getchannel("A").point(lambda alpha: 255 if alpha else 0))
    return canvas


def check_places(frames, gap):
    """Checks the distance between different places."""
    places = sorted({tuple(f["frame"][k] for k in "xywh") for _, f in frames})
    for index, (x, y, w, h) in enumerate(places):
        for other_x, other_y, other_w, other_h in places[index + 1:]:
            apart = (other_x >= x + w + gap or x >= other_x + other_w + gap or other_y >= y + h + gap
                     or y >= other_y + other_h + gap)
            check(f"{(x, y, w, h)} and {(other_x, other_y, other_w, other_h)} are apart", apart)
    return places


def rendered(file, clip, *options):
    folder = OUT / "rendered"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    pchr("render", file, "--clip", clip, "--margin", "0", *options, "-o", folder / "{frame:03}.png")
    return [Image.open(path).convert("RGBA") for path in sorted(folder.iterdir())]


def check_frames_are_renders():
    walk = clip_of(KIRI, "walk")
    for options in ([], ["--layout", "array", "--power-of-two", "--extrude", "2"], ["--no-trim", "--no-share"]):
        path = OUT / "walk.png"
        pchr("sheet", KIRI, "--clip", "walk", "--scale", "0.25", *options, "-o", path)
        image, frames, meta = read_sheet(path)
        same("frames", len(frames), walk["frames"])
        check_places(frames, 2)
        images = rendered(KIRI, "walk", "--scale", "0.25")
        for (name, frame), expected in zip(frames, images):
            same(f"{name} {options}", canvas_of(image, frame).tobytes(), expected.tobytes())
            same("trimmed", frame["trimmed"], frame["frame"]["w"] != frame["sourceSize"]["w"]
                 or frame["frame"]["h"] != frame["sourceSize"]["h"])
        same("milliseconds", sum(f["duration"] for _, f in frames), round(walk["seconds"] * 1000))
        same("tags", meta["frameTags"], [{"name": "walk", "from": 0, "to": 29, "direction": "forward"}])
        if "--power-of-two" in options:
            check(f"{image.size} are powers of two", all(side & (side - 1) == 0 for side in image.size))
        if "--extrude" in options:
            place = frames[3][1]["frame"]
            for y in range(place["y"], place["y"] + place["h"]):
                edge, repeated = image.getpixel((place["x"], y)), image.getpixel((place["x"] - 2, y))
                same("extruded", repeated if edge[3] else repeated[3], edge if edge[3] else 0)


def check_pivot():
    """Checks that the pivot is the same world point in every frame of all clips."""
    path = OUT / "pivot.png"
    pchr("sheet", KIRI, "--scale", "0.2", "--fps", "6", "--pivot", "0,-300", "-o", path)
    _, frames, meta = read_sheet(path)
    clips = [tag["name"] for tag in meta["frameTags"]]
    same("clips", clips, ["idle", "walk", "wave", "jump", "run"])
    same("tags end", meta["frameTags"][-1]["to"] + 1, len(frames))
    same("plays once", [tag.get("repeat") for tag in meta["frameTags"]], [None, None, "1", "1", None])
    same("one pivot", len({json.dumps([f["pivot"], f["sourceSize"]]) for _, f in frames}), 1)
    pivot, size = frames[0][1]["pivot"], frames[0][1]["sourceSize"]
    key = meta["slices"][0]["keys"][0]
    check("the slice has the same", abs(key["pivot"]["x"] - pivot["x"] * size["w"]) <= 0.5)
    # The canvas starts at the bounds of all clips, in whole pixels.
    left = min(clip_of(KIRI, clip)["bounds"][0] for clip in clips) * 0.2
    check(f"{pivot} is the world's 0 across", abs(pivot["x"] * size["w"] + left) < 1.01)


def check_equal_frames_share():
    path = OUT / "shared.png"
    pchr("sheet", KONPEI, "--clip", "01_neutral", "--fps", "60", "-o", path)
    image, frames, _ = read_sheet(path)
    places = check_places(frames, 2)
    check(f"{len(places)} places for {len(frames)} frames", len(places) < len(frames) / 2)
    for (name, frame), expected in zip(frames, rendered(KONPEI, "01_neutral", "--fps", "60", "--scale", "1")):
        same(name, canvas_of(image, frame).tobytes(), expected.tobytes())


def check_pages():
    """Checks that clips continue on further pages."""
    for page in OUT.glob("pages*"):
        page.unlink()
    path = OUT / "pages.png"
    pchr("sheet", KIRI, "--scale", "0.2", "--fps", "12", "--max-size", "700", "-o", path)
    clips, pages = [], sorted(OUT.glob("pages*.png"), key=lambda page: (len(page.name), page.name))
    for page in pages:
        image, frames, meta = read_sheet(page)
        check(f"{image.size} is small enough", max(image.size) <= 700)
        check_places(frames, 2)
        clips += [tag["name"] for tag in meta["frameTags"]]
    check(f"{len(pages)} pages", len(pages) > 1)
    same("clips on all pages", clips, ["idle", "walk", "wave", "jump", "run"])
    pchr("sheet", KIRI, "--max-size", "300", "-o", OUT / "large.png", code=2)
    check("no file if a frame does not fit", not (OUT / "large.png").exists())


def check_long_clip():
    """Checks that a clip too large for one page continues on the next. Frames are named after their number on the page."""
    for page in OUT.glob("long*"):
        page.unlink()
    pchr("sheet", KIRI, "--clip", "walk", "--scale", "0.25", "--max-size", "512", "-o", OUT / "long.png")
    images, count = rendered(KIRI, "walk", "--scale", "0.25"), 0
    pages = sorted(OUT.glob("long*.png"), key=lambda page: (len(page.name), page.name))
    check(f"{len(pages)} pages of one clip", len(pages) > 1)
    for page in pages:
        image, frames, meta = read_sheet(page)
        check(f"{image.size} is small enough", max(image.size) <= 512)
        same("tag", (meta["frameTags"][0]["from"], meta["frameTags"][0]["to"]), (0, len(frames) - 1))
        same("names", [name for name, _ in frames], [str(number) for number in range(len(frames))])
        for name, frame in frames:
            same(f"{page.name}: {name}", canvas_of(image, frame).convert("RGBa").tobytes(),
                 images[count].convert("RGBa").tobytes())
            count += 1
    same("frames on all pages", count, clip_of(KIRI, "walk")["frames"])


def check_cast():
    """Checks several characters on one sheet: each has its own canvas and pivot, and its name before those of clips."""
    path = OUT / "cast.png"
    options = ["--fps", "12", "--scale", "0.25"]
    done = pchr("sheet", KIRI, KONPEI, "--max-size", "1024", *options, "-o", path)
    drawn, canvases = {}, {}
    pages = sorted(OUT.glob("cast*.png"), key=lambda page: (len(page.name), page.name))
    same("summary", len(done.stdout.decode().splitlines()), len(pages))
    for page in pages:
        image, frames, meta = read_sheet(page)
        check_places(frames, 2)
        keys = meta["slices"][0]["keys"]
        for tag in meta["frameTags"]:
            character, clip = tag["name"].split("/")
            canvases.setdefault(character, set()).add(json.dumps(frames[tag["from"]][1]["sourceSize"]))
            key = [key for key in keys if key["frame"] <= tag["from"]][-1]
            size = frames[tag["from"]][1]["sourceSize"]
            same(f"slice of {character}", (key["bounds"]["w"], key["bounds"]["h"]), (size["w"], size["h"]))
            drawn.setdefault((character, clip), []).extend(
                canvas_of(image, frame) for _, frame in frames[tag["from"]:tag["to"] + 1])
    same("characters", sorted(canvases), ["kiri", "konpei"])
    same("one canvas each", [len(sizes) for sizes in canvases.values()], [1, 1])
    for file, character, clip in ((KIRI, "kiri", "walk"), (KONPEI, "konpei", "01_neutral")):
        own = OUT / "own.png"
        pchr("sheet", file, *options, "-o", own)
        image, frames, meta = read_sheet(own)
        tag = next(tag for tag in meta["frameTags"] if tag["name"] == clip)
        alone = [canvas_of(image, frame).tobytes() for _, frame in frames[tag["from"]:tag["to"] + 1]]
        same(f"frames of {character}", [canvas.tobytes() for canvas in drawn[character, clip]], alone)
    listed = OUT / "cast.txt"
    listed.write_text(f"{KIRI}\n{KONPEI}\n")
    before = {page: page.read_bytes() for page in OUT.glob("cast*.[pj]*")}
    pchr("sheet", "--files-from", listed, "--max-size", "1024", *options, "-o", path)
    same("a list of files", {page: page.read_bytes() for page in OUT.glob("cast*.[pj]*")}, before)
    broken = OUT / "broken.pchr"
    broken.write_bytes((ASSETS / "quad.pchr").read_bytes()[:100])
    pchr("sheet", KIRI, broken, *options, "-o", OUT / "part.png", code=1)
    check("no sheet without one of its characters", not list(OUT.glob("part*")))
    done = pchr("sheet", KIRI, KONPEI, "--clip", "walk", "-o", OUT / "part.png", code=2)
    check("names the character without the clip",
          f'pchr: {KONPEI}: there is no clip named "walk"' in done.stderr.decode())
    pchr("sheet", KIRI, "-", "-o", OUT / "part.png", code=2)
    copies = [OUT / "a" / "hero.pchr", OUT / "b" / "hero.pchr"]
    for copy in copies:
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(ASSETS / "quad.pchr", copy)
    pchr("sheet", *copies, "--format", "phaser", "-o", OUT / "alike.png")
    names = [frame["filename"] for frame in json.loads((OUT / "alike.json").read_text())["textures"][0]["frames"]]
    same("names are unique", len(set(names)), len(names))
    check(f"{names} have the characters' names", any(name.startswith("hero (2)/") for name in names))


def check_batches():
    """Checks that a name with {file} makes a sheet of each character, with the same bytes for any number of workers."""
    options, bytes_of = ["--scale", "0.2", "--fps", "6", "--max-size", "400"], {}
    for jobs in ("1", "2"):
        folder = OUT / f"jobs{jobs}"
        folder.mkdir(exist_ok=True)
        pchr("sheet", KIRI, KONPEI, *options, "-j", jobs, "-o", folder / "{file}.png")
        bytes_of[jobs] = {file.name: file.read_bytes() for file in folder.iterdir()}
    pages = ["kiri", "kiri-1", "kiri-2", "kiri-3", "kiri-4", "konpei", "konpei-1"]
    same("files", sorted(bytes_of["1"]), sorted(page + end for page in pages for end in (".json", ".png")))
    same("bytes with -j", bytes_of["1"], bytes_of["2"])
    # A worker has one thread, a process of its own one per processor.
    done = pchr("sheet", KIRI, *options, "-o", OUT / "kiri.png")
    same("pages in order", [line.split(":")[0] for line in done.stdout.decode().splitlines()],
         [str(OUT / f"{page}.png") for page in pages[:5]])
    for page in pages[:5]:
        same(f"bytes of {page} alone", (OUT / f"{page}.png").read_bytes(), bytes_of["1"][f"{page}.png"])


def check_full_pages():
    """Checks that pages are filled for engines whose clips can span pages, unless --whole-clips is given."""
    sizes = {}
    for options in (["--format", "phaser"], ["--format", "phaser", "--whole-clips"], ["--format", "pixi"]):
        path = OUT / "full.png"
        pchr("sheet", KIRI, "--scale", "0.25", "--fps", "12", "--max-size", "640", *options, "-o", path)
        text = json.loads(path.with_suffix(".json").read_text())
        if options[1] == "phaser":
            sizes[len(options)] = [len(texture["frames"]) for texture in text["textures"]]
        else:
            check("PixiJS needs whole clips", len(text["frames"]) == sizes[3][0])
    check(f"{sizes} are fuller", len(sizes[2]) < len(sizes[3]))


def check_names():
    path = OUT / "names.png"
    pattern = "{file}.{index}.{clip}.{frame:03}"
    pchr("sheet", KIRI, "--clip", "walk", "--frames", "3..5", "--scale", "0.1", "--name-format", pattern, "-o", path)
    _, frames, _ = read_sheet(path)
    same("names", [name for name, _ in frames], [f"kiri.2.walk.00{number}" for number in (3, 4, 5)])
    done = pchr("sheet", KIRI, "--scale", "0.1", "--name-format", "{clip}", "-o", OUT / "alike names.png", code=2)
    check("says which names are equal", b'several frames would be named "idle"' in done.stderr)
    done = pchr("sheet", KIRI, "--scale", "0.1", "--name-format", "{folder}{frame}", "-o", OUT / "a.png", code=2)
    check("says which placeholders there are", b"{folder} in --name-format" in done.stderr)


def check_alpha():
    """Checks the colors of transparent pixels, and premultiplied colors."""
    images = {}
    for name, options in (("straight", ["--bleed", "0"]), ("bled", []), ("premultiplied", ["--premultiply"])):
        pchr("sheet", KIRI, "--clip", "idle", "--scale", "0.2", "--fps", "5", *options, "-o", OUT / f"{name}.png")
        images[name] = list(Image.open(OUT / f"{name}.png").convert("RGBA").getdata())
    width = Image.open(OUT / "bled.png").width
    beside = 0
    for at, ((*color, alpha), bled, (*product, _)) in enumerate(zip(*images.values())):
        if alpha == 0:
            same("transparent pixels", (color, product, bled[3]), ([0, 0, 0], [0, 0, 0], 0))
            # The pixel to the left is on the same row if it is not the last of the one above.
            if at % width and images["straight"][at - 1][3] > 0 and max(images["straight"][at - 1][:3]) > 128:
                beside += 1
                check(f"{bled} has a color", max(bled[:3]) > 0)
        else:
            same("visible pixels", bled, (*color, alpha))
            check(f"{product} is premultiplied", all(abs(p - c * alpha / 255) <= 0.5 for p, c in zip(product, color)))
    check(f"{beside} pixels beside bright ones", beside > 0)
    pchr("sheet", KIRI, "--premultiply", "--bleed", "1", "-o", OUT / "both.png", code=2)


def check_artwork():
    """Compares slices and layers with those of the file, which are on its canvas."""
    kaeru = str(ASSETS / "kaeru.aseprite")
    artwork = json.loads(pchr("inspect", kaeru, "--json").stdout)["artwork"]
    for scale in (1, 3):
        pchr("sheet", kaeru, "--scale", scale, "-o", OUT / "kaeru.png")
        _, frames, meta = read_sheet(OUT / "kaeru.png")
        same("canvas", frames[0][1]["sourceSize"], {"w": 48 * scale, "h": 48 * scale})
        kept = {each["name"]: each for each in meta["slices"][1:]}
        same("slices", list(kept), [each["name"] for each in artwork["slices"]])
        for each in artwork["slices"]:
            key, = kept[each["name"]]["keys"]
            same("frame", key["frame"], 0)
            expected = each["keys"][0]
            sides = ("left", "top", "width", "height")
            center = expected["center"] and [scale * expected["center"][side] for side in sides]
            same("bounds", list(key["bounds"].values()), [scale * expected[side] for side in sides])
            same("center", list(key.get("center", {}).values()), center or [])
            same("pivot", list(key.get("pivot", {}).values()), [scale * side for side in expected["pivot"] or []])
            same("color", kept[each["name"]]["color"], "#" + bytes(each["color"]).hex())
            same("data", kept[each["name"]].get("data", ""), each["userText"])
        same("layers", [each["name"] for each in meta["layers"]],
             ["pond", "pad", "shadow", "ripple", "flower", "kaeru", "legs", "body", "face", "throat"])
        same("a group", meta["layers"][5], {"name": "kaeru", "color": "#3fb36aff"})
        same("a layer", meta["layers"][3], {"name": "ripple", "opacity": 255, "blendMode": "addition"})
        same("groups", {each.get("group") for each in meta["layers"][6:]}, {"kaeru"})
    pchr("sheet", kaeru, "--layers", "legs", "-o", OUT / "legs.png")
    same("drawn layers", [each["name"] for each in read_sheet(OUT / "legs.png")[2]["layers"]], ["kaeru", "legs"])
    left_out = pchr("sheet", kaeru, "--format", "pixi", "-o", OUT / "pixi.png").stderr.decode()
    check(f"{left_out} says that slices are left out", "2 slices of the artwork are left out" in left_out)


def check_formats():
    """Checks that options that an engine cannot use are refused."""
    for options in (["--format", "phaser", "--premultiply"], ["--format", "pixi", "--layout", "array"],
                    ["--format", "unreal"]):
        pchr("sheet", KIRI, *options, "-o", OUT / "refused.png", code=2)
    check("nothing is written", not (OUT / "refused.png").exists())


check_frames_are_renders()
check_artwork()
check_formats()
check_pivot()
check_equal_frames_share()
check_pages()
check_long_clip()
check_cast()
check_batches()
check_full_pages()
check_names()
check_alpha()
end()
