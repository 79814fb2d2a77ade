# SPDX-License-Identifier: MIT
"""The element <pchr-player> on a page with a strict policy, with real input."""
import math

from stage import check, same, test

STAGE = "() => part(globalThis.player, 'stage')"


def open_player(stage, attributes, *sources, size=(600, 400), scale=1):
    """Opens a page with one element, `player`, and waits until it has loaded."""
    page = stage.open_page("element", size, scale)
    page.run("async (attributes, ...sources) => {"
             " globalThis.player = await settled(addPlayer(attributes, ...sources)); }", attributes, *sources)
    return page


def state(page, *names):
    return page.run("(...names) => names.map((name) => player[name])", *names)


@test("the element plays, pauses, seeks and fires events")
def _(stage):
    page = open_player(stage, {"src": "/assets/kiri.pchr", "clip": "walk", "loop": "", "autoplay": ""},
                       "/assets/kiri.rig.json")
    same(state(page, "clip", "paused", "loops"), ["walk", False, True], "state after loading")
    page.wait("() => player.frame > 0 && player.timeChanges > 2")
    page.wait("() => player.happened.some(([type, name]) => type === 'marker' && name === 'step')")
    # A pause holds the time.
    held = page.run("""async () => {
      player.pause();
      const times = [player.currentTime];
      for (let i = 0; i < 3; ++i) await nextFrame();
      return [...times, player.currentTime];
    }""")
    same(held[0], held[1], "time in a pause")
    sought = page.run("""() => {
      const found = [player.duration, player.frameCount];
      player.seek(player.duration / 2);
      found.push(player.currentTime, player.frame);
      player.frame = 3;
      found.push(player.frame);
      player.loop = 'once';
      player.currentTime = 1e9;
      found.push(player.frame);
      player.loop = 'always';
      player.seek(NaN);
      return [...found, player.currentTime];
    }""")
    duration, frames, time, frame, three, last, zero = sought
    check(abs(time - duration / 2) < 1e-6 and abs(frame - frames / 2) <= 1, f"seeking to the middle: {sought}")
    same([three, last, zero], [3, frames - 1, 0], "frames after seeking")
    types = [kind for kind, _ in page.run("() => player.happened")]
    same([types.count(kind) for kind in ("load", "error", "play", "pause")], [1, 0, 1, 1], "events")
    # A clip that plays once ends, and starts again from its beginning.
    page.run("() => { player.loop = 'once'; player.clip = 'jump'; player.speed = 4; player.play(); }")
    page.wait("() => player.happened.some(([type]) => type === 'clipend') && player.paused")
    same(state(page, "frame"), [page.run("() => player.frameCount - 1")], "frame at the end")
    page.run("() => player.play()")
    page.wait("() => player.happened.filter(([type]) => type === 'clipend').length === 2")
    same(page.run("() => [...new Set(player.happened.filter(([type]) => type === 'marker').map(([, name]) => name))]"),
         ["step", "leap", "land"], "markers")


@test("attributes of the element and its properties reflect each other")
def _(stage):
    page = open_player(stage, {"src": "/assets/kiri.pchr"})
    # The first clip that is not the bind pose, at rest.
    same(state(page, "clip", "paused", "speed", "smooth", "loop", "controls", "autoplay", "frame"),
         ["idle", True, 1, False, "file", False, False, 0], "defaults")
    page.run("""() => Object.assign(player, {clip: 'wave', speed: 0.5, smooth: true, loop: 'always', controls: true,
                                             autoplay: true, background: 'checker'})""")
    same(page.run("() => Object.fromEntries([...player.attributes].map(({name, value}) => [name, value]))"),
         {"src": "/assets/kiri.pchr", "clip": "wave", "speed": "0.5", "smooth": "", "loop": "always", "controls": "",
          "autoplay": "", "background": "checker"}, "attributes")
    page.run("""() => {
      for (const name of ['speed', 'smooth', 'controls']) player.removeAttribute(name);
      player.setAttribute('clip', 'jump');
      player.setAttribute('loop', 'once');
    }""")
    same(state(page, "clip", "speed", "smooth", "loop", "controls"), ["jump", 1, False, "once", False], "properties")
    check(page.run("() => part(player, 'controls') === null"), "controls are still there")
    # Another character replaces the first.
    page.run("() => { player.removeAttribute('clip'); player.src = '/assets/corners.pchr'; }")
    page.wait("() => player.clips.some(({name}) => name === 'sway')")
    same(page.run("() => player.happened.filter(([type]) => type === 'load').length"), 2, "loads")


