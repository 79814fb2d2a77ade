# SPDX-License-Identifier: MIT
"""Tests that exported characters move as Blender evaluates them, and say what they cannot keep."""

import math
import os
import sys
import unittest
from unittest import mock

import bpy
import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import scene as made  # noqa: E402
from pachario import compat, export_scene, png  # noqa: E402
from pachario.character import FileError  # noqa: E402
from pachario.report import Report  # noqa: E402

PIXELS = 0.01


def limb(y=0.0, **settings):
    """Returns an armature of three bones and a mesh that bends with them."""
    rig = made.armature(made.chain(3, **settings))
    mesh = made.bind(made.grid("limb", -0.3, 0, 0.3, 3, 2, 12, y), rig,
                     {f"bone{i}": made.falloff(i + 0.5, 1) for i in range(3)})
    return rig, mesh


def swing(rig, name="walk", axis=2, bones=(0, 1, 2), amount=0.8):
    return made.keys(rig, name, {(made.bone_path(f"bone{i}", "rotation_euler"), axis):
                                 [(1, 0.0), (7, amount * (i + 1) / 2), (13, -amount / 3)] for i in bones})


def texts(report, severity="WARNING"):
    return [message for kind, message in report.entries if kind == severity]


class Poses(unittest.TestCase):
    """Each test compares all vertices at all frames."""

    def setUp(self):
        made.new()

    def compare(self, objects, clip="walk", start=1, origin=(0, 0), **settings):
        character, _, _, report = made.export(**settings)
        distance = made.distance(character, clip, start, objects, origin)
        self.assertLess(distance, PIXELS, report.text())
        self.compare_with_runtime(character, clip)
        return character, report

    def compare_with_runtime(self, character, clip):
        """Compares what pchr computes for the frame in the middle of a clip with what the tests do."""
        if not made.has_tool():
            return
        frames = next(each for each in character.clips if each.name == clip).frames
        middle = len(frames) // 2
        pose = made.tool_pose(os.path.join(made.OUT, "hero.pchr"), clip, middle)
        for found, mesh in zip(pose["meshes"], character.meshes, strict=True):
            np.testing.assert_allclose(found["vertices"], export_scene.skin(character, mesh, frames[[middle]])[0],
                                       atol=0.002)
        governors = [export_scene.governing_bone(mesh.vertices["bone_ids"], mesh.vertices["bone_weights"])
                     for mesh in character.meshes]
        order = sorted((i for i, bone in enumerate(governors) if frames[middle]["visible"][bone]),
                       key=lambda i: frames[middle]["z_order"][governors[i]])
        self.assertEqual(pose["drawOrder"], order)

    def test_bones_turn_move_and_grow(self):
        rig, mesh = limb()
        swing(rig)
        for path, index, points in (("location", 0, [(1, 0), (9, 0.4)]), ("location", 1, [(1, 0), (9, -0.2)]),
                                    ("scale", 1, [(1, 1), (9, 1.5)])):
            action = rig.animation_data.action
            curve = compat.new_fcurve(action, rig, made.bone_path("bone2", path), index)
            for frame, value in points:
                curve.keyframe_points.insert(frame, value)
        character, report = self.compare({"limb": mesh})
        self.assertEqual(texts(report), [])
        self.assertEqual([(clip.name, len(clip.frames)) for clip in character.clips], [("bind", 1), ("walk", 13)])
        self.assertEqual([(bone.name, bone.parent) for bone in character.bones],
                         [("bone0", -1), ("bone1", 0), ("bone2", 1)])

    def test_roll_connected_bones_and_a_turned_armature_object(self):
        bones = [("bone0", "", (0, 0), (0, 1), {"roll": 0.7}),
                 ("bone1", "bone0", (0, 1), (0.5, 2), {"use_connect": True, "roll": -2}),
                 ("bone2", "bone1", (0.5, 2), (0.2, 3), {"use_connect": True, "roll": 3})]
        rig = made.armature(bones)
        rig.location, rig.rotation_euler, rig.scale = (2, 0.5, -1), (0, 0.4, 0), (1.5, 1.5, 1.5)
        mesh = made.bind(made.grid("limb", -0.3, 0, 0.6, 3, 2, 12), rig,
                         {f"bone{i}": made.falloff(i + 0.5, 1) for i in range(3)})
        for bone in rig.pose.bones:
            bone.rotation_mode = "QUATERNION"
        action = bpy.data.actions.new("walk")
        compat.assign(rig, action)
        for bone in rig.pose.bones:
            axis = bone.bone.matrix_local.to_3x3().inverted() @ made.Vector((0, -1, 0))
            for frame, angle in ((1, 0), (6, 0.9), (12, -0.5)):
                bone.rotation_quaternion = made.Quaternion(axis, angle)
                bone.keyframe_insert("rotation_quaternion", frame=frame)
        _, report = self.compare({"limb": mesh}, origin=(2, -1))
        self.assertEqual(texts(report), [])
        character, _, _, _ = made.export(origin="WORLD")
        self.assertLess(made.distance(character, "walk", 1, {"limb": mesh}), PIXELS)

    def test_every_inheritance_of_scale(self):
        kinds = ("FULL", "FIX_SHEAR", "ALIGNED", "AVERAGE", "NONE", "NONE_LEGACY")
        bones = [("base", "", (0, 0), (0, 1))]
        for i, kind in enumerate(kinds):
            bones.append((kind, "base", (i, 1), (i + 0.5, 2), {"inherit_scale": kind}))
            bones.append((f"{kind} end", kind, (i + 0.5, 2), (i + 0.5, 3)))
        rig = made.armature(bones)
        objects = {}
        for i, kind in enumerate(kinds):
            for name, bottom in ((kind, 1), (f"{kind} end", 2)):
                objects[name] = made.bind(made.grid(name, i, bottom, i + 0.6, bottom + 1), rig, {name: 1})
        channels = {(made.bone_path("base", "scale"), 1): [(1, 1), (10, 1.8)],
                    (made.bone_path("base", "scale"), 0): [(1, 1), (10, 0.7)]}
        for kind in kinds:
            channels[made.bone_path(kind, "rotation_euler"), 2] = [(1, 0), (10, 1.1)]
            channels[made.bone_path(f"{kind} end", "rotation_euler"), 2] = [(1, 0), (10, -0.6)]
        made.keys(rig, "walk", channels)
        character, report = self.compare(objects)
        names = [bone.name for bone in character.bones]
        self.assertEqual(texts(report), [])
        # Bones inherit all of their parents' transforms in the file, too. Anything else is sheared there.
        for name, expected in (("base", False), ("FULL", False), ("FULL end", False), ("NONE", True)):
            self.assertEqual(f"{name} shear" in names, expected, name)
        self.assertTrue(any('bone "NONE"' in text and "sheared by" in text for text in texts(report, "INFO")))
        # Smooth playback needs angles without jumps.
        frames = character.clips[1].frames[:, names.index("NONE shear")]
        self.assertLess(np.abs(np.diff(frames["rotation"])).max(), 20)

    def test_mirrored_bones(self):
        rig, mesh = limb()
        swing(rig)
        rig.pose.bones["bone1"].scale.x = -1
        character, _ = self.compare({"limb": mesh})
        self.assertEqual(character.clips[1].frames[3, 1]["scale_x"], -1)
        self.assertEqual(character.clips[1].frames[3, 1]["scale_y"], 1)

    def test_a_scale_of_zero(self):
        rig, mesh = limb()
        made.keys(rig, "walk", {(made.bone_path("bone1", "scale"), i): [(1, 1), (5, 0), (9, 1)] for i in range(3)})
        self.compare({"limb": mesh})

    def test_constraints_and_drivers(self):
        rig = made.armature(made.chain(3) + [("target", "", (0, 3), (0, 3.5), {"use_deform": False}),
                                             ("copy", "", (2, 0), (2, 1))])
        mesh = made.bind(made.grid("limb", -0.3, 0, 0.3, 3, 2, 12), rig,
                         {f"bone{i}": made.falloff(i + 0.5, 1) for i in range(3)})
        other = made.bind(made.grid("other", 1.8, 0, 2.2, 1), rig, {"copy": 1})
        ik = rig.pose.bones["bone2"].constraints.new("IK")
        ik.target, ik.subtarget, ik.chain_count = rig, "target", 3
        for i in range(3):
            rig.pose.bones[f"bone{i}"].lock_ik_x = rig.pose.bones[f"bone{i}"].lock_ik_y = True
            rig.pose.bones[f"bone{i}"].rotation_euler.z = 0.05
        copy = rig.pose.bones["copy"].constraints.new("COPY_ROTATION")
        copy.target, copy.subtarget = rig, "bone1"
        driver = rig.driver_add(made.bone_path("copy", "location"), 1).driver
        driver.expression = "0.3 * sin(frame)"
        made.keys(rig, "walk", {(made.bone_path("target", "location"), 0): [(1, 0), (12, 1.5)],
                                (made.bone_path("target", "location"), 1): [(1, -0.2), (12, -1.5)]})
        character, report = self.compare({"limb": mesh, "other": other})
        self.assertNotIn("target", [bone.name for bone in character.bones])
        self.assertEqual(texts(report), [])
        self.assertIn("target", [bone.name for bone in made.export(bones="ALL")[0].bones])

    def test_positions_that_blender_cannot_compute(self):
        rig = made.armature(made.chain(2) + [("stretched", "bone0", (0, 1), (0, 2))])
        made.bind(made.grid("limb", -0.3, 1, 0.3, 2), rig, {"stretched": 1})
        constraint = rig.pose.bones["stretched"].constraints.new("STRETCH_TO")
        constraint.target, constraint.subtarget = rig, "bone1"
        swing(rig, bones=(0, 1))
        bpy.context.scene.frame_set(1)
        points = made.evaluated(bpy.data.objects["limb"])
        character, _, _, report = made.export()
        self.assertTrue(all(np.isfinite(clip.frames[key]).all() for clip in character.clips
                            for key in ("x", "y", "rotation", "scale_x", "scale_y")))
        self.assertEqual(any("computes no finite position" in text for text in texts(report)),
                         not np.isfinite(points).all())

    def test_bones_whose_parents_are_not_exported(self):
        rig = made.armature(made.chain(3))
        rig.data.bones["bone1"].use_deform = False
        mesh = made.bind(made.grid("limb", -0.3, 0, 0.3, 3, 2, 12), rig,
                         {f"bone{i}": made.falloff(i + 0.5, 2.6) for i in range(3)})
        swing(rig)
        character, _ = self.compare({"limb": mesh})
        self.assertEqual([(bone.name, bone.parent) for bone in character.bones], [("bone0", -1), ("bone2", 0)])

    def test_turns_out_of_the_plane(self):
        rig, mesh = limb(y=-0.3)
        swing(rig, axis=1, bones=(1,), amount=0.5)
        character, report = self.compare({"limb": mesh})
        self.assertTrue(any('bone "bone1", clip "walk", frame 7: turned 28.6 degrees out of the XZ plane' in text
                            for text in texts(report)), report.text())

    def test_root_motion_of_the_armature_object(self):
        rig, mesh = limb()
        made.keys(rig, "walk", {("location", 0): [(1, 0), (9, 2)], ("rotation_euler", 1): [(1, 0), (9, 0.5)],
                                (made.bone_path("bone1", "rotation_euler"), 2): [(1, 0), (9, 1)]})
        character, report = self.compare({"limb": mesh})
        self.assertEqual([bone.name for bone in character.bones], ["bone0", "bone1", "bone2"])

    def test_objects_that_follow_bones_and_others(self):
        rig, mesh = limb()
        held = made.grid("held", 0, 0, 0.4, 0.8)
        held.parent, held.parent_type, held.parent_bone = rig, "BONE", "bone2"
        held.location, held.rotation_euler = (0.1, 0, 0.2), (0, 0.3, 0)
        still = made.grid("still", 2, 0, 2.5, 1)
        still.parent = rig
        child = made.grid("child", 0, 0, 0.2, 0.2)
        child.parent = held
        moving = made.grid("moving", 1, 1, 1.5, 1.5)
        made.keys(moving, "own", {("location", 0): [(1, 0), (10, 1)], ("rotation_euler", 1): [(1, 0), (10, 1)]})
        empty = made.link("empty")
        made.keys(empty, "lift", {("location", 2): [(1, 0), (10, 1)]})
        lifted = made.grid("lifted", -2, 0, -1.5, 1)
        lifted.parent = empty
        bound = made.grid("bound", -1, 0, -0.8, 1)
        constraint = bound.constraints.new("CHILD_OF")
        constraint.target, constraint.subtarget = rig, "bone1"
        swing(rig)
        objects = {"limb": mesh, "held": held, "still": still, "child": child, "moving": moving, "lifted": lifted,
                   "bound": bound}
        character, report = self.compare(objects)
        names = [bone.name for bone in character.bones]
        self.assertEqual(names, ["rig", "bone0", "bone1", "bone2", "moving", "lifted"])
        followed = {mesh.name: {names[i] for i in mesh.vertices["bone_ids"][mesh.vertices["bone_weights"] > 0]}
                    for mesh in character.meshes if mesh.name != "limb"}
        self.assertEqual(followed, {"held": {"bone2"}, "still": {"rig"}, "child": {"bone2"}, "moving": {"moving"},
                                    "lifted": {"lifted"}, "bound": {"bone1"}})

    def test_without_an_armature(self):
        body, hand = made.grid("body", -0.5, 0, 0.5, 2), made.grid("hand", 0, 0, 1, 0.3, y=-0.1)
        hand.parent = body
        hand.location = (0.5, 0, 1.5)
        made.keys(body, "a", {("location", 2): [(1, 0), (20, 1)]})
        made.keys(hand, "b", {("rotation_euler", 1): [(1, 0), (20, 2)], ("scale", 0): [(1, 1), (20, 2)]})
        bpy.context.scene.frame_start, bpy.context.scene.frame_end = 1, 20
        bpy.context.scene.name = "dance"
        character, _ = self.compare({"body": body, "hand": hand}, clip="dance")
        self.assertEqual([(bone.name, bone.parent) for bone in character.bones], [("body", -1), ("hand", 0)])

    def test_bendy_bones(self):
        rig = made.armature([("arm", "", (0, 0), (0, 2)), ("hand", "arm", (0, 2), (0.3, 3), {"use_connect": True})])
        for bone in rig.data.bones:
            bone.bbone_segments = 8
        rig.data.bones["hand"].bbone_segments = 3
        mesh = made.bind(made.grid("limb", -0.2, -0.3, 0.2, 3.2, 2, 40), rig,
                         {"arm": made.falloff(0.8, 1.7), "hand": made.falloff(2.8, 1.2)})
        rig.location, rig.rotation_euler = (1, 0, 0.5), (0, 0.3, 0)
        made.keys(rig, "walk", {
            (made.bone_path("arm", "bbone_curveoutx"), 0): [(1, 0), (9, 0.8)],
            (made.bone_path("arm", "bbone_curveinx"), 0): [(1, 0), (9, -0.3)],
            (made.bone_path("arm", "rotation_euler"), 2): [(1, 0), (9, 0.5)],
            (made.bone_path("hand", "bbone_rollout"), 0): [(1, 0), (9, 0)],
            (made.bone_path("hand", "rotation_euler"), 2): [(1, 0), (9, 1.2)]})
        rig.pose.bones["arm"].bbone_easeout = 1.5
        character, report = self.compare({"limb": mesh}, origin=(1, 0.5))
        self.assertEqual(texts(report), [])
        names = [bone.name for bone in character.bones]
        self.assertEqual(names, ["arm", "hand"] + [f"arm segment {i + 1}" for i in range(9)]
                         + [f"hand segment {i + 1}" for i in range(4)])
        self.assertEqual({bone.parent for bone in character.bones[2:11]}, {0})
        self.assertIn('bone "arm": its 8 segments are exported as 9 bones', report.text())

    def test_a_stretched_time(self):
        rig, mesh = limb()
        action = swing(rig)
        for name, frame in (("middle", 7), ("late", 14)):
            action.pose_markers.new(name).frame = frame
        render = bpy.context.scene.render
        for old, new, frames, said in ((100, 200, 25, False), (100, 50, 7, False), (100, 130, 17, True)):
            render.frame_map_old, render.frame_map_new = old, new
            character, markers, _, report = made.export()
            self.assertEqual(len(character.clips[1].frames), frames)
            self.assertIn(f"the scene stretches {old} frames to {new}", report.text())
            self.assertEqual(any("makes its 12 frames 15.60, which become 16" in text for text in texts(report)), said)
            self.assertEqual([(each.name, each.frame) for each in markers], [("middle", round(6 * new / old))])
            self.assertTrue(any("frame 14 is outside the clip, which has frames 1 to 13;" in text
                                for text in texts(report)), report.text())
            clip = character.clips[1]
            positions = export_scene.skin(character, character.meshes[0], clip.frames)
            render.frame_map_new = old
            for frame in range(frames):
                time = 1 + frame * 12 / (frames - 1)
                bpy.context.scene.frame_set(int(time + 1e-6), subframe=max(0, time - int(time + 1e-6)))
                off = np.linalg.norm(positions[frame] - made.evaluated(mesh)[:, [0, 2]] * 100, axis=1).max()
                self.assertLess(off, PIXELS, frame)
        render.frame_map_new = 200
        bpy.context.scene.frame_start, bpy.context.scene.frame_end, bpy.context.scene.name = 2, 24, "play"
        self.compare({"limb": mesh}, clip="play", start=2, clips="SCENE")

    def test_the_scene_as_it_plays(self):
        rig, mesh = limb()
        action = swing(rig)
        track = rig.animation_data.nla_tracks.new()
        strip = track.strips.new("walk", 5, action)
        strip.scale = 1.5
        rig.animation_data.action = None
        bpy.context.scene.frame_start, bpy.context.scene.frame_end = 3, 24
        bpy.context.scene.name = "play"
        self.compare({"limb": mesh}, clip="play", start=3, clips="SCENE")

    def test_more_than_four_influences(self):
        rig = made.armature(made.chain(6, 0.5))
        mesh = made.bind(made.grid("limb", -0.2, 0, 0.2, 3, 2, 12), rig,
                         {f"bone{i}": made.falloff(i / 2 + 0.25, 1.6) for i in range(6)})
        swing(rig, bones=range(6), amount=0.4)
        character, _, _, report = made.export()
        found = next(text for text in texts(report) if "more than 4 bones" in text)
        said = float(found.split("by up to ")[1].split()[0])
        self.assertGreater(said, 0)
        self.assertAlmostEqual(made.distance(character, "walk", 1, {"limb": mesh}), said, delta=0.02)
        np.testing.assert_allclose(character.meshes[0].vertices["bone_weights"].sum(axis=1), 1, atol=1e-6)

    def test_vertices_without_weights(self):
        rig, mesh = limb()
        for group in mesh.vertex_groups:
            group.remove(list(range(9)))
        made.keys(rig, "walk", {("location", 0): [(1, 0), (9, 2)],
                                (made.bone_path("bone1", "rotation_euler"), 2): [(1, 0), (9, 1)]})
        character, report = self.compare({"limb": mesh})
        self.assertEqual(character.bones[0].name, "rig")
        self.assertTrue(any("9 vertices have no weights" in text for text in texts(report, "INFO")), report.text())

    def test_modifiers_before_the_armature(self):
        rig = made.armature(made.chain(3))
        mesh = made.grid("limb", 0, 0, 0.3, 3, 2, 6)
        mirror = mesh.modifiers.new("Mirror", "MIRROR")
        mirror.use_axis[0] = True
        subdivision = mesh.modifiers.new("Subdivision", "SUBSURF")
        subdivision.levels = 1
        made.bind(mesh, rig, {f"bone{i}": made.falloff(i + 0.5, 1) for i in range(3)})
        swing(rig)
        character, report = self.compare({"limb": mesh})
        self.assertGreater(len(character.meshes[0].vertices), 4 * len(mesh.data.vertices))

    @unittest.skipIf(bpy.app.version < (4, 0), "nodes are built as in Blender 4")
    def test_geometry_nodes_change_groups_and_materials(self):
        rig, mesh = limb()
        swing(rig)
        joined = made.grid("joined", 1, 0, 1.5, 3, 1, 6)
        joined.hide_render = True
        for bone, center in (("bone2", 2.5), ("bone0", 0.5), ("bone1", 1.5)):
            group = joined.vertex_groups.new(name=bone)
            for vertex in joined.data.vertices:
                group.add([vertex.index], made.falloff(center, 1)(*vertex.co), "REPLACE")
        tree = bpy.data.node_groups.new("join", "GeometryNodeTree")
        for side in ("INPUT", "OUTPUT"):
            tree.interface.new_socket("Geometry", in_out=side, socket_type="NodeSocketGeometry")
        start, end, other, join, paint = map(tree.nodes.new, (
            "NodeGroupInput", "NodeGroupOutput", "GeometryNodeObjectInfo", "GeometryNodeJoinGeometry",
            "GeometryNodeSetMaterial"))
        other.inputs["Object"].default_value = joined
        paint.inputs["Material"].default_value = made.image_material("paint")
        for before, after in ((start.outputs[0], join.inputs[0]), (other.outputs["Geometry"], join.inputs[0]),
                              (join.outputs[0], paint.inputs[0]), (paint.outputs[0], end.inputs[0])):
            tree.links.new(before, after)
        mesh.modifiers.new("Nodes", "NODES").node_group = tree
        mesh.modifiers.move(1, 0)
        character, _ = self.compare({"limb": mesh}, use_atlas=False)
        self.assertEqual([image.name for image in character.images], ["paint.png"])

    def test_a_rig_in_rest_position(self):
        rig, mesh = limb()
        swing(rig)
        rig.data.pose_position = "REST"
        character, _, _, _ = made.export()
        self.assertEqual(rig.data.pose_position, "REST")
        rig.data.pose_position = "POSE"
        self.assertLess(made.distance(character, "walk", 1, {"limb": mesh}), PIXELS)

    def test_drivers_that_read_the_scene(self):
        rig, mesh = limb()
        swing(rig, bones=(0,))
        scene = bpy.context.scene
        scene["size"] = 0.7
        kinds = [("SINGLE_PROP", "frame_current", 0)]
        if bpy.app.version >= (4, 0):
            kinds.append(("CONTEXT_PROP", '["size"]', 1))
        for kind, path, index in kinds:
            driver = rig.driver_add(made.bone_path("bone1", "location"), index).driver
            driver.expression = "0.1 * value"
            variable = driver.variables.new()
            variable.name, variable.type = "value", kind
            if kind == "SINGLE_PROP":
                variable.targets[0].id_type, variable.targets[0].id = "SCENE", scene
            variable.targets[0].data_path = path
        self.compare({"limb": mesh})
        variable = rig.animation_data.drivers[0].driver.variables[0]
        self.assertEqual(variable.targets[0].id, scene)

    def test_objects_hidden_in_the_viewport(self):
        rig, mesh = limb()
        mesh.hide_viewport = True
        swing(rig)
        exported, _, _, _ = made.export()
        self.assertTrue(mesh.hide_viewport)
        mesh.hide_viewport = False
        self.assertLess(made.distance(exported, "walk", 1, {"limb": mesh}), PIXELS)

    def test_targets_that_are_hidden(self):
        rig, mesh = limb()
        empty = made.link("empty")
        made.keys(empty, "move", {("location", 0): [(1, 0.5), (13, -2)], ("location", 2): [(1, 2), (13, 1)]})
        lifted = made.grid("lifted", 0, 0, 1, 1)
        lifted.parent = empty
        track = rig.pose.bones["bone1"].constraints.new("DAMPED_TRACK")
        track.target = empty
        swing(rig, bones=(0,))
        empty.hide_viewport = empty.hide_render = True
        self.compare({"limb": mesh, "lifted": lifted})

    def test_what_has_no_size_in_the_bind_pose(self):
        rig, mesh = limb()
        star = made.grid("star", 1, 1, 2, 2)
        made.keys(star, "grow", {("scale", i): [(1, 0), (12, 1.5)] for i in range(3)})
        made.keys(rig, "walk", {(made.bone_path("bone1", "rotation_euler"), 2): [(1, 0), (12, 1)],
                                **{("scale", i): [(1, 0), (12, 1)] for i in range(3)}})
        self.compare({"limb": mesh, "star": star})

    def test_tracks_of_objects_with_the_name_of_a_clip(self):
        rig, mesh = limb()
        prop = made.grid("prop", 1, 1, 2, 2)
        for name, distance in (("bow", 3), ("walk", 1)):
            swing(rig, name)
            made.keys(prop, f"prop {name}", {("location", 0): [(1, 0), (13, distance)]})
            track = prop.animation_data.nla_tracks.new()
            track.name = name
            track.strips.new(name, 1, bpy.data.actions[f"prop {name}"])
        prop.animation_data.action = None
        character, _, _, _ = made.export()
        self.assertEqual(prop.animation_data.action, None)
        self.assertTrue(prop.animation_data.use_nla)
        for name in ("bow", "walk"):
            compat.assign(rig, bpy.data.actions[name])
            compat.assign(prop, bpy.data.actions[f"prop {name}"])
            prop.animation_data.use_nla = False
            self.assertLess(made.distance(character, name, 1, {"limb": mesh, "prop": prop}), PIXELS)

    def test_targets_with_tracks_or_slots_for_each_clip(self):
        rig, mesh = limb()
        targets = [made.link("first"), made.link("second")]
        for bone, target in zip(("bone1", "bone2"), targets):
            rig.pose.bones[bone].constraints.new("DAMPED_TRACK").target = target
        for name, x in (("bow", 2), ("walk", -2)):
            action = swing(rig, name, bones=(0,))
            made.keys(targets[0], f"first {name}", {("location", 0): [(1, x), (13, 0)], ("location", 2): [(1, 2)]})
            track = targets[0].animation_data.nla_tracks.new()
            track.name = name
            track.strips.new(name, 1, bpy.data.actions[f"first {name}"])
            if hasattr(action, "slots"):
                bag = action.layers[0].strips[0].channelbag(action.slots.new("OBJECT", "second"), ensure=True)
                bag.fcurves.new("location", index=0).keyframe_points.insert(1, -x)
        targets[0].animation_data.action = None
        compat.assign(rig, bpy.data.actions["walk"])
        if hasattr(action, "slots"):
            compat.assign(targets[1], action, action.slots[1])
        character, _, _, _ = made.export()
        self.assertEqual(targets[0].animation_data.action, None)
        for name in ("bow", "walk"):
            for owner, action in ((rig, name), (targets[0], f"first {name}")):
                compat.assign(owner, bpy.data.actions[action])
            targets[0].animation_data.use_nla = False
            if hasattr(bpy.data.actions[name], "slots"):
                compat.assign(targets[1], bpy.data.actions[name], bpy.data.actions[name].slots[1])
            self.assertLess(made.distance(character, name, 1, {"limb": mesh}), PIXELS, name)

    def test_what_is_not_bones_is_reported(self):
        rig, mesh = limb()
        mesh.shape_key_add(name="Basis")
        key = mesh.shape_key_add(name="Bend")
        for point in key.data:
            point.co.x += 0.5
        key.value = 0
        key.keyframe_insert("value", frame=1)
        key.value = 1
        key.keyframe_insert("value", frame=13)
        swing(rig)
        bpy.context.view_layer.objects.active = mesh
        for mode in ("OBJECT", "EDIT"):
            bpy.ops.object.mode_set(mode=mode)
            _, _, _, report = made.export()
            self.assertTrue(any('mesh "limb": up to 50.0 pixels off in clip "walk", frame 13' in text
                                for text in texts(report)), report.text())
        bpy.ops.object.mode_set(mode="OBJECT")
        mesh.shape_key_clear()
        bpy.ops.object.mode_set(mode="EDIT")
        self.assertEqual(texts(made.export()[3]), [])
        bpy.ops.object.mode_set(mode="OBJECT")

    def test_a_mesh_that_moves_relative_to_its_armature(self):
        rig, mesh = limb()
        swing(rig)
        made.keys(mesh, "slide", {("location", 0): [(1, 0), (11, 1)]})
        _, _, _, report = made.export()
        self.assertTrue(any("moves by 100.0 pixels relative to its armature" in text for text in texts(report)),
                        report.text())


