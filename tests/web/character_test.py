# SPDX-License-Identifier: MIT
"""Characters in browsers, through the class Character: the same images as on the desktop, and no leaks."""
import math
import re

from stage import character_files, check, image_of, read_premultiplied, same, share_of_different_pixels, test

# As in tests/render/golden_test.cpp. SwiftShader, which draws in Chromium, filters images with less precision.
ROUNDING = {"chromium": 6, "firefox": 2}
SHARE_OF_EDGE_PIXELS = 0.001
SIDE = 256
GOLDENS = [("quad", "turn", 1), ("corners", "sway", 12), ("corners", "gust", 6), ("kiri", "bind", 0),
           ("kiri", "walk", 15), ("kiri", "wave", 37), ("kiri", "jump", 27)]

INFO = "async (...urls) => (await Character.open(await fetchFiles(...urls))).info"
DRAW = """async (urls, clip, frame, view, attributes) => {
  const character = await Character.open(await fetchFiles(...urls));
  const canvas = createCanvas(view.width, view.height);
  const surface = new Surface(canvas.getContext('webgl2', {depth: character.info.is3d, ...attributes}));
  const playback = new Playback(character);
  playback.setClip(clip);
  playback.seekFrame(frame);
  draw(surface, playback, view);
  const pixels = readPixels(canvas);
  playback.close();
  surface.free();
  character.close();
  surface.context.getExtension('WEBGL_lose_context').loseContext();
  canvas.remove();
  return pixels;
}"""


def fit(bounds, width, height):
    """Returns the view that shows some bounds, as fit() of the runtime."""
    left, bottom, right, top = bounds
    zoom = min(0.9 * width / (right - left), 0.9 * height / (top - bottom))
    return {"center": [(left + right) / 2, (bottom + top) / 2], "zoom": zoom, "width": width, "height": height}


@test("the sample characters match the golden images of the desktop renderer")
def _(stage):
    page = stage.open_page("character")
    for name, clip, frame in GOLDENS:
        url = f"/assets/{name}.pchr"
        info = page.run(INFO, url)
        index = [clip["name"] for clip in info["clips"]].index(clip)
        pixels = page.run(DRAW, [url], index, frame, fit(info["bounds"], SIDE, SIDE), {"antialias": False})
        expected = read_premultiplied(stage.folders["tests"] / "golden" / f"{name}_{clip}_{frame:04}.png")
        found = image_of(pixels, (SIDE, SIDE))
        share = share_of_different_pixels(found, expected, ROUNDING[stage.browser.name])
        if share > SHARE_OF_EDGE_PIXELS:
            found.convert("RGBA").save(stage.out / f"{stage.browser.name}-{name}-{clip}-{frame}.png")
        check(share <= SHARE_OF_EDGE_PIXELS, f"{name}, frame {frame} of {clip}: {100 * share:.3f} % of pixels differ")


@test("all sample and third-party characters look as the command line tool renders them")
def _(stage):
    page = stage.open_page("character")
    for name, files in character_files(stage):
        file, urls = files[0][0], [url for _, url in files]
        info = page.run(INFO, *urls)
        inspected = stage.pchr_json("inspect", file)
        for part in ("bones", "meshes", "images", "clips"):
            same([each["name"] for each in info[part]], [each["name"] for each in inspected[part]], f"{part} of {name}")
        if not info["clips"] or info["bounds"] is None:
            continue
        # The longest clip is the most interesting one.
        index = max(range(len(info["clips"])), key=lambda i: info["clips"][i]["frames"])
        frame = info["clips"][index]["frames"] // 2
        view = fit(info["bounds"], 160, 160)
        if info["pixelArt"]:
            # Texels are whole pixels, and no pixel's center is on the border between two.
            view["zoom"] = max(1, math.floor(view["zoom"]))
            view["center"] = [round(x) + 0.3 / view["zoom"] for x in view["center"]]
        if not all(map(math.isfinite, [*view["center"], view["zoom"]])):
            continue
        found = image_of(page.run(DRAW, urls, index, frame, view, {}), (160, 160)).convert("RGBA")
        image = stage.out / f"{stage.browser.name}-{name.replace('/', '-')}.png"
        found.save(image)
        stage.pchr("render", file, "--no-rig", "--clip", info["clips"][index]["name"], "--frame", frame,
                   "--size", "160x160", f"--center={view['center'][0]!r},{view['center'][1]!r}",
                   "--zoom", repr(view["zoom"]), "--reference", image,
                   # Rasterizers choose different texels at the borders of scaled pixel art.
                   "--threshold", 0.1 if info["pixelArt"] else 0.02)