@test("a property that is set to nothing is as if it was never set, as frameworks expect")
def _(stage):
    page = stage.open_page("element", (600, 400))
    found = page.run("""() => {
      const player = document.createElement('pchr-player');
      const names = ['src', 'clip', 'bind', 'autoplay', 'loop', 'speed', 'smooth', 'filter', 'margin', 'background',
                     'controls', 'movable', 'label', 'module'];
      const given = names.map((name) => {
        player[name] = {autoplay: '', loop: true, smooth: true, controls: '', movable: 'yes'}[name] ?? '1';
        return player.getAttribute(name);
      });
      const left = [undefined, null, false].map((nothing, i) => {
        for (const name of names) {
          player[name] = '1';
          player[name] = ['src', 'clip'].includes(name) && i === 2 ? null : nothing;
        }
        return player.getAttributeNames();
      });
      return [given.join(), ...left];
    }""")
    same(found, ["1,1,1,,,1,,1,1,1,,,1,1", [], [], []], "attributes")


@test("the bind pose of the element is an attribute, and a rig file chooses it too")
def _(stage):
    page = open_player(stage, {"src": "/assets/kiri.pchr", "clip": "walk", "bind": "walk:5"})
    pose = "() => [player.info.bindClip, player.info.bindFrame, player.bind, player.error?.message ?? null]"
    clips = page.run("() => player.clips.map(({name}) => name)")
    same(page.run(pose), [clips.index("walk"), 5, "walk:5", None], "bind pose after loading")
    page.run("() => { player.frame = 7; }")
    page.run("() => { player.bind = 'identity'; }")
    same(page.run(pose), [-1, 0, "identity", None], "bind pose as authored")
    same(state(page, "clip", "frame"), ["walk", 7], "clip and frame after another bind pose")
    page.run("() => { player.bind = 'walk:999'; }")
    check("has no frame 999" in page.run("() => player.error.message"), "a missing frame is no error")
    same(page.run(pose)[:2], [-1, 0], "bind pose after an error")
    page.run("() => player.removeAttribute('bind')")
    same(page.run(pose), [clips.index("bind"), 0, "auto", None], "bind pose of the file")
    chosen = page.run("""async () => {
      const bytes = async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer());
      const rig = new TextEncoder().encode('{"bind": {"clip": "jump", "frame": 2}}');
      player.files = [{name: 'kiri.pchr', bytes: await bytes('/assets/kiri.pchr')}, {name: 'kiri.rig.json', bytes: rig}];
      await new Promise((resolve) => player.addEventListener('load', resolve, {once: true}));
      return [player.clips[player.info.bindClip].name, player.info.bindFrame];
    }""")
    same(chosen, ["jump", 2], "bind pose of the rig file")


@test("the element shows the image that the command line tool renders, at every pixel density")
def _(stage):
    for scale in (1, 2):
        page = open_player(stage, {"src": "/assets/kiri.pchr", "clip": "walk", "background": "#f4f1ea"}, scale=scale)
        page.run("async () => { player.frame = 7; await nextFrame(); await nextFrame(); }")
        (x, y), zoom = page.run("() => [player.center, player.zoom]")
        side = 240 * scale
        file = stage.out / f"{stage.browser.name}-element-{scale}.png"
        page.screenshot(page.box("() => player")).save(file)
        stage.pchr("render", stage.folders["assets"] / "kiri.pchr", "--no-rig", "--clip", "walk", "--frame", 7, "--size",
                   f"{side}x{side}", f"--center={x!r},{y!r}", "--zoom", repr(zoom * scale), "--background", "#f4f1ea",
                   "--reference", file, "--threshold", 0.01)
        page.close()


