#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Loads sheets into Phaser and PixiJS, in Chromium, with the lines of code of docs/sheets.md.

    browsers.py PCHR ASSETS OUT DOCUMENT MODULES

MODULES is a folder into which npm installed the engines. Exits 77 if they or the browser are missing.
"""
import functools
import http.server
import pathlib
import sys
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parents[1] / "web")]
DOCUMENT, MODULES = map(pathlib.Path, sys.argv[4:6])


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


if not (MODULES / "pixi.js/package.json").is_file() or not (MODULES / "phaser3/package.json").is_file():
    skip(f"the engines are not installed in {MODULES}: run ./dev test")
try:
    import browser
except ImportError as error:
    skip(f"{error}. On Debian or Ubuntu: apt install python3-pil python3-websocket")
if missing := browser.missing_packages("chromium"):
    skip(f"Chromium is not installed. On Debian or Ubuntu: apt install {' '.join(missing)}")

from PIL import Image, ImageChops

from document import examples, make_sheet
from expected import ONE_CLIP, SMALL_PAGES, TWO_CHARACTERS, clips_of, frames_of
from reading import OUT, check, end, same

PREMULTIPLIED = "Assets.load({src: 'kiri.json', data: {textureOptions: {alphaMode: 'premultiplied-alpha'}}})"
# Where frames are drawn for comparison, in whole pixels.
LEFT, TOP = 100, 50
PAGE = """<!doctype html>
<meta charset="utf-8">
<link rel="icon" href="data:,">
<style>body {{ margin: 0 }}</style>
<script>
  globalThis.warnings = [];
  console.warn = (...all) => warnings.push(all.join(' '));
</script>
{}
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {".html": "text/html", ".js": "text/javascript", ".json": "application/json",
                      ".mjs": "text/javascript", ".png": "image/png"}

    def log_message(self, *arguments):
        pass


def open_page(chromium, url, folder, scripts):
    (folder / "npm").symlink_to(MODULES.resolve())
    (folder / "page.html").write_text(PAGE.format(scripts))
    return chromium.open(f"{url}/{folder.name}/page.html", (800, 600))


def close_page(page, name):
    same(f"{name}: errors", page.take_errors(), [])
    same(f"{name}: warnings", page.run("() => warnings"), [])
    page.close()


def check_drawn(name, page, expected):
    """Compares what is at LEFT and TOP with a frame over black."""
    canvas = Image.new("RGB", expected.size)
    canvas.paste(expected, mask=expected.getchannel("A"))
    drawn = page.screenshot((LEFT, TOP, *expected.size))
    difference = ImageChops.difference(drawn, canvas)
    if max(high for _, high in difference.getextrema()) > 3:
        drawn.save(OUT / "drawn.png")
        canvas.save(OUT / "expected-drawn.png")
    check(f"{name}: draws the frame; differs by {difference.getextrema()}",
          max(high for _, high in difference.getextrema()) <= 3)
    check(f"{name}: shows something", canvas.getbbox() is not None)


# The canvas of the frame begins at LEFT and TOP.
SHOW_PHASER_FRAME = """async (index, left, top) => {
  const {sprite} = game.scene.scenes[0];
  sprite.anims.pause(sprite.anims.currentAnim.frames[index]);
  sprite.setPosition(left + sprite.displayOriginX, top + sprite.displayOriginY);
  for (let i = 0; i < 3; ++i) await new Promise((resolve) => game.events.once('postrender', resolve));
}"""
SHOW_PIXI_FRAME = """async (index, left, top) => {
  sprite.gotoAndStop(index);
  const {orig} = sprite.texture;
  sprite.position.set(left + sprite.anchor.x * orig.width, top + sprite.anchor.y * orig.height);
  for (let i = 0; i < 3; ++i) await new Promise(requestAnimationFrame);
}"""


def check_frames(name, page, show):
    """Compares some frames of the clip with what a function in JavaScript shows."""
    images = frames_of("walk")
    for index in (0, 1, len(images) - 1):
        page.run(show, index, LEFT, TOP)
        check_drawn(f"{name}: frame {index}", page, images[index])


