#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Installs the package of the add-on in a Blender without settings, as a user would, then exports the starter character
and imports it: install_test.py BLENDER SOURCE PCHR_TOOL OUT."""
import pathlib
import re
import shutil
import subprocess
import sys

import run

blender, source, tool, out = sys.argv[1], *(pathlib.Path(argument).resolve() for argument in sys.argv[2:5])
sys.path.insert(0, str(source / "cmake/package"))
import blender as package  # noqa: E402

LEGACY = """
import bpy
bpy.ops.preferences.addon_install(filepath={package!r})
assert bpy.ops.preferences.addon_enable(module="pachario") == {{"FINISHED"}}
bpy.ops.wm.save_userpref()
"""
USE = """
import addon_utils, bpy, importlib
module = next(addon.module for addon in bpy.context.preferences.addons if addon.module.endswith("pachario"))
assert module == {module!r}, module
bpy.ops.wm.read_homefile(use_empty=True)
bpy.ops.pachario.add_starter()
assert bpy.ops.export_scene.pachario(filepath={file!r}) == {{"FINISHED"}}
bpy.ops.wm.read_homefile(use_empty=True)
assert bpy.ops.import_scene.pachario(filepath={file!r}) == {{"FINISHED"}}
assert [item.type for item in bpy.data.objects].count("ARMATURE") == 1, list(bpy.data.objects)
importlib.import_module(module + ".starter").save_template({template!r})
bpy.ops.wm.open_mainfile(filepath={template!r})
assert sorted(action.name for action in bpy.data.actions) == ["idle", "walk", "wave"], list(bpy.data.actions)
addon_utils.disable(module)
left = [name for name in dir(bpy.types) if "pachario" in name.lower()]
assert not left, f"left behind: {{left}}"
"""


def check(command):
    status, output = run.run(command, out / "home")
    if status:
        sys.exit(f"{output}\nexit status {status}")


def in_blender(code):
    check([blender, "--background", "--python-exit-code", "1", "--python-expr", code])


shutil.rmtree(out, ignore_errors=True)
out.mkdir(parents=True)
archive, file = out / "pachario.zip", out / "starter.pchr"
package.write(source, archive)
text = subprocess.run([blender, "--version"], check=True, capture_output=True, text=True).stdout
version = tuple(int(number) for number in re.search(r"Blender (\d+)\.(\d+)", text).groups())
if version < (4, 2):
    in_blender(LEGACY.format(package=str(archive)))
    module = "pachario"
else:
    check([blender, "--command", "extension", "validate", archive])
    check([blender, "--command", "extension", "install-file", "--repo", "user_default", "--enable", archive])
    module = "bl_ext.user_default.pachario"
in_blender(USE.format(module=module, file=str(file), template=str(out / "template.blend")))
found = subprocess.run([tool, "validate", file], capture_output=True, text=True)
if found.returncode or "0 errors, 0 warnings" not in found.stdout:
    sys.exit(f"the starter character is not clean: {found.stdout}{found.stderr}")
print(f"the package installs in Blender {version[0]}.{version[1]}, exports and imports")
