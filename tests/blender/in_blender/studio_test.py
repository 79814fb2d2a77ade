# SPDX-License-Identifier: MIT
"""Tests the preview, image to mesh, the order of parts and the starter character, in Blender without a window.

Arguments after --: the tool pchr, a folder for output."""

import json
import os
import shutil
import stat
import subprocess
import sys
import unittest
from pathlib import Path
from unittest import mock

import bpy
import numpy as np
from mathutils import Matrix, Vector

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "addons" / "blender"))

import pachario
from pachario import artist, character, compat, export_scene, files, outline, png, preview, starter
from pachario.report import Report

TOOL, OUT = sys.argv[sys.argv.index("--") + 1:][:2]


def run(*arguments):
    return subprocess.run([TOOL, *map(str, arguments)], capture_output=True, text=True, stdin=subprocess.DEVNULL)


class BlenderCase(unittest.TestCase):
    def setUp(self):
        bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
        self.folder = Path(OUT) / self.id()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def export(self, **options):
        """Returns the exported character as it reads back, and the report."""
        found = Report()
        settings = export_scene.Settings(**options)
        path = self.folder / "out.pchr"
        export_scene.export(bpy.context, str(path), settings, found)
        return files.read_character(path)[0], found

    def starter(self):
        bpy.ops.pachario.add_starter()
        return bpy.data.objects["Neji"]


