#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the web player and the runtime in a browser: sizes, the first image, memory, and script time per frame.

    bench.py chromium|firefox SITE [PCHR ENGINES [PEERS]]

With the tool and the folder of engines that `./dev test` installs (build/engines/node_modules), also in PixiJS. PEERS is
a folder with the npm package pixi-dragonbones-runtime, which shows the same character, without a PixiJS of its own.
"""
import gzip
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import browser
import serve

HERE = pathlib.Path(__file__).resolve().parent
ASSETS = HERE.parent.parent / "assets"
ELEMENT = ("pchr-player.js", "character.js", "gl.js", "module.js", "stage.js", "surface.js", "view.js")
RUNTIME = ("runtime.js", "animator.js", "geometry.js", "memory.js", "native.js", "render.js", "stream.js", "character.js",
           "gl.js", "module.js", "surface.js")
DOWNLOADS = {"element, PCHR v1": (*ELEMENT, "pchr-v1.wasm"), "its controls": ("controls.js",),
             "element, all formats": (*ELEMENT, "pchr.wasm"), "runtime, PCHR v1": (*RUNTIME, "pchr-runtime.wasm"),
             "runtime, all formats": (*RUNTIME, "pchr.wasm")}
COUNTS = (1, 100, 1000, 10000)
# Without a GPU, a frame of 10,000 characters takes seconds.
FRAMES = {1: 150, 100: 100, 1000: 40, 10000: 9}


def sizes(site):
    for name, files in DOWNLOADS.items():
        scripts = [(site / file).read_bytes() for file in files if file.endswith(".js")]
        modules = [(site / file).read_bytes() for file in files if file.endswith(".wasm")]
        packed = sum(len(gzip.compress(data, 9)) for data in scripts + modules)
        print(f"{name}: scripts {sum(map(len, scripts)) / 1000:.0f} kB, module {sum(map(len, modules)) / 1000:.0f} kB, "
              f"{packed / 1000:.0f} kB with gzip")


def describe(times):
    ordered = sorted(times)
    # Browsers round times, so the mean of many is more precise than any of them.
    return f"{statistics.mean(ordered):8.3f} ms on average, {statistics.median(ordered):8.3f} median, {ordered[0]:8.3f} fastest"


def measure_runtime(driven, server):
    page = driven.open(server.url + "pages/bench.html?first")
    first = []
    # The first run compiles the module and fills the browser's caches.
    for _ in range(11):
        page.navigate(f"{server.url}pages/bench.html?first")
        first.append(page.wait("() => globalThis.first"))
    best = min(first[1:], key=lambda run: run["total"])
    print("script start to first image of Kiri, warm: " + describe([run["total"] for run in first[1:]]))
    # Uploading includes decoding the images.
    print("  the fastest: " + ", ".join(f"{part} {best[part]:.1f} ms" for part in ("open", "upload", "draw")))
    print(f"  cold: {first[0]['total']:.1f} ms")
    for count in COUNTS:
        for what, function in (("baked in a crowd", "(count, frames) => timeCrowd(count, false, frames)"),
                               ("crossfading in a crowd", "(count, frames) => timeCrowd(count, true, frames)"),
                               ("animators, posed", "(count, frames) => timeAnimators(count, 'pose', frames)"),
                               ("animators, as triangles", "(count, frames) => timeAnimators(count, 'stream', frames)"),
                               ("animators, drawn together", "(count, frames) => timeAnimators(count, 'draw', frames)")):
            if count > 1000 and what == "animators, drawn together":
                continue
            page.navigate(server.url + "pages/bench.html")
            page.wait("() => globalThis.ready")
            times = page.run(function, count, FRAMES[count])
            used = page.run("() => memory()")
            print(f"{count:6} Kiri, {what:28}: {describe(times)}; module {used['module'] / 1e6:.1f} MB, "
                  f"heap {used['heap'] / 1e6:.1f} MB", flush=True)


def measure_pixi(driven, server, out, site, tool, engines, peers):
    folder = out / "engines"
    folder.mkdir()
    paths = [engines, *([peers] if peers else [])]
    subprocess.run(["node", engines / "esbuild/bin/esbuild", HERE / "pages/engines/bench.js", "--bundle", "--format=esm",
                    f"--outfile={folder / 'bench.js'}", "--log-level=error", f"--alias:pchr-player={site}",
                    *([] if peers else ["--external:pixi-dragonbones-runtime"])], check=True,
                    env={**os.environ, "NODE_PATH": os.pathsep.join(map(str, paths))})
    subprocess.run([tool, "sheet", ASSETS / "akari/akari_ske.json", "--scale", "0.5", "--format", "pixi",
                    "-o", out / "bench_sheet.png"], check=True, stdout=subprocess.DEVNULL)
    page = driven.open(server.url + "pages/engines/engine.html?bench")
    for name in ("pchr", *(["dragonbones"] if peers else []), "sprites"):
        for count in COUNTS:
            if count > 1000 and name != "sprites":
                continue
            page.navigate(server.url + "pages/engines/engine.html?bench")
            page.wait("() => globalThis.ready")
            times = page.run("(...all) => engine.time(...all)", name, count, FRAMES[count])
            print(f"{count:6} Akari in PixiJS, {name:11}: {describe(times)}", flush=True)


def main(name, site, tool=None, engines=None, peers=None):
    site = pathlib.Path(site).resolve()
    sizes(site)
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        out.mkdir()
        with serve.Server(site, pages=HERE / "pages", assets=ASSETS, out=out) as server:
            driven = browser.Browser(name, pathlib.Path(folder) / "browser")
            try:
                print(f"{name} {driven.version}")
                measure_runtime(driven, server)
                if engines:
                    measure_pixi(driven, server, out, site, tool, pathlib.Path(engines).resolve(),
                                 peers and pathlib.Path(peers).resolve())
                for page in driven.pages.values():
                    if errors := page.take_errors():
                        sys.exit("the page has errors:\n" + "\n".join(errors))
            finally:
                driven.close()


if __name__ == "__main__":
    if len(sys.argv) not in (3, 5, 6):
        sys.exit(__doc__)
    main(*sys.argv[1:])
