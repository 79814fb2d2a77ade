# SPDX-License-Identifier: MIT
"""How the element <pchr-player> loads and frees characters."""
import shutil

from stage import check, same, test


@test("the element fetches the images that a character names")
def _(stage):
    page = stage.open_page("element", (600, 400))
    page.run("async () => { globalThis.player = await settled(addPlayer({src: '/assets/konpei/konpei.chp'})); }")
    same(page.run("() => [player.error, player.info.missing, player.clips.length > 3]"), [None, [], True], "character")
    colors = len(set(page.screenshot(page.box("() => player")).getdata()))
    check(colors > 20, f"the image has {colors} colors")
    # Servers of single-page applications send their page for files that do not exist.
    found = page.run("""async () => {
      const absent = [];
      const original = fetch;
      globalThis.fetch = async (url, ...others) => {
        const response = await original(url, ...others);
        if (response.ok) return response;
        absent.push(String(url).split('/').pop());
        return new Response('<!doctype html>', {headers: {'Content-Type': 'text/html'}});
      };
      const akari = await settled(addPlayer({src: '/assets/akari/akari_ske.json'}));
      const none = await settled(addPlayer({src: '/assets/none.pchr'}));
      globalThis.fetch = original;
      return [akari.error, akari.info.missing, absent, none.error.message.replace(/.*: /, '')];
    }""")
    same(found, [None, [], ["akari_tex_1.json", "none.pchr"], "the server sent a web page"],
         "character of a server that sends a page for files that do not exist")


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


@test("an element that shows one character after another keeps its module, and frees the characters")
def _(stage):
    page = stage.open_page("element", (600, 400))
    found = page.run("""async () => {
      const player = addPlayer({src: '/assets/kiri.pchr'});
      const counts = [];
      for (let i = 0; i < 12; ++i) {
        while (!player.info || countColors(player) < 3) await nextFrame();
        counts.push(live.gl.Texture);
        player.src = `/assets/${i % 2 === 0 ? 'quad' : 'kiri'}.pchr`;
        while (player.info) await null;
      }
      player.remove();
      await nextFrame();
      return [live.memories.length, live.contexts.length, counts.slice(2).map((count, i) => count - counts[i])];
    }""")
    same(found, [1, 1, [0] * 10], "modules, contexts, and textures more than two characters before")


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


@test("elements with the same files and bind pose share a character, and its module")
def _(stage):
    page = stage.open_page("element", (1000, 700))
    found = page.run("""async () => {
      const kiri = {src: '/assets/kiri.pchr'};
      const players = [addPlayer(kiri), addPlayer({src: '/assets/../assets/kiri.pchr'}),
                       addPlayer({...kiri, bind: 'walk:5'}), addPlayer({...kiri, bind: 'walk:5'}),
                       addPlayer(kiri, '/assets/kiri.rig.json'), addPlayer({src: '/assets/quad.pchr'})];
      for (const player of players) await settled(player);
      const characters = players.map(({character}) => character);
      const first = characters.map((character) => characters.indexOf(character));
      players[2].bind = 'identity';
      const poses = players.map(({info}) => info.bindFrame);
      players[0].remove();
      await nextFrame();
      players[1].seek(0.1);
      return [first, poses, new Set(characters.map(({instance}) => instance)).size, players[1].frame > 0,
              performance.getEntriesByType('resource').filter(({name}) => name.endsWith('kiri.pchr')).length];
    }""")
    same(found, [[0, 0, 2, 2, 4, 5], [0, 0, 0, 5, 0, 0], 1, True, 3],
         "characters, bind poses, modules, the second after the first, and fetches")


@test("an element says where its module is")
def _(stage):
    page = stage.open_page("element", (600, 400))
    found = page.run("""async () => {
      const player = await settled(addPlayer({src: '/assets/quad.pchr', module: '/absent/pchr-v1.wasm'}));
      const message = `${player.error.message}, ${player.error.hint}`;
      player.module = '/site/pchr-v1.wasm';
      while (!player.info) await nextFrame();
      const other = await settled(addPlayer({src: '/assets/kaeru.aseprite', module: '/site/pchr-v1.wasm'}));
      const urls = performance.getEntriesByType('resource').map(({name}) => new URL(name).pathname);
      return [message, player.error, other.error, [...new Set(urls.filter((path) => path.endsWith('.wasm')))]];
    }""")
    check("/absent/pchr-v1.wasm" in found[0] and 'attribute "module"' in found[0], f"the error is {found[0]}")
    same(found[1:], [None, None, ["/absent/pchr-v1.wasm", "/site/pchr-v1.wasm", "/site/pchr.wasm"]], "errors and fetches")