class PreviewTest(BlenderCase):
    def setUp(self):
        super().setUp()
        self.environment = mock.patch.dict(os.environ, {
            "XDG_CACHE_HOME": str(self.folder / "cache"), "LOCALAPPDATA": str(self.folder / "cache")})
        self.environment.start()
        self.player("exec sleep 600")
        self.armature = self.starter()
        self.options = bpy.context.scene.pachario

    def tearDown(self):
        for running in preview._players.values():
            if running.poll() is None:
                running.kill()
            running.wait()
        preview._players.clear()
        preview.stop()
        self.environment.stop()

    def player(self, command):
        """Puts a program named pchr-player on PATH that logs its argument, then runs a shell command."""
        path = self.folder / "pchr-player"
        path.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" >> "{self.folder}/started"\n{command}\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        os.environ["PATH"] = f"{self.folder}{os.pathsep}/usr/bin{os.pathsep}/bin"

    def change(self):
        bpy.data.objects["head"].location.z += 0.1
        bpy.context.view_layer.update()

    def test_preview_exports_to_the_cache_and_starts_the_player_once(self):
        self.assertEqual(bpy.ops.pachario.preview(), {"FINISHED"})
        path = preview.state.path
        self.assertTrue(path.is_relative_to(self.folder / "cache" / "pchr" / "blender"))
        self.assertEqual(path.name, "Neji.pchr")
        self.assertEqual([clip.name for clip in files.read_character(path)[0].clips], preview.state.clips)
        self.assertEqual(preview.player_status(), ("The player is open", False))
        running = preview._players[path]
        bpy.ops.pachario.preview()
        self.assertIs(preview._players[path], running)
        running.kill()
        running.wait()
        bpy.ops.pachario.preview()
        self.assertIsNot(preview._players[path], running)
        self.assertEqual(preview.state.path, path)

    def test_saving_exports_what_has_changed(self):
        file = str(self.folder / "hero.blend")
        bpy.ops.wm.save_as_mainfile(filepath=file)
        bpy.ops.pachario.preview()
        path = preview.state.path
        self.assertTrue(path.parent.name.startswith("hero-"))
        before = path.read_bytes()
        self.change()
        bpy.ops.wm.save_mainfile()
        self.assertTrue(path.read_bytes() != before)
        with mock.patch.object(preview, "update", wraps=preview.update) as update:
            bpy.ops.wm.save_mainfile()
            self.assertEqual(update.call_count, 0)
            self.options.update = "MANUAL"
            self.change()
            bpy.ops.wm.save_mainfile()
            self.assertEqual(update.call_count, 0)
        bpy.ops.wm.save_as_mainfile(filepath=str(self.folder / "hero2.blend"))
        self.assertEqual(preview.state.path, path)

    def test_an_interval_exports_only_changes_and_gets_longer(self):
        self.options.update, self.options.interval = "INTERVAL", 0.5
        bpy.ops.pachario.preview()
        before = preview.state.path.read_bytes()
        with mock.patch.object(preview, "update", wraps=preview.update) as update:
            bpy.context.view_layer.update()
            preview.tick()
            self.assertEqual(update.call_count, 0)
            bpy.context.scene.frame_set(7)
            artist.activate(bpy.context, bpy.data.objects["head"])
            bpy.context.view_layer.update()
            preview.tick()
            self.assertEqual(update.call_count, 0)
            self.change()
            preview.tick()
            preview.tick()
            self.assertEqual(update.call_count, 1)
            self.options.pixels_per_unit = 50
            preview.tick()
            self.assertEqual(update.call_count, 2)
            self.options.update = "SAVE"
            self.change()
            preview.tick()
            self.assertEqual(update.call_count, 2)
        self.assertTrue(preview.state.path.read_bytes() != before)
        preview.state.seconds = 30
        self.assertEqual(preview.tick(), 60)
        preview.state.seconds = 0
        self.assertEqual(preview.tick(), 0.5)

    def test_nothing_is_exported_while_blender_renders(self):
        self.options.update = "INTERVAL"
        bpy.ops.pachario.preview()
        self.change()
        with mock.patch.object(preview, "update") as update:
            with mock.patch.object(preview, "_busy", return_value=True):
                preview.tick()
            self.assertEqual(update.call_count, 0)
            preview.tick()
            self.assertEqual(update.call_count, 1)

    def test_a_failed_export_is_shown_and_keeps_the_last_file(self):
        bpy.ops.pachario.preview()
        before, preview.state.exported_at = preview.state.path.read_bytes(), "earlier"
        for each in [each for each in bpy.data.objects if each.type == "MESH"]:
            bpy.data.objects.remove(each)
        self.assertFalse(preview.update(bpy.context))
        self.assertEqual([severity for severity, _ in preview.state.report.entries if severity == "ERROR"], ["ERROR"])
        self.assertTrue(preview.state.path.read_bytes() == before)
        self.assertEqual(preview.state.exported_at, "earlier")
        bpy.ops.pachario.preview_report()
        self.assertIn("error: ", bpy.data.texts["Pachario preview"].as_string())
        with mock.patch.object(export_scene, "capture", side_effect=ZeroDivisionError("a defect")):
            self.assertFalse(preview.update(bpy.context))
        self.assertIn("ZeroDivisionError: a defect", preview.state.report.entries[-1][1])

    def test_an_unkeyed_pose_is_exported_once(self):
        self.options.update = "INTERVAL"
        bpy.ops.pachario.preview()
        bone = self.armature.pose.bones["head"]
        bone.rotation_mode = "XYZ"
        bone.rotation_euler.z = 0.5
        bpy.context.view_layer.update()
        preview.tick()
        bpy.context.view_layer.update()
        self.assertFalse(preview.state.changed)
        self.assertEqual(bone.rotation_euler.z, 0.5)

    def test_the_dialog_of_exports_begins_with_the_settings_of_the_preview(self):
        self.options.pixels_per_unit, self.options.origin, self.options.clips = 50, "WORLD", "ACTIVE"
        self.options.collection = self.armature.users_collection[0]
        dialog = mock.MagicMock()
        with mock.patch.object(export_scene.ExportHelper, "invoke") as invoke:
            export_scene.EXPORT_SCENE_OT_pachario.invoke(dialog, bpy.context, None)
        self.assertEqual(invoke.call_count, 1)
        self.assertEqual((dialog.pixels_per_unit, dialog.origin, dialog.clips, dialog.bones, dialog.use_atlas,
                          dialog.collection), (50, "WORLD", "ACTIVE", "DEFORM", False, "Neji"))

    def test_the_worst_message_of_a_report_is_shown_last(self):
        found, operator = Report(), mock.MagicMock()
        found.warn("one")
        found.info("two")
        pachario.report.show(found, operator, "Messages")
        self.assertEqual([call.args[1] for call in operator.report.call_args_list], ["two", "one"])

    def texts(self):
        """Returns what the panel shows."""
        layout = mock.MagicMock()
        preview.PACHARIO_PT_preview.draw(mock.MagicMock(layout=layout), bpy.context)
        return " ".join(str(call.kwargs.get("text", "")) for call in layout.mock_calls)

    def test_the_panel_shows_the_clips_and_the_errors(self):
        self.assertNotIn("Neji.pchr", self.texts())
        bpy.ops.pachario.preview()
        for text in ("Neji.pchr", "bind, idle, walk, wave", "The player is open", preview.state.exported_at):
            self.assertIn(text, self.texts())
        with mock.patch.object(export_scene, "capture", side_effect=character.FileError("no mesh was found")):
            preview.update(bpy.context)
        self.assertIn("no mesh was found", self.texts())

    def test_a_rig_that_was_saved_in_the_player_is_kept_and_checked(self):
        bpy.ops.pachario.preview()
        path = preview.state.path.with_suffix(".rig.json")
        rig = json.loads(path.read_text())
        rig["springs"] = [{"name": "aerial", "bones": "antenna"}, {"name": "tail", "bones": "tail"}]
        path.write_text(json.dumps(rig))
        self.assertTrue(preview.update(bpy.context))
        self.assertEqual(json.loads(path.read_text())["springs"], rig["springs"])
        self.assertEqual([severity for severity, _ in preview.state.report.entries], ["WARNING"])
        self.assertIn('"tail"', preview.state.report.entries[0][1])

    def test_without_a_player_the_preview_is_still_exported(self):
        (self.folder / "pchr-player").unlink()
        os.environ["PATH"] = str(self.folder)
        self.assertEqual(bpy.ops.pachario.preview(), {"FINISHED"})
        self.assertTrue(preview.state.path.exists())
        self.assertEqual(self.texts().count("pchr-player was not found"), 1)
        with mock.patch.object(preview, "_chosen", return_value="/none/player"):
            self.assertIn("/none/player in the preferences", self.texts())

    def test_the_tool_is_pchr_tool_where_another_program_is_called_pchr(self):
        os.environ["PATH"] = str(self.folder)
        for name in ("pchr", "pchr-tool"):
            path = self.folder / name
            path.write_text("#!/bin/sh\n")
            path.chmod(0o755)
            self.assertEqual(preview.program("pchr"), str(path))
        self.assertEqual(preview.program("pchr-player"), str(self.folder / "pchr-player"))

    def test_the_message_of_a_player_that_ends_is_shown(self):
        self.player("echo no display was found >&2; exit 3")
        bpy.ops.pachario.preview()
        preview._players[preview.state.path].wait()
        self.assertEqual(preview.player_status(), ("The player ended with 3: no display was found", True))

    def test_loading_a_file_and_unregistering_end_the_preview(self):
        bpy.ops.pachario.preview()
        self.assertTrue(bpy.app.timers.is_registered(preview.tick))
        bpy.ops.wm.read_homefile(use_factory_startup=True)
        self.assertIsNone(preview.state.path)
        self.assertIsNone(preview.tick())
        self.starter()
        bpy.ops.pachario.preview()
        pachario.unregister()
        try:
            handlers = bpy.app.handlers
            left = [each for name in dir(handlers) if isinstance(getattr(handlers, name), list)
                    for each in getattr(handlers, name) if each.__module__.startswith("pachario")]
            self.assertEqual(left, [])
            self.assertFalse(bpy.app.timers.is_registered(preview.tick))
            self.assertFalse(hasattr(bpy.types.Scene, "pachario"))
        finally:
            pachario.register()


