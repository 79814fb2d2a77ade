#!/usr/bin/env python3
"""Times whole processes from their start, in alternation, and prints minima: `pchr render` of one image beside
`pchr inspect`, and pchr-player until a character is visible, which needs a display.

    startup.py BUILD_FOLDER [--before BUILD_FOLDER] [--rounds N] [--file FILE]
"""

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ASSETS = Path(__file__).resolve().parents[2] / "assets"


def run_tool(command):
    """Returns the seconds and the processor seconds of a process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{command} exits with {process.returncode}")
    return seconds, usage.ru_utime + usage.ru_stime


def run_player(command):
    """Starts the player and asks for its file until there is one on the display."""
    ours, theirs = socket.socketpair()
    environment = dict(os.environ, PCHR_PLAYER_QUESTIONS=f"{theirs.fileno()},{theirs.fileno()}")
    start = time.perf_counter()
    process = subprocess.Popen(command, pass_fds=[theirs.fileno()], env=environment)
    theirs.close()
    with ours, ours.makefile("rw") as channel:
        while True:
            channel.write("state file\n")
            channel.flush()
            answer = channel.readline()
            if answer != "\n":
                break
        seconds = time.perf_counter() - start
        process.send_signal(signal.SIGTERM)
        _, _, usage = os.wait4(process.pid, 0)
        process.returncode = 0
    if not answer:
        sys.exit(f"{command} exits before it shows a character")
    return seconds, usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("--before", type=Path, help="another build, to alternate with")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--file", default=str(ASSETS / "kiri.pchr"))
    arguments = parser.parse_args()
    builds = {"now": arguments.build}
    if arguments.before:
        builds["before"] = arguments.before
    with tempfile.TemporaryDirectory() as folder:
        image = str(Path(folder, "image.png"))
        tasks = {}
        for name, build in builds.items():
            tool, player = build / "tools/pchr", build / "player/pchr-player"
            tasks[f"render, {name}"] = run_tool, [tool, "render", arguments.file, "-o", image]
            tasks[f"inspect, {name}"] = run_tool, [tool, "inspect", arguments.file]
            if player.exists() and "DISPLAY" in os.environ:
                tasks[f"player, {name}"] = run_player, [player, arguments.file]
        best = {}
        for _ in range(arguments.rounds):
            for name, (run, command) in tasks.items():
                figures = run([str(part) for part in command])
                best[name] = tuple(map(min, figures, best.get(name, figures)))
    for name, (seconds, processor) in best.items():
        print(f"{name:16} {seconds:.3f} s, {processor:.3f} s of processor time")
    for name in builds:
        print(f"render / inspect, {name}: {best[f'render, {name}'][0] / best[f'inspect, {name}'][0]:.2f}")


if __name__ == "__main__":
    main()