@test("the element answers to the keyboard alone")
def _(stage):
    page = open_player(stage, {"src": "/assets/kiri.pchr", "clip": "walk", "controls": ""})
    page.press("Tab", "Space")
    same(state(page, "paused"), [False], "paused after space")
    page.press("Space", "Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft")
    same(state(page, "paused", "frame"), [True, 2], "frame after arrows")
    page.press("End")
    same(state(page, "frame"), [page.run("() => player.frameCount - 1")], "frame after End")
    before = state(page, "clip", "zoom")
    page.press("ArrowDown", "+", "l", "m", ".")
    after = state(page, "clip", "zoom", "smooth", "speed")
    check(after[0] != before[0] and after[1] > before[1] and after[2] and after[3] == 1.5, f"{before} became {after}")
    # The next stops are the buttons, which have names.
    names = []
    for _ in range(3):
        page.press("Tab")
        names.append(page.run("() => { const a = player.shadowRoot.activeElement; return a?.ariaLabel; }"))
    same(names[:2], ["Play", "Frame"], "controls in order")
    check(all(names), f"controls without names: {names}")
    page.press("Shift+Tab", "Shift+Tab", "Enter")
    same(state(page, "paused"), [False], "paused after the play button")


@test("the element is moved and zoomed by mouse and touch")
def _(stage):
    page = open_player(stage, {"src": "/assets/kiri.pchr", "controls": ""})
    x, y = page.center(STAGE)
    (before, zoom) = state(page, "center", "zoom")
    page.drag([(x, y), (x + 15, y - 4), (x + 30, y - 12)])
    (after, same_zoom) = state(page, "center", "zoom")
    check(math.dist(after, (before[0] - 30 / zoom, before[1] - 12 / zoom)) < 0.01 and zoom == same_zoom,
          f"dragging moved {before} to {after} at zoom {zoom}")
    # The point under the pointer stays in place.
    page.wheel((x + 50, y), y=-100)
    (center, closer) = state(page, "center", "zoom")
    check(closer > zoom, f"the wheel zoomed from {zoom} to {closer}")
    check(abs(after[0] + 50 / zoom - (center[0] + 50 / closer)) < 0.01, f"the wheel moved {after} to {center}")
    page.touch([(x - 20, y), (x - 40, y), (x - 60, y)], [(x + 20, y), (x + 40, y), (x + 60, y)])
    pinched = state(page, "zoom")[0]
    check(abs(pinched / closer - 3) < 0.05, f"a pinch to three times the distance zoomed by {pinched / closer}")
    page.press("f")
    page.run("async () => { await nextFrame(); await nextFrame(); }")
    same(state(page, "center", "zoom"), [before, zoom], "view after fitting")


