# SPDX-License-Identifier: MIT
"""The runtime for games in browsers: it draws on canvases of the page, in workers, and next to the page's own WebGL."""
import re

from character_test import GOLDENS, ROUNDING, SHARE_OF_EDGE_PIXELS, SIDE
from stage import check, image_of, read_premultiplied, same, share_of_different_pixels, test

SIZE = (SIDE, SIDE)


def check_same(stage, found, expected, what, limit=2):
    share = share_of_different_pixels(found, expected, limit)
    if share > SHARE_OF_EDGE_PIXELS:
        found.convert("RGBA").save(stage.out / f"{stage.browser.name}-runtime-found.png")
        expected.convert("RGBA").save(stage.out / f"{stage.browser.name}-runtime-expected.png")
    check(share <= SHARE_OF_EDGE_PIXELS, f"{what}: {100 * share:.3f} % of pixels differ")


@test("the runtime draws the golden images, on a canvas and in a worker")
def _(stage):
    page = stage.open_page("runtime")
    for name, clip, frame in GOLDENS:
        expected = read_premultiplied(stage.folders["tests"] / "golden" / f"{name}_{clip}_{frame:04}.png")
        drawn = page.run("(url, clip, frame) => drawFrame(createCanvas(256, 256), url, clip, frame)",
                         f"/assets/{name}.pchr", clip, frame)
        check_same(stage, image_of(drawn, SIZE), expected, f"{name}, frame {frame} of {clip}", ROUNDING[stage.browser.name])
    in_worker = page.run("() => drawInWorker(256, 256, '/assets/kiri.pchr', 'jump', 27)")
    same(in_worker, drawn, "pixels in a worker")


@test("the runtime keeps the page's WebGL state, and clears nothing")
def _(stage):
    page = stage.open_page("runtime")
    alone, before, together, state = page.run("""async () => {
      const kiri = await runtime.load('/assets/kiri.pchr');
      const draw = (canvas, work) => {
        const gl = canvas.getContext('webgl2', {antialias: false});
        const fill = createScene(gl);
        return work(gl, fill);
      };
      const camera = runtime.fitCamera(kiri.info.bounds, 256, 256);
      return draw(createCanvas(256, 256), (gl, fill) => {
        const pose = new runtime.Pose(kiri).setFrame('walk', {frame: 15});
        const states = [readState(gl)];
        const renderer = new runtime.Renderer(gl);
        const model = renderer.upload(kiri);
        const crowd = new runtime.Crowd(kiri, 3, {oneClip: true});
        const alone = (renderer.draw(model, pose, camera), readPixels(gl));
        states.push(readState(gl));
        fill();
        const before = readPixels(gl);
        renderer.draw(model, pose, camera);
        const together = readPixels(gl);
        renderer.draw(model, [{clip: 'walk'}], camera, {depth: 'test'});
        renderer.draw(model, crowd, camera);
        renderer.uploadSkin(model, new runtime.Skin(kiri).setPart('head', {
          image: 0, tint: [1, 0, 0, 1]})).free();
        model.free();
        renderer.free();
        states.push(readState(gl));
        // The page's draw needs nothing to be set again.
        fill();
        if (readPixels(gl) !== before) throw new Error('the page draws something else');
        const changed = states.slice(1).flatMap((state) => state.flatMap(([name, value], i) =>
          String(value) === String(states[0][i][1]) && (typeof value !== 'object' || value?.length > 0 || value === states[0][i][1])
            ? [] : [name]));
        return [alone, before, together, changed];
      });
    }""")
    same(state, [], "changed state")
    expected = read_premultiplied(stage.folders["tests"] / "golden/kiri_walk_0015.png")
    check_same(stage, image_of(alone, SIZE), expected, "Kiri alone", ROUNDING[stage.browser.name])
    background = image_of(before, SIZE).convert("RGBA")
    same(background.getcolors(), [(SIDE * SIDE, (40, 80, 120, 255))], "the page's background")
    background.alpha_composite(expected.convert("RGBA"))
    check_same(stage, image_of(together, SIZE).convert("RGBA"), background, "Kiri on the page's background", 8)