@test("problems of files are reported in the words of the command line tool")
def _(stage):
    folder = stage.folders["tests"] / "diagnostics"
    # The reason why a file cannot be read, in E127 and W227, is the system's.
    files = [file for file in sorted(folder.iterdir())
             if file.suffix in (".pchr", ".json", ".chp", ".px", ".aseprite", ".psk", ".gltf", ".glb", ".skel")
             and not file.name.startswith(("E127", "W227"))]
    # Such as "E120_not_png.pchr: error E120: images[0] "white" is not a PNG (byte 47)".
    pattern = r".*/([^/]+): (error|warning) (\w+): (.*?)( \((byte|line) [^()]+\))?"
    expected = {file.name: [] for file in files}
    for line in stage.pchr("validate", *files, codes=(0, 1)).splitlines():
        if match := re.fullmatch(pattern, line):
            expected[match[1]].append([match[3], match[2], match[4]])
    check(sum(map(len, expected.values())) > 60, "the tool finds few problems")
    page = stage.open_page("character")
    siblings = {file.name: sorted(other.name for other in folder.iterdir() if other.suffix in (".png", ".psa", ".atlas"))
                for file in files}
    found = page.run("""async (all) => {
      const result = {};
      for (const [name, siblings] of Object.entries(all)) {
        const files = await fetchFiles(...[name, ...siblings].map((file) => `/tests/diagnostics/${file}`));
        try {
          const character = await Character.open(files, {full: true});
          result[name] = character.info.diagnostics.map(({id, severity, message}) => [id, severity, message]);
          character.close();
        } catch (error) {
          result[name] = [[error.id, 'error', error.message]];
        }
      }
      return result;
    }""", siblings)
    for file in files:
        same(found[file.name], expected[file.name], f"problems of {file.name}")


@test("events, times and frames of a clip are exact")
def _(stage):
    page = stage.open_page("character")
    result = page.run("""async () => {
      const character = await Character.open(await fetchFiles('/assets/kiri.pchr', '/assets/kiri.rig.json'));
      const playback = new Playback(character);
      const clip = character.info.clips.findIndex(({markers}) => markers.length > 1);
      const {seconds, frames, markers} = character.info.clips[clip];
      playback.setClip(clip, {loop: 'always'});
      const looping = playback.advance(2.5 * seconds);
      const time = playback.time;
      playback.setClip(clip, {loop: 'once'});
      playback.seek(0);
      const once = [...playback.advance(3 * seconds), ...playback.advance(1)];
      const last = [playback.frame, playback.ended];
      playback.seekFrame(4);
      return {seconds, frames, markers, looping, time, once, last, sought: [playback.frame, playback.ended]};
    }""")
    seconds, frames, markers = result["seconds"], result["frames"], result["markers"]
    check(abs(result["time"] - 0.5 * seconds) < 1e-6, f"the time is {result['time']}, expected {0.5 * seconds}")
    same(sum(event.get("count", 0) for event in result["looping"] if event["type"] == "loop"), 2, "number of restarts")
    same([event["marker"] for event in result["once"] if event["type"] == "marker"],
         [marker for marker in markers if marker["frame"] > 0], "markers passed")
    same([event["type"] for event in result["once"]].count("end"), 1, "number of ends")
    same(result["last"], [frames - 1, True], "frame at the end")
    same(result["sought"], [4, False], "frame after seeking")


