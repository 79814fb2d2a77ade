# SPDX-License-Identifier: MIT
"""Hours of work on the page that is a player: what it uses stays the same."""
from stage import check, same, test

ROUNDS = 480
PERIOD = 20  # Rounds between measurements.
# Bytes: the engine keeps a little now and then, and memory has gaps. 1 KiB and 5 KiB per round are found.
NOISE = {"heap": 128 << 10, "memory": 1 << 20}

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
  globalThis.measure = async () => {
    // Saving has a context of its own, which the harness would keep.
    live.contexts.splice(0, Infinity, ...live.contexts.filter((context) => !context.isContextLost()));
    // A collection does not find all garbage: some is held by what the next one frees.
    let heap = Infinity;
    for (let i = 0; i < 10; ++i) {
      await gc({type: 'major', execution: 'async'});
      await frame();
      heap = Math.min(heap, performance.memory.usedJSHeapSize);
    }
    return {
      heap,
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
        # In one call, because the browser keeps the source of each.
        page.run("""async (begin, end) => {
          for (let number = begin; number < end; ++number) await work(number);
        }""", begin, begin + PERIOD)
        used.append(page.run("() => measure()"))
        print(f"{begin + PERIOD} rounds: {used[-1]}", flush=True)
    # The engine optimizes code for a long time, which takes memory.
    warm, last = used[len(used) // 2], used[-1]
    for what, noise in NOISE.items():
        check(last[what] < warm[what] + noise, f"{what} has grown from {warm[what]} to {last[what]} bytes")
    for what in ("objects", "contexts", "elements"):
        same(last[what], warm[what], what)
