#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Compiles a job with examples/pipeline/pchr_thumbnails.js in Node.js, and runs its tasks.

    flamenco_test.py PCHR REPOSITORY WORK_FOLDER

Exits with 77 without Node.js.
"""
import json
import pathlib
import shutil
import subprocess
import sys

import farm


def main():
    pchr, repository, work = map(pathlib.Path, sys.argv[1:])
    if not shutil.which("node"):
        print("needs node")
        sys.exit(farm.SKIPPED)
    shutil.rmtree(work, ignore_errors=True)
    cast = farm.make_cast(repository, work / "cast", 12)
    expected = farm.draw(pchr, cast, work / "expected")

    def compile_job(**settings):
        return subprocess.run(["node", pathlib.Path(__file__).with_name("flamenco.js"),
                               repository / "examples/pipeline/pchr_thumbnails.js", json.dumps(settings)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    output = work / "thumbnails"
    assert "list is required" in compile_job(output=str(output)).stderr
    assert "at least 1" in compile_job(list=str(cast), output=str(output), shards=0).stderr
    tasks = json.loads(compile_job(list=str(cast), output=str(output), shards=8).stdout)
    assert len({task["name"] for task in tasks}) == 8
    # A manager can start them in any order.
    for task in reversed(tasks):
        for command in task["commands"]:
            subprocess.run([command["parameters"]["exe"], *command["parameters"]["args"]], check=True,
                           env=farm.environment(pchr))
    farm.check(output, (output / "manifests").iterdir(), cast, expected)
    print(f"{len(tasks) + 2} passed, 0 failed")


main()
