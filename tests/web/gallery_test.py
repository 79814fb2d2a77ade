# SPDX-License-Identifier: MIT
"""The gallery of the site."""
from stage import check, same, test


@test("the gallery shows all samples, files of the visitor, and a crowd")
def _(stage):
    page = stage.open("gallery.html", (1000, 1900))
    page.wait("() => document.querySelectorAll('.samples pchr-player').length === 8 && "
              "[...document.querySelectorAll('.samples pchr-player')].every((player) => player.frame > 0)")
    page.wait("() => document.getElementById('crowd-status').textContent.startsWith('100 characters, ')")
    colors = len(set(page.screenshot(page.box("() => document.getElementById('crowd')")).getdata()))
    check(colors > 100, f"the crowd has {colors} colors")
    page.run("""() => {
      const count = document.getElementById('count');
      count.value = 0;
      count.dispatchEvent(new Event('input'));
    }""")
    page.wait("() => document.getElementById('crowd-status').textContent.startsWith('1 character, ')")
    same(page.run("() => document.getElementById('count').getAttribute('aria-valuetext')"), "1 character", "slider")

    drop = "() => document.getElementById('drop')"
    page.drop_files(drop, [stage.folders["assets"] / "kiri.rig.json"])
    page.wait("() => document.getElementById('own-status').textContent.startsWith('There is no character')")
    page.drop_files(drop, [stage.folders["assets"] / "kiri.rig.json", stage.folders["assets"] / "kiri.pchr"])
    page.wait("() => document.getElementById('own').frame > 0")
    same(page.run("() => document.getElementById('own').clips.some((clip) => clip.markers.length > 0)"), True,
         "markers of the dropped file")
    # The last choice counts, also if the one before takes longer to read.
    page.run("""() => {
      const {arrayBuffer} = Blob.prototype;
      Blob.prototype.arrayBuffer = async function () {
        Blob.prototype.arrayBuffer = arrayBuffer;
        await new Promise((resolve) => { globalThis.release = resolve; });
        return arrayBuffer.call(this);
      };
    }""")
    page.drop_files(drop, [stage.folders["assets"] / "corners.pchr"])
    page.wait("() => globalThis.release")
    page.drop_files(drop, [stage.folders["assets"] / "quad.pchr"])
    page.wait("() => document.getElementById('own').clip === 'turn'")
    same(page.run("""async () => {
      release();
      for (let n = 0; n < 5; ++n) await new Promise((resolve) => setTimeout(resolve));
      return [document.getElementById('own').clip, document.getElementById('own-status').textContent];
    }"""), ["turn", "quad.pchr"], "clip and status after the last choice")

    missing = page.run("""async () => {
      const links = new Set([...document.links].map((link) => link.href.replace(/[?#].*/, '')));
      const answers = await Promise.all([...links].map(async (link) => [link, (await fetch(link)).status]));
      return answers.filter(([, status]) => status !== 200);
    }""")
    same(missing, [], "dead links")
    page.resize((360, 800))
    same(page.run("() => document.documentElement.scrollWidth"), 360, "width on a phone")
    small = page.run("""() => [...document.querySelectorAll('a, input')].filter((each) =>
      each.getBoundingClientRect().height < 43.5 && !each.closest('label')).map((each) => each.textContent)""")
    same(small, [], "links that are too small to touch")
