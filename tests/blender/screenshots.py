#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the images of docs/blender.md, in the window of Blender 4.2 or later and in the player, under Xvfb:
screenshots.py BLENDER PLAYER OUT."""
import os
import pathlib
import shutil
import subprocess
import sys
import time

from PIL import ImageGrab

import run

ADDON = pathlib.Path(__file__).resolve().parents[2] / "addons/blender"
BEGIN = f"import sys; sys.path.insert(0, {str(ADDON)!r}); import bpy, pachario; pachario.register()\n"
MAKE = BEGIN + """
from pachario import starter
starter.save_template({template!r})
bpy.ops.wm.open_mainfile(filepath={template!r})
# The player opens the first clip that moves.
bpy.data.actions["walk"]["pachario_order"] = -1
bpy.ops.export_scene.pachario(filepath={file!r})
"""
SHOW = BEGIN + """
bpy.context.preferences.view.show_splash = False

def show():
    window = bpy.context.window_manager.windows[0]
    armature = next(item for item in bpy.data.objects if item.type == "ARMATURE")
    armature.animation_data.action = bpy.data.actions["walk"]
    bpy.context.scene.frame_set(3)
    area = next(area for area in window.screen.areas if area.type == "VIEW_3D")
    area.spaces.active.show_region_ui = True
    area.spaces.active.overlay.show_relationship_lines = False
    for other in window.screen.areas:
        if other.type == "DOPESHEET_EDITOR":
            other.spaces.active.ui_mode = "ACTION"
    region = next(region for region in area.regions if region.type == "UI")
    with bpy.context.temp_override(window=window, area=area, region=region):
        bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=1)
        region.active_panel_category = "Pachario"
        bpy.ops.wm.redraw_timer(type="DRAW_WIN_SWAP", iterations=2)
    open({ready!r}, "w").close()

bpy.app.timers.register(show)
"""


def grab(command, out, name, variables, ready):
    """Runs a program until `ready(image)`, and saves what the display then shows as NAME.webp."""
    program = subprocess.Popen([str(part) for part in command], stdin=subprocess.DEVNULL, start_new_session=True,
                               env={**run.environment(out / "home"), **variables})
    try:
        while True:
            if program.poll() is not None:
                sys.exit(f"{command[0]} ended with {program.returncode}")
            image = ImageGrab.grab(xdisplay=variables["DISPLAY"])
            if ready(image):
                break
            time.sleep(0.2)
    finally:
        os.killpg(program.pid, 15)
        program.wait()
    image.save(out / f"{name}.webp", quality=82, method=6)
    print(f"{out / name}.webp: {(out / name).with_suffix('.webp').stat().st_size} bytes")


def colors(image):
    """The colors in the middle of an image. Only a character has many."""
    box = image.width // 4, image.height // 4, image.width * 3 // 4, image.height * 3 // 4
    return len(image.crop(box).getcolors(1 << 20))


def main():
    blender, player = sys.argv[1:3]
    out = pathlib.Path(sys.argv[3]).resolve()
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    template, file, ready = out / "neji.blend", out / "neji.pchr", out / "ready"
    code = MAKE.format(template=str(template), file=str(file))
    status, output = run.run([blender, "--background", "--factory-startup", "--python-exit-code", "1",
                              "--python-expr", code], out / "home")
    if status:
        sys.exit(output)
    reader, writer = os.pipe()
    server = subprocess.Popen(["Xvfb", "-displayfd", str(writer), "-screen", "0", "1280x800x24", "-noreset", "-nolisten",
                               "tcp"],
                              pass_fds=[writer], stderr=subprocess.DEVNULL)
    try:
        os.close(writer)
        # The panel looks for the player on PATH.
        variables = {"DISPLAY": ":" + os.read(reader, 16).decode().strip(), "LIBGL_ALWAYS_SOFTWARE": "1",
                     "PATH": f"{pathlib.Path(player).resolve().parent}:{os.environ['PATH']}"}
        grab([blender, "--factory-startup", "--window-geometry", "0", "0", "1280", "800", template, "--python-expr",
              SHOW.format(ready=str(ready))], out, "blender", variables,
             lambda image: ready.exists() and colors(image) > 200)
        grab([player, file], out, "blender-player", variables, lambda image: colors(image) > 200)
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