class Contents(unittest.TestCase):
    def setUp(self):
        made.new()

    def test_vertices_keep_their_order(self):
        rig, mesh = limb()
        character, _, _, _ = made.export()
        points = np.array([(vertex.co.x, vertex.co.z) for vertex in mesh.data.vertices]) * 100
        vertices = character.meshes[0].vertices
        np.testing.assert_allclose(np.column_stack([vertices["x"], vertices["y"]]), points, atol=1e-4)

    def test_two_islands_and_two_materials(self):
        rig, mesh = limb()
        layer = mesh.data.uv_layers[0]
        mesh.data.materials.append(made.image_material("second"))
        for polygon in mesh.data.polygons:
            upper = polygon.center.z > 1.5
            polygon.material_index = int(polygon.center.z > 2)
            for loop in polygon.loop_indices:
                layer.data[loop].uv.x = layer.data[loop].uv.x / 2 + (0.5 if upper else 0)
        swing(rig)
        character, _, _, _ = made.export(use_atlas=False)
        self.assertEqual([each.name for each in character.meshes], ["limb", "limb.second"])
        self.assertEqual([each.name for each in character.images], ["limb.png", "second.png"])
        # The row at the height of 1.5 has two texture coordinates; the one at 2 is in both meshes.
        self.assertEqual([len(each.vertices) for each in character.meshes], [9 * 3 + 3, 5 * 3])
        second = character.meshes[1].vertices
        np.testing.assert_allclose(second["u"], 0.5 + (second["x"] / 100 + 0.3) / 0.6 / 2, atol=1e-5)
        np.testing.assert_allclose(second["v"], 1 - second["y"] / 300, atol=1e-5)

    def test_images(self):
        rig = made.armature(made.chain(1))
        pixels = np.random.default_rng(1).integers(0, 256, (16, 16, 4), np.uint8)
        packed = made.grid("packed", 0, 0, 1, 1, material=made.image_material("packed", pixels))
        generated = made.grid("generated", 1, 0, 2, 1)
        generated.active_material.node_tree.nodes.active.image = bpy.data.images.new("grid", 32, 16)
        generated.active_material.node_tree.nodes.active.image.generated_color = (1, 0, 0, 1)
        missing = made.grid("missing", 2, 0, 3, 1)
        image = bpy.data.images.new("hair.png", 4, 4)
        image.source, image.filepath = "FILE", "/nowhere/hair.png"
        missing.active_material.node_tree.nodes.active.image = image
        linear = made.grid("linear", 3, 0, 4, 1)
        image = bpy.data.images.new("linear", 2, 2, float_buffer=True, alpha=True)
        image.pixels.foreach_set(np.tile([0.1, 0.05, 0.2, 0.5], 4).astype(np.float32))
        linear.active_material.node_tree.nodes.active.image = image
        tinted = made.grid("tinted", 4, 0, 5, 1, material=packed.active_material)
        tinted.color = (1, 0.5, 1, 0.5)
        plain = made.grid("plain", 5, 0, 6, 1, material=bpy.data.materials.new("plain"))
        nodes = compat.node_tree(plain.active_material)
        if nodes:
            nodes.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0, 1, 0, 1)
        else:
            plain.active_material.diffuse_color = (0, 1, 0, 1)
        for mesh in (packed, generated, missing, linear, tinted, plain):
            made.bind(mesh, rig, {"bone0": 1})
        character, _, _, report = made.export(use_atlas=False)
        found = {mesh.name: character.images[mesh.image].pixels for mesh in character.meshes}
        np.testing.assert_array_equal(found["packed"], pixels)
        self.assertEqual(found["generated"].shape, (16, 32, 4))
        self.assertEqual(tuple(found["generated"][0, 0]), (255, 0, 0, 255))
        self.assertEqual(tuple(found["missing"][0, 0]), (255, 0, 255, 255))
        self.assertTrue(any('mesh "missing": the image hair.png was not found in /nowhere; a checker' in text
                            for text in texts(report)), report.text())
        # 0.2, 0.1 and 0.4 without the alpha of 0.5, in sRGB.
        np.testing.assert_allclose(found["linear"][0, 0], (124, 89, 170, 128), atol=1)
        np.testing.assert_array_equal(found["tinted"][..., 0], pixels[..., 0])
        np.testing.assert_allclose(found["tinted"][..., 3], pixels[..., 3] / 2, atol=0.51)
        encoded = pixels[..., 1] / 255
        middle = np.where(encoded > 0.04045, ((encoded + 0.055) / 1.055) ** 2.4, encoded / 12.92) / 2
        expected = np.where(middle > 0.0031308, 1.055 * middle ** (1 / 2.4) - 0.055, middle * 12.92)
        np.testing.assert_allclose(found["tinted"][..., 1], expected * 255, atol=0.6)
        self.assertEqual(tuple(found["plain"][0, 0]), (0, 255, 0, 255))

    def test_sequences_of_images(self):
        mesh = made.grid("body", 0, 0, 1, 1)
        os.makedirs(made.OUT, exist_ok=True)
        for number, red in ((1, 50), (2, 200)):
            pixels = np.full((4, 6, 4), 255, np.uint8)
            pixels[..., 0] = red
            with open(os.path.join(made.OUT, f"walk_{number:04}.png"), "wb") as file:
                file.write(png.encode(pixels))
        image = bpy.data.images.load(os.path.join(made.OUT, "walk_0001.png"))
        image.source = "SEQUENCE"
        mesh.active_material.node_tree.nodes.active.image = image
        before = [(each.name, each.users) for each in bpy.data.images]
        character, _, _, report = made.export()
        self.assertEqual([(each.name, each.users) for each in bpy.data.images], before)
        self.assertEqual(character.images[0].pixels[0, 0].tolist(), [50, 255, 255, 255])
        self.assertEqual(texts(report), ['mesh "body": the image "walk_0001.png" is a sequence of images, but a '
                                         "character has still images; walk_0001.png is exported"])
        image.filepath = os.path.join(made.OUT, "none_0001.png")
        self.assertIn("the image none_0001.png, a sequence of images, was not found in", made.export()[3].text())

    def test_a_single_image_is_not_packed(self):
        pixels = np.random.default_rng(3).integers(0, 256, (37, 61, 4), np.uint8)
        material = made.image_material("body", pixels)
        made.grid("body", 0, 0, 1, 1, material=material)
        made.grid("hand", 1, 0, 2, 1, material=material)
        character, _, _, _ = made.export(use_atlas=True)
        np.testing.assert_array_equal(character.images[0].pixels, pixels)
        self.assertEqual(character.images[0].name, "body.png")

    def test_objects_far_away_are_reported(self):
        rig, mesh = limb()
        cube = made.grid("Cube", 6, 0, 9, 1)
        self.assertEqual(texts(made.export()[3]), [])
        cube.location.x = 3
        found = texts(made.export()[3])
        self.assertEqual(len(found), 1, found)
        self.assertIn('mesh "Cube": it is 870 pixels away from all else, which is 300 pixels large', found[0])
        cube.parent = rig
        self.assertEqual(texts(made.export()[3]), [])

    def test_images_inside_node_groups(self):
        rig, mesh = limb()
        material = mesh.active_material
        image = material.node_tree.nodes.active.image
        group = bpy.data.node_groups.new("paint", "ShaderNodeTree")
        texture = group.nodes.new("ShaderNodeTexImage")
        texture.image = image
        output = group.nodes.new("NodeGroupOutput")
        if hasattr(group, "interface"):
            group.interface.new_socket("Color", in_out="OUTPUT", socket_type="NodeSocketColor")
        else:
            group.outputs.new("NodeSocketColor", "Color")
        group.links.new(texture.outputs["Color"], output.inputs["Color"])
        nodes, links = material.node_tree.nodes, material.node_tree.links
        nodes.clear()
        unused = nodes.new("ShaderNodeTexImage")
        unused.image = bpy.data.images.new("unused", 4, 4)
        nodes.active = unused
        node, surface = nodes.new("ShaderNodeGroup"), nodes.new("ShaderNodeOutputMaterial")
        node.node_tree = group
        links.new(node.outputs["Color"], surface.inputs["Surface"])
        self.assertEqual([each.name for each in made.export()[0].images], ["limb.png"])

    def test_images_behind_other_nodes(self):
        mesh = made.grid("body", 0, 0, 1, 1)
        tree = mesh.data.materials[0].node_tree
        tree.nodes.clear()
        nodes = {name: tree.nodes.new(f"ShaderNode{name}") for name in (
            "OutputMaterial", "BsdfPrincipled", "HueSaturation", "Mapping", "UVMap")}
        for name in ("rough", "base"):
            nodes[name] = tree.nodes.new("ShaderNodeTexImage")
            nodes[name].image = bpy.data.images.new(name, 8, 8)
        for before, after, socket in (("BsdfPrincipled", "OutputMaterial", "Surface"),
                                      ("rough", "BsdfPrincipled", "Roughness"), ("UVMap", "base", "Vector"),
                                      ("base", "BsdfPrincipled", "Base Color")):
            tree.links.new(nodes[before].outputs[0], nodes[after].inputs[socket])
        character, _, _, report = made.export(use_atlas=False)
        self.assertEqual(([image.name for image in character.images], texts(report)), (["base"], []))
        tree.links.new(nodes["UVMap"].outputs[0], nodes["Mapping"].inputs["Vector"])
        tree.links.new(nodes["Mapping"].outputs[0], nodes["base"].inputs["Vector"])
        self.assertEqual(texts(made.export()[3]), [])
        nodes["Mapping"].inputs["Scale"].default_value[0] = 2
        for before, after, socket in (("base", "HueSaturation", "Color"), ("UVMap", "Mapping", "Vector"),
                                      ("HueSaturation", "BsdfPrincipled", "Base Color"), ("Mapping", "base", "Vector")):
            tree.links.new(nodes[before].outputs[0], nodes[after].inputs[socket])
        character, _, _, report = made.export(use_atlas=False)
        self.assertEqual([image.name for image in character.images], ["base"])
        for name, text in (("HueSaturation", "changes the colors of its image"), ("Mapping", "places its image")):
            self.assertTrue(any(f'the node "{nodes[name].name}" {text} "base"' in each for each in texts(report)),
                            report.text())

    def test_settings_that_renders_alone_show_are_reported(self):
        rig, mesh = limb()
        swing(rig)
        mesh.modifiers[0].show_viewport = False
        mesh.data.materials[0].node_tree.nodes["Mix Shader"].inputs[0].keyframe_insert("default_value", frame=1)
        found = texts(made.export()[3])
        self.assertTrue(any('its modifier "Armature" is on in renders, but not in viewports' in text for text in found))
        self.assertTrue(any('its material "limb" is animated' in text for text in found), found)

    def test_instances_are_reported(self):
        tree, leaf = made.grid("tree", 0, 0, 2, 2), made.grid("leaf", 0, 0, 0.2, 0.2)
        leaf.parent, tree.instance_type = tree, "VERTS"
        self.assertIn('mesh "tree": its instances are not exported; make them real', texts(made.export()[3]))

    def test_the_atlas_shows_the_same_pixels(self):
        rig = made.armature(made.chain(1))
        random = np.random.default_rng(2)
        for i in range(4):
            pixels = random.integers(0, 256, (20 + i, 30, 4), np.uint8)
            made.bind(made.grid(f"part{i}", i, 0, i + 1, 1, material=made.image_material(f"part{i}", pixels)), rig,
                      {"bone0": 1})
        apart, packed = made.export()[0], made.export(use_atlas=True)[0]
        self.assertEqual(len(packed.images), 1)
        for first, second in zip(apart.meshes, packed.meshes):
            texels = []
            for character, mesh in ((apart, first), (packed, second)):
                image = character.images[mesh.image].pixels
                height, width, _ = image.shape
                center = mesh.vertices[["u", "v"]][[4, 7]].tolist()
                texels.append([image[int(v * height), int(u * width)].tolist() for u, v in center])
            self.assertEqual(*texels)

    def test_what_cannot_be_kept_of_meshes(self):
        rig, mesh = limb()
        mesh.color = (1, 1, 1, 1)
        made.keys(mesh, "fade", {("color", 3): [(1, 1), (13, 0)]})
        swing(rig)
        flat = made.grid("flat", 1, 0, 2, 1)
        flat.rotation_euler.x = 1.5707963
        made.link("sketch").empty_display_type = "IMAGE"
        made.link("title", bpy.data.curves.new("title", "FONT"))
        made.link("empty mesh", bpy.data.meshes.new("empty mesh"))
        report = made.export()[3].text()
        for found in ('mesh "limb", clip "walk", frame 13: its color changes to 1.00, 1.00, 1.00, 0.00',
                      'mesh "flat": it is edge-on in the XZ plane', 'object "sketch": empties are not exported',
                      'object "title": font is not exported', 'mesh "empty mesh": it has no faces'):
            self.assertIn(found, report)

    def test_meshes_with_too_many_vertices(self):
        made.grid("huge", 0, 0, 1, 1, 255, 256)
        with self.assertRaisesRegex(FileError, 'mesh "huge" has 65792 vertices; a mesh can have 65535'):
            made.export()

    def test_texture_coordinates_outside_the_image(self):
        rig, mesh = limb()
        layer = mesh.data.uv_layers[0]
        for each in layer.data:
            each.uv.x += 3
        character, _, _, report = made.export(use_atlas=False)
        self.assertEqual((texts(report), character.meshes[0].vertices["u"].max()), ([], 1))
        for each in layer.data:
            each.uv.x *= 1.5
        _, _, _, report = made.export(use_atlas=False)
        self.assertTrue(any("outside 0 to 1" in text for text in texts(report)), report.text())

    def test_visibility(self):
        rig, mesh = limb()
        swing(rig)
        blink = made.bind(made.grid("blink", 0, 0, 1, 1), rig, {"bone2": 1})
        made.bind(made.grid("eye", 0, 0, 1, 1), rig, {"bone2": 1})
        made.keys(blink, "blink", {("hide_render", 0): [(1, 1), (5, 0), (8, 1)]}, True)
        gone = made.bind(made.grid("gone", 0, 0, 1, 1), rig, {"bone2": 1})
        gone.hide_render = True
        never = made.bind(made.grid("never", 0, 0, 1, 1), rig, {"bone2": 1})
        made.keys(never, "never", {("hide_render", 0): [(1, 1), (5, 1)]}, True)
        character, _, _, report = made.export()
        names = [bone.name for bone in character.bones]
        self.assertEqual(names, ["bone0", "bone1", "bone2", "bone2 order"])
        frames = character.clips[1].frames
        shown = {each.name: frames["visible"][:, each.vertices["bone_ids"][0, 0]] for each in character.meshes}
        np.testing.assert_array_equal(shown["blink"], [0] * 4 + [1] * 3 + [0] * 6)
        np.testing.assert_array_equal(shown["eye"], 1)
        self.assertNotIn("gone", shown)
        self.assertTrue(any('mesh "gone": it is hidden in renders' in text for text in texts(report, "INFO")))
        self.assertTrue(any('mesh "never": it is hidden in renders in all frames' in text
                            for text in texts(report, "INFO")))
        self.assertEqual([mesh.name for mesh in character.meshes], ["limb", "blink", "eye"])

    def test_properties_of_bones(self):
        rig, mesh = limb()
        rig.pose.bones["bone0"]["visible"], rig.pose.bones["bone0"]["z_order"] = 1, 7
        rig.pose.bones["bone1"]["visible"] = 1
        made.keys(rig, "walk", {('pose.bones["bone0"]["visible"]', 0): [(1, 1), (4, 0)],
                                ('pose.bones["bone0"]["z_order"]', 0): [(1, 7), (4, -3)]}, True)
        swing(rig, "run")
        rig.pose.bones["bone0"].id_properties_ui("z_order").update(default=5)
        rig.pose.bones["bone0"].id_properties_ui("visible").update(default=1)
        clips = {clip.name: clip.frames for clip in made.export()[0].clips}
        self.assertEqual(clips["walk"]["visible"][:, 0].tolist(), [1, 1, 1, 0])
        self.assertEqual(clips["walk"]["z_order"][:, 0].tolist(), [7, 7, 7, -3])
        # Where they have no keys, they have their defaults.
        for name in ("bind", "run"):
            self.assertEqual(set(clips[name]["z_order"][:, 0].tolist()), {5})
            self.assertEqual(set(clips[name]["visible"][:, 0].tolist()), {1})

    def test_properties_that_are_not_numbers(self):
        rig, _ = limb()
        rig.pose.bones["bone0"]["z_order"], rig.pose.bones["bone1"]["visible"] = [1, 2], "yes"
        found = texts(made.export()[3])
        self.assertEqual(sum("expected a number; it is ignored" in text for text in found), 2, found)

    def test_draw_order_changes_with_depth(self):
        rig = made.armature([(name, "", (x, 0), (x, 1)) for x, name in enumerate("abc")])
        back = made.bind(made.grid("back", 0, 0, 1, 1, y=0.2), rig, {"a": 1})
        made.bind(made.grid("middle", 0, 0, 1, 1, y=0.1), rig, {"b": 1})
        made.bind(made.grid("front", 0, 0, 1, 1), rig, {"c": 1})
        # An object comes to the front, and later a bone goes to the back.
        made.keys(back, "object", {("location", 1): [(1, 0), (6, -0.5), (12, -0.5)]}, True)
        made.keys(rig, "walk", {(made.bone_path("b", "location"), 2): [(1, 0), (9, -0.9), (12, -0.9)]}, True)
        character, _, _, report = made.export()
        self.assertEqual([mesh.name for mesh in character.meshes], ["back", "middle", "front"])
        self.assertEqual(character.clips[0].frames["z_order"].tolist(), [[0, 1, 2]])

        def order(frame):
            z_order = character.clips[1].frames["z_order"][frame - 1]
            drawn = sorted(character.meshes, key=lambda mesh: z_order[mesh.vertices["bone_ids"][0, 0]])
            return [mesh.name for mesh in drawn]
        for frame in range(1, 13):
            bpy.context.scene.frame_set(frame)
            depth = {mesh.name: made.evaluated(bpy.data.objects[mesh.name])[:, 1].mean() for mesh in character.meshes}
            self.assertEqual(order(frame), sorted(depth, key=depth.get, reverse=True), frame)
        self.assertEqual(order(1), ["back", "middle", "front"])
        self.assertEqual(order(7), ["middle", "front", "back"])

    def test_meshes_of_one_bone_around_another(self):
        rig = made.armature([("a", "", (0, 0), (0, 1)), ("b", "a", (1, 0), (1, 1))])
        for name, bone, y in (("near", "a", 0), ("far", "a", 0.4), ("between", "b", 0.2)):
            made.bind(made.grid(name, 0, 0, 1, 1, y=y), rig, {bone: 1})
        still = made.export()[0]
        self.assertEqual([bone.name for bone in still.bones], ["a", "b"])
        self.assertEqual([mesh.name for mesh in still.meshes], ["far", "between", "near"])
        # Numbers are equal where a bone has meshes on both sides of another.
        self.assertEqual(still.clips[0].frames["z_order"].tolist(), [[0, 0]])
        made.keys(rig, "walk", {(made.bone_path("b", "location"), 2): [(1, 0), (9, 0.9)]})
        moving = made.export()[0]
        self.assertEqual([(bone.name, bone.parent) for bone in moving.bones], [("a", -1), ("a order", 0), ("b", 0)])
        ids = {mesh.name: mesh.vertices["bone_ids"][0, 0] for mesh in moving.meshes}
        for frame in (1, 9):
            bpy.context.scene.frame_set(frame)
            depth = {name: made.evaluated(bpy.data.objects[name])[:, 1].mean() for name in ids}
            z_order = moving.clips[1].frames["z_order"][frame - 1]
            self.assertEqual(sorted(ids, key=lambda name: z_order[ids[name]]),
                             sorted(depth, key=depth.get, reverse=True))