@test("a page shows characters that it has opened, over each other")
def _(stage):
    page = open_player(stage, {"src": "/assets/kiri.pchr"})
    page.run("""async () => {
      const {Character} = await import('/character.js');
      globalThis.open = async (name) => Character.open(
        [{name, bytes: new Uint8Array(await (await fetch(`/assets/${name}`)).arrayBuffer())}]);
      globalThis.quad = await open('quad.pchr');
      player.addEventListener('draw', ({detail}) => { player.drawn = detail; });
      player.character = quad;
      for (let n = 0; n < 2; ++n) await nextFrame();
    }""")
    same(page.run("() => [player.character === quad, player.clips.length, player.fitted, player.error]"),
         [True, page.run("() => quad.info.clips.length"), True, None], "the character")
    drawn, (view, side) = page.run("() => player.drawn"), page.run("() => [player.view, player.clientWidth]")
    same([drawn["center"], drawn["zoom"], drawn["width"], drawn["pixelRatio"]], [view["center"], view["zoom"], side, 1],
         "the event")
    # One that cannot be drawn is closed, and the one before stays.
    found = page.run("""async () => {
      const broken = await open('../tests/diagnostics/E124_png_undecodable.pchr');
      let message = '';
      try { player.character = broken; } catch (error) { message = error.message; }
      let closed = '';
      try { broken.pointer; } catch (error) { closed = error.message; }
      player.play();
      await nextFrame();
      const states = [player.character === quad, player.paused];
      player.character = null;
      return [message.includes('cannot be decoded'), closed, ...states, player.character, player.paused];
    }""")
    same(found, [True, "the character is closed", True, False, None, True], "after a character that cannot be drawn")
    check(len(set(page.screenshot(page.box("() => player")).getdata())) == 1, "a character is left on the canvas")


@test("a movable element pans with one finger and zooms with the wheel, in whole steps if texels are hard")
def _(stage):
    page = open_player(stage, {"src": "/assets/kiri.pchr", "movable": "", "margin": "0.2"})
    x, y = page.center(STAGE)
    (before, zoom) = state(page, "center", "zoom")
    check(zoom * max(page.run("() => player.clips.map(({bounds: [l, b, r, t]}) => t - b)")) < 0.75 * 240, "the margin")
    page.touch([(x, y), (x + 20, y - 5)])
    (after, same_zoom) = state(page, "center", "zoom")
    check(math.dist(after, (before[0] - 20 / zoom, before[1] - 5 / zoom)) < 0.01 and zoom == same_zoom,
          f"a finger moved {before} to {after} at zoom {zoom}")
    same(state(page, "fitted"), [False], "whether the clip is fitted")
    page.wheel((x, y), y=-100)
    check(abs(state(page, "zoom")[0] / zoom - 1.15) < 0.001, "the wheel zooms by a notch")
    page.run("() => { player.filter = 'hard'; player.zoom = 1; }")
    zooms = [page.run(f"() => {{ player.zoomBy({factor}); return player.zoom; }}") for factor in (1.1, 1.1, 2, 0.9, 0.1)]
    same([round(zoom, 6) for zoom in zooms], [2, 3, 6, 5, 0.5], "zooms of hard texels")
    page.wheel((x, y), y=-40)
    same(state(page, "zoom"), [0.5], "the zoom after less than a notch")
    page.wheel((x, y), y=-60)
    same(state(page, "zoom"), [1], "the zoom after a whole notch")


@test("the controls of the element answer to the mouse")
def _(stage):
    page = open_player(stage, {"src": "/assets/kiri.pchr", "clip": "walk", "controls": ""})
    page.click(page.center("() => part(player, 'play')"))
    same(state(page, "paused"), [False], "paused after a click on play")
    page.click(page.center("() => part(player, 'play')"))
    x, y, width, height = page.box("() => part(player, 'timeline')")
    page.drag([(x + 8, y + height / 2), (x + width / 2, y + height / 2)])
    frame, count = state(page, "frame", "frameCount")
    check(abs(frame - count / 2) <= count / 8, f"after a drag to the middle of the timeline, {frame} of {count} frames")
    page.click(page.center("() => part(player, 'loop')"))
    same(state(page, "loop"), ["once"], "loop after a click")


