#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""Draws the sample characters and writes them to assets/, or to the folder given as the argument."""

import sys
from pathlib import Path

from addon import pchr_v1
from akari import build as akari
from corners import build as corners
from hata import build as hata
from hotaru import build as hotaru
from kaeru import build as kaeru
from kiri import build as kiri
from kiri import sidecar_text as kiri_sidecar
from koi import build as koi
from konpei import build as konpei
from quad import build as quad
from tako import build as tako


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    folder.mkdir(parents=True, exist_ok=True)
    for name, build in (("kiri", kiri), ("quad", quad), ("corners", corners)):
        path = folder / f"{name}.pchr"
        # The night side of the mobile is stored as pixels.
        path.write_bytes(pchr_v1.encode(build(), level=9, raw={"night"}))
        print(f"{path} {path.stat().st_size} bytes")
    path = folder / "kiri.rig.json"
    path.write_text(kiri_sidecar())
    print(f"{path} {path.stat().st_size} bytes")
    for name, build in (("hotaru.px", hotaru), ("kaeru.aseprite", kaeru), ("hata.gltf", hata)):
        path = folder / name
        path.write_bytes(build())
        print(f"{path} {path.stat().st_size} bytes")
    for character, build in (("konpei", konpei), ("koi", koi), ("akari", akari), ("tako", tako)):
        (folder / character).mkdir(exist_ok=True)
        for name, data in build().items():
            path = folder / character / name
            path.write_bytes(data)
            print(f"{path} {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