def check_phaser(chromium, url, name, engine, options, code, *more, characters=("kiri",)):
    """`more` are options for the sheet. Its characters look the same."""
    folder = make_sheet(f"{name}-{engine}", options, *more)
    (folder / "example.js").write_text(code)
    page = open_page(chromium, url, folder,
                     f'<script src="npm/{engine}/dist/phaser.min.js"></script><script src="example.js"></script>')
    page.wait("() => !!game.scene.scenes[0]?.sprite")
    name = f"{name} in {page.run('() => Phaser.VERSION')}"
    clips, canvas, pivot = clips_of(*more[:2])
    aseprite = "phaser" not in options
    found = page.run("""() => Object.fromEntries(game.anims.anims.keys().map((key) => {
      const {frames, repeat, duration} = game.anims.get(key);
      return [key, [frames.map((frame) => frame.duration), repeat < 0, duration, frames.map(({frame}) => [
        frame.name !== '__BASE', frame.realWidth, frame.realHeight, frame.pivotX * frame.realWidth,
        frame.pivotY * frame.realHeight])]];
    }))""")
    expected = {key if aseprite else f"{character}/{key}": clip for character in characters
                for key, clip in clips.items()}
    same(f"{name}: animations", sorted(found), sorted(expected))
    for key, (durations, loops) in expected.items():
        shown, repeated, duration, frames = found[key]
        same(f"{name}: durations of {key}", shown, durations)
        same(f"{name}: duration of {key}", duration, sum(durations))
        same(f"{name}: {key} is repeated", repeated, loops and not aseprite)
        for frame in frames:
            same(f"{name}: canvas of {key}", (frame[0], *frame[1:3]), (True, *canvas))
            check(f"{name}: pivot of {key}", max(abs(a - b) for a, b in zip(frame[3:], pivot)) < 0.01)
    textures = page.run("() => game.textures.get('kiri').source.length")
    if more:
        check_frames(name, page, SHOW_PHASER_FRAME)
    close_page(page, name)
    return textures


def check_pixi(chromium, url, name, options, code, *more, characters=("",)):
    """`more` are options for the sheet. Its characters look the same."""
    folder = make_sheet(name, options, *more)
    (folder / "example.mjs").write_text(code + "\nObject.assign(globalThis, {animate, app, pages, sprite});\n")
    page = open_page(chromium, url, folder, """
<script type="importmap">{"imports": {"pixi.js": "./npm/pixi.js/dist/pixi.min.mjs"}}</script>
<script type="module" src="example.mjs"></script>""")
    page.wait("() => !!globalThis.sprite")
    clips, canvas, pivot = clips_of(*more[:2])
    clips = {"/".join(filter(None, (character, key))): clip for character in characters
             for key, clip in clips.items()}
    found = page.run("""(names) => names.map((name) => {
      const {textures, _durations, loop, anchor} = animate(name);
      return [_durations, loop, textures.map(({orig, defaultAnchor}) =>
        [orig.width, orig.height, defaultAnchor.x * orig.width, defaultAnchor.y * orig.height]),
        [anchor.x * canvas[0], anchor.y * canvas[1]]];
    })""".replace("canvas", str(list(canvas))), list(clips))
    names = page.run("() => pages.flatMap((page) => Object.keys(page.animations))")
    same(f"{name}: animations", sorted(set(names)), sorted(clips))
    for (key, (durations, loops)), (times, loop, frames, anchor) in zip(clips.items(), found):
        same(f"{name}: durations of {key}", times, durations)
        same(f"{name}: {key} loops", loop, loops)
        for frame in [*frames, [*canvas, *anchor]]:
            same(f"{name}: canvas of {key}", tuple(frame[:2]), canvas)
            check(f"{name}: pivot of {key}", max(abs(a - b) for a, b in zip(frame[2:], pivot)) < 0.01)
    pages = page.run("() => pages.length")
    if more:
        check_frames(name, page, SHOW_PIXI_FRAME)
    close_page(page, name)
    return pages


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=OUT))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    chromium = browser.Browser("chromium", OUT / "chromium")
    try:
        multi_atlas, aseprite = examples(DOCUMENT, "Phaser")
        for engine in ("phaser", "phaser3"):
            same("pages", check_phaser(chromium, url, "multi-atlas", engine, *multi_atlas), 1)
            check("several pages", check_phaser(chromium, url, "pages", engine, *multi_atlas, *SMALL_PAGES) > 1)
            check_phaser(chromium, url, "cast", engine, *multi_atlas, *TWO_CHARACTERS, characters=("kiri", "other"))
            check_phaser(chromium, url, "aseprite", engine, *aseprite)
            check_phaser(chromium, url, "aseprite-array", engine, *aseprite, *ONE_CLIP, "--layout", "array")
        (pixi,) = examples(DOCUMENT, "PixiJS")
        options, code = pixi
        same("pages", check_pixi(chromium, url, "pixi", *pixi), 1)
        check("several pages", check_pixi(chromium, url, "pixi-pages", *pixi, *SMALL_PAGES) > 1)
        check_pixi(chromium, url, "pixi-cast", options, code.replace("'walk'", "'other/walk'"), *TWO_CHARACTERS,
                   characters=("kiri", "other"))
        check("the document has the code", f"`{PREMULTIPLIED}`" in DOCUMENT.read_text())
        code = code.replace("Assets.load('kiri.json')", PREMULTIPLIED)
        check_pixi(chromium, url, "pixi-premultiplied", options, code, *ONE_CLIP, "--premultiply")
    finally:
        chromium.close()
        server.shutdown()
    end()


main()
