# SPDX-License-Identifier: MIT
"""The page that is a player, with real mouse, touch and keyboard input."""
import base64
import io
import json

from PIL import Image
from stage import check, read_premultiplied, same, share_of_different_pixels, test

KIRI = "?src=samples/kiri.pchr&file=samples/kiri.rig.json&clip=walk"
DESKTOP = (1280, 800)
PHONE = (390, 844)
# As for all of this project's renderings on other drivers: see share_of_different_pixels().
LIMIT, SHARE = 4, 0.01


def element(name):
    return f"() => document.getElementById({json.dumps(name)})"


def text(page, name):
    return page.run("(id) => document.getElementById(id).textContent", name)


def wait_for_text(page, name, part):
    page.wait("(id, part) => document.getElementById(id).textContent.includes(part)", name, part)


def wait_for_title(page, name):
    page.wait("(name) => document.title.startsWith(name) && document.getElementById('opening').hidden", name)


def press_button(page, name):
    page.click(page.center(element(name)))


def frame(page):
    return int(text(page, "frame"))


def wait_for_frames(page):
    """Waits until all changes are drawn and shown in texts."""
    page.run("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def zoom(page):
    wait_for_frames(page)
    return float(text(page, "zoom").rstrip("%"))


def open_kiri(stage, size=DESKTOP, query=KIRI):
    """Opens Kiri, paused at frame 0 of the clip."""
    page = stage.open(query, size)
    wait_for_title(page, "kiri.pchr")
    page.press("Home")
    page.wait("() => document.getElementById('frame').textContent === '0'")
    return page


def view(page):
    """Returns an image of the character after all changes are drawn."""
    wait_for_frames(page)
    return page.screenshot(page.box(element("stage")))


def differ(a, b):
    return share_of_different_pixels(a, b, 16) > 0.001


def catch_downloads(page):
    """Keeps what the page saves instead of downloading it."""
    page.run("""() => {
      globalThis.saved = [];
      addEventListener('click', async (event) => {
        const link = event.target;
        if (!(link instanceof HTMLAnchorElement) || !link.download) return;
        event.preventDefault();
        const bytes = new Uint8Array(await (await caught.get(link.href)).arrayBuffer());
        let text = '';
        for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
        saved.push([link.download, btoa(text)]);
      }, true);
      const caught = new Map();
      const original = URL.createObjectURL;
      URL.createObjectURL = (blob) => {
        const url = original.call(URL, blob);
        caught.set(url, blob);
        return url;
      };
      // Links that are not in the document do not pass their clicks to the window.
      const click = HTMLAnchorElement.prototype.click;
      HTMLAnchorElement.prototype.click = function () {
        document.body.append(this);
        click.call(this);
        this.remove();
      };
    }""")


def take_download(page):
    name, data = page.wait("() => globalThis.saved.shift()")
    page.wait("() => !document.getElementById('save').open")
    return name, base64.b64decode(data)


@test("the page opens an address with its clip and markers, and plays it")
def _(stage):
    page = stage.open(KIRI, DESKTOP)
    wait_for_title(page, "kiri.pchr")
    same(text(page, "name"), "kiri.pchr", "the name")
    same(page.run("() => document.querySelector('[role=option][aria-selected=true] .name').textContent"), "walk",
         "the selected clip")
    page.wait("() => Number(document.getElementById('frame').textContent) > 3")
    press_button(page, "play")
    page.wait("() => document.getElementById('play').ariaLabel === 'Play'")
    page.press("Home", *15 * ["ArrowRight"])
    page.wait("() => document.getElementById('timeline').getAttribute('aria-valuetext') === 'Frame 15 of 30, step'")


@test("the bind pose is chosen on the page, and the image changes at once")
def _(stage):
    page = open_kiri(stage)
    press_button(page, "info-tab")
    right = view(page)
    wait_for_text(page, "bind-guess", "In use: bind, frame 0")
    choose = """(value) => {
      const select = document.getElementById('bind-pose');
      select.value = value;
      select.dispatchEvent(new Event('change'));
    }"""
    page.run(choose, "identity")
    check(differ(right, view(page)), "the image as authored is the same")
    press_button(page, "next")
    press_button(page, "next")
    press_button(page, "bind-shown")
    page.wait("() => document.getElementById('bind-frame').value === '2'")
    same(page.run("() => document.getElementById('bind-pose').selectedOptions[0].textContent"), "walk", "the clip")
    press_button(page, "first")
    page.run(choose, "auto")
    check(not differ(right, view(page)), "the automatic bind pose is another one than before")


@test("all samples open from links on the page")
def _(stage):
    page = stage.open("", DESKTOP)
    page.wait("() => !document.getElementById('invitation').hidden")
    before = view(page)
    samples = {"kiri.pchr": 5, "konpei.chp": 10, "hotaru.px": 1, "kaeru.aseprite": 1, "akari_ske.json": 2, "tako.json": 2,
               "koi.psk": 1}
    for number, (name, clips) in enumerate(samples.items()):
        if number == 0:
            page.click(page.center("() => document.querySelector('#invitation a')"))
        else:
            press_button(page, "menu-toggle")
            page.click(page.center(f"() => document.querySelectorAll('#menu a')[{number}]"))
        wait_for_title(page, name)
        same(page.run("() => document.getElementById('message').hidden"), True, f"{name} opens without an error")
        same(page.run("() => document.getElementById('missing').hidden"), True, f"{name} has all files")
        count = page.run("() => document.querySelectorAll('[role=option]').length")
        check(count >= clips, f"{name} has {count} clips")
        image = view(page)
        check(differ(before, image), f"{name} is drawn")
        before = image


@test("playback follows the transport and the timeline, and clips are selected by mouse and keyboard")
def _(stage):
    page = open_kiri(stage)
    press_button(page, "next")
    page.wait("() => document.getElementById('frame').textContent === '1'")
    press_button(page, "last")
    page.wait("() => document.getElementById('frame').textContent === '29'")
    press_button(page, "next")
    page.wait("() => document.getElementById('frame').textContent === '0'")
    page.press("Shift+ArrowRight", "ArrowLeft")
    page.wait("() => document.getElementById('frame').textContent === '9'")
    page.press("l")
    page.wait("() => document.getElementById('loop').value === 'once'")
    page.press(".", ".", ".", ".")
    page.wait("() => document.getElementById('speed').value === '4'")
    page.press("Space")
    page.wait("() => document.getElementById('play').ariaLabel === 'Play' &&"
              " document.getElementById('frame').textContent === '29'")
    page.press("r", "Space")
    page.wait("() => document.getElementById('frame').textContent === '0'")
    page.press("Backspace", "m")
    page.wait("() => document.getElementById('speed').value === '1' && document.getElementById('smooth').checked")
    # Dragging on the timeline scrubs by frames.
    before = view(page)
    x, y, width, height = page.box(element("timeline"))
    page.drag([(x + 2, y + 40), (x + width / 2, y + 40), (x + width * 20.5 / 30, y + 60)])
    page.wait("() => document.getElementById('frame').textContent === '20'")
    check(differ(before, view(page)), "another frame is shown")
    page.touch([(x + width * 20.5 / 30, y + 40), (x + width * 7.5 / 30, y + 40)])
    page.wait("() => document.getElementById('frame').textContent === '7'")
    wait_for_text(page, "time", "0.233")
    # Clips are found by name, too.
    selected = "() => document.querySelector('[role=option][aria-selected=true] .name').textContent"
    page.click(page.center("() => document.querySelectorAll('[role=option]')[1]"))
    page.wait(f"() => ({selected})() === 'idle'")
    page.press("ArrowDown")
    page.wait(f"() => ({selected})() === 'walk'")
    page.press("5")
    page.wait(f"() => ({selected})() === 'jump'")
    page.press("/", "w", "a", "v")
    page.wait("() => [...document.querySelectorAll('[role=option]')].filter((row) => !row.hidden).length === 1")
    page.press("Enter")
    page.wait(f"() => ({selected})() === 'wave'")
    page.press("x", "x")
    wait_for_text(page, "no-clips", "No clip has this name.")
    page.press("Escape")
    same(page.run("() => document.querySelectorAll('[role=option][hidden]').length"), 0, "rows that the filter hides")


@test("state machines play with sliders, buttons and keys, are stopped and stepped, and a clip takes over again")
def _(stage):
    page = open_kiri(stage)
    clip = view(page)

    def wait_for_states(*names):
        page.wait("""(names) => names === [...document.querySelectorAll('#states [aria-current=true]')].map(
          (row) => row.textContent).join()""", ",".join(names))

    press_button(page, "states-tab")
    wait_for_states()
    press_button(page, "states-play")
    wait_for_states("idle", "free")
    check(differ(clip, view(page)), "the machine plays another clip")
    # A number is at its maximum as long as its key is held.
    page.hold("ArrowRight", True)
    wait_for_states("move", "free")
    same(page.run("() => document.getElementById('parameter-0').value"), "2", "the speed")
    page.press("w")
    wait_for_states("move", "wave")
    page.hold("ArrowRight", False)
    wait_for_states("idle", "free")
    # A trigger wins over the command of its key.
    page.press("Space")
    wait_for_states("jump", "free")
    wait_for_states("idle", "free")
    press_button(page, "parameter-2")
    wait_for_states("idle", "wave")
    x, y, width, height = page.box(element("parameter-0"))
    page.click((x + width - 6, y + height / 2))
    wait_for_states("move", "free")
    # Stopped, it is stepped by frames, and its parameters still take effect.
    press_button(page, "play")
    page.wait("() => document.getElementById('play').ariaLabel === 'Play'")
    before = view(page)
    check(not differ(before, view(page)), "a stopped machine moves")
    press_button(page, "next")
    press_button(page, "next")
    check(differ(before, view(page)), "steps do not move the machine")
    press_button(page, "parameter-1")
    wait_for_states("jump", "free")
    press_button(page, "first")
    wait_for_states("idle", "free")
    page.click(page.center("() => document.querySelectorAll('[role=option]')[2]"))
    wait_for_states()
    page.press("Home")
    page.wait("() => document.getElementById('frame').textContent === '0'")
    check(not differ(clip, view(page)), "the clip plays as before")
    press_button(page, "menu-toggle")
    page.click(page.center("() => document.querySelectorAll('#menu a')[2]"))
    wait_for_title(page, "hotaru.px")
    wait_for_text(page, "states", "no state machine")


@test("the camera follows wheel, mouse and fingers, and overlays and backgrounds follow mouse and keyboard")
def _(stage):
    page = open_kiri(stage)
    fitted = view(page)
    start = zoom(page)
    x, y, width, height = page.box(element("stage"))
    center = (x + width / 2, y + height / 2)
    page.wheel(center, y=-100)
    page.wait("(start) => parseFloat(document.getElementById('zoom').textContent) > 1.1 * start", start)
    page.press("f")
    page.wait("(start) => parseFloat(document.getElementById('zoom').textContent) === start", start)
    page.drag([center, (center[0] + 60, center[1] + 20)])
    moved = view(page)
    check(differ(fitted, moved), "dragging moves the character")
    same(zoom(page), start, "the zoom after dragging")
    press_button(page, "fit")
    check(not differ(fitted, view(page)), "fit undoes it")
    page.touch([center, (center[0] + 60, center[1] + 20)])
    check(not differ(moved, view(page)), "a finger moves the character like the mouse")
    page.press("f")
    page.touch([(center[0] - 40, center[1]), (center[0] - 80, center[1])],
               [(center[0] + 40, center[1]), (center[0] + 80, center[1])])
    page.wait("(start) => Math.abs(parseFloat(document.getElementById('zoom').textContent) - 2 * start) <= 2", start)
    page.press("f")
    images = [fitted]
    for name in ("skeleton", "wireframe", "bounds"):
        press_button(page, name)
        images.append(view(page))
        check(differ(images[-2], images[-1]), f"{name} changes the view")
    page.press("b", "w", "e")
    check(not differ(images[0], view(page)), "the keys turn overlays off")
    page.press("g")
    color = view(page)
    check(differ(images[0], color), "a plain background")
    same(color.getpixel((3, 3)), (0x5C, 0x61, 0x6B), "the background")
    page.press("g")
    check(differ(color, view(page)), "no background")


@test("a frame is saved as the command line tool renders it, and a clip as an animation with exact durations")
def _(stage):
    page = open_kiri(stage)
    native = stage.out / "page.png"
    catch_downloads(page)
    page.press("Control+e")
    press_button(page, "save-still")
    page.run("() => { document.getElementById('save-background').checked = false; }")
    page.press("Enter")
    name, data = take_download(page)
    same(name, "kiri-walk-0.png", "the name")
    stage.pchr("render", stage.folders["assets"] / "kiri.pchr", "--no-rig", "--clip", "walk", "--frame", "0",
               "--scale", "1", "--margin", "0", "-o", native)
    image = Image.open(io.BytesIO(data)).convert("RGBA").convert("RGBa")
    expected = read_premultiplied(native)
    same(image.size, expected.size, "the size")
    share = share_of_different_pixels(image, expected, LIMIT)
    check(share < SHARE, f"{share:.2%} of the pixels differ")
    frames = {}
    for extension, form, step in (("webp", "webp", 1), ("png", "apng", 1), ("gif", "gif", 10)):
        page.press("Control+e")
        page.run("""(format) => {
          for (const [id, value] of [['save-scale', 25], ['save-format', format]]) {
            const input = document.getElementById(id);
            input.value = value;
            input.dispatchEvent(new Event('input'));
          }
        }""", form)
        wait_for_text(page, "save-summary", "30 frames, 1.00 s")
        press_button(page, "save-submit")
        name, data = take_download(page)
        same(name, f"kiri-walk.{extension}", "the name")
        animation = Image.open(io.BytesIO(data))
        same(animation.n_frames, 30, f"frames of the {extension}")
        same(animation.info["loop"], 0, f"loops of the {extension}")
        images, durations = [], []
        for number in range(30):
            animation.seek(number)
            images.append(animation.convert("RGBA").convert("RGBa"))
            durations.append(animation.info["duration"])
        frames[extension] = images
        same(round(sum(durations), 6), 1000, f"milliseconds of the {extension}")
        off = max(abs(duration - 1000 / 30) for duration in durations)
        check(off < step, f"durations {durations} of the {extension}")
    for number in (0, 7, 29):
        share = share_of_different_pixels(frames["webp"][number], frames["png"][number], 0)
        check(share == 0, f"{share:.2%} of frame {number} differ between the formats")
        # A palette, and no soft edges.
        share = share_of_different_pixels(frames["gif"][number], frames["png"][number], 48)
        check(share < 0.1, f"{share:.2%} of frame {number} of the GIF differ much")
    check(differ(frames["png"][0].convert("RGB"), frames["png"][7].convert("RGB")), "frames differ")
    # Saving and opening can be canceled.
    page.press("Control+e")
    page.run("() => { const s = document.getElementById('save-scale'); s.value = 400;"
             " s.dispatchEvent(new Event('input')); }")
    page.press("Enter")
    page.wait("() => !document.getElementById('save-progress').hidden")
    page.press("Escape")
    page.wait("() => !document.getElementById('save').open")
    page.run("() => { globalThis.fetch = (url, {signal}) => new Promise((_, reject) =>"
             " signal.addEventListener('abort', () => reject(signal.reason))); }")
    press_button(page, "menu-toggle")
    page.click(page.center("() => document.querySelectorAll('#menu a')[2]"))
    page.wait("() => !document.getElementById('opening').hidden")
    press_button(page, "opening-cancel")
    page.wait("() => document.getElementById('opening').hidden")
    same(page.run("() => [document.getElementById('message').hidden, saved.length]"), [True, 0], "errors and files")
    same(text(page, "name"), "kiri.pchr", "the open character")


@test("pixel art zooms in whole steps")
def _(stage):
    page = stage.open("?src=samples/hotaru.px", DESKTOP)
    wait_for_title(page, "hotaru.px")
    for key in ("f", "-", "-", "+", "+", "+"):
        page.press(key)
        found = zoom(page) / 100
        whole = found if found >= 1 else 1 / found
        check(abs(whole - round(whole)) < 0.02, f"the zoom is {found}")


@test("chosen files are opened, and missing images can be added")
def _(stage):
    page = stage.open("", DESKTOP)
    folder = stage.folders["assets"] / "konpei"
    page.choose_files(element("files-input"), [folder / "konpei.chp"])
    wait_for_title(page, "konpei.chp")
    wait_for_text(page, "missing-text", "konpei.png")
    page.choose_files(element("files-input"), sorted(folder.glob("*.png")) + sorted(folder.glob("*.bmp")))
    page.wait("() => document.getElementById('missing').hidden")
    wait_for_title(page, "konpei.chp")
    same(page.run("() => document.getElementById('message').hidden"), True, "no error")


@test("several dropped characters are offered in a list")
def _(stage):
    page = stage.open("", DESKTOP)
    assets = stage.folders["assets"]
    page.drop_files(element("stage"), [assets / "quad.pchr", assets / "kiri.pchr", assets / "kiri.rig.json"])
    wait_for_title(page, "kiri.pchr")
    same(page.run("() => [...document.getElementById('choices').options].map((option) => option.text)"),
         ["kiri.pchr", "quad.pchr"], "the list")
    page.press("]")
    wait_for_title(page, "quad.pchr")
    page.press("[")
    wait_for_title(page, "kiri.pchr")


@test("a skeleton is dropped together with its texture atlas and image")
def _(stage):
    page = stage.open("", DESKTOP)
    page.drop_files(element("stage"), sorted((stage.folders["assets"] / "akari").glob("akari_*")))
    wait_for_title(page, "akari_ske.json")
    same(page.run("() => ['message', 'missing', 'choices'].map((id) => document.getElementById(id).hidden)"),
         [True, True, True], "no error, no missing file and nothing to choose")
    same(page.run("() => document.querySelectorAll('[role=option]').length"), 3, "clips")


@test("a Spine skeleton is dropped together with its atlas and image")
def _(stage):
    for skeleton in ("tako.json", "tako.skel"):
        page = stage.open("", DESKTOP)
        folder = stage.folders["assets"] / "tako"
        page.drop_files(element("stage"), [folder / name for name in (skeleton, "tako.atlas", "tako.png")])
        wait_for_title(page, skeleton)
        same(page.run("() => ['message', 'missing', 'choices'].map((id) => document.getElementById(id).hidden)"),
             [True, True, True], "no error, no missing file and nothing to choose")
        same(page.run("() => document.querySelectorAll('[role=option]').length"), 2, "clips")


@test("a broken file shows its error, and the open character stays")
def _(stage):
    page = open_kiri(stage)
    broken = stage.out / "<b>broken.pchr"
    broken.write_bytes((stage.folders["assets"] / "kiri.pchr").read_bytes()[:5000])
    page.choose_files(element("files-input"), [broken])
    page.wait("() => !document.getElementById('message').hidden")
    lines = stage.pchr("validate", broken, codes=(1,)).splitlines()
    error = "<b>broken.pchr: error E103: " + lines[0].split("error E103: ")[1]
    same(page.run("() => [...document.querySelectorAll('#message-text p')].map((line) => line.textContent)"),
         [error, lines[1].split("hint: ")[1]], "the message")
    same(text(page, "name"), "kiri.pchr", "the open character")
    same(page.run("() => document.querySelector('#message b')"), None, "markup in names")
    page.press("Escape")
    page.wait("() => document.getElementById('message').hidden")
    other = stage.out / "notes.txt"
    other.write_text("no character")
    page.choose_files(element("files-input"), [other])
    wait_for_text(page, "message-text", "notes.txt: choose a .pchr")


@test("the problems of a file are listed in the words of pchr validate")
def _(stage):
    page = stage.open("", DESKTOP)
    path = stage.folders["tests"] / "diagnostics" / "W205_negative_weight.pchr"
    page.choose_files(element("files-input"), [path])
    wait_for_title(page, path.name)
    press_button(page, "problems-tab")
    found = text(page, "problems")
    lines = stage.pchr("validate", path).splitlines()
    # hero.pchr: warning W205: meshes[0] ... (byte 188), and the hint below.
    words = [line.split(": ", 2)[2] if "warning" in line else line.split("hint: ", 1)[1] for line in lines[:2]]
    for word in (words[0].rsplit(" (byte", 1)[0], "warning W205", "byte 188", words[1]):
        check(word in found, f"{word!r} is not in {found!r}")


@test("the page works with the keyboard alone")
def _(stage):
    page = open_kiri(stage)
    reached = []
    for _ in range(40):
        page.press("Tab")
        reached.append(page.run("() => document.activeElement.id"))
        if reached.count(reached[0]) > 1:
            break
    for name in ("open", "menu-toggle", "show-save", "show-help", "stage", "play", "loop", "speed", "smooth",
                 "timeline", "info-tab", "clip-filter", "clip-list", "background", "color", "filter", "fit",
                 "skeleton"):
        check(name in reached, f"{name} is not among {reached}")
    page.press("?")
    page.wait("() => document.getElementById('help').open")
    wait_for_text(page, "key-table", "Play or pause")
    page.press("Escape")
    page.wait("() => !document.getElementById('help').open")
    page.run("() => document.getElementById('timeline').focus()")
    page.press("End", "ArrowLeft")
    page.wait("() => document.getElementById('frame').textContent === '28'")
    page.run("() => document.getElementById('info-tab').focus()")
    page.press("ArrowRight")
    page.wait("() => document.activeElement.id === 'problems-tab' && !document.getElementById('problems').hidden")
    wait_for_text(page, "problems", "roblems")


@test("the page fits phones, also with large text")
def _(stage):
    page = open_kiri(stage, PHONE)
    for name in ("view", "info", "problems", "clips"):
        page.touch([page.center(element(f"{name}-tab"))])
        page.wait("(name) => !document.getElementById(name).hidden", name)
        shown = page.run("() => document.querySelectorAll('[role=tabpanel]:not([hidden])').length")
        same(shown, 1, "visible panels")
    for size in ("93.75%", "187.5%"):
        page.run("(size) => { document.documentElement.style.fontSize = size; }", size)
        view(page)
        wide = page.run("""() => [...document.querySelectorAll('body *')].filter((each) => {
          const box = each.getBoundingClientRect();
          return box.width > 0 && box.right > innerWidth + 1 && !each.closest('.hidden-text, #tabs');
        }).map((each) => each.id || each.className || each.tagName)""")
        same(wide, [], f"elements beyond the edge at a font size of {size}")


@test("characters open paused for people who prefer reduced motion")
def _(stage):
    page = stage.open("", DESKTOP)
    page.run("""() => {
      const {matchMedia} = window;
      window.matchMedia = (query) => (query.includes('reduced-motion') ? {matches: true} : matchMedia(query));
    }""")
    page.choose_files(element("files-input"), [stage.folders["assets"] / "kiri.pchr"])
    wait_for_title(page, "kiri.pchr")
    same(page.run("() => document.getElementById('play').ariaLabel"), "Play", "the button")
    page.press("Space")
    page.wait("() => Number(document.getElementById('frame').textContent) > 0")
