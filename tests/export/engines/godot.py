#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads SpriteFrames resources with a strict reader of Godot's text format.

    godot.py PCHR ASSETS OUT DOCUMENT
"""
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from PIL import Image

from document import examples, make_sheet
from expected import SMALL_PAGES, TWO_CHARACTERS, clips_of, frames_of, same_image
from reading import check, end, same

DOCUMENT = pathlib.Path(sys.argv[4])
TOKEN = re.compile(r'\s*(&?"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|[A-Za-z_][\w/]*|[\[\]{}():,=])')


class Reader:
    """Reads sections: a tag with fields in brackets, then properties."""

    def __init__(self, text):
        self.tokens, place = [], 0
        while text[place:].strip():
            match = TOKEN.match(text, place)
            if not match:
                raise ValueError(f"unexpected {text[place:place + 40]!r}")
            self.tokens.append(match[1])
            place = match.end()

    def take(self, expected=None):
        token = self.tokens.pop(0)
        if expected is not None and token != expected:
            raise ValueError(f"found {token}, expected {expected}")
        return token

    def list(self, end, item):
        items = []
        while self.tokens[0] != end:
            if items:
                self.take(",")
            items.append(item())
        self.take(end)
        return items

    def pair(self):
        key = self.value()
        self.take(":")
        return key, self.value()

    def value(self):
        token = self.take()
        if token == "[":
            return self.list("]", self.value)
        if token == "{":
            return dict(self.list("}", self.pair))
        if token[0] in '&"':
            return json.loads(token.removeprefix("&"))
        if token in ("true", "false"):
            return token == "true"
        if token in ("Rect2", "Vector2", "ExtResource", "SubResource"):
            self.take("(")
            values = self.list(")", self.value)
            same(f"{token}: values", len(values), {"Rect2": 4, "Vector2": 2}.get(token, 1))
            return token, *values
        return float(token)

    def sections(self):
        while self.tokens:
            self.take("[")
            tag, fields, properties = self.take(), {}, {}
            while self.tokens[0] != "]":
                key = self.take()
                self.take("=")
                fields[key] = self.value()
            self.take("]")
            while self.tokens and self.tokens[0] != "[":
                key = self.take()
                self.take("=")
                properties[key] = self.value()
            yield tag, fields, properties


def read_resource(path):
    """Returns the animations, as lists of frames (an image and seconds) and whether they loop, and the pivots."""
    textures, parts, resource, steps = {}, {}, None, 0
    for number, (tag, fields, properties) in enumerate(Reader(path.read_text()).sections()):
        if number == 0:
            steps = fields.pop("load_steps")
            same("header", (tag, fields, properties), ("gd_resource", {"type": "SpriteFrames", "format": 3}, {}))
        elif tag == "ext_resource":
            same("external resource", (set(fields), fields["type"]), ({"type", "path", "id"}, "Texture2D"))
            check(f"{fields['path']} is relative", "/" not in fields["path"])
            textures[fields["id"]] = Image.open(path.parent / fields["path"]).convert("RGBA")
        elif tag == "sub_resource":
            same("type of a part", fields["type"], "AtlasTexture")
            same("properties of a part", list(properties), ["atlas", "region", "margin", "filter_clip"])
            kind, texture = properties["atlas"]
            same("atlas", (kind, texture in textures), ("ExtResource", True))
            _, x, y, width, height = properties["region"]
            _, left, top, more_width, more_height = properties["margin"]
            image = Image.new("RGBA", (int(width + more_width), int(height + more_height)))
            page = textures[texture]
            check("the region is on the page", x + width <= page.width and y + height <= page.height)
            image.paste(page.crop((int(x), int(y), int(x + width), int(y + height))), (int(left), int(top)))
            same("a new part", fields["id"] in parts, False)
            parts[fields["id"]] = image
        else:
            same("last section", (tag, fields, resource), ("resource", {}, None))
            resource = properties
    same("steps to load", steps, len(textures) + len(parts) + 1)
    same("properties", list(resource), ["animations", "metadata/pivots"])
    animations = {}
    for animation in resource["animations"]:
        same("animation", list(animation), ["frames", "loop", "name", "speed"])
        frames = []
        for frame in animation["frames"]:
            kind, part = frame["texture"]
            same("texture", kind, "SubResource")
            frames.append((parts[part], frame["duration"] / animation["speed"]))
        animations[animation["name"]] = (frames, animation["loop"])
    return animations, resource["metadata/pivots"], len(textures)


def check_sheet(name, options, *more, characters=("",)):
    """`more` are options for the sheet. Its characters look the same."""
    folder = make_sheet(name, options, *more)
    animations, pivots, pages = read_resource(folder / "kiri.tres")
    clips, canvas, pivot = clips_of(*more[:2])
    clips = {"/".join(filter(None, (character, key))): clip for character in characters for key, clip in clips.items()}
    same("animations", list(animations), list(clips))
    same("pivots", list(pivots), list(clips))
    for clip, (durations, loops) in clips.items():
        frames, looping = animations[clip]
        same(f"frames of {clip}", len(frames), len(durations))
        same(f"{clip} loops", looping, loops)
        for (image, seconds), milliseconds in zip(frames, durations):
            same(f"canvas of {clip}", image.size, canvas)
            check(f"{clip}: {seconds} s is {milliseconds} ms", abs(seconds * 1000 - milliseconds) < 1)
        check(f"{clip}: duration", abs(sum(seconds for _, seconds in frames) * 1000 - sum(durations)) < 1e-6)
        check(f"{clip}: pivot", max(abs(a - b) for a, b in zip(pivots[clip][1:], pivot)) < 0.01)
    if more:
        frames, _ = next(reversed(animations.values()))
        for (image, _), expected in zip(frames, frames_of("walk"), strict=True):
            same_image(f"a frame of {name}", image, expected)
    return pages


((options, _),) = examples(DOCUMENT, "Godot")
same("pages", check_sheet("godot", options), 1)
check("several pages", check_sheet("godot-pages", options, *SMALL_PAGES) > 1)
check_sheet("godot-cast", options, *TWO_CHARACTERS, characters=("kiri", "other"))
end()