class PartTest(BlenderCase):
    def draw(self, name, shapes):
        """Writes a painted PNG and returns its path and pixels."""
        pixels = starter.paint(shapes)[0]
        image = artist.new_image(name, pixels)
        image.filepath_raw, image.file_format = str(self.folder / f"{name}.png"), "PNG"
        image.save()
        bpy.data.images.remove(image)
        return self.folder / f"{name}.png", pixels

    def armature(self, bones, matrix=Matrix()):
        armature = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))
        bpy.context.collection.objects.link(armature)
        artist.activate(bpy.context, armature)
        bpy.ops.object.mode_set(mode="EDIT")
        for name, head, tail in bones:
            bone = armature.data.edit_bones.new(name)
            bone.head, bone.tail = head, tail
        bpy.ops.object.mode_set(mode="OBJECT")
        armature.matrix_world = matrix
        bpy.context.view_layer.update()
        return armature

    def covered(self, read, pixels):
        """Returns which pixels of an image, centered at the origin, the triangles of a character cover."""
        height, width = pixels.shape[:2]
        x, y = np.meshgrid(np.arange(width) + 0.5 - width / 2, height / 2 - np.arange(height) - 0.5)
        covered = np.zeros((height, width), bool)
        for mesh in read.meshes:
            points = np.stack([mesh.vertices["x"], mesh.vertices["y"]], 1)
            for a, b, c in points[np.asarray(mesh.indices).reshape(-1, 3)].astype(float):
                sides = [(q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) for p, q in ((a, b), (b, c), (c, a))]
                covered |= np.all([side >= -1e-3 for side in sides], 0) | np.all([side <= 1e-3 for side in sides], 0)
        return covered

    SHAPES = (("ring", 0, 0, 60, 8, "ff8800"), ("limb", -70, -70, 90, 80, 2, 14, "0088ff"),
              ("box", 100, -60, 12, 12, 3, "22aa44"))

    def test_a_mesh_covers_every_opaque_pixel(self):
        path, pixels = self.draw("shapes", self.SHAPES)
        bpy.ops.pachario.mesh_from_image(filepath=str(path), vertices=40)
        part = bpy.data.objects["shapes"]
        self.assertIsNone(part.parent)
        read, found = self.export(origin="WORLD")
        self.assertEqual(found.text(), "")
        self.assertTrue(self.covered(read, pixels)[pixels[..., 3] > 0].all())

    def test_triangles_fill_polygons_exactly(self):
        y, x = np.mgrid[:90, :120]
        distance = np.hypot(x - 60, y - 45)
        shapes = {"ring and island": (np.abs(distance - 35) < 6) & (x < 80) | (distance < 8),
                  "comb": (x % 8 < 4) | (y < 5), "one pixel": distance == 0,
                  "noise": np.random.default_rng(9).random((90, 120)) < 0.1}
        for name, opaque in shapes.items():
            for spacing in (0, 9):
                with self.subTest(name=name, spacing=spacing):
                    outlines, rings, _ = outline.trace(opaque * np.uint8(255), 0, 1, 60)
                    points, triangles = artist.triangulate(outlines, rings, spacing)
                    a, b, c = points[np.array(triangles)].transpose(1, 2, 0)
                    areas = -0.5 * ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
                    self.assertGreater(areas.min(), 0)
                    total = sum(outlines[i, 1] * outlines[j, 0] - outlines[i, 0] * outlines[j, 1]
                                for ring in rings for i, j in zip(ring, ring[1:] + ring[:1])) / 2
                    self.assertAlmostEqual(areas.sum(), total, 2)
                    self.assertEqual(set(np.ravel(triangles).tolist()), set(range(len(points))))
                    if spacing:
                        longest = max(np.linalg.norm(a - b, axis=0).max(), np.linalg.norm(b - c, axis=0).max())
                        self.assertLess(longest, 2.5 * spacing)
                    else:
                        self.assertEqual(len(points), len(outlines))

    def test_a_mesh_is_drawn_like_its_image(self):
        path, pixels = self.draw("shapes", self.SHAPES)
        bpy.ops.pachario.mesh_from_image(filepath=str(path), vertices=40)
        self.export(origin="WORLD")
        height, width = pixels.shape[:2]
        image = self.folder / "drawn.png"
        result = run("render", self.folder / "out.pchr", "--size", f"{width}x{height}", "--zoom", 1, "--center", "0,0",
                     "-o", image)
        if result.returncode == 3:
            self.skipTest(result.stderr)
        self.assertEqual(result.returncode, 0, result.stderr)
        drawn = png.decode(image.read_bytes(), "drawn.png")
        # Premultiplied, since the color of a transparent pixel says nothing.
        shown, painted = ((each[..., :3] / 255.0) * (each[..., 3:] / 255.0) for each in (drawn, pixels))
        self.assertLess(np.abs(shown - painted).max(), 0.02)
        self.assertLess(np.abs(drawn[..., 3].astype(int) - pixels[..., 3]).max(), 4)

    def test_a_mesh_follows_the_chosen_bones(self):
        path, pixels = self.draw("limb", (("limb", 0, 0, 0, 200, 20, 20, "888888"),))
        bones = ("upper", (0, 0, 1), (0, 0, 2)), ("lower", (0, 0, 0), (0, 0, 1)), ("other", (3, 0, 0), (3, 0, 1))
        self.armature(bones, Matrix.Translation((2, 0, 0)))
        bpy.ops.pachario.mesh_from_image(filepath=str(path), bones="upper, lower", spacing=10)
        part = bpy.data.objects["limb"]
        self.assertEqual(part.parent.name, "rig")
        self.assertLess((part.matrix_world.translation.xz - Vector((2, 1))).length, 1e-5)
        self.assertEqual([group.name for group in part.vertex_groups], ["upper", "lower"])
        for vertex in part.data.vertices:
            weights = {part.vertex_groups[each.group].name: each.weight for each in vertex.groups}
            self.assertAlmostEqual(sum(weights.values()), 1, 4)
            height = (part.matrix_world @ vertex.co).z
            if abs(height - 1) > 0.1:
                self.assertEqual(max(weights, key=weights.get), "upper" if height > 1 else "lower")

    def test_selected_bones_of_pose_mode_are_used(self):
        path, _ = self.draw("limb", (("limb", 0, 0, 0, 200, 20, 20, "888888"),))
        armature = self.armature((("upper", (0, 0, 1), (0, 0, 2)), ("lower", (0, 0, 0), (0, 0, 1))))
        bpy.ops.object.mode_set(mode="POSE")
        bpy.ops.pose.select_all(action="DESELECT")
        owner = armature.pose.bones if hasattr(armature.pose.bones[0], "select") else armature.data.bones
        owner["lower"].select = True
        bpy.ops.pachario.mesh_from_image(filepath=str(path))
        part = bpy.data.objects["limb"]
        self.assertEqual([group.name for group in part.vertex_groups], ["lower"])
        self.assertLess((part.location.xz - Vector((0, 0.5))).length, 1e-5)
        self.assertEqual(bpy.context.mode, "POSE")

    def test_large_images_have_as_many_vertices_as_small_ones(self):
        counts = []
        for size in (128, 1024):
            image = artist.new_image(f"part {size}", np.full((size, size, 4), 255, np.uint8))
            found = Report()
            obj = artist.add_part(bpy.context, "part", image, (0, 0, 0), None, [], found)
            counts.append(len(obj.data.vertices))
            self.assertEqual(found.text(), f'info: mesh "part": {counts[-1]} vertices, {len(obj.data.polygons)} '
                                           "triangles\n")
        self.assertEqual(counts[0], counts[1])
        self.assertLess(counts[0], 120)

    def test_several_images_become_parts_in_front_of_each_other(self):
        for name in ("one", "two"):
            self.draw(name, (("box", 0, 0, 20, 20, 5, "123456"),))
        bpy.ops.pachario.mesh_from_image(directory=str(self.folder), files=[{"name": "one.png"}, {"name": "two.png"}])
        self.assertEqual([part.name for part in artist.parts_of(bpy.context)], ["two", "one"])

    def test_wrong_images_and_bones_are_errors(self):
        artist.new_image("empty", np.zeros((8, 8, 4), np.uint8))
        (self.folder / "text.png").write_text("no image")
        for arguments, message in (({"image": "empty"}, 'image "empty": no alpha is above 0; the largest is 0'),
                                   ({"image": "none"}, 'image "none": the file has no such image'),
                                   ({"filepath": str(self.folder / "none.png")}, "none.png: is not a file"),
                                   ({"filepath": f"{self.folder}/"}, "is not a file; choose an image"),
                                   ({"filepath": str(self.folder / "text.png")}, "text.png"),
                                   ({"image": "empty", "bones": "hand"}, 'bone "hand": no armature is active')):
            with self.assertRaisesRegex(RuntimeError, message):
                bpy.ops.pachario.mesh_from_image(**arguments)
        self.assertEqual(len(bpy.data.objects), 0)
        self.assertEqual([image.name for image in bpy.data.images], ["empty"])

    def boxes(self, armature=None):
        for index, name in enumerate("abcd"):
            image = artist.new_image(name, np.full((10, 10, 4), 255, np.uint8))
            artist.add_part(bpy.context, name, image, (index, 0.1 * index, 0), armature, [])
        bpy.context.view_layer.update()
        artist.activate(bpy.context, bpy.data.objects["a"])

    def order(self):
        bpy.context.view_layer.update()
        return "".join(part.name for part in artist.parts_of(bpy.context))

    def test_parts_are_sorted_by_a_list(self):
        turned = Matrix.LocRotScale((1, 2, 3), Matrix.Rotation(0.2, 3, "Z"), (2, 0.5, 3))
        for armature in (None, self.armature((("bone", (0, 0, 0), (0, 0, 1)),))):
            for each in [each for each in bpy.data.objects if each.type == "MESH"]:
                bpy.data.objects.remove(each)
            self.boxes(armature)
            if armature:
                armature.matrix_world = turned
            self.assertEqual(self.order(), "abcd")
            before = {name: bpy.data.objects[name].matrix_world.copy() for name in "abcd"}
            front = artist.depth_of(bpy.data.objects["a"])
            bpy.ops.pachario.order_parts(names="d, b\nnone", spacing=0.5)
            self.assertEqual(self.order(), "dbac")
            for index, name in enumerate("dbac"):
                self.assertAlmostEqual(artist.depth_of(bpy.data.objects[name]), front + 0.5 * index, 5)
                change = bpy.data.objects[name].matrix_world - before[name]
                change[1][3] = 0
                self.assertLess(max(abs(number) for row in change for number in row), 1e-5)

    def test_the_list_shows_parts_from_front_to_back(self):
        self.armature((("bone", (0, 0, 0), (0, 0, 1)),))
        self.boxes()
        bpy.ops.pachario.order_parts(names="d,b")
        bpy.context.view_layer.update()
        filtered = mock.MagicMock(bitflag_filter_item=1, filter_name="")
        shown, order = artist.PACHARIO_UL_parts.filter_items(filtered, bpy.context, bpy.data, "objects")
        names = [each.name for each in bpy.data.objects]
        self.assertEqual([names[order.index(place)] for place in range(len(names))], ["d", "b", "a", "c", "rig"])
        self.assertEqual({name for name, flag in zip(names, shown) if flag}, set("abcd"))
        artist.activate(bpy.context, bpy.data.objects["rig"])
        for name, mode in (("c", "POSE"), ("a", "OBJECT")):
            bpy.ops.object.mode_set(mode=mode)
            bpy.context.window_manager.pachario_part = names.index(name)
            self.assertEqual((bpy.context.view_layer.objects.active.name, bpy.context.mode), (name, "OBJECT"))
        bpy.context.view_layer.objects.active = None
        bpy.context.window_manager.pachario_part = names.index("c")
        self.assertEqual(bpy.context.view_layer.objects.active.name, "c")

    def test_a_part_moves_one_place(self):
        self.boxes()
        artist.activate(bpy.context, bpy.data.objects["c"])
        for direction, order in (("FRONT", "acbd"), ("FRONT", "cabd"), ("FRONT", "cabd"), ("BACK", "acbd")):
            bpy.ops.pachario.move_part(direction=direction)
            self.assertEqual(self.order(), order)
        for each in "abcd":
            bpy.data.objects[each].location.y = 0
        bpy.context.view_layer.update()
        bpy.ops.pachario.move_part(direction="BACK")
        self.assertEqual(self.order(), "abdc")

    def test_a_keyed_part_stays(self):
        self.boxes()
        bpy.data.objects["a"].keyframe_insert("location")
        bpy.ops.pachario.order_parts(names="b,c,d,a")
        self.assertEqual(bpy.data.objects["a"].location.y, 0)

    def test_one_undo_step_takes_a_part_back(self):
        self.boxes()
        bpy.ops.ed.undo_push(message="before")
        bpy.ops.pachario.order_parts(names="d")
        bpy.ops.ed.undo_push(message="after")
        self.assertEqual(self.order(), "dabc")
        bpy.ops.ed.undo()
        self.assertEqual(self.order(), "abcd")


