# SPDX-License-Identifier: MIT
"""Hours of work on the page that is a player: what it uses stays the same."""
from stage import check, same, test

ROUNDS = 480
PERIOD = 20  # Rounds between measurements.
# The engine keeps a little now and then. Less than 2 KiB per round are found.
NOISE = 512 * 1024

# Opens a sample and Kiri, plays her machine and the next clip, and saves that. Files are not written.
PREPARE = """() => {
  HTMLAnchorElement.prototype.click = () => {};
  const {requestAnimationFrame: request} = globalThis;
  // Frames that take the player's longest step.
  globalThis.requestAnimationFrame = (update) => request((now) => update(now * 10));
  const byId = (id) => document.getElementById(id);
  const frame = () => new Promise((resolve) => request(resolve));
  const until = async (holds) => {
    while (!holds()) await frame();
  };
  const open = async (link) => {
    link.dispatchEvent(new MouseEvent('click', {bubbles: true, cancelable: true}));
    const name = new URL(link.href).searchParams.get('src').split('/').pop();
    await until(() => document.title.startsWith(name) && byId('opening').hidden);
    if (!byId('message').hidden) throw new Error(byId('message').textContent);
  };
  const key = (type, key) => byId('stage').dispatchEvent(new KeyboardEvent(type, {key, code: key, bubbles: true}));
  const states = () => [...document.querySelectorAll('#states [aria-current=true]')].map((row) => row.textContent).join();
  const set = (id, value) => {
    byId(id).value = value;
    byId(id).dispatchEvent(new Event('input'));
  };
  globalThis.work = async (round) => {
    const samples = document.querySelectorAll('#menu a[href*="src="]');
    await open(samples[1 + round % (samples.length - 1)]);
    await open(samples[0]);
    byId('states-tab').click();
    byId('states-play').click();
    await until(() => states() === 'idle,free');
    key('keydown', 'ArrowRight');
    await until(() => states() === 'move,free');
    for (const name of ['w', ' ']) {
      key('keydown', name);
      for (let i = 0; i < 3; ++i) await frame();
      key('keyup', name);
    }
    key('keyup', 'ArrowRight');
    const clips = document.querySelectorAll('[role=option]');
    clips[round % clips.length].click();
    await until(() => states() === '');
    byId('show-save').click();
    const formats = ['webp', 'apng', 'gif', 'still'];
    const format = formats[round % formats.length];
    if (format === 'still') byId('save-still').click();
    else set('save-format', format);
    set('save-scale', 5);
    byId('save-form').requestSubmit();
    await until(() => !byId('save').open || byId('save-summary').matches('.error-text'));
    if (byId('save').open) throw new Error(byId('save-summary').textContent);
  };
  globalThis.measure = () => {
    // Saving has a context of its own, which the harness would keep.
    live.contexts.splice(0, Infinity, ...live.contexts.filter((context) => !context.isContextLost()));
    gc();
    return {
      heap: performance.memory.usedJSHeapSize,
      memory: live.memories.reduce((sum, memory) => sum + (memory.deref()?.buffer.byteLength ?? 0), 0),
      objects: Object.values(live.gl).reduce((sum, count) => sum + count),
      contexts: live.contexts.length,
      elements: document.querySelectorAll('*').length,
    };
  };
}"""


@test("memory stays the same over hundreds of files, machines and saved images", "chromium", long=True)
def _(stage):
    page = stage.open("?src=samples/kiri.pchr&file=samples/kiri.rig.json", (400, 300))
    page.wait("() => document.title.startsWith('kiri.pchr')")
    page.run(PREPARE)
    used = []
    for begin in range(0, ROUNDS, PERIOD):
        for number in range(begin, begin + PERIOD):
            page.run("(number) => work(number)", number)
        used.append(page.run("() => measure()"))
        print(f"{begin + PERIOD} rounds: {used[-1]}", flush=True)
    # The least of several measurements, because a collection does not find all garbage.
    third = len(used) // 3
    warm, last = (min(each["heap"] for each in part) for part in (used[:third], used[-third:]))
    check(last < warm + NOISE, f"the JavaScript heap has grown from {warm} to {last} bytes")
    for what in ("memory", "objects", "contexts", "elements"):
        same(used[-1][what], used[third][what], what)
