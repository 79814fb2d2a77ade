#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""integration_test.py SOURCE BUILD CMAKE: installs the programs and checks what a desktop finds: the player, the types of
files, and thumbnails. Checks that need a program that is missing are skipped."""
import os
import pathlib
import re
import shlex
import shutil
import struct
import subprocess
import sys
import tempfile

source, build, cmake = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
TYPES = {"kiri.pchr": "application/x-pchr", "koi/koi.psk": "application/x-unreal-psk",
         "hotaru.px": "application/x-pixquare", "kaeru.aseprite": "image/x-aseprite",
         "konpei/konpei.chp": "application/x-pomyu-chp", "tako/tako.skel": "application/x-spine-skeleton"}

METAINFO = "share/metainfo/" + re.search(r"set\(PCHR_DOMAIN (\S+)\)", (source / "CMakeLists.txt").read_text())[1] + ".player.metainfo.xml"


def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command} ended with {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout


def check_files(prefix):
    found = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if not path.is_dir()}
    icons = {name for name in found if name.startswith("share/icons/hicolor/")}
    expected = {f"share/icons/hicolor/{size}x{size}/apps/pchr-player.png"
                for size in (path.stem.removeprefix("pchr-") for path in source.glob("assets/icon/pchr-*.png"))}
    assert icons == expected, icons ^ expected
    expected = {"share/applications/pchr-player.desktop", METAINFO, "share/mime/packages/pchr.xml",
                "share/thumbnailers/pchr.thumbnailer"}
    expected |= {f"share/pchr/schema/{path.name}" for path in source.glob("assets/schema/*.json")}
    for name in ["pchr", "pchr-player"]:
        expected |= {f"bin/{name}", f"share/man/man1/{name}.1", f"share/bash-completion/completions/{name}",
                     f"share/zsh/site-functions/_{name}", f"share/fish/vendor_completions.d/{name}.fish"}
    assert found - icons == expected, (found - icons) ^ expected


def check_types(prefix, scratch):
    if not shutil.which("update-mime-database") or not shutil.which("gio"):
        return
    run("update-mime-database", prefix / "share/mime")
    # Only with this type: a home folder can have others.
    environment = {**os.environ, "XDG_DATA_HOME": str(scratch / "home"), "LC_ALL": "C",
                   "XDG_DATA_DIRS": f"{prefix / 'share'}:/usr/share"}

    def type_of(path):
        out = run("gio", "info", "-a", "standard::content-type", path, env=environment)
        return next(line.split(": ")[1] for line in out.splitlines() if "content-type: " in line)

    for name, expected in TYPES.items():
        assert type_of(source / "assets" / name) == expected, f"{name} is {type_of(source / 'assets' / name)}"
    for name in ["kiri.pchr", "koi/koi.psk"]:
        shutil.copyfile(source / "assets" / name, scratch / "unnamed")
        assert type_of(scratch / "unnamed") == TYPES[name], f"{name} without an extension is {type_of(scratch / 'unnamed')}"


def entries(path):
    return dict(line.split("=", 1) for line in path.read_text().splitlines() if "=" in line)


def check_desktop_files(prefix, scratch):
    player = prefix / "share/applications/pchr-player.desktop"
    if shutil.which("desktop-file-validate"):
        assert run("desktop-file-validate", player) == ""
    if shutil.which("appstreamcli"):
        # Strict ones before 1.0 do not know the element of the developer, and those after ask for it.
        run("appstreamcli", "validate", "--no-net", prefix / METAINFO)
    assert set(entries(player)["MimeType"].strip(";").split(";")) == set(TYPES.values())
    thumbnailer = entries(prefix / "share/thumbnailers/pchr.thumbnailer")
    for name, type in TYPES.items():
        if type not in thumbnailer["MimeType"].split(";"):
            continue
        # File managers choose the name of the image.
        image = scratch / "thumbnail"
        codes = {"%i": source / "assets" / name, "%o": image, "%s": 128, "%%": "%"}
        command = shlex.split(thumbnailer["Exec"])
        for code, value in codes.items():
            command = [part.replace(code, str(value)) for part in command]
        run(prefix / "bin" / command[0], *command[1:])
        assert struct.unpack(">8s8xII", image.read_bytes()[:24]) == (b"\x89PNG\r\n\x1a\n", 128, 128)


with tempfile.TemporaryDirectory() as folder:
    scratch = pathlib.Path(folder)
    prefix = scratch / "prefix"
    run(cmake, "--install", build, "--component", "programs", "--prefix", prefix)
    check_files(prefix)
    check_types(prefix, scratch)
    check_desktop_files(prefix, scratch)
