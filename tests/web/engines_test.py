# SPDX-License-Identifier: MIT
"""Characters in game engines: PixiJS, Phaser 3 and 4, and three.js."""
import json
import os
import re
import shutil
import subprocess
import time

from PIL import Image, ImageChops, ImageColor

from stage import check, image_from, same, share_of_different_pixels, test

ENGINES = ("pixi", "phaser", "phaser3", "three")
# SwiftShader, which draws in Chromium, filters images with less precision.
ROUNDING = {"chromium": 6, "firefox": 2}
SHARE_OF_EDGE_PIXELS = 0.001
SIDE = 512
BACKGROUND = "#405060"
WALK = {"character": "/assets/kiri.pchr", "clip": "walk", "start": 15.5 / 30, "x": SIDE / 2, "y": SIDE / 2}


def bundle(stage, entry, out, engine, *options):
    """Bundles a script with an engine and the built package, as games do."""
    modules = stage.folders["engines"]
    alias = [f"--alias:pchr-player={stage.folders['site']}"]
    if engine == "phaser3":
        alias.append("--alias:phaser=phaser3")
    # Phaser 3 has scripts for Internet Explorer that esbuild would warn of.
    subprocess.run(["node", modules / "esbuild/bin/esbuild", entry, "--bundle", "--format=esm", f"--outfile={out}",
                    "--log-level=error", *alias, *options], check=True, timeout=120,
                   env={**os.environ, "NODE_PATH": str(modules)})


def open_engine(stage, engine, size=(SIDE, SIDE)):
    """Opens a page with an engine that shows an empty scene."""
    out = stage.out / "engines" / f"{engine}.js"
    if not out.exists() or engine not in BUNDLED:
        bundle(stage, stage.folders["pages"] / "engines" / f"{engine.removesuffix('3')}.js", out, engine)
        BUNDLED.add(engine)
    page = stage.open(f"pages/engines/engine.html?{engine}", (1000, 900))
    page.wait("() => globalThis.ready")
    page.run("(...all) => engine.start(...all)", *size, BACKGROUND)
    return page


BUNDLED = set()


def scene_image(page, size=(SIDE, SIDE)):
    return image_from(page.run("() => readScene()"), size)


def rendered(stage, clip="walk", frame=15, zoom=1.0, size=(SIDE, SIDE), name="kiri.pchr"):
    """Returns a frame as the tool draws it, with the character's origin in the center."""
    path = stage.out / f"{name.split('/')[-1]}-{clip}-{frame}-{zoom}.png"
    stage.pchr("render", stage.folders["assets"] / name, "--no-rig", "--clip", clip, "--frame", frame,
               "--size", f"{size[0]}x{size[1]}", "--center=0,0", "--zoom", zoom, "-o", path)
    return Image.open(path).convert("RGBA")


def composed(*layers, size=(SIDE, SIDE)):
    """Composes layers: images, or boxes with colors."""
    result = Image.new("RGBA", size, BACKGROUND)
    for layer in layers:
        if not isinstance(layer, Image.Image):
            (x, y, width, height), color = layer
            box = Image.new("RGBA", (width, height), color)
            layer = Image.new("RGBA", size)
            layer.paste(box, (x, y))
        result.alpha_composite(layer)
    return result.convert("RGB")


def tinted(image, color, alpha=1.0):
    """Multiplies the color and the alpha of an image."""
    result = ImageChops.multiply(image, Image.new("RGBA", image.size, color))
    result.putalpha(image.getchannel("A").point(lambda value: round(value * alpha)))
    return result


def compare(stage, found, expected, what, share=SHARE_OF_EDGE_PIXELS):
    differing = share_of_different_pixels(found, expected, ROUNDING[stage.browser.name])
    if differing > share:
        found.save(stage.out / f"{stage.browser.name}-{what.replace(' ', '-')}.png")
        expected.save(stage.out / f"{stage.browser.name}-{what.replace(' ', '-')}-expected.png")
    check(differing <= share, f"{what}: {100 * differing:.3f} % of pixels differ")


