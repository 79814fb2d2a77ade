# SPDX-License-Identifier: MIT
"""Compares docs/blender.md with the add-on."""
import ast
import pathlib
import re
import subprocess
import sys
import unittest

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "addons/blender"))
import bpy  # noqa: E402
import pachario  # noqa: E402
from pachario import files, png, rig_file  # noqa: E402

pachario.register()
TOOL, OUT = (pathlib.Path(argument) for argument in sys.argv[sys.argv.index("--") + 1:][:2])
# Those of Blender's file dialogs.
HIDDEN = {"rna_type", "filepath", "check_existing", "filter_glob", "files", "directory"}


def value(setting):
    if setting.type == "ENUM":
        return setting.default_flag if setting.is_enum_flag else setting.default
    return setting.default


class Documents(unittest.TestCase):
    def check(self, operator, section):
        text = (ROOT / "docs/blender.md").read_text().partition(f"\n## {section}\n")[2].partition("\n## ")[0]
        rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| `(\w+)=([^`]+)` \|$", text, re.MULTILINE)
        documented = {name: (label, ast.literal_eval(default)) for label, name, default in rows}
        settings = {setting.identifier: (setting.name, value(setting))
                    for setting in operator.get_rna_type().properties if setting.identifier not in HIDDEN}
        self.assertEqual(documented, settings)

    def test_all_settings_of_exports_are_described(self):
        self.check(bpy.ops.export_scene.pachario, "Export")

    def test_all_settings_of_imports_are_described(self):
        self.check(bpy.ops.import_scene.pachario, "Import")

    def test_all_settings_of_meshes_from_images_are_described(self):
        self.check(bpy.ops.pachario.mesh_from_image, "Parts")


class Steps(unittest.TestCase):
    """The steps from an empty scene to a walking character, as written."""

    def test_an_empty_scene_becomes_a_walking_character(self):
        bpy.ops.wm.read_homefile(use_empty=True)
        for name, (width, height) in {"body": (80, 120), "leg": (40, 160)}.items():
            pixels = np.zeros((height, width, 4), np.uint8)
            pixels[8:-8, 8:-8] = 90, 140, 200, 255
            (OUT / f"{name}.png").write_bytes(png.encode(pixels))
        bpy.ops.object.armature_add(location=(0, 0, 0))
        armature = bpy.context.object
        bpy.ops.object.mode_set(mode="EDIT")
        edit = armature.data.edit_bones
        hips = edit[0]
        hips.name, hips.head, hips.tail = "hips", (0, 0, 1.6), (0, 0, 1.9)
        body, thigh, shin = (edit.new(name) for name in ("body", "thigh", "shin"))
        body.head, body.tail, body.parent = (0, 0, 1.7), (0, 0, 2.9), hips
        thigh.head, thigh.tail, thigh.parent = (0, 0, 1.6), (0, 0, 0.8), hips
        shin.head, shin.tail, shin.parent = (0, 0, 0.8), (0, 0, 0), thigh
        bpy.ops.object.mode_set(mode="OBJECT")
        for name, bones in (("leg", "thigh, shin"), ("body", "body")):
            done = bpy.ops.pachario.mesh_from_image(filepath=str(OUT / f"{name}.png"), bones=bones)
            self.assertEqual(done, {"FINISHED"})
        bpy.ops.object.mode_set(mode="POSE")
        armature.animation_data_create().action = action = bpy.data.actions.new("walk")
        for frame, turn in ((1, 0.5), (7, 0), (13, -0.5), (19, 0), (25, 0.5)):
            for name, factor in (("thigh", 1), ("shin", -0.5)):
                bone = armature.pose.bones[name]
                bone.rotation_mode, bone.rotation_euler.z = "XYZ", factor * turn
                bone.keyframe_insert("rotation_euler", frame=frame)
        action.use_frame_range, action.frame_start, action.frame_end, action.use_cyclic = True, 1, 25, True
        action.pose_markers.new("step").frame = 13
        file = OUT / "hero.pchr"
        self.assertEqual(bpy.ops.export_scene.pachario(filepath=str(file)), {"FINISHED"})

        found = subprocess.run([TOOL, "validate", file], capture_output=True, text=True)
        self.assertEqual((found.returncode, found.stdout + found.stderr), (0, "1 file, 0 errors, 0 warnings\n"))
        character, warnings = files.read_character(file)
        self.assertEqual(warnings, [])
        self.assertEqual([mesh.name for mesh in character.meshes], ["leg", "body"], "the last part is in front")
        self.assertEqual([(clip.name, clip.loops, len(clip.frames)) for clip in character.clips],
                         [("bind", False, 1), ("walk", True, 24)])
        thigh = [bone.name for bone in character.bones].index("thigh")
        turns = character.clips[1].frames["rotation"][:, thigh]
        self.assertAlmostEqual(float(np.ptp(np.unwrap(turns, period=360))), np.degrees(1), delta=0.01)
        self.assertEqual([(marker.clip, marker.frame, marker.name) for marker in rig_file.read(str(file))["markers"]],
                         [("walk", 12, "step")])


if __name__ == "__main__":
    unittest.main(argv=[__file__])