@test("the element shows errors of files in the words of the command line tool")
def _(stage):
    page = open_player(stage, {"src": "/tests/diagnostics/E113_invalid_parent.pchr", "controls": ""})
    text = 'bones[0] "root", parent is 0, but must be -1 (a root)'
    check(f"error E113: {text}" in (stage.folders["tests"] / "diagnostics/E113_invalid_parent.txt").read_text(),
          "the tool has other words")
    same(page.run("() => [player.error.id, player.error.message, player.happened]"), ["E113", text, [["error", text]]],
         "error")
    shown = page.run("() => { const box = part(player, 'error'); return [box.role, box.hidden, box.innerText]; }")
    same(shown[:2], ["alert", False], "role of the message, and whether it is hidden")
    check(text in shown[2] and "each parent precedes" in shown[2], f"it shows {shown[2]}")
    # It recovers.
    page.run("() => { player.src = '/assets/quad.pchr'; }")
    page.wait("() => player.info")
    same(page.run("() => [player.error, part(player, 'error').hidden]"), [None, True], "error after another file")
    page.run("() => { player.src = '/absent.pchr'; }")
    page.wait("() => player.error?.message.includes('404')")
    page.run("() => { player.src = '/assets/kiri.pchr'; player.clip = 'no such clip'; }")
    page.wait("""() => player.error?.message === 'there is no clip "no such clip"' && player.info""")
    same(state(page, "clip"), ["idle"], "clip")


@test("an unknown clip is an error that leaves the character playing in view")
def _(stage):
    page = open_player(stage, {"src": "/assets/kiri.pchr", "clip": "walk", "autoplay": "", "loop": ""})
    page.run("() => { player.happened.length = 0; player.clip = 'no such clip'; }")
    same(page.run("() => [player.happened, player.error.message, player.clip, player.paused]"),
         [[["error", 'there is no clip "no such clip"']], 'there is no clip "no such clip"', "walk", False], "state")
    page.run("() => { player.from = player.frame; }")
    page.wait("() => player.frame !== player.from")
    stage_box, error_box = page.box(STAGE), page.box("() => part(player, 'error')")
    check(0 < error_box[3] < stage_box[3] / 5, f"the message has the box {error_box} in {stage_box}")
    same(error_box[1] + error_box[3], stage_box[1] + stage_box[3], "the bottom of the message")
    page.run("() => { player.clip = 'jump'; }")
    same(page.run("() => [player.clip, player.error, part(player, 'error').hidden]"), ["jump", None, True],
         "after a clip that exists")


@test("people who prefer reduced motion start playback themselves, also if they come to prefer it", only="chromium")
def _(stage):
    page = stage.open_page("element")
    session = stage.browser.command("goog:cdp.getSession", context=page.context)["session"]

    def prefer(value):
        stage.browser.command("goog:cdp.sendCommand", method="Emulation.setEmulatedMedia", session=session,
                              params={"features": [{"name": "prefers-reduced-motion", "value": value}]})
    prefer("reduce")
    page.run("async () => { globalThis.player = await settled(addPlayer({src: '/assets/kiri.pchr', autoplay: ''})); }")
    same(state(page, "paused", "frame"), [True, 0], "paused")
    page.run("() => player.play()")
    page.wait("() => player.frame > 0")
    # What plays by itself pauses, and what the user has started does not.
    prefer("no-preference")
    page.run("async () => { globalThis.other = await settled(addPlayer({src: '/assets/kiri.pchr', autoplay: ''})); }")
    same(page.run("() => other.paused"), False, "paused")
    prefer("reduce")
    page.wait("() => other.paused")
    same(page.run("() => [other.happened.at(-1)[0], player.paused]"), ["pause", False], "event, and the first")


@test("all controls of the element are 44 pixels wide and tall, also in a narrow one")
def _(stage):
    page = open_player(stage, {"src": "/assets/kiri.pchr", "controls": ""})
    for width in (240, 600):
        page.run("async (width) => { player.style.width = `${width}px`; await nextFrame(); }", width)
        sizes = page.run("""() => [...player.shadowRoot.querySelectorAll('button, select, input')].map((control) => {
          const {width, height, right} = control.getBoundingClientRect();
          return [control.part[0], width, height, right];
        }).filter(([, width]) => width > 0)""")
        check(len(sizes) >= 5, f"controls: {sizes}")
        check(page.box("() => part(player, 'controls')")[3] <= (44 if width > 520 else 88), "the bar has more rows")
        same([size for size in sizes if min(size[1:3]) < 44 or size[3] > width], [], f"small ones, {width} pixels wide")