@test("two hundred opened and closed characters leave no memory behind")
def _(stage):
    page = stage.open_page("character")
    counts = page.run("""async () => {
      const files = await fetchFiles('/assets/quad.pchr');
      const context = createCanvas(64, 64).getContext('webgl2');
      const counts = [];
      for (let i = 1; i <= 200; ++i) {
        const character = await Character.open(files);
        const surface = new Surface(context);
        // Each draw compiles shaders.
        if (i % 4 === 0) draw(surface, new Playback(character), {center: [0, 0], zoom: 1});
        surface.free();
        character.close();
        if (i % 100 === 0) {
          const alive = () => live.memories.filter((memory) => memory.deref()).length;
          // Finalization needs a turn of the event loop, or several on a busy machine.
          for (let turn = 0; turn < 100; ++turn) {
            await new Promise((resolve) => setTimeout(resolve));
            globalThis.gc?.();
            if (!globalThis.gc || alive() <= 3) break;
          }
          counts.push({
            memories: alive(), ...live.gl,
            megabytes: Math.round((performance.memory?.usedJSHeapSize ?? 0) / 1e6)});
        }
      }
      return counts;
    }""")
    for count in counts:
        # Firefox cannot be asked to collect garbage.
        check(count.pop("memories") <= 3 or stage.browser.name == "firefox", f"memories are alive: {counts}")
    check(counts[1].pop("megabytes") - counts[0].pop("megabytes") <= 1, f"the heap grows: {counts}")
    same([sum(count.values()) for count in counts], [0, 0], f"live OpenGL objects, {counts}")


@test("characters of two modules share a context, which can be lost and restored")
def _(stage):
    page = stage.open_page("character")
    result = page.run("""async () => {
      const open = async (options) => new Playback(await Character.open(await fetchFiles('/assets/kiri.pchr'), options));
      const playbacks = [await open(), await open({full: true})];
      const canvas = createCanvas(128, 128);
      const context = canvas.getContext('webgl2');
      const surface = new Surface(context);
      const pixels = () => playbacks.map((playback) => {
        draw(surface, playback, {center: [0, 200], zoom: 0.25});
        return readPixels(canvas);
      });
      const before = pixels();
      const loser = context.getExtension('WEBGL_lose_context');
      const happens = (type) => new Promise((resolve) => canvas.addEventListener(type, (event) => {
        event.preventDefault();
        resolve();
      }, {once: true}));
      const lost = happens('webglcontextlost');
      loser.loseContext();
      await lost;
      surface.lose();
      await new Promise((resolve) => setTimeout(resolve));
      const restored = happens('webglcontextrestored');
      loser.restoreContext();
      await restored;
      const after = pixels();
      surface.free();
      return [before[0] === before[1], before[0] === after[0] && before[1] === after[1],
              new Set(atob(after[0])).size > 10];
    }""")
    same(result, [True] * 3, "the same images, which are not empty")


@test("characters are drawn over what is there, and one that is saved meanwhile does not disturb another")
def _(stage):
    page = stage.open_page("character")
    result = page.run("""async () => {
      const files = await fetchFiles('/assets/kiri.pchr');
      const character = await Character.open(files, {full: true});
      const playback = new Playback(character);
      const canvas = createCanvas(200, 100);
      const surface = new Surface(canvas.getContext('webgl2', {antialias: false}));
      const {context} = surface;
      const view = {center: [0, 300], zoom: 0.15, width: 100, height: 100};
      const both = () => {
        context.clearColor(0, 0, 1, 1);
        context.clear(context.COLOR_BUFFER_BIT);
        for (const left of [0, 100]) {
          context.viewport(left, 0, 100, 100);
          surface.draw(playback, view);
        }
        return readPixels(canvas);
      };
      const pixels = both();
      const bytes = atob(pixels);
      const row = (y, x) => bytes.slice(4 * (200 * y + x), 4 * (200 * y + x + 100));
      let equal = 0;
      for (let y = 0; y < 100; ++y) equal += row(y, 0) === row(y, 100);
      const saves = ['gif', 'webp'].map((format) => character.save({format, clip: 1, scale: 0.1}));
      let same = 0;
      for (let i = 0; i < 3; ++i) {
        same += both() === pixels;
        await new Promise((resolve) => setTimeout(resolve));
      }
      const types = (await Promise.all(saves)).map(({type, size}) => [type, size > 1000]);
      return {equal, colors: new Set(bytes).size > 10, background: bytes.slice(0, 4) === '\\0\\0\\xFF\\xFF', same, types};
    }""")
    same(result, {"equal": 100, "colors": True, "background": True, "same": 3,
                  "types": [["image/gif", True], ["image/webp", True]]}, "what was drawn")
