# SPDX-License-Identifier: MIT
"""The npm package as a project gets it."""
import json
import pathlib
import shutil
import subprocess
import tempfile


def install(site, modules):
    """Packs the site and unpacks the package into a folder node_modules. Returns what npm tells about it."""
    modules = pathlib.Path(modules)
    package = modules / "pchr-player"
    shutil.rmtree(package, ignore_errors=True)
    modules.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=modules) as scratch:
        done = subprocess.run(["npm", "pack", "--offline", "--json", "--pack-destination", scratch, site],
                              capture_output=True, text=True, cwd=scratch)
        if done.returncode != 0:
            raise AssertionError(f"npm pack: {done.stderr}")
        packed = json.loads(done.stdout)[0]
        shutil.unpack_archive(pathlib.Path(scratch, packed["filename"]), scratch)
        pathlib.Path(scratch, "package").rename(package)
    return packed