@test("two characters, a crowd and instances are on one canvas like poses on their own")
def _(stage):
    page = stage.open_page("runtime")
    poses, together, instances, crowd, stats = page.run("""async () => {
      const [kiri, corners] = await Promise.all([runtime.load('/assets/kiri.pchr'), runtime.load('/assets/corners.pchr')]);
      const renderer = new runtime.Renderer(createCanvas(256, 256), {attributes: {antialias: false}});
      const gl = renderer.context;
      const [model, other] = [renderer.upload(kiri), renderer.upload(corners)];
      const camera = {center: [0, 0], zoom: 0.2};
      const places = [[-400, 0], [0, 100], [400, -200]];
      const tints = [[1, 1, 1, 1], [1, 0.5, 0.5, 1], [1, 1, 1, 0.5]];
      const draw = (work) => {
        gl.clear(gl.COLOR_BUFFER_BIT);
        renderer.draw(other, [{clip: 'sway', seconds: 0.3, appearance: {x: 0, y: -500}}], camera);
        work();
        return readPixels(gl);
      };
      const appearances = places.map(([x, y], i) => ({x, y, rotation: 30 * i, scale: 0.6, tint: tints[i]}));
      const pose = new runtime.Pose(kiri);
      const crowd = new runtime.Crowd(kiri, 3, {tints: true, oneClip: true});
      crowd.set({clips: [kiri.findClip('walk')], seconds: [0, 0.25, 0.5], tints: tints.flat(),
                 placements: appearances.flatMap(({x, y, rotation, scale}) => runtime.placement(x, y, rotation, scale))});
      return [
        draw(() => appearances.forEach((appearance, i) =>
          renderer.draw(model, pose.setClip('walk', i / 4), camera, {appearance}))),
        draw(() => renderer.draw(model, appearances.map((appearance, i) =>
          ({pose: new runtime.Pose(kiri).setClip('walk', i / 4), appearance})), camera)),
        draw(() => renderer.draw(model, appearances.map((appearance, i) => ({clip: 'walk', seconds: i / 4, appearance})), camera)),
        draw(() => renderer.draw(model, crowd, camera)),
        renderer.statistics,
      ];
    }""")
    same(together, poses, "pixels of poses that are drawn together")
    images = [image_of(pixels, SIZE) for pixels in (poses, instances, crowd)]
    check(len(images[0].getcolors(100000)) > 100, "there is something to see")
    check_same(stage, images[1], images[0], "instances")
    check_same(stage, images[2], images[0], "a crowd")
    same(stats["instances"], 3, "instances of the crowd")