class Clips(unittest.TestCase):
    def setUp(self):
        made.new()

    def test_all_actions_of_the_armature(self):
        rig, mesh = limb()
        for name in ("walk", "run", "track", "other", "kept"):
            swing(rig, name)
        bpy.data.actions["kept"].use_fake_user = True
        rig.animation_data.nla_tracks.new().strips.new("track", 1, bpy.data.actions["track"])
        other = made.armature(made.chain(3), "second")
        compat.assign(other, bpy.data.actions["other"])
        made.keys(mesh, "mesh", {("location", 1): [(1, 0), (5, 0)]})
        bpy.data.actions["kept"]["pachario_order"] = 0
        character, _, _, _ = made.export()
        self.assertEqual([clip.name for clip in character.clips], ["bind", "kept", "run", "track", "walk"])
        rig.animation_data.action = bpy.data.actions["run"]
        self.assertEqual([clip.name for clip in made.export(clips="ACTIVE")[0].clips], ["bind", "run"])

    def test_actions_of_other_armatures(self):
        rig, _ = limb()
        swing(rig)
        villain = made.armature(made.chain(5), "villain")
        for name in ("threaten", "laugh", "run"):
            swing(villain, name, bones=range(3 if name == "run" else 5)).use_fake_user = True
        character, _, _, report = made.export()
        self.assertEqual([clip.name for clip in character.clips], ["bind", "walk"])
        self.assertEqual(sum('it belongs to the armature "villain", and is not exported' in text
                             for text in texts(report, "INFO")), 3)
        rig.animation_data.nla_tracks.new().strips.new("laugh", 1, bpy.data.actions["laugh"])
        character, _, _, report = made.export()
        self.assertEqual([clip.name for clip in character.clips], ["bind", "laugh", "walk"])
        self.assertIn('action "laugh": the armature has no bone "bone4"; its keys are ignored', texts(report, "INFO"))

    def test_curves_baked_to_samples(self):
        rig, mesh = limb()
        for curve in compat.fcurves(swing(rig)):
            curve.convert_to_samples(1, 14)
        character, _, _, _ = made.export()
        self.assertEqual(len(character.clips[1].frames), 13)
        self.assertLess(made.distance(character, "walk", 1, {"limb": mesh}), PIXELS)

    def test_the_current_frame_changes_nothing(self):
        rig, mesh = limb()
        bone = rig.pose.bones["bone1"]
        bone["bend"] = 0.0
        bone.id_properties_ui("bend").update(default=0.25)
        rig.driver_add(made.bone_path("bone1", "rotation_euler"), 2).driver.expression = "bend"
        variable = rig.animation_data.drivers[0].driver.variables.new()
        variable.name = "bend"
        variable.targets[0].id, variable.targets[0].data_path = rig, 'pose.bones["bone1"]["bend"]'
        copy = rig.pose.bones["bone2"].constraints.new("COPY_ROTATION")
        copy.target, copy.subtarget = rig, "bone0"
        made.keys(rig, "all", {
            (made.bone_path("bone0", "rotation_euler"), 2): [(1, 0), (9, 1)],
            ('pose.bones["bone1"]["bend"]', 0): [(1, 0), (9, 1)],
            ('pose.bones["bone2"].constraints["Copy Rotation"].influence', 0): [(1, 0), (9, 0.5)]})
        some = made.keys(rig, "some", {(made.bone_path("bone0", "rotation_euler"), 2): [(1, 0), (9, 1)]})
        exported = []
        for action in (bpy.data.actions["all"], some):
            for frame in (1, 5, 9):
                compat.assign(rig, action)
                bpy.context.scene.frame_set(frame)
                values = bone["bend"], copy.influence
                exported.append(made.export()[0].clips[2].frames)
                self.assertEqual((bone["bend"], copy.influence), values)
        for frames in exported[1:]:
            np.testing.assert_array_equal(frames, exported[0])
        bone["bend"], copy.influence = 0.25, 1
        self.assertLess(made.distance(made.export()[0], "some", 1, {"limb": mesh}), PIXELS)

    def test_each_clip_plays_its_own_action(self):
        rig, mesh = limb()
        walk = swing(rig, "walk")
        swing(rig, "bow", bones=(1,), amount=1.5)
        bpy.context.scene.frame_set(9)
        character, _, _, _ = made.export()
        # Channels that only the other clip animates are at rest.
        self.assertLess(np.abs(character.clips[1].frames["rotation"][:, 0]).max(), 1e-4)
        self.assertLess(made.distance(character, "bow", 1, {}), PIXELS)
        compat.assign(rig, walk)
        self.assertLess(made.distance(character, "walk", 1, {"limb": mesh}), PIXELS)

    def test_ranges_loops_and_markers(self):
        rig, _ = limb()
        action = swing(rig)
        action.use_frame_range, action.frame_start, action.frame_end, action.use_cyclic = True, 1, 13, True
        for point in compat.fcurves(action)[0].keyframe_points:
            point.co.y = 0
        for curve in compat.fcurves(action):
            curve.keyframe_points[-1].co.y = curve.keyframe_points[0].co.y
        for name, frame in (("step", 4), ("outside", 40)):
            action.pose_markers.new(name).frame = frame
        once = swing(rig, "once")
        once.use_frame_range, once.frame_start, once.frame_end = True, 3, 6
        made.keys(rig, "single", {(made.bone_path("bone0", "rotation_euler"), 2): [(5, 0.5)]})
        cycle = swing(rig, "cycle")
        compat.fcurves(cycle)[0].modifiers.new("CYCLES")
        character, markers, _, report = made.export()
        self.assertEqual([(clip.name, clip.loops, len(clip.frames)) for clip in character.clips],
                         [("bind", False, 1), ("cycle", True, 13), ("once", False, 4), ("single", False, 1),
                          ("walk", True, 12)])
        self.assertEqual([(each.clip, each.frame, each.name) for each in markers], [("walk", 3, "step")])
        self.assertTrue(any('marker "outside", clip "walk": frame 40' in text for text in texts(report)))

    def test_strips_that_change_an_action_are_reported(self):
        rig, _ = limb()
        swing(rig, "walk")
        strip = rig.animation_data.nla_tracks.new().strips.new("walk", 1, bpy.data.actions["walk"])
        self.assertEqual(texts(made.export()[3]), [])
        strip.scale, strip.use_animated_influence = 1.5, True
        prop = made.grid("prop", 0, 0, 1, 1)
        made.keys(prop, "move", {("location", 0): [(1, 0), (13, 1)]})
        track = prop.animation_data.nla_tracks.new()
        track.name = "walk"
        track.strips.new("move", 1, prop.animation_data.action).use_reverse = True
        prop.animation_data.action = None
        found = texts(made.export()[3])
        self.assertEqual(found, [
            'action "walk": its NLA strip "walk" plays it with a scale of 1.5 and an influence of its own; the clip '
            "has the action as it is. To export what the strips play, choose Scene for the clips",
            'object "prop", clip "walk": its NLA strip "move" plays it with its frames reversed; the clip has the '
            "action as it is. To export what the strips play, choose Scene for the clips"])

    def test_clips_of_the_same_name_are_reported(self):
        rig, _ = limb()
        swing(rig, "walk")
        library = os.path.join(made.OUT, "library.blend")
        os.makedirs(made.OUT, exist_ok=True)
        bpy.data.libraries.write(library, {bpy.data.actions["walk"]}, fake_user=True)
        self.assertNotIn("clips are named", made.export()[3].text())
        with bpy.data.libraries.load(library, link=True) as (_, wanted):
            wanted.actions = ["walk"]
        character, _, _, report = made.export()
        self.assertEqual([clip.name for clip in character.clips], ["bind", "walk", "walk"])
        self.assertIn('2 clips are named "walk": the actions "walk", "walk" of', report.text())

    def test_an_action_bind_is_the_rest_pose(self):
        rig, _ = limb()
        bind = swing(rig, "bind")
        character, _, _, report = made.export()
        self.assertEqual(([clip.name for clip in character.clips], texts(report)), (["bind"], []))
        for value in (5e-4, 0.5):
            self.assertEqual(texts(made.export()[3]), [])
            for curve in compat.fcurves(bind):
                curve.keyframe_points[0].co.y = value
        self.assertTrue(any('action "bind", bone "bone0": rotation_euler is 0.5;' in text
                            for text in texts(made.export()[3])))

    def test_frames_per_second(self):
        limb()
        bpy.context.scene.render.fps, bpy.context.scene.render.fps_base = 30, 1.001
        character, _, _, report = made.export()
        self.assertEqual(character.fps, 30)
        self.assertTrue(any("29.970" in text and "30" in text for text in texts(report)))

    @unittest.skipUnless(hasattr(bpy.types, "ActionSlot"), "this Blender has no slots")
    def test_slots(self):
        rig, mesh = limb()
        action = swing(rig)
        prop = made.grid("prop", 0, 0, 1, 1)
        slot = action.slots.new("OBJECT", "prop")
        bag = action.layers[0].strips[0].channelbag(slot, ensure=True)
        curve = bag.fcurves.new("location", index=0)
        curve.keyframe_points.insert(1, 0)
        curve.keyframe_points.insert(13, 2)
        character, _, _, _ = made.export()
        self.assertIsNone(prop.animation_data)
        self.assertEqual([clip.name for clip in character.clips], ["bind", "walk"])
        compat.assign(prop, action, slot)
        self.assertLess(made.distance(character, "walk", 1, {"limb": mesh, "prop": prop}), PIXELS)

    def test_masks(self):
        rig, _ = limb()
        compat.add_bone_set(rig, "upper", ["bone1", "bone2"])
        compat.add_bone_set(rig, "none", [])
        _, _, masks, _ = made.export()
        self.assertEqual([(mask.name, mask.bones) for mask in masks], [("upper", ["bone1", "bone2"])])

    def test_masks_hold_additional_bones(self):
        rig, _ = limb(inherit_scale="NONE")
        rig.pose.bones["bone0"].scale.x = 2
        compat.add_bone_set(rig, "upper", ["bone1"])
        swing(rig, bones=(1, 2))
        _, _, masks, _ = made.export()
        self.assertEqual(masks[0].bones, ["bone1", "bone1 shear"])