@test("all elements draw again after the browser lost the context they share")
def _(stage):
    page = stage.open_page("element", (800, 600))
    page.run("""async () => {
      globalThis.players = ['kiri.pchr', 'quad.pchr', 'kaeru.aseprite'].map((name) => addPlayer({src: `/assets/${name}`}));
      for (const player of players) {
        await settled(player);
        player.currentTime = player.duration / 2;
        player.style.float = 'left';
      }
      for (let n = 0; n < 2; ++n) await nextFrame();
    }""")
    before = page.screenshot()
    check(len(set(before.getdata())) > 20, "nothing was drawn before")
    page.run("""async () => {
      const [context] = live.contexts;
      const loser = context.getExtension('WEBGL_lose_context');
      const next = (type) => new Promise((resolve) => context.canvas.addEventListener(type, resolve, {once: true}));
      const lost = next('webglcontextlost');
      loser.loseContext();
      await lost;
      players[0].zoom *= 2;  // Draws nothing, and fails nothing.
      players.push(await loaded(addPlayer({src: '/assets/corners.pchr'})));
      await nextFrame();
      players[0].fit();
      const restored = next('webglcontextrestored');
      loser.restoreContext();
      await restored;
      for (let n = 0; n < 3; ++n) await nextFrame();
    }""")
    same(page.run("() => [players.map(({error}) => error), live.contexts.length, countColors(players[3]) > 2]"),
         [[None] * 4, 1, True], "errors, contexts, and an element that was added meanwhile")
    page.run("async () => { players[3].remove(); await nextFrame(); }")
    check(page.screenshot() == before, "the image differs after the context was restored")


@test("a context that the browser does not restore is replaced")
def _(stage):
    page = stage.open_page("element", (600, 400))
    page.run("""async () => {
      globalThis.player = await settled(addPlayer({src: '/assets/quad.pchr'}));
      while (live.contexts.length === 0) await nextFrame();
      live.contexts[0].getExtension('WEBGL_lose_context').loseContext();
      player.style.height = '200px';
    }""")
    page.wait("() => live.contexts.length === 2 && countColors(player) > 2 && part(player, 'canvas').height === 200")
    # If there is no other either, that is an error.
    page.run("""() => {
      OffscreenCanvas.prototype.getContext = HTMLCanvasElement.prototype.getContext = () => null;
      live.contexts[1].getExtension('WEBGL_lose_context').loseContext();
    }""")
    page.wait("() => player.error?.message.includes('no WebGL 2') && player.info === null")


@test("without WebGL, the content of the element is shown, and an event says why")
def _(stage):
    page = stage.open_page("element", (600, 400))
    found = page.run("""async () => {
      for (const {prototype} of [HTMLCanvasElement, OffscreenCanvas]) {
        const {getContext} = prototype;
        prototype.getContext = function (type, ...all) {
          return type === 'webgl2' ? null : getContext.call(this, type, ...all);
        };
      }
      const player = addPlayer({src: '/assets/quad.pchr', autoplay: ''});
      player.append(Object.assign(document.createElement('img'), {src: '/assets/koi/koi.png', alt: 'A koi'}));
      while (!player.error) await nextFrame();
      for (let n = 0; n < 2; ++n) await nextFrame();
      return [player.error.constructor.name, player.happened.filter(([type]) => type === 'error'),
              player.firstChild.checkVisibility(), player.info, part(player, 'error').offsetHeight < 120];
    }""")
    message = "this browser has no WebGL 2, or it is turned off"
    same(found, ["CharacterError", [["error", message]], True, None, True], "error, events, fallback, character, message")


@test("browsers without OffscreenCanvas draw the same")
def _(stage):
    images = []
    for name in ("OffscreenCanvas", "none"):
        page = stage.open_page("element", (600, 400))
        page.run("""async (name) => {
          delete globalThis[name];
          globalThis.player = await settled(addPlayer({src: '/assets/kiri.pchr', clip: 'walk'}));
          player.frame = 7;
          for (let n = 0; n < 2; ++n) await nextFrame();
        }""", name)
        images.append(page.screenshot(page.box("() => player")))
        page.close()
    check(len(set(images[0].getdata())) > 20, "nothing is drawn")
    check(images[0] == images[1], "the images differ")


