# SPDX-License-Identifier: MIT
"""What the tests in browsers share: the browser, the server, the tool, and comparisons of images."""
import base64
import json
import pathlib
import subprocess
import urllib.parse

from PIL import Image, ImageChops

TESTS = []


def test(claim, only=None, needs=None, long=False):
    """Registers a test: a function of a Stage that proves the claim. `only` names the one browser that can, and `needs`
    a program, or a folder of run.py. Tests that are `long` run alone, with --long."""
    def register(function):
        TESTS.append((claim, only, needs, function, long))
        return function
    return register


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def same(found, expected, what):
    check(found == expected, f"{what}: found {found!r:.300}, expected {expected!r:.300}")


class Stage:
    """A browser with the site at / of a server, and tests/web/pages, assets and third-party characters next to it."""

    def __init__(self, browser, server, tool, folders, out):
        self.browser = browser
        self.server = server
        self.tool = tool
        self.folders = folders
        self.out = out

    def open(self, path, size=(1000, 700), scale=1):
        return self.browser.open(self.server.url + path, size, scale)

    def open_page(self, name, size=(1000, 700), scale=1):
        """Opens a page of tests/web/pages and waits for its script."""
        page = self.open(f"pages/{name}.html", size, scale)
        page.wait("() => globalThis.ready")
        return page

    def pchr(self, *arguments, codes=(0,)):
        """Runs the tool and returns its output."""
        done = subprocess.run([self.tool, *map(str, arguments)], capture_output=True, timeout=120)
        check(done.returncode in codes,
              f"pchr {' '.join(map(str, arguments))} exits {done.returncode}: {done.stderr.decode()}")
        return done.stdout.decode()

    def pchr_json(self, *arguments, codes=(0,)):
        return json.loads(self.pchr(*arguments, "--json", codes=codes))


def image_of(text, size):
    """Returns the result of readPixels() as an image with premultiplied color, top row first."""
    return Image.frombytes("RGBa", size, base64.b64decode(text)).transpose(Image.Transpose.FLIP_TOP_BOTTOM)


def image_from(text, size):
    """Returns RGBA pixels of an opaque image, top row first."""
    return Image.frombytes("RGBA", size, base64.b64decode(text)).convert("RGB")


def share_of_different_pixels(a, b, limit):
    """Returns the share of pixels of which a channel differs by more than a limit."""
    check(a.size == b.size, f"the images have different sizes: {a.size}, {b.size}")
    bands = [ImageChops.difference(one, other) for one, other in zip(a.split(), b.split())]
    largest = bands[0]
    for band in bands[1:]:
        largest = ImageChops.lighter(largest, band)
    return sum(largest.histogram()[limit + 1:]) / (a.width * a.height)


def read_premultiplied(path):
    return Image.open(pathlib.Path(path)).convert("RGBA").convert("RGBa")


def character_files(stage):
    """Returns the sample and third-party characters: a name and its files, the character first, each with its URL."""
    patterns = [("assets", pattern) for pattern in ("*.pchr", "*.px", "*.aseprite", "*/*.chp", "*/*.psk")]
    # To save time, only in one browser.
    if "conformance" in stage.folders and stage.browser.name == "chromium":
        patterns += [("conformance", pattern) for pattern in
                     ("db_*/*.pchr", "db_*/*.json", "chp/*/*.chp", "px/*.px", "aseprite/*.aseprite", "psk/*.psk")]
    result = []
    for mount, pattern in patterns:
        root = stage.folders[mount]
        for path in sorted(root.glob(pattern)):
            if path.name.endswith(".expected.json"):
                continue
            # As on the desktop, a character finds images and animations in its folder.
            others = [] if path.parent == root else sorted(
                other for other in path.parent.rglob("*") if other != path and other.is_file()
                and other.suffix.lower() in (".png", ".bmp", ".psa", ".mat") and other.parent.name != "previews")
            result.append((f"{mount}/{path.relative_to(root)}",
                           [(file, urllib.parse.quote(f"/{mount}/{file.relative_to(root)}"))
                            for file in (path, *others)]))
    return result
