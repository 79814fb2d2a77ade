#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""npm_test.py REPOSITORY: checks what `./dev web` and `./dev package npm` do in a fresh clone, without building it."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
sys.path.insert(0, str(ROOT / "cmake/package"))
import contents  # pylint: disable=wrong-import-position


def sources_of(kind):
    """Returns the source packages that are fetched to make a package of this kind."""
    if kind == "npm":
        text = (ROOT / "cmake/PchrWeb.cmake").read_text()
        return re.search(r"debian_sources\.sh \$\{PCHR_WEB_SOURCES\}\s+([^$]*?) RESULT_VARIABLE", text)[1].split()
    return re.search(r'^packages="(.*)"', (ROOT / "cmake/libraries.sh").read_text(), re.MULTILINE)[1].split()


class Npm(unittest.TestCase):
    def test_packages_name_only_sources_that_were_fetched(self):
        contents._query = lambda package, field: f"{package} {field}"
        for kind in contents.CONTENTS:
            with self.subTest(kind), tempfile.TemporaryDirectory() as folder:
                for source in sources_of(kind):
                    debian = pathlib.Path(folder, source, "debian")
                    debian.mkdir(parents=True)
                    (debian / "changelog").write_text(f"{source} (1.2-3) stable; urgency=low\n")
                found = contents.components(kind, pathlib.Path(folder))
                self.assertEqual([component.name for component in found], contents.CONTENTS[kind])

    def test_all_builds_fetch_sources_to_one_folder(self):
        presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
        web = next(preset for preset in presets if preset["name"] == "web")
        self.assertEqual(web["cacheVariables"]["PCHR_WEB_SOURCES"], "${sourceDir}/build/sources")
        self.assertIn("build/sources\n", (ROOT / "cmake/package.sh").read_text())

    def test_a_package_does_not_depend_on_where_and_when_it_is_made(self):
        if not shutil.which("npm") or not all((ROOT / "build/sources" / name).is_dir() for name in sources_of("npm")):
            self.skipTest("npm is not installed, or the libraries were not fetched: run ./dev web")
        archives = []
        for mask, age in ((0o022, 0), (0o077, 1_000_000)):
            with tempfile.TemporaryDirectory() as folder:
                stage = pathlib.Path(folder, f"site{mask}")
                before = os.umask(mask)
                try:
                    subprocess.run([sys.executable, "-B", ROOT / "player/web/build_site.py", "1.0", stage], check=True,
                                   env={"PATH": "/nowhere"}, capture_output=True)
                    for path in stage.rglob("*"):
                        os.utime(path, (age, age))
                    subprocess.run([sys.executable, "-B", ROOT / "cmake/package/stage.py", "npm", stage, "1.0", ROOT, "0"],
                                   check=True)
                    subprocess.run(["npm", "pack", "--offline", "--silent", "--pack-destination", folder], cwd=stage,
                                   check=True, capture_output=True)
                finally:
                    os.umask(before)
                archives.append(pathlib.Path(folder, "pchr-player-1.0.tgz").read_bytes())
        self.assertEqual(archives[0], archives[1])

    def test_a_site_without_types_is_no_silent_matter(self):
        self.assertRegex((ROOT / "dev").read_text(), r'web_packages="[^"]*\bnode-typescript\b')
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-B", ROOT / "player/web/build_site.py", "1.0", folder], check=True,
                                  env={"PATH": "/nowhere"}, capture_output=True, text=True)
            self.assertRegex(done.stderr, "tsc is not installed, so .*character.d.ts, ")
            self.assertIn("apt install node-typescript", done.stderr)


unittest.main()
