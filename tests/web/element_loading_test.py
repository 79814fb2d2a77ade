# SPDX-License-Identifier: MIT
"""How the element <pchr-player> loads and frees characters."""
from stage import check, same, test


@test("the element fetches the images that a character names")
def _(stage):
    page = stage.open_page("element", (600, 400))
    page.run("async () => { globalThis.player = await settled(addPlayer({src: '/assets/konpei/konpei.chp'})); }")
    same(page.run("() => [player.error, player.info.missing, player.clips.length > 3]"), [None, [], True], "character")
    colors = len(set(page.screenshot(page.box("() => player")).getdata()))
    check(colors > 20, f"the image has {colors} colors")


@test("only the last of several characters is loaded")
def _(stage):
    page = stage.open_page("element", (600, 400))
    found = page.run("""async () => {
      const player = addPlayer({src: '/assets/kiri.pchr'});
      await Promise.resolve();
      player.src = '/assets/none.pchr';
      await Promise.resolve();
      player.src = '/assets/quad.pchr';
      await settled(player);
      const bytes = new Uint8Array(await (await fetch('/assets/corners.pchr')).arrayBuffer());
      player.files = [{name: 'corners.pchr', bytes}];
      while (player.happened.length < 4) await nextFrame();
      return [player.happened.map(([type]) => type), player.clip];
    }""")
    same(found, [["clipchange", "load", "clipchange", "load"], "sway"], "events")


@test("an element that moves in the document stays loaded, and one that is removed frees its character")
def _(stage):
    page = stage.open_page("element", (600, 400))
    page.run("""async () => {
      globalThis.player = addPlayer({src: '/assets/quad.pchr', autoplay: '', loop: ''});
      await settled(player);
      const box = document.createElement('div');
      document.body.append(box);
      box.append(player);
      await nextFrame();
    }""")
    page.wait("() => player.info && player.frame > 0")
    same(page.run("() => player.happened.filter(([type]) => type === 'load').length"), 1, "loads after moving")
    counts = page.run("""async () => {
      player.remove();
      await nextFrame();
      return [player.info, player.paused, Object.values(live.gl).reduce((sum, count) => sum + count)];
    }""")
    same(counts, [None, True, 0], "character, pause and live OpenGL objects after removal")
    page.run("() => document.body.append(player)")
    page.wait("() => player.happened.filter(([type]) => type === 'load').length === 2")


@test("the content of an element is shown until its character is loaded")
def _(stage):
    page = stage.open_page("element", (600, 400))
    found = page.run("""async () => {
      const player = addPlayer({});
      player.append(Object.assign(document.createElement('img'), {src: '/assets/koi/koi.png', alt: 'A koi'}));
      const shown = () => player.firstChild.getBoundingClientRect().width > 0 || player.firstChild.checkVisibility();
      await nextFrame();
      const states = [shown()];
      player.src = '/assets/quad.pchr';
      await settled(player);
      states.push(shown());
      player.removeAttribute('src');
      await nextFrame();
      states.push(shown());
      return states;
    }""")
    same(found, [True, False, True], "visibility before, with and after the character")


@test("the element draws again after the browser lost its WebGL context")
def _(stage):
    page = stage.open_page("element", (600, 400))
    page.run("""async () => {
      globalThis.player = await settled(addPlayer({src: '/assets/quad.pchr', background: 'white'}));
      player.currentTime = player.duration / 2;
      await nextFrame();
      await nextFrame();
    }""")
    before = page.screenshot(page.box("() => player"))
    page.run("""async () => {
      const canvas = part(player, 'canvas');
      const loser = canvas.getContext('webgl2').getExtension('WEBGL_lose_context');
      const lost = new Promise((resolve) => canvas.addEventListener('webglcontextlost', resolve));
      loser.loseContext();
      await lost;
      player.zoom *= 2;  // Draws nothing, and fails nothing.
      await nextFrame();
      player.fit();
      const restored = new Promise((resolve) => canvas.addEventListener('webglcontextrestored', resolve));
      loser.restoreContext();
      await restored;
      await nextFrame();
      await nextFrame();
    }""")
    same(page.run("() => player.error"), None, "error")
    check(len(set(before.getdata())) > 2, "nothing was drawn before")
    check(page.screenshot(page.box("() => player")) == before, "the image differs after the context was restored")
