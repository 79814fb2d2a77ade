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
  character.attach(canvas, attributes);
  character.setClip(clip);
  character.seekFrame(frame);
  character.draw(view);
  const pixels = readPixels(canvas);
  character.close();
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
        stage.pchr("render", file, "--clip", info["clips"][index]["name"], "--frame", frame, "--size", "160x160",
                   f"--center={view['center'][0]!r},{view['center'][1]!r}", "--zoom", repr(view["zoom"]),
                   "--reference", image,
                   # Rasterizers choose different texels at the borders of scaled pixel art.
                   "--threshold", 0.1 if info["pixelArt"] else 0.02)


@test("problems of files are reported in the words of the command line tool")
def _(stage):
    folder = stage.folders["tests"] / "diagnostics"
    # The reason why a file cannot be read, in E127, is the system's.
    files = [file for file in sorted(folder.iterdir())
             if file.suffix in (".pchr", ".json", ".chp", ".px", ".aseprite", ".psk", ".gltf", ".glb", ".skel")
             and not file.name.startswith("E127")]
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
      const clip = character.info.clips.findIndex(({markers}) => markers.length > 1);
      const {seconds, frames, markers} = character.info.clips[clip];
      character.setClip(clip, {loop: 'always'});
      const looping = character.advance(2.5 * seconds);
      const time = character.time;
      character.setClip(clip, {loop: 'once'});
      character.seek(0);
      const once = [...character.advance(3 * seconds), ...character.advance(1)];
      const last = [character.frame, character.ended];
      character.seekFrame(4);
      return {seconds, frames, markers, looping, time, once, last, sought: [character.frame, character.ended]};
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
      const canvas = createCanvas(64, 64);
      const counts = [];
      for (let i = 1; i <= 200; ++i) {
        const character = await Character.open(files);
        character.attach(canvas);
        // Each draw compiles shaders.
        if (i % 4 === 0) character.draw({center: [0, 0], zoom: 1});
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


@test("a lost context is restored with the same image")
def _(stage):
    page = stage.open_page("character")
    result = page.run("""async () => {
      const character = await Character.open(await fetchFiles('/assets/kiri.pchr'));
      const canvas = createCanvas(128, 128);
      const view = {center: [0, 200], zoom: 0.25};
      const turn = () => new Promise((resolve) => setTimeout(resolve));
      const restored = new Promise((resolve) => character.attach(canvas, {onRestored: resolve}));
      character.draw(view);
      const before = readPixels(canvas);
      const loser = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
      const lost = new Promise((resolve) => canvas.addEventListener('webglcontextlost', resolve, {once: true}));
      loser.loseContext();
      await lost;
      await turn();
      character.draw(view);
      character.advance(0);
      loser.restoreContext();
      await restored;
      character.draw(view);
      const after = readPixels(canvas);
      character.close();
      return [before === after, new Set(atob(after)).size > 10];
    }""")
    same(result, [True, True], "same image, which is not empty")


@test("a crowd of one looks like one character, and a crowd of a thousand can be drawn for many frames")
def _(stage):
    page = stage.open_page("character")
    result = page.run("""async () => {
      const character = await Character.open(await fetchFiles('/assets/kiri.pchr'));
      const canvas = createCanvas(256, 256);
      character.attach(canvas, {antialias: false});
      const clip = 1;
      const one = () => {
        character.setClip(clip, {smooth: false});
        character.seekFrame(3);
        character.draw({center: [0, 200], zoom: 0.25});
        return readPixels(canvas);
      };
      const crowd = (count) => {
        const bytes = new ArrayBuffer(48 * count);
        for (let i = 0; i < count; ++i) {
          new Uint32Array(bytes, 48 * i, 1)[0] = clip;
          new Float32Array(bytes, 48 * i + 4, 11).set(
            [(3.5 / character.info.clips[clip].fps), 1, 0, 0, 1, 0, 0, 1, 1, 1, 1]);
        }
        character.drawCrowd(new Uint8Array(bytes), {center: [0, 200], zoom: 0.25});
        return readPixels(canvas);
      };
      const alone = one();
      return [alone === crowd(1), crowd(1000) !== alone];
    }""")
    same(result, [True, True], "a crowd of one looks like one character, a thousand on one place do not")
    result = page.run("""async () => {
      const character = await Character.open(await fetchFiles('/assets/quad.pchr'));
      const canvas = createCanvas(64, 64);
      character.attach(canvas, {antialias: false});
      const numbers = new Float32Array(12 * 1000);
      for (let i = 0; i < 1000; ++i) numbers.set([0, 0, 1, 0, 0, 1, 0, 0, 1, 1, 1, 1], 12 * i);
      const draw = () => {
        character.drawCrowd(numbers, {center: [0, 0], zoom: 1});
        return readPixels(canvas);
      };
      const first = draw();
      let differing = 0;
      // Enough instances that the renderer reuses its memory.
      for (let frame = 0; frame < 40; ++frame) differing += draw() !== first;
      return differing;
    }""")
    same(result, 0, "frames that differ from the first")