@test("two hundred elements share one context and one module, are all drawn, and leave nothing behind", long=True)
def _(stage):
    page = stage.open_page("element", (1600, 960))
    page.run("""async () => {
      document.body.replaceChildren();
      document.body.className = 'grid';
      const names = ['kiri.pchr', 'quad.pchr', 'kiri.pchr?2', 'corners.pchr', 'kaeru.aseprite', 'kiri.pchr', 'hotaru.px'];
      const players = Array.from({length: 200}, (_, i) => addPlayer({src: `/assets/${names[i % 7]}`, autoplay: '', loop: ''}));
      globalThis.players = players;
    }""")
    page.wait("() => players.every(({info}) => info)")

    def blank():
        """Returns which of the elements in view have no image."""
        image = page.screenshot()
        boxes = page.run("""() => players.map((player) => player.getBoundingClientRect())
                                         .map(({left, top, right, bottom}) => [left, top, right, bottom])""")
        inside = [(i, box) for i, box in enumerate(boxes) if box[1] >= 0 and box[3] <= image.height]
        check(len(inside) >= 60, f"{len(inside)} elements are in view")
        return [i for i, box in inside if len(set(image.crop(box).getdata())) < 4]

    page.wait("() => players.slice(0, 60).every((player) => player.timeChanges > 2)")
    same(blank(), [], "elements without an image")
    same(page.run("() => players.filter(({error, paused}) => error || paused).length"), 0, "elements that do not play")
    memories, contexts = page.run("""() => [live.memories.map((memory) => memory.deref()?.buffer.byteLength ?? 0),
                                            live.contexts.map((context) => context.isContextLost())]""")
    check(sum(memories) <= 40e6 and len(memories) == 2, f"the modules have {memories} bytes of memory")
    same(contexts, [False], "contexts")
    page.run("() => { scrollTo(0, document.body.scrollHeight); for (const player of players) player.timeChanges = 0; }")
    page.wait("() => players.slice(-60).every((player) => player.timeChanges > 2)")
    same(blank(), [], "elements without an image after scrolling")
    same(page.run("() => countColors(players[0])"), 0, "colors of one that is out of view")
    # The last element with a character frees it, and the last element the context.
    before, after = page.run("""async () => {
      const before = live.gl.Texture;
      for (const player of players.slice(1)) player.remove();
      await nextFrame();
      return [before, live.gl.Texture];
    }""")
    check(0 < after < before / 2, f"of {before} textures of seven characters, {after} are left with one")
    counts = page.run("""async () => {
      players[0].remove();
      for (let n = 0; n < 3; ++n) await nextFrame();
      return [live.gl, live.contexts.map((context) => context.isContextLost())];
    }""")
    same(sum(counts[0].values()), 0, f"live OpenGL objects, {counts}")
    same(counts[1], [True], "lost contexts")


@test("a hidden element neither plays nor keeps an image, whatever the page says of its display")
def _(stage):
    page = stage.open_page("element")
    page.run("async () => { globalThis.player = await settled(addPlayer({src: '/assets/kiri.pchr', clip: 'walk', loop: '', autoplay: ''})); }")
    page.wait("() => player.frame > 2 && part(player, 'canvas').width > 0")
    page.run("() => { player.hidden = true; }")
    page.wait("() => part(player, 'canvas').width === 0")
    before = page.run("() => player.frame")
    page.run("async () => { for (let i = 0; i < 20; ++i) await nextFrame(); }")
    same(page.run("() => player.frame"), before, "frame")
    page.run("() => { player.hidden = false; }")
    page.wait("(before) => player.frame !== before && part(player, 'canvas').width > 0", before)
