# SPDX-License-Identifier: MIT
"""What the tests of jobs on farms share: characters, what they become in one run, and the check that a farm does the
same."""
import json
import hashlib
import os
import shutil
import subprocess

SKIPPED = 77


def make_cast(repository, folder, count):
    """Writes characters and the list of their names; returns the list."""
    folder.mkdir(parents=True)
    names = []
    for i in range(count):
        names.append(folder / f"character {i:02}.pchr")
        shutil.copy(repository / "assets" / ("quad.pchr", "corners.pchr")[i % 2], names[-1])
    cast = folder / "list.txt"
    cast.write_text("".join(f"{name}\n" for name in names))
    return cast


def hashes(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()
            if path.suffix == ".png"}


def draw(pchr, cast, folder):
    """Draws thumbnails in one run; returns their hashes."""
    folder.mkdir()
    subprocess.run([pchr, "render", "--files-from", cast, "--size", "128x128", "-o", folder / "{file}.png"], check=True)
    return hashes(folder)


def environment(pchr, **more):
    """The environment of a machine that has pchr."""
    return dict(os.environ, PATH=f"{pchr.parent}:{os.environ['PATH']}", **more)


def check(folder, manifests, cast, expected):
    """Requires the expected thumbnails and, in all manifests together, each character once."""
    assert hashes(folder) == expected, f"{folder} has other thumbnails than one run"
    done = [each for manifest in manifests for each in json.loads(manifest.read_text())["inputs"]]
    assert sorted(each["input"] for each in done) == cast.read_text().splitlines(), "not each character once"
    assert {each["status"] for each in done} <= {"written", "unchanged"}, done
    written = {os.path.basename(output["path"]): output["sha256"] for each in done for output in each["outputs"]}
    assert written == expected, "the manifests have other hashes"