@test("characters in game engines look as the tool renders them, between other things", needs="engines")
def _(stage):
    behind, front = [150, 100, 130, 300], [230, 280, 200, 60]
    walking = rendered(stage)
    for engine in ENGINES:
        page = open_engine(stage, engine)
        page.run("(...all) => show(all)", {"box": behind, "color": 0xC04020}, WALK, {"box": front, "color": 0x20C040})
        compare(stage, scene_image(page), composed((behind, "#c04020"), walking, (front, "#20c040")), engine)
        page.run("() => engine.clear()")
        page.run("(...all) => show(all)", {"box": behind, "color": 0xC04020},
                 {**WALK, "color": 0xFF8040, "flipX": True})
        flipped = walking.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        compare(stage, scene_image(page), composed((behind, "#c04020"), tinted(flipped, "#ff8040")),
                f"{engine} flipped and tinted")
        page.run("() => engine.clear()")
        # Pixel art of several images, one additive. No pixel's center is between two texels.
        page.run("(...all) => show(all)", {"character": "/assets/kaeru.aseprite", "clip": "idle", "start": 0.01,
                                           "scale": 8, "x": SIDE / 2 - 0.3, "y": SIDE / 2 + 0.3})
        path = stage.out / "kaeru.png"
        stage.pchr("render", stage.folders["assets"] / "kaeru.aseprite", "--clip", "idle", "--size", f"{SIDE}x{SIDE}",
                   "--zoom", 8, f"--center={0.3 / 8},{0.3 / 8}", "--background", BACKGROUND, "-o", path)
        compare(stage, scene_image(page), Image.open(path).convert("RGB"), f"{engine} pixel art")
        page.close()


CROWD = """async (count) => {
  const shared = await Character.load('/assets/kiri.pchr');
  const columns = 25;
  await show(Array.from({length: count}, (_, i) => ({
    character: '/assets/kiri.pchr', clip: 'walk', start: (i % 7) / 10, scale: 0.05,
    x: 20 + 32 * (i % columns), y: 20 + 40 * Math.floor(i / columns)})));
  for (const each of shown) engine.update(each, 1 / 30);
  shared.close();
}"""
# Phaser has 16-bit indices; three.js draws every object on its own.
MAX_DRAW_CALLS = {"pixi": 1, "phaser": 54, "phaser3": 250, "three": 500}


@test("500 characters in a game engine are all drawn, in few draw calls, and stay when it is resized",
      needs="engines")
