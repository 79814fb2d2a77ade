#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures the web player in a browser: sizes, the time to the first image, and CPU time per frame.

    bench.py chromium|firefox SITE [RUNS]
"""
import gzip
import pathlib
import statistics
import sys
import tempfile

import browser
import serve

HERE = pathlib.Path(__file__).resolve().parent
KIRI = "/assets/kiri.pchr"


def sizes(site):
    """Prints what a page with the element downloads."""
    modules = ("pchr-player.js", "character.js", "controls.js", "gl.js", "module.js", "view.js")
    for name in ("pchr-v1.wasm", "pchr.wasm"):
        files = [site / file for file in (*modules, name)]
        raw = sum(file.stat().st_size for file in files)
        packed = sum(len(gzip.compress(file.read_bytes(), 9)) for file in files)
        print(f"{name} and JavaScript: {raw / 1000:.0f} kB, {packed / 1000:.0f} kB with gzip")


def describe(times):
    ordered = sorted(times)
    high = ordered[len(ordered) * 95 // 100]
    # Browsers round times, so the mean of many is more precise than any of them.
    return f"{statistics.mean(ordered):.3f} ms on average (fastest {ordered[0]:.3f}, 95 % below {high:.3f})"


def main(name, site, runs="10"):
    site = pathlib.Path(site)
    sizes(site)
    with serve.Server(site, pages=HERE / "pages", assets=HERE.parent.parent / "assets") as server, \
            tempfile.TemporaryDirectory() as folder:
        driven = browser.Browser(name, folder)
        try:
            print(f"{name} {driven.version}")
            page = driven.open(server.url + "pages/bench.html")
            first = []
            # The first run compiles the module and fills the browser's caches.
            for _ in range(int(runs) + 1):
                page.navigate(f"{server.url}pages/bench.html?first={KIRI}")
                first.append(page.wait("() => globalThis.first"))
            best = min(first[1:], key=lambda run: run["total"])
            print("script start to first image of Kiri, warm: " + describe([run["total"] for run in first[1:]]))
            # Uploading includes decoding the images.
            parts = ("fetch", "open", "upload", "draw")
            print("  the fastest: " + ", ".join(f"{part} {best[part]:.1f} ms" for part in parts))
            print(f"  cold: {first[0]['total']:.1f} ms")
            times = page.run("(url) => timeOne(url, 150)", KIRI)
            print("one smooth character, CPU per frame: " + describe(times[10:]))
            times = page.run("(url) => timeCrowd(url, 1000, 30)", KIRI)
            print("1,000 baked characters, CPU per frame: " + describe(times[10:]))
            if page.take_errors():
                sys.exit("the page has errors")
        finally:
            driven.close()


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