@test("if a call makes the module fail, its element shows the error, and the others load again")
def _(stage):
    # A call by the page, and one in a frame in which the others are updated after it.
    for method in ("seek", "advance"):
        page = stage.open_page("element", (800, 600))
        found = page.run("""async (method) => {
          const players = ['kiri.pchr', 'kiri.pchr', 'quad.pchr'].map((name) => addPlayer({src: `/assets/${name}`}));
          for (const player of players) await settled(player);
          const [failing, ...others] = players;
          const {instance} = failing.character;
          others[0].clip = 'jump';
          others[1].autoplay = true;
          await nextFrame();
          // Asks for more memory than there is.
          failing.playback[method] = () => instance.call('web_alloc', 0xFFFFFF00);
          failing.play();
          others[0].play();
          if (method === 'seek') failing.seek(1);
          while (!failing.error) await nextFrame();
          const message = failing.error.message;
          for (const player of others) {
            while (!player.info || player.character.instance === instance) await nextFrame();
            await settled(player);
          }
          return [message.length > 5, failing.info, failing.happened.filter(([type]) => type === 'error').length,
                  others.map(({happened}) => happened.filter(([type]) => type === 'error').length),
                  others.map(countColors).every((count) => count > 2), others[0].clip,
                  others.map(({paused}) => paused), Object.values(live.gl).reduce((sum, count) => sum + count) > 0];
        }""", method)
        same(found, [True, None, 1, [0, 0], True, "jump", [False, True], True], f"the elements after {method}() failed")
        page.close()


@test("an element shows a character that it got before it was in the document")
def _(stage):
    page = stage.open_page("element", (600, 400))
    found = page.run("""async () => {
      const {Character} = await import('/character.js');
      const player = document.createElement('pchr-player');
      player.character = await Character.load('/assets/quad.pchr');
      document.body.append(player);
      for (let n = 0; n < 3; ++n) await nextFrame();
      return player.info !== null;
    }""")
    same(found, True, "whether there is a character")
    page.wait("() => countColors(document.querySelector('pchr-player')) > 2")


@test("a context that is lost while an element is drawn is no error")
def _(stage):
    page = stage.open_page("element", (600, 400))
    found = page.run("""async () => {
      const {prototype} = WebGL2RenderingContext;
      const {createProgram} = prototype;
      const lost = new Promise((resolve) => {
        prototype.createProgram = function () {
          prototype.createProgram = createProgram;
          this.canvas.addEventListener('webglcontextlost', () => setTimeout(resolve), {once: true});
          globalThis.loser = this.getExtension('WEBGL_lose_context');
          loser.loseContext();
          return this.createProgram();
        };
      });
      const player = addPlayer({src: '/assets/quad.pchr'});
      await lost;
      loser.restoreContext();
      while (!player.error && countColors(player) < 3) await nextFrame();
      return [player.error?.message ?? null, live.contexts.length];
    }""")
    same(found, [None, 1], "error and contexts")


@test("what cannot be loaded is asked for once, also with a bind pose")
def _(stage):
    page = stage.open_page("element", (600, 400))
    found = page.run("""async () => {
      const fetched = [];
      const {fetch} = globalThis;
      globalThis.fetch = (url, ...all) => {
        fetched.push(String(url));
        return fetch(url, ...all);
      };
      await settled(addPlayer({src: '/assets/none.pchr', bind: 'walk'}));
      return fetched.filter((url) => url.endsWith('none.pchr')).length;
    }""")
    page.take_errors()
    same(found, 1, "fetches")


@test("an element whose controls cannot be loaded says so, and shows its character without them")
def _(stage):
    folder = stage.out / "without_controls"
    folder.mkdir(exist_ok=True)
    for name in ("pchr-player", "character", "gl", "module", "stage", "surface", "view"):
        shutil.copy(stage.folders["site"] / f"{name}.js", folder)
    text = (stage.folders["pages"] / "element.html").read_text()
    (folder / "element.html").write_text(text.replace("/pchr-player.js", "pchr-player.js").replace(
        "element.js", "/pages/element.js"))
    page = stage.open("out/without_controls/element.html", (600, 400))
    page.wait("() => globalThis.ready")
    found = page.run("""async () => {
      const player = addPlayer({src: '/assets/quad.pchr', controls: '', module: '/pchr-v1.wasm'});
      while (countColors(player) < 3) await nextFrame();
      return [player.happened.map(([type]) => type), player.error];
    }""")
    page.take_errors()
    same(found, [["error", "clipchange", "load"], None], "events, and the error in the end")


@test("an element that is not in view keeps its character when it gets one that is closed")
def _(stage):
    page = stage.open_page("element", (600, 400))
    found = page.run("""async () => {
      const {Character} = await import('/character.js');
      const player = addPlayer({src: '/assets/quad.pchr'});
      player.style.marginTop = '4000px';
      await settled(player);
      const closed = await Character.load('/assets/kiri.pchr');
      closed.close();
      try {
        player.character = closed;
      } catch ({message}) {
        return [message, player.clip, player.playback !== null];
      }
    }""")
    same(found, ["the character is closed", "turn", True], "error, clip, and whether there is a clock")
