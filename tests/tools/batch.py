#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Ends processes of a batch at any time, and mixes broken files into one.

    batch.py PCHR ASSETS FOLDER [--kills N] [--broken FOLDER]...
"""
import argparse
import contextlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys

FORMATS = {".pchr", ".chp", ".px", ".aseprite", ".psk", ".json"}


def check(is_right, message):
    if not is_right:
        sys.exit(message)


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def write_cast(assets, folder, count):
    """Writes small characters that differ, and returns their paths."""
    folder.mkdir(parents=True)
    quad = (assets / "quad.pchr").read_bytes()
    frames = quad.rindex(b"turn")
    files = []
    for number in range(count):
        path = folder / f"{number:03}.pchr"
        path.write_bytes(quad[:frames] + f"t{number:03}".encode() + quad[frames + 4:])
        files.append(path)
    return files


class Batch:
    def __init__(self, tool, files, folder, *options, size="32x32", prepare=None):
        folder.mkdir(parents=True, exist_ok=True)
        self.process = subprocess.Popen(
            [tool, "render", *files, "--size", size, "-o", folder / "{file}_{clip}.png", *options],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True,
            preexec_fn=prepare)

    def wait_until_reading(self, pipe):
        """Waits until a thread reads a pipe, and returns our end of it, which holds the thread up."""
        while True:
            try:
                return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
            except OSError:
                check(self.process.poll() is None, "the batch ended instead of reading the pipe")

    def end(self):
        error = self.process.communicate()[1].decode()
        return self.process.returncode, error


def test_interrupts(tool, files, folder):
    """A batch ends when it is asked to, even if it waits for something, and leaves nothing incomplete."""
    for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
        pipe = folder / f"pipe{number}.pchr"
        os.mkfifo(pipe)
        images = folder / f"images{number}"
        batch = Batch(tool, [files[0], pipe, files[1]], images, "-j", "1")
        ours = batch.wait_until_reading(pipe)
        os.kill(batch.process.pid, number)
        code, error = batch.end()
        os.close(ours)
        check(code == -number, f"signal {number}: exit code {code}: {error}")
        check([name for name in contents(images) if name.endswith(".png")] == ["000_t000.png"], "wrong images")
        if number != signal.SIGKILL:
            check(len(contents(images)) == 1, f"signal {number} leaves {list(contents(images))}")


def test_interrupted_drawing(tool, files, folder):
    """A batch that is interrupted while several threads write leaves complete files only."""
    for number in (signal.SIGTERM, signal.SIGINT):
        images = folder / f"drawing{number}"
        batch = Batch(tool, files, images, "-j", "3", "--fps", "60", "--format", "apng", size="512x512")
        while not list(images.glob(".pchr.*.tmp")) and batch.process.poll() is None:
            pass
        with contextlib.suppress(ProcessLookupError):
            os.kill(batch.process.pid, number)
        code, error = batch.end()
        check(code in (0, -number), f"signal {number}: exit code {code}: {error}")
        check(not list(images.glob(".pchr.*")), f"signal {number} leaves {sorted(contents(images))}")


def test_few_threads(tool, files):
    """Where the system allows fewer threads than wanted, the others do the work."""
    def allow_few_threads():
        # The size of the address space is a multiple of a thread's stack.
        resource.setrlimit(resource.RLIMIT_STACK, (256 << 20, 256 << 20))
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))

    def run(*arguments):
        return subprocess.run([tool, *arguments], preexec_fn=allow_few_threads, capture_output=True, check=False)

    if run("--version").returncode != 0:
        print("skipped test_few_threads: the tool does not start")
        return
    done = run("inspect", "-j", "64", *files)
    check(done.returncode == 0 and done.stderr == b"40 files: 40 succeeded\n", f"{done.returncode}: {done.stderr}")


def test_kills(tool, files, folder, kills):
    """A batch that is killed at any time leaves complete files only, and the next one does the rest and no more."""
    expected = folder / "undisturbed"
    code, error = Batch(tool, files, expected).end()
    check(code == 0, error)
    expected = contents(expected)
    check(len(expected) == len(files) and len(set(expected.values())) == 1, "unexpected images")
    chosen = random.Random(1)
    partial = 0
    for kill in range(kills):
        images = folder / "killed"
        shutil.rmtree(images, ignore_errors=True)
        images.mkdir()
        after, jobs = chosen.randrange(len(files)), chosen.randrange(1, 4)
        batch = Batch(tool, files, images, "-j", str(jobs), "--if-changed")
        while len(list(images.glob("*.png"))) < after and batch.process.poll() is None:
            pass
        with contextlib.suppress(ProcessLookupError):
            os.killpg(batch.process.pid, signal.SIGKILL)
        batch.end()
        left = {name: data for name, data in contents(images).items() if name.endswith(".png")}
        partial += 0 < len(left) < len(files)
        when = f"kill {kill} after {after} files"
        check(left.items() <= expected.items(), f"{when} left a damaged file")
        code, error = Batch(tool, files, images, "--if-changed").end()
        check(code == 0, error)
        unchanged = re.search(r", (\d+) of them unchanged", error)
        kept = int(unchanged[1]) if unchanged else 0
        check(kept >= len(left) - jobs, f"{when}: {len(left)} were complete, but only {kept} were kept")
        # Hidden files of the killed batch stay.
        present = {name: data for name, data in contents(images).items() if not name.endswith(".tmp")}
        stamps = {name for name in present if name.endswith(".stamp")}
        check(len(stamps) == len(files), f"{when}: {len(stamps)} stamps")
        check({name: present[name] for name in present.keys() - stamps} == expected, f"{when}: {sorted(present)}")
    check(partial > 0, "no batch was killed halfway")


def test_broken_files(tool, files, folder, broken):
    """Broken files in the middle of a batch fail alone, each with its own error."""
    names = sorted(path for each in broken for path in each.rglob("*") if path.suffix in FORMATS and path.is_file())
    inputs = [file for index, path in enumerate(names) for file in (path, files[index % len(files)])]
    done = subprocess.run([tool, "inspect", "--json", "--keep-going", "--progress", "json", "--log-format", "json",
                           *inputs], capture_output=True, check=False)
    lines = [json.loads(line) for line in done.stderr.splitlines()]
    results = [line for line in lines if line["type"] == "progress"]
    check([each["input"] for each in results] == [os.fspath(path) for path in inputs], "some files were left out")
    failed = [each["input"] for each in results if each["exitCode"] != 0]
    check(done.returncode == (6 if failed else 0), f"exit code {done.returncode}")
    check(len(json.loads(done.stdout)) == len(inputs) - len(failed), "some reports are missing")
    errors = [line for line in lines if line["type"] == "message" and line["severity"] == "error"]
    check(not [line for line in errors if line["diagnostic"] is None], "an error is not about a file")
    check(len(errors) == len(failed), f"{len(errors)} errors for {len(failed)} files")
    check(all(each["exitCode"] == 0 for each in results[1::2]), "a valid file failed")
    check(len(failed) > len(names) / 4, f"only {len(failed)} of {len(names)} files are broken")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("assets", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--broken", type=pathlib.Path, action="append", default=[])
    arguments = parser.parse_args()
    tool, folder = arguments.tool, arguments.folder
    # Shells ignore it in background jobs, and processes inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    shutil.rmtree(folder, ignore_errors=True)
    files = write_cast(arguments.assets, folder / "cast", 40)
    test_interrupts(tool, files, folder)
    test_interrupted_drawing(tool, files, folder)
    test_few_threads(tool, files)
    test_broken_files(tool, files, folder, [each for each in arguments.broken if each.is_dir()])
    test_kills(tool, files, folder, arguments.kills)
    print("passed")


main()