def _(stage):
    for engine in ENGINES:
        page = open_engine(stage, engine, (800, 800))
        page.run(CROWD, 500)
        for size in ((800, 800), (900, 820)):
            page.run("(...size) => engine.resize(...size)", *size)
            found = scene_image(page, size)
            calls = page.run("() => calls")
            check(calls <= MAX_DRAW_CALLS[engine], f"{engine}: {calls} draw calls")
            # three.js has its origin at the bottom.
            down = size[1] - 800 if engine == "three" else 0
            for i in range(500):
                x, y = 20 + 32 * (i % 25), 20 + 40 * (i // 25) + down
                box = found.crop((x - 6, y - 12, x + 6, y + 6))
                check(len(box.getcolors()) > 20, f"{engine}: character {i} is missing")
        page.close()


@test("characters in a game engine wear skins with images of their own", needs="engines")
def _(stage):
    for engine in ENGINES:
        page = open_engine(stage, engine)
        page.run("(...all) => show(all)", WALK)
        red = []
        for color in ([255, 0, 0, 255], [0, 0, 255, 255], None):
            page.run("""(color) => {
              const [{character}] = shown;
              const skin = color && new Skin(character);
              if (skin) {
                const data = Uint8Array.from({length: 64}, (_, i) => color[i % 4]);
                skin.setPart('tunic', {image: skin.addImage({width: 4, height: 4, data})});
              }
              shown[0].skin = skin;
              engine.update(shown[0], 0);
            }""", color)
            found = scene_image(page)
            red.append(sum(count for count, each in found.getcolors(1 << 20) if each == (255, 0, 0)))
        same([count > 1000 for count in red], [True, False, False], f"{engine}: red pixels {red}")
        page.close()


# Draws what an engine shows with the runtime's own renderer, on a canvas as large. Returns its pixels.
DRAW_WITHOUT_ENGINE = """async ([red, green, blue]) => {
  const [{character, pose, skin}] = shown;
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 512;
  const renderer = new Renderer(canvas, {attributes: {antialias: false, preserveDrawingBuffer: true}});
  const {context} = renderer;
  context.clearColor(red / 255, green / 255, blue / 255, 1);
  context.clear(context.COLOR_BUFFER_BIT);
  const model = renderer.upload(character);
  renderer.draw(model, pose, {center: [0, 0], zoom: 1}, {skin: renderer.uploadSkin(model, skin)});
  const pixels = readCanvas(canvas);
  renderer.free();
  return pixels;
}"""


@test("characters in a game engine blend as without it, also after the context was lost", needs="engines")
def _(stage):
    for engine in ENGINES:
        page = open_engine(stage, engine)
        page.run("""async (walk) => {
          await show([walk]);
          const [{character}] = shown;
          const skin = new Skin(character);
          skin.setPart('tunic', {blend: 'add', tint: [1, 0.5, 0.5, 0.8]});
          skin.setPart('scarf', {blend: 'multiply'});
          skin.setPart('tail', {blend: 'screen', tint: [0.5, 1, 1, 1]});
          skin.setPart('hood', {tint: [0.4, 0.8, 1, 0.6]});
          shown[0].skin = skin;
          engine.update(shown[0], 0);
        }""", WALK)
        expected = image_from(page.run(DRAW_WITHOUT_ENGINE, ImageColor.getrgb(BACKGROUND)), (SIDE, SIDE))
        compare(stage, scene_image(page), expected, f"{engine} blending")
        page.run("""async () => {
          const {canvas} = engine;
          const context = canvas.getContext('webgl2') ?? canvas.getContext('webgl');
          const extension = context.getExtension('WEBGL_lose_context');
          const event = (name) => new Promise((resolve) => {
            canvas.addEventListener(name, () => setTimeout(resolve), {once: true});
          });
          const lost = event('webglcontextlost');
          extension.loseContext();
          await lost;
          const restored = event('webglcontextrestored');
          extension.restoreContext();
          await restored;
        }""")
        compare(stage, scene_image(page), expected, f"{engine} after context loss")
        page.take_errors()
        page.close()


@test("characters in game engines are freed with everything that they use", needs="engines")
def _(stage):
    for engine in ENGINES:
        page = open_engine(stage, engine)
        entered = page.run("""async (walk) => {
          await show([{...walk, character: '/assets/kiri.pchr?states', clip: undefined, states: true,
                       sources: ['/assets/kiri.rig.json']}]);
          const [character] = shown;
          const events = [];
          const listen = (event) => events.push((event.detail ?? event).name);
          if (character.on) character.on('entered', listen);
          else character.addEventListener('entered', listen);
          character.animator.fire('jump');
          engine.update(character, 0.1);
          engine.clear();
          return events;
        }""", WALK)
        same(entered, ["jump"], f"{engine}: states that were entered")
        # Keeps the module.
        page.run("async () => { globalThis.kept = await Character.load('/assets/kiri.pchr'); }")
        held = []
        for _ in range(12):
            page.run("(...all) => show(all)", {"box": [150, 100, 130, 300]}, *[{**WALK, "scale": 0.5}] * 20)
            page.run("() => { readScene(); shown.forEach((each) => each.hitTest?.(0, 0)); }")
            page.run("() => { engine.clear(); readScene(); }")
            page.run("() => { shown = null; globalThis.gc?.(); }")
            held.append(page.run("() => held()"))
        # At first the memory grows, because free memory is in pieces.
        same(held[-1], held[5], f"{engine}: OpenGL objects and memory after the last and the sixth time")
        page.close()


@test("in PixiJS, a character in a game engine is masked, filtered, sorted, clicked and loaded like anything else",
      needs="engines")
def _(stage):
    page = open_engine(stage, "pixi")
    walking = rendered(stage)
    page.run("""async (walk) => {
      await show([walk, {box: [150, 100, 130, 300], color: 0xC04020}]);
      const [character, box] = shown;
      const {AlphaFilter, Graphics, app} = engine;
      character.mask = app.stage.addChild(new Graphics().rect(180, 60, 200, 260).fill('white'));
      character.filters = [new AlphaFilter({alpha: 0.5})];
      app.stage.sortableChildren = true;
      character.zIndex = 1;
    }""", WALK)
    masked = Image.new("RGBA", walking.size)
    masked.paste(walking.crop((180, 60, 380, 320)), (180, 60))
    compare(stage, scene_image(page), composed(([150, 100, 130, 300], "#c04020"), tinted(masked, "#ffffff", 0.5)),
            "pixi masked and filtered")
    page.run("() => engine.clear()")

    # A box of 20 by 20 pixels in the hand moves with it.
    found = page.run("""async (walk) => {
      await show([{...walk, sources: ['/assets/kiri.rig.json']}]);
      const [character] = shown;
      const {Graphics, app} = engine;
      const box = character.attach('near_hand', new Graphics().rect(-10, -10, 20, 20).fill('#00ff00'));
      const events = [];
      for (const name of ['marker', 'looped', 'finished']) {
        character.on(name, ({kind, marker}) => events.push(marker || kind));
      }
      for (let i = 0; i < 30; ++i) character.update(1 / 15);
      character.play('jump', {loop: 'once'});
      for (let i = 0; i < 60; ++i) character.update(1 / 15);
      app.render();
      const place = box.getGlobalPosition();
      const {x, y} = character.pose.boneTransform('near_hand');
      const {minX, maxX, minY, maxY} = character.bounds;
      const [left, bottom, right, top] = character.pose.bounds();
      return {events, distance: Math.hypot(place.x - 256 - x, place.y - 256 + y),
              bone: character.boneTransform('near_hand').tx - x,
              bounds: Math.max(...[minX - left, maxX - right, minY + top, maxY + bottom].map(Math.abs))};
    }""", WALK)
    check({"step", "looped", "finished"} <= set(found["events"]), f"events: {found['events']}")
    for what in ("distance", "bone", "bounds"):
        check(abs(found[what]) < 0.01, f"{what} is {found[what]}")
    page.run("() => engine.clear()")

    # A mistake changes nothing, and containers that are destroyed or added elsewhere are detached.
    same(page.run("""async (walk) => {
      await show([walk]);
      const [character] = shown;
      const {Graphics, app} = engine;
      const boxes = Array.from({length: 4}, () => app.stage.addChild(new Graphics().rect(-10, -10, 20, 20).fill('#00ff00')));
      const messages = [];
      for (const [bone, place] of [['wing', {}], ['head', {mesh: 'wing'}]]) {
        try {
          character.attach(bone, boxes[0], place);
        } catch ({message}) {
          messages.push(message.includes('named "wing"'));
        }
      }
      const result = [messages, boxes[0].parent === app.stage, character.children.length];
      character.update(0.1);
      for (const box of boxes) character.attach('head', box, {mesh: 'hood'});
      boxes[0].destroy();
      app.stage.addChild(boxes[1]);
      character.detach(boxes[2]);
      character.update(0.1);
      app.render();
      return [...result, character.children.length, boxes[1].parent === app.stage, boxes[2].parent];
    }""", WALK), [[True, True], True, 0, 1, True, None], "messages, parents and children")
    page.run("() => engine.clear()")

    # Boxes between meshes are where they are between characters that show some of the meshes each.
    page.run("""async (walk) => {
      await show([walk]);
      const [character] = shown;
      globalThis.box = (color) => new engine.Graphics().rect(-60, -60, 120, 120).fill(color);
      character.attach('hips', box('#00ff00'), {mesh: 'tunic', behind: true});
      character.attach('far_shin', box('#ff00ff'), {mesh: 'far_leg'});
      character.attach('head', box('#0000ff'), {mesh: 'hood', behind: true});
      character.attach('chest', box('#ffff00'));
    }""", WALK)
    attached = scene_image(page)
    page.run("""async (walk) => {
      const {app} = engine;
      const [{character, pose}] = shown;
      const order = pose.drawList.map(({mesh}) => character.info.meshes[mesh].name);
      const places = [['hips', '#00ff00', order.indexOf('tunic')],
                      ['far_shin', '#ff00ff', order.indexOf('far_leg') + 1],
                      ['head', '#0000ff', order.indexOf('hood')], ['chest', '#ffff00', order.length]];
      places.sort(([, , one], [, , other]) => one - other);
      const transforms = places.map(([bone]) => shown[0].boneTransform(bone));
      engine.clear();
      let first = 0;
      for (const [i, [, color, place]] of places.entries()) {
        const part = await engine.add(walk);
        const skin = new Skin(part.character);
        order.forEach((name, at) => {
          if (at < first || at >= place) skin.setPart(name, {visible: false});
        });
        part.skin = skin;
        first = place;
        const frame = app.stage.addChild(box(color));
        frame.setFromMatrix(transforms[i].translate(256, 256));
      }
    }""", WALK)
    parts = scene_image(page)
    check(all(any(each == color for _, each in parts.getcolors(1 << 20)) for color in
              ((0, 255, 0), (255, 0, 255), (0, 0, 255), (255, 255, 0))), "a box is hidden")
    compare(stage, attached, parts, "pixi with things between meshes")
    page.run("() => engine.clear()")

    page.run("""async () => {
      const {Assets, PchrCharacter, app} = engine;
      const asset = await Assets.load('/assets/kiri.pchr');
      globalThis.same = asset === await Assets.load('/assets/kiri.pchr');
      globalThis.clicks = [];
      globalThis.hero = app.stage.addChild(new PchrCharacter(asset, {clip: 'walk', loop: 'always'}));
      hero.position.set(256, 256);
      hero.eventMode = 'static';
      hero.on('pointertap', () => clicks.push('hero'));
      app.stage.addChild(hero);
      app.render();
      globalThis.before = hero.pose.bounds().join();
    }""")
    check(page.run("() => same"), "Assets loads a character twice")
    page.click((256, 180))
    page.click((40, 40))
    page.wait("() => clicks.length > 0")
    same(page.run("() => clicks"), ["hero"], "clicks")
    page.wait("() => hero.pose.bounds().join() !== before")
    same(page.run("""async () => {
      const {Assets, app} = engine;
      hero.destroy();
      app.render();
      await Assets.unload('/assets/kiri.pchr');
      return app.stage.children.length;
    }"""), 0, "children of the stage after the character is destroyed")
    page.close()


@test("in Phaser, a character in a game engine is clicked, masked and moved by cameras like anything else",
      needs="engines")
def _(stage):
    walking = rendered(stage)
    for engine in ("phaser", "phaser3"):
        page = open_engine(stage, engine)
        page.run("""async (walk) => {
          await show([{...walk, x: 56, y: 136}]);
          const {scene} = engine;
          scene.add.container(100, 50, [shown[0]]);
          scene.cameras.main.setScroll(-100, -70);
        }""", WALK)
        compare(stage, scene_image(page), composed(walking), f"{engine} in a container")
        page.run("() => { engine.scene.cameras.main.setScroll(0, 0); engine.clear(); }")
        page.run("""async (walk) => {
          await show([walk]);
          const [character] = shown;
          const shape = engine.scene.make.graphics({}, false).fillStyle(0xFFFFFF).fillRect(180, 60, 200, 260);
          if (character.enableFilters) character.enableFilters().filters.external.addMask(shape);
          else character.setMask(shape.createGeometryMask());
        }""", WALK)
        masked = Image.new("RGBA", walking.size)
        masked.paste(walking.crop((180, 60, 380, 320)), (180, 60))
        compare(stage, scene_image(page), composed(masked), f"{engine} masked")
        page.run("() => engine.clear()")

        page.run("""async (walk) => {
          await show([{...walk, flipX: true}]);
          globalThis.events = [];
          const [character] = shown;
          character.setInteractive().on('pointerdown', () => events.push('click'));
          character.on('finished', () => events.push('finished'));
          engine.step(16);
          readScene();
        }""", WALK)
        page.click((256, 180))
        page.click((40, 40))
        # The tail, which flipped is on the right.
        page.click((400, 400))
        page.wait("() => { engine.step(16); return events.length > 1; }")
        same(page.run("() => events"), ["click"] * 2, f"{engine}: events")
        page.run("() => { shown[0].play('jump', {loop: 'once'}); for (let i = 0; i < 200; ++i) engine.step(16); }")
        same(page.run("() => events.at(-1)"), "finished", f"{engine}: last event")
        box = page.run("() => { const {x, y, width, height} = shown[0].getBounds(); return [x, y, width, height]; }")
        left, bottom, right, top = stage.pchr_json("inspect", stage.folders["assets"] / "kiri.pchr")["bounds"]
        check(max(abs(a - b) for a, b in zip(box, (256 + left, 256 - top, right - left, top - bottom))) < 2,
              f"{engine}: bounds {box}")
        page.run("() => { globalThis.character = shown[0].character; }")
        page.run("() => engine.stop()")
        closed = page.run("() => { try { return character.pointer; } catch ({message}) { return message; } }")
        same(closed, "the character is closed", f"{engine}: the character of a destroyed game")
        page.close()


@test("in three.js, a character in a game engine is picked, culled and drawn into linear light like anything else",
      needs="engines")
def _(stage):
    page = open_engine(stage, "three")
    page.run("(...all) => show(all)", {"box": [150, 100, 130, 300], "color": 0xC04020}, WALK)
    direct = scene_image(page)
    page.run("() => engine.throughLinearLight()")
    # Soft edges blend differently there.
    compare(stage, scene_image(page), direct, "three through linear light", 0.1)
    found = page.run("""() => {
      const {Raycaster, Vector2, Vector3, camera, renderer, scene} = engine;
      const [, character] = shown;
      const pick = (x, y) => {
        const ray = new Raycaster();
        ray.setFromCamera(new Vector2(x / 256 - 1, 1 - y / 256), camera);
        const [hit] = ray.intersectObject(character);
        return hit ? [Math.round(hit.point.x), Math.round(hit.point.y), hit.object === character] : null;
      };
      const result = {hit: pick(256, 180), miss: pick(40, 40)};
      renderer.render(scene, camera);
      const {calls} = renderer.info.render;
      character.position.x = 5000;
      renderer.render(scene, camera);
      result.culled = calls - renderer.info.render.calls;
      const bone = new Vector3().applyMatrix4(character.boneTransform('head'));
      const {x, y} = character.pose.boneTransform('head');
      result.bone = Math.hypot(bone.x - x, bone.y - y);
      return result;
    }""")
    same(found["hit"], [256, 332, True], "what is picked on the character")
    same(found["miss"], None, "what is picked beside it")
    same(found["culled"], 1, "draw calls saved")
    check(found["bone"] < 0.001, f"the bone is {found['bone']} off")
    # One that starts invisible, and is freed twice.
    same(page.run("""async (walk) => {
      const [, {character}] = shown;
      const skin = new Skin(character);
      for (const {name} of character.info.meshes) skin.setPart(name, {visible: false});
      const other = await engine.add({...walk, skin});
      engine.render();
      const hidden = other.geometry.groups.length;
      other.skin = null;
      engine.update(other, 0);
      engine.render();
      const all = other.geometry.groups.length;
      for (let n = 0; n < 2; ++n) other.dispose();
      return [hidden, all > 0, character.closed];
    }""", WALK), [0, True, False], "draw calls without and with its meshes, and whether a shared character is closed")
    page.close()


@test("the examples for game engines run as their documents say", needs="engines")
def _(stage):
    examples = stage.folders["bundled"]
    shutil.rmtree(examples, ignore_errors=True)
    shutil.copytree(stage.folders["example"], examples)
    modules = stage.folders["engines"]
    for name in ("pixi", "phaser", "three"):
        folder = examples / name
        scripts = json.loads((folder / "package.json").read_text())["scripts"]
        # What `npm install` does.
        (folder / "node_modules").mkdir()
        for module in modules.iterdir():
            (folder / "node_modules" / module.name).symlink_to(module)
        (folder / "node_modules/pchr-player").symlink_to(stage.folders["site"])
        subprocess.run(scripts["build"], shell=True, cwd=folder, check=True, timeout=120, stderr=subprocess.DEVNULL,
                       env={**os.environ, "PATH": f"{modules / '.bin'}:{os.environ['PATH']}"})
        page = stage.open(f"bundled/{name}/index.html", (800, 600))
        page.wait("() => document.querySelector('canvas')?.width === 800")
        deadline = time.monotonic() + 60
        # Backgrounds and so on have few colors.
        while len(page.screenshot().getcolors(1 << 20)) < 2000:
            check(time.monotonic() < deadline, f"{name} shows no characters")
        page.close()


@test("the programs for game engines in docs/web.md run as written", needs="engines")
def _(stage):
    folder = stage.folders["bundled"]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for file in [*stage.folders["assets"].glob("kiri.*"), stage.folders["site"] / "pchr-runtime.wasm"]:
        shutil.copy(file, folder)
    text = (stage.folders["tests"].parent / "docs/web.md").read_text()
    programs = re.findall(r"```js\n(.*?)```", text, re.DOTALL)
    for name in ("pixi", "phaser", "three"):
        (folder / f"{name}.js").write_text(next(each for each in programs if f"pchr-player/{name}" in each))
    # The server's policy forbids eval().
    imports = ("pixi.js/unsafe-eval", "./pixi.js", "./phaser.js", "./three.js")
    (folder / "main.js").write_text("".join(f"import '{each}';" for each in imports))
    bundle(stage, folder / "main.js", folder / "bundle.js", "all")
    (folder / "index.html").write_text('<!doctype html><script type="module" src="bundle.js"></script>')
    page = stage.open("bundled/index.html", (820, 1900))
    page.wait("() => document.querySelectorAll('canvas').length === 3")
    deadline = time.monotonic() + 60
    for i in range(3):
        box = page.box(f"() => document.querySelectorAll('canvas')[{i}]")
        while len(page.screenshot(box).getcolors(1 << 20)) < 2000:
            check(time.monotonic() < deadline, f"canvas {i} shows no character")
    page.close()


@test("the runtime draws on the context of a game engine, whose next frames are as before", needs="engines")
def _(stage):
    page = open_engine(stage, "hosts")
    golden = Image.open(stage.folders["tests"] / "golden/kiri_walk_0015.png").convert("RGBA").convert("RGBa")
    for engine in ("Three", "Pixi"):
        found = page.run(f"() => engine.run{engine}()")
        same(found["error"], 0, f"error of WebGL in {engine}")
        same(found["hosts"], [True] * 4, f"frames of {engine} are as without the character")
        same(found["characters"], [True] * 2, f"frames of {engine} with the character are the same")
        alone, plain, together = (
            Image.frombytes("RGBa", (256, 256), bytes(found[name])).transpose(Image.Transpose.FLIP_TOP_BOTTOM)
            for name in ("alone", "plain", "together"))
        share = share_of_different_pixels(alone, golden, ROUNDING[stage.browser.name])
        check(share <= SHARE_OF_EDGE_PIXELS, f"Kiri in {engine}: {100 * share:.3f} % of pixels differ")
        # All are premultiplied.
        left = ImageChops.invert(golden.getchannel("a"))
        expected = Image.merge("RGBa", [ImageChops.add(over, ImageChops.multiply(under, left))
                                        for over, under in zip(golden.split(), plain.split())])
        share = share_of_different_pixels(together, expected, ROUNDING[stage.browser.name])
        check(share <= SHARE_OF_EDGE_PIXELS, f"Kiri on the scene of {engine}: {100 * share:.3f} % of pixels differ")