class Scene(unittest.TestCase):
    def setUp(self):
        made.new()

    def state(self):
        found = {}
        for name in dir(bpy.data):
            blocks = getattr(bpy.data, name)
            if isinstance(blocks, bpy.types.bpy_prop_collection):
                found[name] = [(block.name, block.users) for block in blocks]
        for obj in bpy.data.objects:
            data = obj.animation_data
            found[obj.name] = (obj.mode, obj.select_get(), obj.hide_viewport, tuple(obj.location), data and (
                data.action, data.use_nla, [curve.mute for curve in data.drivers]))
            if obj.pose:
                found[f"{obj.name} pose"] = obj.data.pose_position, [
                    (tuple(bone.location), tuple(bone.rotation_euler), tuple(bone.scale), dict(bone.items()))
                    for bone in obj.pose.bones]
        scene = bpy.context.scene
        found["scene"] = scene.name, scene.frame_current, scene.frame_subframe, bpy.context.view_layer.objects.active
        return found

    def test_exporting_changes_nothing(self):
        rig, mesh = limb()
        swing(rig)
        swing(rig, "bow", bones=(1,))
        rig.pose.bones["bone2"]["visible"] = 1
        driver = made.grid("blinking", 0, 0, 1, 1).driver_add("hide_viewport").driver
        driver.expression = "frame > 5"
        made.grid("loose", 1, 0, 2, 1)
        bpy.context.scene.frame_set(6)
        # A pose without keys, also of channels with keys.
        rig.pose.bones["bone1"].rotation_euler = (0.1, 0.2, 1.3)
        rig.pose.bones["bone0"].location.x = 0.5
        for obj, mode in ((rig, "OBJECT"), (rig, "POSE"), (rig, "EDIT"), (mesh, "EDIT"), (mesh, "WEIGHT_PAINT"),
                          (mesh, "SCULPT")):
            with self.subTest(obj=obj.name, mode=mode):
                bpy.ops.object.mode_set(mode="OBJECT")
                bpy.context.view_layer.objects.active = obj
                bpy.ops.object.mode_set(mode=mode)
                before = self.state()
                frames = made.export()[0].clips[2].frames["rotation"]
                self.assertEqual(self.state(), before)
                self.assertGreater(np.abs(frames).max(), 10)
        bpy.ops.object.mode_set(mode="OBJECT")

    def test_an_edited_strip_stays_edited(self):
        rig, _ = limb()
        walk, run = swing(rig, "walk"), swing(rig, "run", amount=0.3)
        compat.assign(rig, walk)
        data = rig.animation_data
        track = data.nla_tracks.new()
        strip = track.strips.new("run", 1, run)
        data.nla_tracks.active, strip.select = track, True
        data.use_tweak_mode = True
        self.assertEqual(data.action, run)
        character, _, _, _ = made.export()
        self.assertEqual([clip.name for clip in character.clips], ["bind", "run", "walk"])
        self.assertEqual((data.use_tweak_mode, data.action), (True, run))
        data.use_tweak_mode = False
        self.assertEqual(data.action, walk)

    def test_a_canceled_export_changes_nothing(self):
        rig, _ = limb()
        swing(rig)
        before, path = self.state(), os.path.join(made.OUT, "canceled.pchr")
        # 13 frames, and four steps after them.
        for count in (1, 7, 13, 14, 17):
            steps = export_scene.export_steps(bpy.context, path, export_scene.Settings(), Report())
            parts = [part for _, part in zip(range(count), steps)]
            self.assertEqual((len(parts), parts), (count, sorted(parts)))
            self.assertTrue(0 < parts[-1] < 1)
            steps.close()
            self.assertEqual(self.state(), before)
            self.assertFalse(os.path.exists(path))

    def test_the_operator_exports_in_slices_until_escape(self):
        rig, _ = limb()
        swing(rig)
        before, window = self.state(), mock.MagicMock()
        functions = vars(export_scene.EXPORT_SCENE_OT_pachario)
        kind = type("Dialog", (), {name: functions[name] for name in ("modal", "cancel", "_slice", "_end", "_finish")})

        def start(name):
            dialog = kind()
            dialog.report, dialog._report, dialog._timer = mock.MagicMock(), Report(), None
            dialog.filepath = os.path.join(made.OUT, f"{name}.pchr")
            dialog._steps = export_scene.export_steps(bpy.context, dialog.filepath, export_scene.Settings(), Report())
            export_scene.running.append(dialog)
            return dialog
        timer, key, escape = (mock.MagicMock(type=each) for each in ("TIMER", "A", "ESC"))
        with mock.patch.object(export_scene, "SLICE", 0):
            dialog = start("escaped")
            self.assertEqual([dialog.modal(window, event) for event in (timer, key, timer)], [{"RUNNING_MODAL"}] * 3)
            self.assertEqual(window.window_manager.progress_update.call_count, 2)
            self.assertIn("escaped.pchr: 1", window.workspace.status_text_set.call_args[0][0])
            self.assertEqual(dialog.modal(window, escape), {"CANCELLED"})
            self.assertEqual((self.state(), export_scene.running), (before, []))
            self.assertFalse(os.path.exists(dialog.filepath))
            window.workspace.status_text_set.assert_called_with(None)
            dialog = start("finished")
            results = [dialog.modal(window, timer) for _ in range(18)]
            self.assertEqual(results, [{"RUNNING_MODAL"}] * 17 + [{"FINISHED"}])
            self.assertEqual((self.state(), export_scene.running), (before, []))
            self.assertTrue(os.path.exists(dialog.filepath))

    def test_a_failed_export_changes_nothing(self):
        rig, _ = limb()
        swing(rig)
        rig.data.pose_position = "REST"
        before = self.state()
        read = export_scene._read_geometry
        export_scene._read_geometry = lambda *_: 1 / 0
        try:
            with self.assertRaises(ZeroDivisionError):
                export_scene.capture(bpy.context, export_scene.Settings(), Report())
        finally:
            export_scene._read_geometry = read
        self.assertEqual(self.state(), before)

    def test_nothing_to_export(self):
        made.armature(made.chain(1))
        with self.assertRaisesRegex(FileError, "the scene has no meshes"):
            made.export()
        with self.assertRaisesRegex(FileError, 'the collection "none" was not found'):
            made.export(collection="none")

    def test_several_armatures(self):
        limb()
        other = made.armature(made.chain(3), "second")
        made.bind(made.grid("more", 0, 0, 1, 1), other, {"bone0": 1})
        with self.assertRaisesRegex(FileError, 'several armatures: "rig", "second"'):
            made.export()

    def test_collections_and_selections(self):
        rig, mesh = limb()
        made.bind(made.grid("other", 0, 0, 1, 1), rig, {"bone0": 1})
        hero = bpy.data.collections.new("hero")
        bpy.context.scene.collection.children.link(hero)
        hero.objects.link(mesh)
        self.assertEqual([each.name for each in made.export(collection="hero")[0].meshes], ["limb"])
        for obj in bpy.data.objects:
            obj.select_set(obj.name == "other")
        self.assertEqual([each.name for each in made.export(use_selection=True)[0].meshes], ["other"])
        bpy.context.scene.collection.objects.unlink(mesh)
        bpy.context.view_layer.layer_collection.children["hero"].exclude = True
        character, _, _, report = made.export()
        self.assertEqual([each.name for each in character.meshes], ["other"])
        self.assertTrue(any('mesh "limb": its collection is excluded' in text for text in texts(report, "INFO")))
        bpy.context.scene.collection.objects.link(mesh)
        hero.hide_render = True
        self.assertEqual([each.name for each in made.export(use_selection=False)[0].meshes], ["other", "limb"])

    def test_the_operator_writes_both_formats(self):
        rig, _ = limb()
        swing(rig).pose_markers.new("step").frame = 3
        path = os.path.join(made.OUT, "both.pchr")
        for name in ("both.pchr", "both.json", "both.rig.json"):
            if os.path.exists(os.path.join(made.OUT, name)):
                os.remove(os.path.join(made.OUT, name))
        result = bpy.ops.export_scene.pachario(filepath=path, formats={"PCHR", "JSON"}, pixels_per_unit=50)
        self.assertEqual(result, {"FINISHED"})
        for name in ("both.pchr", "both.json", "both.rig.json"):
            self.assertTrue(os.path.exists(os.path.join(made.OUT, name)), name)
        with self.assertRaisesRegex(RuntimeError, 'the collection "none" was not found'):
            bpy.ops.export_scene.pachario(filepath=path, collection="none")

    def test_paths_beside_the_blend_file(self):
        limb()
        for path, message in (("//hero.pchr", "this file has not been saved"), ("", "expected the name of a file"),
                              (os.path.join(made.OUT, ""), "expected the name of a file")):
            with self.assertRaisesRegex(RuntimeError, message):
                bpy.ops.export_scene.pachario(filepath=path)
        folder = os.path.join(made.OUT, "beside")
        os.makedirs(folder, exist_ok=True)
        bpy.ops.wm.save_as_mainfile(filepath=os.path.join(folder, "hero.blend"))
        dirty = bpy.data.is_dirty
        bpy.ops.export_scene.pachario(filepath="//hero.pchr")
        self.assertTrue(os.path.exists(os.path.join(folder, "hero.pchr")))
        self.assertEqual(bpy.data.is_dirty, dirty)

    @unittest.skipUnless(made.has_tool(), "pchr does not run here")
    def test_the_runtime_agrees(self):
        rig, mesh = limb()
        swing(rig)
        character, _, _, _ = made.export("agrees")
        path = os.path.join(made.OUT, "agrees.pchr")
        made.run_tool("validate", path)
        for frame in (0, 6, 12):
            pose = made.tool_pose(path, "walk", frame)
            skinned = export_scene.skin(character, character.meshes[0], character.clips[1].frames[frame:frame + 1])
            np.testing.assert_allclose(pose["meshes"][0]["vertices"], skinned[0], atol=0.001)
            bpy.context.scene.frame_set(frame + 1)
            np.testing.assert_allclose(skinned[0], made.evaluated(mesh)[:, [0, 2]] * 100, atol=PIXELS)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
