#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Runs the tool twice on characters of several formats: the second run does nothing, unless something has changed that
the first one read, looked for, listed or wrote. Checks the manifest against its schema.

Usage: records.py PCHR ASSETS DIAGNOSTICS WORK_FOLDER
"""
import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys

import jsonschema

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "schema"))
from strict import strict


def fail(text):
    sys.exit(f"records.py: {text}")


def expect(condition, text):
    if not condition:
        fail(text)


class Tool:
    def __init__(self, program, schema, folder):
        self.program, self.folder = program, folder
        self.validator = jsonschema.Draft202012Validator(strict(json.loads(schema.read_text())))
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "out").mkdir(parents=True)

    def run(self, *arguments, code=0):
        """Returns the inputs in the manifest, and the messages."""
        manifest = self.folder / "manifest.json"
        done = subprocess.run([self.program, *arguments, "--manifest", manifest], cwd=self.folder, text=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        expect(code in (None, done.returncode), f"{arguments}: exit code {done.returncode}: {done.stderr}")
        document = json.loads(manifest.read_text())
        self.validator.validate(document)
        for each in document["inputs"]:
            for output in each["outputs"]:
                data = (self.folder / output["path"]).read_bytes()
                known = (output["bytes"], output["sha256"])
                expect(known == (len(data), hashlib.sha256(data).hexdigest()), f"{output} is not what was written")
        return document["inputs"], done.stderr

    def statuses(self, *arguments, code=0):
        return [each["status"] for each in self.run(*arguments, code=code)[0]]


def sources_of(depfile):
    """Returns the files with an empty rule."""
    return [line[:-1] for line in depfile.read_text().splitlines()[1:] if line.endswith(":")]


def check_character(tool, character, output, absent, *convert):
    """Changes everything that decides the result, one after another."""
    command = ["convert", character, "-o", output, "--if-changed", "--force", "--depfile", "out/a.d", *convert]

    def is_unchanged():
        return tool.statuses(*command, code=None) == ["unchanged"]

    def check(what):
        expect(not is_unchanged(), f"{character}: {what} went unnoticed")

    def settle():
        is_unchanged()
        expect(is_unchanged(), f"{character}: nothing changed, but it was converted")

    expect(tool.statuses(*command) == ["written"], f"{character}: not written")
    settle()
    folder = tool.folder
    files = [folder / each for each in sources_of(folder / "out/a.d") if (folder / each).is_file()]
    for file in [*files, folder / output]:
        old, times = file.read_bytes(), file.stat()
        os.utime(file, (1, 1))
        expect(is_unchanged(), f"{character}: a new time of {file} is no change")
        middle = len(old) // 2
        file.write_bytes(old[:middle] + bytes([old[middle] ^ 1]) + old[middle + 1:])
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        check(f"a change of {file}")
        file.unlink()
        check(f"the removal of {file}")
        file.write_bytes(old)
        settle()
    for name in absent:
        (folder / name).write_text("{}")
        check(f"the new file {name}")
        (folder / name).unlink()
        settle()
    expect(tool.statuses(*command, "--effort", "best") == ["written"], f"{character}: an option went unnoticed")
    expect(tool.statuses(*command, "--effort", "best") == ["unchanged"], f"{character}: options do not count")
    return len(files)


def check_files(tool, assets):
    """Checks characters that are made of several files."""
    cast = tool.folder / "cast"
    subprocess.run([tool.program, "unpack", assets / "quad.pchr", "-o", cast], check=True)
    shutil.copytree(assets / "koi", cast / "koi")
    shutil.copytree(assets / "konpei", cast / "konpei")
    # Names are found whatever their case.
    (cast / "konpei/konpei.png").rename(cast / "konpei/KONPEI.png")
    count = check_character(tool, "cast/quad.json", "out/a.pchr", ["cast/quad.rig.json", "cast/quad.markers.json"])
    expect(count == 2, f"quad.json was read from {count} files")
    (cast / "quad.rig.json").write_text('{"markers": []}')
    count = check_character(tool, "cast/quad.json", "out/a.pchr", [])
    expect(count == 3, f"quad.json with a rig was read from {count} files")
    absent = ["cast/koi/koi.config", "cast/koi/koi_2.psa", "cast/koi/a.png"]
    count = check_character(tool, "cast/koi/koi.psk", "out/a.glb", absent)
    expect(count == 3, f"koi.psk was read from {count} files")
    count = check_character(tool, "cast/konpei/konpei.chp", "out/a.pchr", ["cast/konpei/konpei.png"], "--lossy")
    expect(count == 5, f"konpei.chp was read from {count} files")


def check_stamps(tool, assets, diagnostics):
    """Checks where stamps lie, and that a run with them prints the same."""
    (tool.folder / "broken").mkdir()
    shutil.copy(diagnostics / "W227_chp_image_unusable.chp", tool.folder / "broken/hero.chp")
    command = ["convert", "broken/hero.chp", "-o", "out/hero.pchr", "--force", "--lossy", "--if-changed"]
    first, second = tool.run(*command), tool.run(*command)
    expect(first[1] and first[1] == second[1], f"the messages differ: {first[1]} {second[1]}")
    expect(first[0][0]["messages"] and first[0][0]["messages"] == second[0][0]["messages"], "the manifests differ")
    expect(second[0][0]["status"] == "unchanged", "not unchanged")
    stamp = tool.folder / "out/.pchr.hero.pchr.stamp"
    expect(stamp.is_file(), f"there is no {stamp}")
    for damaged in (b"", b"pchr stamp 1\n", stamp.read_bytes()[:-1]):
        stamp.write_bytes(damaged)
        expect(tool.statuses(*command) == ["written"], "a damaged stamp was used")
    stamp.unlink()
    cached = [*command, "--cache", "cache/deep"]
    expect([tool.statuses(*cached) for _ in range(2)] == [["written"], ["unchanged"]], "the cache was not used")
    expect(not stamp.exists() and len(list((tool.folder / "cache/deep").iterdir())) == 1, "the stamp is elsewhere")


def check_batch(tool, assets):
    """Checks a batch with a broken file, of which only that is tried again."""
    for name in ("a", "b", "c"):
        shutil.copy(assets / "quad.pchr", tool.folder / f"{name}.pchr")
    (tool.folder / "b.pchr").write_bytes(b"PCHR broken")
    command = ["convert", "a.pchr", "b.pchr", "c.pchr", "-o", "out/{file}.json", "--keep-going", "--force",
               "--if-changed", "--depfile", "out/{file}.d"]
    inputs, messages = tool.run(*command, code=6)
    expect([each["status"] for each in inputs] == ["written", "failed", "written"], f"not in order: {inputs}")
    expect([each["exitCode"] for each in inputs] == [0, 1, 0] and inputs[1]["messages"][0]["diagnostic"]["id"][0] == "E", "no error")
    for jobs in ("1", "2", "4"):
        again, repeated = tool.run(*command, "-j", jobs, code=6)
        expect([each["status"] for each in again] == ["unchanged", "failed", "unchanged"], f"done twice: {again}")
        expect(repeated.endswith("3 files: 2 succeeded, 2 of them unchanged, 1 failed\n"), f"the summary is {repeated}")
        expect(repeated.splitlines()[:-1] == messages.splitlines()[:-1], f"the messages differ: {repeated}")
    expect((tool.folder / "out/a.d").is_file() and not (tool.folder / "out/b.d").exists(), "wrong depfiles")
    # A batch and a single run share their stamps.
    for output in ("out/{file}.json", "out/a.json"):
        alone = ["convert", "a.pchr", "-o", output, "--force", "--if-changed"]
        expect(tool.statuses(*alone) == ["unchanged"], "a single run did not use the stamp of a batch")
    # Make and Ninja cannot read this name.
    shutil.copy(assets / "quad.pchr", tool.folder / "b;c.pchr")
    command = ["convert", "a.pchr", "b;c.pchr", "c.pchr", "-o", "out/{file}.json", "--keep-going", "--force",
               "--if-changed"]
    expect(tool.statuses(*command) == ["unchanged", "written", "unchanged"], "the name is an error without a depfile")
    for depfile in ("out/{file}.d", "out/all.d"):
        statuses = tool.statuses(*command, "--depfile", depfile, code=6)
        expect(statuses == ["unchanged", "failed", "unchanged"], f"a bad name for depfiles fails not alone: {statuses}")


def check_standard_streams(tool, assets):
    """Checks that standard input always counts as changed, and that what was printed is printed again."""
    command = [tool.program, "convert", "-", "-o", "out/stdin.json", "--force", "--if-changed"]
    for name, image in (("quad", "stdin.leaf.png"), ("kiri", "stdin.kiri.png")):
        with open(assets / f"{name}.pchr", "rb") as character:
            subprocess.run(command, cwd=tool.folder, stdin=character, check=True)
        expect((tool.folder / "out" / image).exists(), f"{name} was not read from standard input")
    for named in (["a.pchr"], ["a.pchr", "c.pchr"]):
        command = [tool.program, "sheet", *named, "-o", f"out/{len(named)}{{file}}.png", "--if-changed"]
        printed = [subprocess.check_output(command, cwd=tool.folder) for _ in range(2)]
        expect(printed[0] and printed[0] == printed[1], f"the output differs: {printed}")


def main():
    program = sys.argv[1]
    assets, diagnostics, work = map(pathlib.Path, sys.argv[2:5])
    tool = Tool(program, assets / "schema/manifest.schema.json", work)
    check_files(tool, assets)
    check_stamps(tool, assets, diagnostics)
    check_batch(tool, assets)
    check_standard_streams(tool, assets)
    leftovers = [path for path in work.rglob(".pchr.*") if not path.name.endswith(".stamp")]
    expect(not leftovers, f"left behind: {leftovers}")
    print("all passed")


main()