class StarterTest(BlenderCase):
    def test_it_exports_without_warnings(self):
        self.starter()
        read, found = self.export()
        self.assertEqual(found.text(), "")
        self.assertEqual([clip.name for clip in read.clips], ["bind", "idle", "walk", "wave"])
        self.assertEqual([len(clip.frames) for clip in read.clips], [1, 48, 24, 46])
        self.assertEqual([clip.loops for clip in read.clips[1:]], [True, True, False])
        self.assertEqual([bone.name for bone in read.bones], [bone[0] for bone in starter.BONES])
        self.assertEqual([mesh.name for mesh in read.meshes], [part[0] for part in starter.PARTS])
        rig = json.loads((self.folder / "out.rig.json").read_text())
        self.assertEqual(rig["markers"], [{"clip": "walk", "frame": frame, "name": "step"} for frame in (0, 12)])
        self.assertEqual({mask["name"]: set(mask["bones"]) for mask in rig["masks"]},
                         {name: set(bones) for name, bones in starter.BONE_SETS.items()})
        result = run("validate", self.folder / "out.pchr")
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)

    def test_feet_stay_on_the_ground_while_they_carry(self):
        armature = self.starter()
        compat.assign(armature, bpy.data.actions["walk"])
        places, soles = {"near": [], "far": []}, {"near": [], "far": []}
        for frame in range(1, 25):
            bpy.context.scene.frame_set(frame)
            for side, values in places.items():
                foot = armature.pose.bones[side + " foot"]
                values.append(foot.head * starter.PIXELS_PER_UNIT)
                turned = foot.matrix @ foot.bone.matrix_local.inverted()
                ankle = foot.bone.head_local
                soles[side].append(min((turned @ Vector((ankle.x + x / 100, 0, 0))).z * 100 for x in starter.SOLE))
        for side, start in (("near", 0), ("far", 12)):
            steps = [places[side][(start + frame) % 24] for frame in range(13)]
            for frame, place in enumerate(steps):
                self.assertAlmostEqual(place.x, steps[0].x - frame * 68 / 12, delta=1.5)
                self.assertAlmostEqual(soles[side][(start + frame) % 24], 0, delta=2)
            self.assertGreater(soles[side][(start + 18) % 24], 10)

    def test_the_template_holds_the_starter_alone(self):
        bpy.ops.mesh.primitive_cube_add()
        path = self.folder / "template.blend"
        starter.save_template(os.path.relpath(path))
        bpy.ops.wm.open_mainfile(filepath=str(path))
        bpy.ops.export_scene.pachario(filepath="//beside.pchr")
        self.assertTrue((self.folder / "beside.pchr").exists())
        (self.folder / "dot.png").write_bytes(png.encode(np.full((8, 8, 4), 255, np.uint8)))
        self.assertEqual(bpy.ops.pachario.mesh_from_image(filepath="//dot.png"), {"FINISHED"})
        bpy.data.objects.remove(bpy.data.objects["dot"])
        self.assertEqual(sorted(each.name for each in bpy.data.objects),
                         sorted(["Neji"] + [part[0] for part in starter.PARTS]))
        self.assertEqual(sorted(each.name for each in bpy.data.actions), ["idle", "walk", "wave"])
        self.assertTrue(all(image.packed_file for image in bpy.data.images if image.name.startswith("neji")))
        self.assertEqual(bpy.data.meshes.get("Cube"), None)


if __name__ == "__main__":
    pachario.register()
    result = unittest.main(argv=[sys.argv[0]], exit=False).result
    if not result.wasSuccessful():
        raise SystemExit(1)