@test("attachments are drawn between the meshes, by the runtime and by the page")
def _(stage):
    page = stage.open_page("runtime")
    front, behind, held, error = page.run("""async () => {
      const [kiri, quad] = await Promise.all([runtime.load('/assets/kiri.pchr'), runtime.load('/assets/quad.pchr')]);
      const renderer = new runtime.Renderer(createCanvas(256, 256), {attributes: {antialias: false}});
      const gl = renderer.context;
      const model = renderer.upload(kiri);
      const pose = new runtime.Pose(kiri).setFrame('walk', {frame: 15});
      const camera = runtime.fitCamera(kiri.info.bounds, 256, 256);
      const {x, y} = pose.boneTransform('head');
      const viewport = runtime.cameraToViewport(camera);
      const [column, row] = [viewport[0] * x + viewport[4], 256 - (viewport[3] * (y + 60) + viewport[5])].map(Math.round);
      const paint = () => {
        gl.enable(gl.SCISSOR_TEST);
        gl.scissor(column - 4, row - 4, 8, 8);
        gl.clearColor(0, 1, 0, 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.disable(gl.SCISSOR_TEST);
        gl.clearColor(0, 0, 0, 0);
      };
      const pixel = (attachment) => {
        gl.clear(gl.COLOR_BUFFER_BIT);
        renderer.draw(model, pose, camera, {attachments: [attachment]});
        const found = new Uint8Array(4);
        gl.readPixels(column, row, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, found);
        return [...found];
      };
      const held = {bone: 'head', model: renderer.upload(quad), pose: new runtime.Pose(quad), appearance: {y: 60, tint: [1, 0, 0, 1]}};
      return [pixel({bone: 'head', draw: paint}), pixel({bone: 'head', place: {mesh: 'head', behind: true}, draw: paint}),
              [pixel(held), pixel({...held, appearance: {y: 60, tint: [1, 0, 0, 0]}})], gl.getError()];
    }""")
    same(front, [0, 255, 0, 255], "a pixel in front of all meshes")
    check(behind[3] == 255 and behind != front, f"the head covers {behind}")
    check(held[0] != held[1], f"the quad is visible: {held}")
    same(error, 0, "error of WebGL")


@test("the runtime draws again after the context was lost and restored")
def _(stage):
    page = stage.open_page("runtime")
    page.run("""async () => {
      const kiri = await runtime.load('/assets/kiri.pchr');
      const canvas = createCanvas(128, 128);
      const renderer = new runtime.Renderer(canvas, {attributes: {antialias: false}});
      const gl = renderer.context;
      const model = renderer.upload(kiri);
      const pose = new runtime.Pose(kiri);
      const camera = runtime.fitCamera(kiri.info.bounds, 128, 128);
      const draw = () => (renderer.draw(model, pose, camera), readPixels(gl));
      const before = draw();
      const extension = gl.getExtension('WEBGL_lose_context');
      const event = (name) => new Promise((resolve) => canvas.addEventListener(name, resolve, {once: true}));
      const lost = event('webglcontextlost');
      extension.loseContext();
      renderer.draw(model, pose, camera);
      await lost;
      // The browser looks after all listeners whether one wants it restored.
      await new Promise((resolve) => setTimeout(resolve));
      const restored = event('webglcontextrestored');
      extension.restoreContext();
      await restored;
      if (draw() !== before) throw new Error('the image differs');
      renderer.free();
      if (kiri.instance.glObjects !== 0) throw new Error(`${kiri.instance.glObjects} objects are left`);
    }""")


@test("the game in docs/web.md runs as written")
def _(stage):
    text = (stage.folders["tests"].parent / "docs/web.md").read_text()
    section = text.partition("## In a game of your own\n")[2].partition("\n## ")[0]
    html, script = (re.search(rf"```{kind}\n(.*?)```", section, re.DOTALL)[1] for kind in ("html", "js"))
    game = stage.out / "game"
    game.mkdir(exist_ok=True)
    (game / "index.html").write_text(html)
    (game / "game.js").write_text(script)
    for name, target in [("pchr-player", stage.folders["site"])] + [
            (name, stage.folders["assets"] / name) for name in ("kiri.pchr", "kiri.rig.json")]:
        if not (game / name).is_symlink():
            (game / name).symlink_to(target)
    page = stage.open("out/game/index.html")
    # It draws in frames: look after its own callbacks.
    look = """() => new Promise((resolve) => requestAnimationFrame(() => {
      const gl = document.querySelector('canvas').getContext('webgl2');
      const pixels = new Uint8Array(4 * 800 * 600);
      gl.readPixels(0, 0, 800, 600, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      resolve([...new Set(new Uint32Array(pixels.buffer))].length);
    }))"""
    page.wait(f"async () => await ({look})() > 500")
    page.run("() => document.querySelector('canvas').dispatchEvent(new PointerEvent('pointerdown', {bubbles: true}))")
    page.wait(f"async () => await ({look})() > 500")
