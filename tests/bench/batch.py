#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares a batch of small characters, one image each, with a loop of processes, and with itself on one core. Prints
ratios of minima. With --soak, draws N files and prints the memory of the tool instead.

    batch.py PCHR ASSETS [--files N] [--alone N] [--soak N]
"""
import argparse
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time


def seconds(command):
    start = time.perf_counter()
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}")
    return time.perf_counter() - start


def write_cast(assets, folder, count):
    quad = (assets / "quad.pchr").read_bytes()
    files = []
    for number in range(count):
        files.append(folder / f"{number:05}.pchr")
        files[-1].write_bytes(quad)
    return files


def resident_kib(process):
    """Returns the memory of a process."""
    with contextlib.suppress(OSError):
        size = re.search(r"VmRSS:\s*(\d+)", pathlib.Path(f"/proc/{process}/status").read_text())
        return int(size[1]) if size else 0
    return 0


def soak(drawing, files, images):
    """Prints the memory when a tenth of the files is drawn, and its maximum after that."""
    process = subprocess.Popen([*drawing, "--quiet", *files], stdin=subprocess.DEVNULL)
    first, peak = None, 0
    while process.poll() is None:
        time.sleep(0.2)
        size = resident_kib(process.pid)
        if size == 0 or len(list(images.glob("*.png"))) < len(files) // 10:
            continue
        first = first or size
        peak = max(peak, size)
    if process.returncode != 0 or first is None:
        sys.exit(f"exit code {process.returncode}")
    print(f"memory after a tenth of {len(files)} files: {first} KiB; maximum after that: {peak / first:.2f} times as much")
    if peak > first * 1.2:
        sys.exit("memory grows with the number of files")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("assets", type=pathlib.Path)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--alone", type=int, default=50)
    parser.add_argument("--soak", type=int)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        files = write_cast(arguments.assets, folder, arguments.soak or arguments.files)
        images = folder / "images"
        drawing = [arguments.tool, "render", "--size", "64x64", "-o", images / "{file}.png"]
        if arguments.soak:
            return soak(drawing, files, images)
        seconds([*drawing, files[0]])  # The driver's caches.
        loop = sum(seconds([*drawing, file]) for file in files[:arguments.alone]) / arguments.alone * len(files)
        cores = len(os.sched_getaffinity(0))
        rounds = [[seconds([*drawing, "--quiet", *jobs, *files]) for jobs in (["-j", "1"], [])] for _ in range(3)]
        one, all_cores = map(min, zip(*rounds))
        print(f"{len(files)} files: a loop of processes takes {loop / all_cores:.1f} times as long as a batch on "
              f"{cores} cores, and {loop / one:.1f} times as long as one on a core; a batch on {cores} cores is "
              f"{one / all_cores:.2f} times as fast as on one")
        once = [*drawing, "--quiet", "--if-changed", *files]
        first = seconds(once)
        print(f"--if-changed: a second run takes {min(seconds(once) for _ in range(3)) / first:.2%} of the first")


main()
