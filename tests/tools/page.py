#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the folder that `pchr diff --html` writes: its page, its images, its data, and what it replaces.

Usage: page.py PCHR ASSETS OUT
"""
import html.parser
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

from PIL import Image, ImageChops, ImageStat

PCHR, ASSETS, OUT = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
HOSTILE = "a<img src=x onerror='alert(1)'>&\"\x1b[2J\n.pchr"
VOID = {"meta", "img"}


def pchr(*arguments, code=0):
    done = subprocess.run([PCHR, *map(str, arguments)], capture_output=True)
    if done.returncode != code:
        raise AssertionError(f"pchr {' '.join(map(str, arguments))} exited {done.returncode}: {done.stderr.decode()}")
    return done


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file()}


class Page(html.parser.HTMLParser):
    """The elements of a page. Fails if one is not closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.text = [], [], ""
        self.feed(text)
        self.close()
        if self.open:
            raise AssertionError(f"not closed: {self.open}")

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise AssertionError(f"</{tag}> closes nothing")

    def handle_data(self, data):
        self.text += data

    def values(self, name):
        return [attributes[name] for _, attributes in self.elements if name in attributes]


class Report(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(OUT, ignore_errors=True)
        cls.old, cls.new = OUT / "old", OUT / "new"
        for folder in (cls.old, cls.new):
            (folder / "deep" / "er").mkdir(parents=True)
            (folder / ".git").mkdir()
            shutil.copy(ASSETS / "quad.pchr", folder / ".git" / "hidden.pchr")
            shutil.copy(ASSETS / "corners.pchr", folder / "deep" / "er")
            shutil.copy(ASSETS / "quad.pchr", folder / "broken.pchr")
            (folder / "data.json").write_text('{"frames": []}')
        pchr("unpack", ASSETS / "kiri.pchr", "-o", OUT / "kiri")
        shutil.copy(ASSETS / "kiri.pchr", cls.old)
        text = OUT / "kiri" / "kiri.json"
        character = json.loads(text.read_text())
        head = next(i for i, bone in enumerate(character["bones"]) if bone["name"] == "head")
        walk = next(clip for clip in character["animations"] if clip["name"] == "walk")
        walk["frames"][10][head]["x"] += 25
        text.write_text(json.dumps(character))
        pchr("pack", text, "-o", cls.new / "kiri.pchr")
        (cls.new / "kiri.rig.json").unlink(missing_ok=True)
        quad = (ASSETS / "quad.pchr").read_bytes()
        (cls.new / "broken.pchr").write_bytes(quad[:-100])
        (cls.old / "removed.pchr").write_bytes(quad)
        (cls.new / "added.pchr").write_bytes(quad)
        (cls.old / HOSTILE).write_bytes(quad)
        shutil.copy(ASSETS / "corners.pchr", cls.new / HOSTILE)
        (cls.old / "packed.pchr").write_bytes(quad)
        pchr("convert", ASSETS / "quad.pchr", "-o", cls.new / "packed.json")
        pchr("diff", cls.old, cls.new, "--html", OUT / "report", "-j", "1", code=5)
        cls.data = json.loads((OUT / "report" / "report.json").read_text())
        cls.page = Page((OUT / "report" / "index.html").read_text())

    def test_states(self):
        self.assertEqual({each["path"]: each["state"] for each in self.data["characters"]},
                         {HOSTILE: "changed", "added.pchr": "added", "broken.pchr": "broken", "data.json": "skipped",
                          "deep/er/corners.pchr": "unchanged", "kiri.pchr": "changed", "packed.json": "changed",
                          "removed.pchr": "removed"})
        self.assertEqual(self.data["counts"], {"broken": 1, "changed": 3, "added": 1, "removed": 1, "unchanged": 1,
                                               "skipped": 1})

    def test_moved_head(self):
        kiri = next(each for each in self.data["characters"] if each["path"] == "kiri.pchr")
        self.assertEqual([(each["clip"], each["frame"]) for each in kiri["previews"]], [("walk", 10)])
        self.assertGreater(kiri["score"], 0.02)
        before, after, difference = (Image.open(OUT / "report" / kiri["previews"][0][name]).convert("RGBA")
                                     for name in ("before", "after", "difference"))
        self.assertEqual(before.size, (256, 256))
        self.assertNotEqual(before.tobytes(), after.tobytes())
        red = sum(1 for r, g, b, _ in difference.getdata() if r > g + 64 and r > b + 64)
        changed = sum(1 for one, other in zip(before.getdata(), after.getdata()) if one != other)
        self.assertTrue(0 < red <= changed)

    def test_links_and_ids(self):
        ids = self.page.values("id")
        self.assertEqual(len(ids), len(set(ids)))
        linked = set()
        for link in self.page.values("href") + self.page.values("src"):
            if link.startswith("#"):
                self.assertIn(link[1:], ids)
            else:
                self.assertRegex(link, r"^images/\w+\.png$")
                linked.add(link)
        files = set(contents(OUT / "report")) - {"index.html", "report.json"}
        self.assertEqual(linked, files)
        self.assertFalse([tag for tag, _ in self.page.elements if tag in ("script", "link", "iframe", "base")])

    def test_hostile_names_are_text(self):
        self.assertIn("a<img src=x onerror='alert(1)'>&\"\\x1b[2J\\x0a.pchr", self.page.text)
        self.assertFalse([name for _, attributes in self.page.elements for name in attributes if name.startswith("on")])
        self.assertNotIn(b"\x1b", (OUT / "report" / "index.html").read_bytes())

    def test_texts(self):
        for part in ("pose in clip 2 walk: up to 25.000 px apart", "was packed.pchr", "broken.pchr: error E",
                     "clip walk, frame 10: score 0."):
            self.assertIn(part, self.page.text)
        # The largest score comes first.
        self.assertLess(self.page.text.index("onerror"), self.page.text.index("kiri.pchr"))

    def test_animations(self):
        pchr("diff", self.old, self.new, "--html", OUT / "animated", "--animate", "--size", "64", code=5)
        data = json.loads((OUT / "animated" / "report.json").read_text())
        kiri = next(each for each in data["characters"] if each["path"] == "kiri.pchr")
        with Image.open(OUT / "animated" / kiri["previews"][0]["animation"]) as animation:
            self.assertEqual((animation.size, animation.n_frames), ((128, 64), 30))
            differences = []
            for frame in (9, 10):
                animation.seek(frame)
                # The color of transparent pixels has no meaning.
                image = Image.new("RGBA", animation.size, "white")
                image.alpha_composite(animation.convert("RGBA"))
                left, right = image.crop((0, 0, 64, 64)), image.crop((64, 0, 128, 64))
                self.assertGreater(len(left.getcolors(4096)), 10)
                differences.append(ImageStat.Stat(ImageChops.difference(left, right).convert("RGB")).mean[1])
        # The head is elsewhere in frame 10 only. Edges of the two can be rounded differently.
        self.assertLess(differences[0] * 10, differences[1])

    def test_any_number_of_workers_writes_the_same(self):
        pchr("diff", self.old, self.new, "--html", OUT / "created" / "parallel", "-j", "2", code=5)
        self.assertEqual(contents(OUT / "created" / "parallel"), contents(OUT / "report"))

    def test_progress(self):
        done = pchr("diff", self.old, self.new, "--html", OUT / "progress", "--progress", "json", "--quiet", code=5)
        lines = [json.loads(line) for line in done.stderr.splitlines()]
        paths = [each["path"] for each in self.data["characters"]]
        self.assertEqual([(line["input"], line["index"], line["total"]) for line in lines],
                         [(path, index, len(paths)) for index, path in enumerate(paths)])
        self.assertEqual(done.stdout, b"")

    def test_exit_codes_and_summary(self):
        done = pchr("diff", self.old, self.new, "--html", OUT / "gate", code=5)
        self.assertEqual(done.stdout.decode().split(";")[0],
                         "7 characters: 1 broken, 3 changed, 1 added, 1 removed, 1 unchanged")
        done = pchr("diff", self.old / "kiri.pchr", ASSETS / "kiri.pchr", "--html", OUT / "gate", code=5)
        self.assertEqual(done.stdout.decode().split(";")[0], "1 character: 1 changed")  # Markers were added.
        done = pchr("diff", self.old, self.old, "--html", OUT / "gate")
        self.assertEqual(done.stdout.decode().split(";")[0], "6 characters: 6 unchanged")
        pchr("diff", OUT / "missing", self.new, "--html", OUT / "none", code=4)
        pchr("diff", self.old / "kiri.pchr", self.new, "--html", OUT / "none", code=2)
        self.assertFalse((OUT / "none").exists())

    def test_only_reports_are_replaced(self):
        target = OUT / "replaced"
        target.mkdir()
        pchr("diff", self.old, self.old, "--html", target)
        pchr("diff", self.old, self.new, "--html", str(target) + "/", code=5)
        self.assertEqual(contents(target).keys(), contents(OUT / "report").keys())
        (target / "notes.txt").write_text("mine")
        before = contents(target)
        pchr("diff", self.old, self.old, "--html", target, code=2)
        self.assertEqual(contents(target), before)
        before = contents(self.old)
        pchr("diff", self.old, self.new, "--html", self.old, code=2)
        self.assertEqual(contents(self.old), before)

    def test_a_report_below_its_characters_is_not_read(self):
        folder = OUT / "self"
        shutil.copytree(self.old, folder)
        pchr("diff", self.old, folder, "--html", folder / "report")
        done = pchr("diff", self.old, folder, "--html", folder / "report")
        self.assertIn("6 unchanged", done.stdout.decode())

    @unittest.skipIf(os.name == "nt", "needs signals")
    def test_a_killed_run_leaves_nothing_visible(self):
        target, draft = OUT / "killed", OUT / ".killed.pchr-new"
        process = subprocess.Popen([PCHR, "diff", self.old, self.new, "--html", target], start_new_session=True,
                                   stdout=subprocess.DEVNULL)
        while not list(draft.glob("images/*.png")) and process.poll() is None:
            time.sleep(0.001)
        os.killpg(process.pid, signal.SIGKILL)
        killed = process.wait() == -signal.SIGKILL
        self.assertEqual(target.exists(), not killed)
        pchr("diff", self.old, self.new, "--html", target, code=5)
        self.assertEqual(contents(target), contents(OUT / "report"))
        self.assertEqual(list(OUT.glob(".killed*")), [])


unittest.main(argv=sys.argv[:1])
