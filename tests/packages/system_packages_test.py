#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""system_packages_test.py SOURCE: checks what ./dev installs where, with package managers that only write down their
arguments. Real ones other than Debian's are not tested."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source = pathlib.Path(sys.argv[1]).resolve()
TOOLS = ["sh", "awk", "grep", "id", "cat"]
# What each manager asks about, and the installed packages that it answers for.
QUERIES = {"apt-get": ("dpkg-query", 'case "$4" in cmake) echo "install ok installed" ;; *) exit 1 ;; esac'),
           "dnf": ("rpm", '[ "$3" = cmake ]'), "zypper": ("rpm", '[ "$3" = cmake ]'),
           "pacman": ("", ""), "brew": ("", "")}
FAKE = {"pacman": 'if [ "$1" = -T ]; then [ "$2" = cmake ]; exit; fi\n',
        "brew": 'if [ "$1" = list ]; then [ "$2" = cmake ]; exit; fi\n'}


def need(manager, *packages):
    """Returns the commands that need() runs, and its messages."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        for tool in TOOLS:
            (path / tool).symlink_to(shutil.which(tool))
        fakes = {"env": 'shift\nexec "$@"\n', "sudo": 'exec "$@"\n'}
        if manager:
            query, answer = QUERIES[manager]
            fakes[manager] = FAKE.get(manager, "") + f'echo "{manager} $*" >> "{path}/log"\n'
            if query:
                fakes[query] = answer + "\n"
        for name, script in fakes.items():
            (path / name).write_text("#!/bin/sh\n" + script)
            (path / name).chmod(0o755)
        done = subprocess.run(["/bin/sh", "-euc", '. cmake/system_packages.sh; need "$@"', "need", *packages],
                              cwd=source, env={**os.environ, "PATH": folder}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        log = path / "log"
        return log.read_text().splitlines() if log.exists() else [], done.stderr


def check(manager, commands, message, *packages):
    ran, told = need(manager, *packages)
    assert ran == commands, f"{manager} ran {ran}, expected {commands}"
    assert (message in told) if message else told == "", f"{manager} told {told!r}, expected {message!r}"


wanted = ["g++", "cmake", "libgl1", "libegl1", "python3-glad"]
check("apt-get", ["apt-get update -q",
                  "apt-get install -y -q --no-install-recommends g++ libgl1 libegl1 python3-glad"], "dev: installing", *wanted)
check("apt-get", [], "", "cmake")
check("dnf", ["dnf install -y gcc-c++ libglvnd-glx libglvnd-egl"],
      "if you have not done so, install what Debian calls python3-glad\n", *wanted)
check("dnf", [], "", "cmake")
check("pacman", ["pacman -S --needed --noconfirm gcc libglvnd glad"], "installing gcc libglvnd glad", *wanted)
check("zypper", ["zypper --non-interactive install gcc-c++ libglvnd"], "Debian calls python3-glad", *wanted)
check("brew", [], "brew install glm", "libglm-dev", "cmake", "libgl1")
check("", [], "by the names of Debian's packages: g++ cmake", "g++", "cmake")

# Everything that the player, the tool and the tests need has a name, or a sign that it has none.
table = [line.split() for line in (source / "cmake/system_packages.txt").read_text().splitlines() if line[0] != "#"]
assert all(len(row) == 5 for row in table), [row for row in table if len(row) != 5]
known = {row[0] for row in table}
dev = (source / "dev").read_text()
for group in ["library", "tool", "player", "opengl", "test"]:
    packages = re.search(rf'^{group}_packages="([^"]*)"', dev, re.MULTILINE)[1].split()
    assert set(packages) <= known, f"not in system_packages.txt: {set(packages) - known}"
