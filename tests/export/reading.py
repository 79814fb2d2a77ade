#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shared by the tests of exported images: runs the tool and collects failures.

Usage of each: TEST.py PCHR ASSETS OUT
"""
import json
import os
import pathlib
import subprocess
import sys

from PIL import Image

PCHR, ASSETS, OUT = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
KIRI, KONPEI = str(ASSETS / "kiri.pchr"), str(ASSETS / "konpei" / "konpei.chp")
failures = []
os.makedirs(OUT, exist_ok=True)


def check(what, condition):
    if not condition:
        failures.append(what)
        print("FAILED:", what, file=sys.stderr)


def same(what, value, expected):
    check(f"{what}: found {value!r:.100}, expected {expected!r:.100}", value == expected)


def pchr(*arguments, code=0):
    done = subprocess.run([PCHR, *map(str, arguments)], capture_output=True)
    if done.returncode != code:
        sys.exit(f"pchr {' '.join(map(str, arguments))} exited {done.returncode}: {done.stderr.decode()}")
    return done


def clip_of(file, name):
    clips = json.loads(pchr("inspect", file, "--json").stdout)["clips"]
    return next(clip for clip in clips if clip["name"] == name)


def frames_of(path):
    """Returns all frames as RGBA, their durations in milliseconds, and the loop count."""
    image = Image.open(path)
    frames, durations = [], []
    for index in range(getattr(image, "n_frames", 1)):
        image.seek(index)
        image.load()
        frames.append(image.convert("RGBA"))
        durations.append(image.info.get("duration", 0))
    return frames, durations, image.info.get("loop")


def end():
    sys.exit(1 if failures else 0)
