# SPDX-License-Identifier: MIT
"""The page opens all characters, with their files chosen together."""
from PIL import Image

from stage import character_files, check, same, test

STAGE = "() => document.getElementById('stage')"
NEXT_FRAMES = "() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))"


def wait_for_opened(page, name):
    """Waits until the page has opened a file or says why it cannot."""
    page.wait("""(name) => document.getElementById('status').textContent.startsWith(`Opened ${name}:`) ||
                           !document.getElementById('message').hidden""", name)
    check(page.run("() => document.getElementById('message').hidden"),
          page.run("() => document.getElementById('message-text').textContent"))


def is_visible(page):
    page.run(NEXT_FRAMES)
    image = page.screenshot(page.box(STAGE)).resize((100, 100), Image.Resampling.NEAREST)
    return len(set(image.getdata())) > 1


@test("the page opens and shows all sample and third-party characters")
def _(stage):
    page = stage.open("", (500, 500))
    page.run("""() => {
      const background = document.getElementById('background');
      background.value = 'color';
      background.dispatchEvent(new Event('change'));
    }""")
    for name, files in character_files(stage):
        file = files[0][0]
        page.choose_files("() => document.getElementById('files-input')", [path for path, _ in files])
        wait_for_opened(page, file.name)
        # What plays can be invisible for a while.
        check(any(is_visible(page) for _ in range(200)), f"{name} is not visible")


@test("the page survives the loss of its context")
def _(stage):
    page = stage.open("?src=samples/kiri.pchr&clip=walk", (1200, 800))
    wait_for_opened(page, "kiri.pchr")
    page.press("Home", "g", "g")
    page.run(NEXT_FRAMES)
    before = page.screenshot(page.box(STAGE))
    page.run("""async () => {
      const [{canvas}] = live.contexts;
      const next = (type) => new Promise((resolve) => canvas.addEventListener(type, resolve, {once: true}));
      const loser = live.contexts[0].getExtension('WEBGL_lose_context');
      const lost = next('webglcontextlost');
      loser.loseContext();
      await lost;
      await new Promise((resolve) => setTimeout(resolve));
      const restored = next('webglcontextrestored');
      loser.restoreContext();
      await restored;
    }""")
    page.press("ArrowRight", "ArrowLeft")
    page.run(NEXT_FRAMES)
    after = page.screenshot(page.box(STAGE))
    check(len(set(after.getdata())) > 10, "the stage is empty")
    same(list(after.getdata()) == list(before.getdata()), True, "same image as before")
