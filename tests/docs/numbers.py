#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""numbers.py PCHR REPOSITORY FOLDER: computes numbers that the documents state. tests/web/script_test.mjs computes those of
the web player."""
import pathlib
import re
import subprocess
import sys

pchr, root, folder = sys.argv[1], *map(pathlib.Path, sys.argv[2:])
folder.mkdir(parents=True, exist_ok=True)
problems = []


def check(document, sentence, *computed, tolerance=0.05):
    """Compares the numbers in the groups of a pattern with those computed. Space stands for line breaks, too."""
    text = (root / document).read_text()
    found = re.search(sentence.replace(" ", r"\s+"), text)
    stated = [float(number.replace(",", "")) for number in found.groups()] if found else []
    if len(stated) != len(computed) or any(abs(a - b) > tolerance * abs(b) for a, b in zip(stated, computed)):
        problems.append(f"{document}: {sentence!r} has {stated}, but should have {[round(each, 3) for each in computed]}")


def size(*paths):
    return sum(path.stat().st_size for path in paths)


def run(*arguments):
    subprocess.run([pchr, *arguments], check=True, stdout=subprocess.DEVNULL)


kiri = root / "assets/kiri.pchr"
run("unpack", kiri, "-o", folder / "unpacked", "--force")
json, png = folder / "unpacked/kiri.json", folder / "unpacked/kiri.png"
for page in ("docs/formats.md", "docs/performance.md"):
    check(page, r"Kiri takes (\d\.\d) times the bytes as JSON and PNG as in v1, or (\d\.\d) times without her image",
          size(json, png) / size(kiri), size(json) / (size(kiri) - size(png)))

found = re.search(r"makes a PNG\s+(\d+) to (\d+) % smaller", (root / "docs/cli.md").read_text())
for name, options in (("kiri.pchr", ["--clip", "walk", "--scale", "0.25"]), ("hotaru.px", [])):
    for bleed in ("0", "2"):
        run("sheet", root / "assets" / name, *options, "--bleed", bleed, "-o", folder / f"bleed{bleed}.png")
    smaller = 100 * (1 - size(folder / "bleed0.png") / size(folder / "bleed2.png"))
    if not found or not int(found[1]) - 1 <= smaller <= int(found[2]) + 1:
        problems.append(f"docs/cli.md: a sheet of {name} is {smaller:.1f} % smaller with --bleed 0")

print("\n".join(problems) or "the numbers are right")
sys.exit(bool(problems))
