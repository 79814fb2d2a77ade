#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""blender_test.py SOURCE: checks the package of the Blender add-on."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

ROOT = pathlib.Path(sys.argv.pop(1)).resolve()


def make(source, path, umask=0o022):
    subprocess.run([sys.executable, "-B", ROOT / "cmake/package/blender.py", source, path], check=True, umask=umask,
                   env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
    return path.read_bytes()


class Package(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.bytes = make(ROOT, self.folder / "first.zip")

    def test_the_package_has_the_files_of_its_list_in_one_folder(self):
        names = zipfile.ZipFile(self.folder / "first.zip").namelist()
        self.assertEqual({name.partition("/")[0] for name in names}, {"pachario"})
        listed = (ROOT / "tests/packages/lists/blender.txt").read_text().splitlines()
        self.assertEqual([name.partition("/")[2] for name in names], listed)

    def test_another_copy_of_the_sources_gives_the_same_bytes(self):
        copy = self.folder / "copy"
        shutil.copytree(ROOT / "addons", copy / "addons", copy_function=shutil.copyfile)
        shutil.copyfile(ROOT / "LICENSE", copy / "LICENSE")
        for file in copy.rglob("*.py"):
            file.chmod(0o700)
            os.utime(file, (1, 1))
        (copy / "addons/blender/pachario/__pycache__").mkdir(exist_ok=True)
        (copy / "addons/blender/pachario/__pycache__/stale.pyc").write_bytes(b"")
        self.assertEqual(make(copy, self.folder / "second.zip", 0o077), self.bytes)


unittest.main()
