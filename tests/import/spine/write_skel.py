#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes binary Spine skeletons (.skel of 3.8 to 4.2) from JSON ones, as the public description of the format has them:

  write_skel.py hero.json hero.skel     converts a file; its skeleton.spine chooses the version
  write_skel.py --features FOLDER       writes a skeleton of each version with all that its format has, as both
  write_skel.py --check FOLDER          fails if these files would differ
"""

import json
import pathlib
import struct
import sys

INHERITS = ["normal", "onlyTranslation", "noRotationOrReflection", "noScale", "noScaleOrReflection"]
BLENDS = ["normal", "additive", "multiply", "screen"]
POSITION_MODES, ROTATE_MODES = ["fixed", "percent"], ["tangent", "chain", "chainScale"]
SPACING_MODES = ["length", "fixed", "percent", "proportional"]
ATTACHMENTS = ["region", "boundingbox", "mesh", "linkedmesh", "path", "point", "clipping"]
SEQUENCE_MODES = ["hold", "once", "loop", "pingpong", "onceReverse", "loopReverse", "pingpongReverse"]
MIXES = ["mixRotate", "mixX", "mixY", "mixScaleX", "mixScaleY", "mixShearY"]
BONE_TIMELINES = ["rotate", "translate", "translatex", "translatey", "scale", "scalex", "scaley", "shear", "shearx",
                  "sheary", "inherit"]
OLDER_BONE_TIMELINES = ["rotate", "translate", "scale", "shear"]
SLOT_TIMELINES = ["attachment", "rgba", "rgb", "rgba2", "rgb2", "alpha"]
PHYSICS_TIMELINES = {"inertia": 0, "strength": 1, "damping": 2, "mass": 4, "wind": 5, "gravity": 6, "mix": 7, "reset": 8}


class Bytes(bytearray):
    def byte(self, value):
        self.append(int(value) & 255)

    def short(self, value):
        self.extend(struct.pack(">H", value))

    def integer(self, value):
        self.extend(struct.pack(">I", value & 0xFFFFFFFF))

    def number(self, *values):
        self.extend(struct.pack(f">{len(values)}f", *values))

    def varint(self, value):
        value &= 0xFFFFFFFF
        while value > 127:
            self.append(value & 127 | 128)
            value >>= 7
        self.append(value)

    def signed(self, value):
        self.varint(value << 1 ^ value >> 31)

    def text(self, value):
        if value is None:
            return self.varint(0)
        encoded = value.encode()
        self.varint(len(encoded) + 1)
        self.extend(encoded)


class Writer:
    def __init__(self, source, nonessential=True):
        self.source, self.nonessential = source, nonessential
        self.version = int(source["skeleton"]["spine"].replace(".", "")[:2])
        self.out, self.texts = Bytes(), []

    def names(self, kind):
        return [each["name"] for each in self.source.get(kind, [])]

    def reference(self, text):
        if text is None:
            return self.out.varint(0)
        if text not in self.texts:
            self.texts.append(text)
        self.out.varint(self.texts.index(text) + 1)

    def color(self, text="ffffffff"):
        self.out.extend(bytes.fromhex(text))

    def write(self):
        for part in (self.bones, self.slots, self.iks, self.transforms, self.paths, self.physics, self.skins, self.events,
                     self.animations):
            part()
        skeleton, head = self.source["skeleton"], Bytes()
        if self.version < 40:
            head.text(skeleton.get("hash", "aGFzaCBvZiBhIHNrZWxldG9u"))
        else:
            head.extend(b"skeleton")
        head.text(skeleton["spine"])
        head.number(*(skeleton.get(key, 0) for key in ("x", "y", "width", "height")))
        if self.version >= 42:
            head.number(skeleton.get("referenceScale", 100))
        head.byte(self.nonessential)
        if self.nonessential:
            head.number(skeleton.get("fps", 30))
            head.text(skeleton.get("images"))
            head.text(skeleton.get("audio"))
        head.varint(len(self.texts))
        for text in self.texts:
            head.text(text)
        return bytes(head + self.out)

    def bones(self):
        out, names = self.out, self.names("bones")
        out.varint(len(names))
        for i, bone in enumerate(self.source["bones"]):
            out.text(bone["name"])
            if i:
                out.varint(names.index(bone["parent"]))
            out.number(*(bone.get(key, key.startswith("scale")) for key in
                         ("rotation", "x", "y", "scaleX", "scaleY", "shearX", "shearY", "length")))
            out.varint(INHERITS.index(bone.get("transform" if self.version < 42 else "inherit", "normal")))
            out.byte(bone.get("skin", False))
            if self.nonessential:
                self.color("9b9b9bff")
                if self.version >= 42:
                    out.text("icon")
                    out.byte(True)

    def slots(self):
        out = self.out
        out.varint(len(self.source["slots"]))
        for slot in self.source["slots"]:
            out.text(slot["name"])
            out.varint(self.names("bones").index(slot["bone"]))
            self.color(slot.get("color", "ffffffff"))
            self.color("00" + slot["dark"] if "dark" in slot else "ffffffff")
            self.reference(slot.get("attachment"))
            out.varint(BLENDS.index(slot.get("blend", "normal")))
            if self.nonessential and self.version >= 42:
                out.byte(True)

    def constraint_head(self, constraint, target, skin=True):
        self.out.text(constraint["name"])
        self.out.varint(constraint.get("order", 0))
        if skin:
            self.out.byte(constraint.get("skin", False))
        bones = self.names("bones")
        self.out.varint(len(constraint["bones"]))
        for bone in constraint["bones"]:
            self.out.varint(bones.index(bone))
        self.out.varint(self.names(target).index(constraint["target"]))

    def flags(self, *values):
        self.out.byte(sum(bool(value) << i for i, value in enumerate(values)))

    def iks(self):
        self.out.varint(len(self.source.get("ik", [])))
        for ik in self.source.get("ik", []):
            self.constraint_head(ik, "bones", self.version < 42)
            mix, softness, bend = ik.get("mix", 1), ik.get("softness", 0), ik.get("bendPositive", True)
            if self.version < 42:
                self.out.number(mix, softness)
                self.out.byte(1 if bend else -1)
                for key in ("compress", "stretch", "uniform"):
                    self.out.byte(ik.get(key, False))
                continue
            self.flags(ik.get("skin"), bend, ik.get("compress"), ik.get("stretch"), ik.get("uniform"), mix != 0,
                       mix not in (0, 1), softness)
            self.out.number(*([mix] if mix not in (0, 1) else []), *([softness] if softness else []))

    def transforms(self):
        keys = ("rotation", "x", "y", "scaleX", "scaleY", "shearY")
        self.out.varint(len(self.source.get("transform", [])))
        for each in self.source.get("transform", []):
            self.constraint_head(each, "bones", self.version < 42)
            offsets = [each.get(key, 0) for key in keys]
            mixes = [each[key] for key in (MIXES if self.version >= 40 else
                                           ["rotateMix", "translateMix", "scaleMix", "shearMix"])]
            if self.version < 42:
                self.out.byte(each.get("local", False))
                self.out.byte(each.get("relative", False))
                self.out.number(*offsets, *mixes)
                continue
            self.flags(each.get("skin"), each.get("local"), each.get("relative"), *offsets[:5])
            self.out.number(*filter(None, offsets[:5]))
            self.flags(offsets[5], *mixes)
            self.out.number(*filter(None, [offsets[5], *mixes]))

    def paths(self):
        out = self.out
        out.varint(len(self.source.get("path", [])))
        for path in self.source.get("path", []):
            self.constraint_head(path, "slots")
            modes = [POSITION_MODES.index(path.get("positionMode", "percent")),
                     SPACING_MODES.index(path.get("spacingMode", "length")),
                     ROTATE_MODES.index(path.get("rotateMode", "tangent"))]
            rotation = path.get("rotation", 0)
            if self.version >= 42:
                out.byte(modes[0] | modes[1] << 1 | modes[2] << 3 | (128 if rotation else 0))
                if rotation:
                    out.number(rotation)
            else:
                for mode in modes:
                    out.varint(mode)
                out.number(rotation)
            out.number(path.get("position", 0), path.get("spacing", 0), *(path[key] for key in self.path_mixes()))

    def path_mixes(self):
        return MIXES[:3] if self.version >= 40 else ["rotateMix", "translateMix"]

    def physics(self):
        if self.version < 42:
            return
        out = self.out
        out.varint(len(self.source.get("physics", [])))
        for each in self.source.get("physics", []):
            out.text(each["name"])
            out.varint(each.get("order", 0))
            out.varint(self.names("bones").index(each["bone"]))
            channels = [each.get(key, 0) for key in ("x", "y", "rotate", "scaleX", "shearX")]
            limit, mass, mix = each.get("limit", 5000), each.get("mass", 1), each.get("mix", 1)
            self.flags(each.get("skin"), *channels, limit != 5000, mass != 1)
            out.number(*filter(None, channels), *([limit] if limit != 5000 else []))
            out.byte(each.get("fps", 60))
            out.number(*(each[key] for key in ("inertia", "strength", "damping")), *([1 / mass] if mass != 1 else []),
                       each["wind"], each["gravity"])
            self.flags(*(each.get(key + "Global") for key in
                         ("inertia", "strength", "damping", "mass", "wind", "gravity", "mix")), mix != 1)
            if mix != 1:
                out.number(mix)

    def skins(self):
        skins = self.source["skins"]
        default = [skin for skin in skins if skin["name"] == "default"]
        self.skin_names = [skin["name"] for skin in skins]
        if default:
            assert skins[0] is default[0]
            self.skin_slots(default[0])
        else:
            self.out.varint(0)
        others = [skin for skin in skins if skin["name"] != "default"]
        self.out.varint(len(others))
        for skin in others:
            if self.version >= 42:
                self.out.text(skin["name"])
                if self.nonessential:
                    self.color("ff8800ff")
            else:
                self.reference(skin["name"])
            for key in ("bones", "ik", "transform", "path", *(["physics"] if self.version >= 42 else [])):
                self.out.varint(len(skin.get(key, [])))
                for name in skin.get(key, []):
                    self.out.varint(self.names(key).index(name))
            self.skin_slots(skin)

    def skin_slots(self, skin):
        self.out.varint(len(skin["attachments"]))
        for slot, attachments in skin["attachments"].items():
            self.out.varint(self.names("slots").index(slot))
            self.out.varint(len(attachments))
            for key, attachment in attachments.items():
                self.reference(key)
                self.attachment(attachment)

    def attachment(self, each):
        out, kind, new = self.out, ATTACHMENTS.index(each.get("type", "region")), self.version >= 42
        vertices, count = each.get("vertices", []), each.get("vertexCount", len(each.get("uvs", [])) // 2)
        weighted = len(vertices) != 2 * count
        texture = [each.get("path"), each.get("color"), each.get("sequence")]
        flags = {0: [*texture, each.get("rotation")], 1: [weighted], 2: [*texture, weighted],
                 3: [*texture, each.get("timelines", True)],
                 4: [each.get("closed"), each.get("constantSpeed", True), weighted], 5: [], 6: [weighted]}[kind]
        if new:
            out.byte(kind | ("name" in each) << 3 | sum(bool(flag) << 4 + i for i, flag in enumerate(flags)))
            if "name" in each:
                self.reference(each["name"])
        else:
            self.reference(each.get("name"))
            out.byte(kind)

        def head():
            if not new or texture[0]:
                self.reference(texture[0])
            if not new or texture[1]:
                self.color(texture[1] or "ffffffff")
            if new and texture[2]:
                self.sequence(texture[2])

        def end_color():
            if self.nonessential:
                self.color(each.get("color", "ffffffff"))

        if kind == 0:
            if not new or texture[0]:
                self.reference(texture[0])
            if new and texture[1]:
                self.color(texture[1])
            if new and texture[2]:
                self.sequence(texture[2])
            if not new or each.get("rotation"):
                out.number(each.get("rotation", 0))
            out.number(each.get("x", 0), each.get("y", 0), each.get("scaleX", 1), each.get("scaleY", 1), each["width"],
                       each["height"])
            if not new:
                self.color(each.get("color", "ffffffff"))
            self.optional_sequence(each)
        elif kind == 2:
            head()
            if new:
                out.varint(each["hull"])
                self.vertices(vertices, count, weighted)
                out.number(*each["uvs"])
                assert len(each["triangles"]) == 3 * (2 * count - each["hull"] - 2), "a triangulation of all vertices"
                for index in each["triangles"]:
                    out.varint(index)
            else:
                out.varint(count)
                out.number(*each["uvs"])
                self.shorts(each["triangles"])
                self.vertices(vertices, count, weighted)
                out.varint(each["hull"])
            self.optional_sequence(each)
            if self.nonessential:
                self.shorts([0, 2, 2, 4])
                out.number(each["width"], each["height"])
        elif kind == 3:
            head()
            if new:
                out.varint(self.skin_names.index(each.get("skin", "default")))
            else:
                self.reference(each.get("skin"))
            self.reference(each["parent"])
            if not new:
                out.byte(each.get("timelines" if self.version > 40 else "deform", True))
            self.optional_sequence(each)
            if self.nonessential:
                out.number(each["width"], each["height"])
        elif kind == 5:
            out.number(each.get("rotation", 0), each.get("x", 0), each.get("y", 0))
            end_color()
        else:
            if kind == 4 and not new:
                out.byte(each.get("closed", False))
                out.byte(each.get("constantSpeed", True))
            if kind == 6:
                out.varint(self.names("slots").index(each["end"]))
            self.vertices(vertices, count, weighted, True)
            if kind == 4:
                out.number(*each["lengths"])
            end_color()

    def sequence(self, sequence):
        for key in ("count", "start", "digits", "setup"):
            self.out.varint(sequence[key])

    def optional_sequence(self, each):
        if self.version == 41:
            self.out.byte("sequence" in each)
            if "sequence" in each:
                self.sequence(each["sequence"])

    def shorts(self, values):
        self.out.varint(len(values))
        for value in values:
            self.out.varint(value) if self.version >= 42 else self.out.short(value)

    def vertices(self, vertices, count, weighted, with_count=False):
        if self.version >= 42 or with_count:
            self.out.varint(count)
        if self.version < 42:
            self.out.byte(weighted)
        if not weighted:
            return self.out.number(*vertices)
        at = 0
        while at < len(vertices):
            influences = vertices[at]
            self.out.varint(influences)
            for i in range(influences):
                self.out.varint(vertices[at + 1 + 4 * i])
                self.out.number(*vertices[at + 2 + 4 * i:at + 5 + 4 * i])
            at += 1 + 4 * influences

    def events(self):
        events = self.source.get("events", {})
        self.out.varint(len(events))
        for name, event in events.items():
            self.out.text(name) if self.version >= 42 else self.reference(name)
            self.out.signed(event.get("int", 0))
            self.out.number(event.get("float", 0))
            self.out.text(event.get("string"))
            self.out.text(event.get("audio"))
            if "audio" in event:
                self.out.number(event["volume"], event["balance"])

    def keys(self, keys, channels, values, rest=lambda key: None):
        """Keys whose `values` come before the curve to them, and the `rest` before the values of the next one."""
        self.out.varint(len(keys))
        if self.version < 40 or not channels:
            for key in keys:
                values(key)
                rest(key)
                if channels and key is not keys[-1]:
                    self.curve(key)
            return
        self.out.varint(channels * sum(isinstance(key.get("curve"), list) for key in keys))
        for i, key in enumerate(keys):
            if i == 0:
                values(key)
            rest(key)
            if key is not keys[-1]:
                values(keys[i + 1])
                self.curve(key)

    def curve(self, key):
        curve = key.get("curve")
        self.out.byte(0 if curve is None else 1 if curve == "stepped" else 2)
        if isinstance(curve, list):
            self.out.number(*curve)
        elif isinstance(curve, (int, float)):
            self.out.number(curve, *(key[part] for part in ("c2", "c3", "c4")))

    def float_keys(self, keys, names):
        self.keys(keys, len(names), lambda key: self.out.number(key["time"], *(key[name] for name in names)))

    def targets(self, targets, names, write):
        self.out.varint(len(targets))
        for name, timelines in targets.items():
            self.out.varint(names.index(name))
            self.out.varint(len(timelines))
            for kind, keys in timelines.items():
                write(kind, keys)

    def animations(self):
        animations = self.source.get("animations", {})
        self.out.varint(len(animations))
        for name, animation in animations.items():
            self.out.text(name)
            self.animation(animation)

    def animation(self, animation):
        out = self.out
        if self.version >= 40:
            out.varint(7)  # number of timelines, which only serves to reserve memory
        self.targets(animation.get("slots", {}), self.names("slots"), self.slot_timeline)
        self.targets(animation.get("bones", {}), self.names("bones"), self.bone_timeline)
        out.varint(len(animation.get("ik", {})))
        for name, keys in animation.get("ik", {}).items():
            out.varint(self.names("ik").index(name))
            self.ik_keys(keys)
        out.varint(len(animation.get("transform", {})))
        for name, keys in animation.get("transform", {}).items():
            out.varint(self.names("transform").index(name))
            self.float_keys(keys, MIXES if self.version >= 40 else ["rotateMix", "translateMix", "scaleMix", "shearMix"])
        self.targets(animation.get("path", {}), self.names("path"), self.path_timeline)
        if self.version >= 42:
            self.targets(animation.get("physics", {}), ["", *self.names("physics")], self.physics_timeline)
        self.attachment_timelines(animation.get("deform" if self.version < 41 else "attachments", {}))
        slots = self.names("slots")
        out.varint(len(animation.get("drawOrder", [])))
        for key in animation.get("drawOrder", []):
            out.number(key["time"])
            out.varint(len(key.get("offsets", [])))
            for each in key.get("offsets", []):
                out.varint(slots.index(each["slot"]))
                out.varint(each["offset"])
        out.varint(len(animation.get("events", [])))
        for key in animation.get("events", []):
            event = self.source["events"][key["name"]]
            out.number(key["time"])
            out.varint(list(self.source["events"]).index(key["name"]))
            out.signed(key.get("int", 0))
            out.number(key.get("float", 0))
            if self.version < 42:
                out.byte("string" in key)
            if self.version >= 42 or "string" in key:
                out.text(key.get("string"))
            if "audio" in event:
                out.number(key["volume"], key["balance"])

    def slot_timeline(self, kind, keys):
        if self.version < 40:
            self.out.byte(["attachment", "color", "twoColor"].index(kind))
        else:
            self.out.byte(SLOT_TIMELINES.index(kind))

        def color(key):
            self.out.number(key["time"])
            if kind == "alpha":
                self.out.byte(round(key["value"] * 255))
            elif "color" in key:
                self.color(key["color"])
            else:
                self.color(key["light"])
                self.color(("00" if self.version < 40 else "") + key["dark"])

        def name(key):
            self.out.number(key["time"])
            self.reference(key["name"])

        channels = {"attachment": 0, "rgba": 4, "rgb": 3, "rgba2": 7, "rgb2": 6, "alpha": 1, "color": 4, "twoColor": 7}
        self.keys(keys, channels[kind], color if kind != "attachment" else name)

    def bone_timeline(self, kind, keys):
        self.out.byte((BONE_TIMELINES if self.version >= 40 else OLDER_BONE_TIMELINES).index(kind))
        if kind == "inherit":
            self.out.varint(len(keys))
            for key in keys:
                self.out.number(key["time"])
                self.out.byte(INHERITS.index(key["inherit"]))
        elif kind == "rotate" and self.version < 40:
            self.float_keys(keys, ["angle"])
        else:
            self.float_keys(keys, ["x", "y"] if kind in ("translate", "scale", "shear") else ["value"])

    def ik_keys(self, keys):
        def values(key):
            self.out.number(key["time"], key["mix"], key.get("softness", 0))

        def rest(key):
            self.out.byte(1 if key.get("bendPositive", True) else -1)
            self.out.byte(key.get("compress", False))
            self.out.byte(key.get("stretch", False))

        if self.version < 42:
            return self.keys(keys, 2, values, rest)
        self.out.varint(len(keys))
        self.out.varint(2 * sum(isinstance(key.get("curve"), list) for key in keys))
        curve = None
        for key in keys:
            mix, softness = key["mix"], key.get("softness", 0)
            self.flags(mix != 0, mix not in (0, 1), softness, key.get("bendPositive", True), key.get("compress"),
                       key.get("stretch"), curve == "stepped", isinstance(curve, list))
            self.out.number(key["time"], *([mix] if mix not in (0, 1) else []), *([softness] if softness else []))
            if isinstance(curve, list):
                self.out.number(*curve)
            curve = key.get("curve")

    def path_timeline(self, kind, keys):
        self.out.byte(["position", "spacing", "mix"].index(kind))
        self.float_keys(keys, self.path_mixes() if kind == "mix" else ["value" if self.version >= 40 else kind])

    def physics_timeline(self, kind, keys):
        self.out.byte(PHYSICS_TIMELINES[kind])
        if kind == "reset":
            self.keys(keys, 0, lambda key: self.out.number(key["time"]))
        else:
            self.float_keys(keys, ["value"])

    def attachment_timelines(self, skins):
        out = self.out

        def deform(keys):
            def vertices(key):
                out.varint(len(key.get("vertices", [])))
                if key.get("vertices"):
                    out.varint(key.get("offset", 0))
                    out.number(*key["vertices"])
            self.keys(keys, 1, lambda key: out.number(key["time"]), vertices)

        def sequence(keys):
            def values(key):
                out.number(key["time"])
                out.integer(SEQUENCE_MODES.index(key["mode"]) | key.get("index", 0) << 4)
                out.number(key["delay"])
            self.keys(keys, 0, values)

        out.varint(len(skins))
        for skin, slots in skins.items():
            out.varint(self.skin_names.index(skin))
            out.varint(len(slots))
            for slot, attachments in slots.items():
                out.varint(self.names("slots").index(slot))
                entries = [(name, kind, keys) for name, timelines in attachments.items() for kind, keys in
                           ([("deform", timelines)] if self.version < 41 else timelines.items())]
                out.varint(len(entries))
                for name, kind, keys in entries:
                    self.reference(name)
                    if self.version >= 41:
                        out.byte(["deform", "sequence"].index(kind))
                    deform(keys) if kind == "deform" else sequence(keys)


def features(version):
    """A skeleton with every feature of a version, such as 41. Its numbers are exact as floats."""
    inherit = "transform" if version < 42 else "inherit"
    skeleton = {"spine": {38: "3.8.99", 40: "4.0.64", 41: "4.1.24", 42: "4.2.22"}[version], "x": -8, "y": -4.5, "width": 16,
                "height": 9.25, "fps": 24, "images": "./images/", "audio": ""}
    if version >= 42:
        skeleton["referenceScale"] = 128
    bones = [{"name": "root"},
             {"name": "hip", "parent": "root", "rotation": 30, "x": 1.5, "y": -2, "scaleX": 1.25, "scaleY": 0.5,
              "shearX": 4, "shearY": -8, "length": 12},
             *({"name": f"arm {i}", "parent": "hip", "x": i, "length": 4, inherit: mode}
               for i, mode in enumerate(INHERITS[1:], 1)),
             {"name": "élan", "parent": "hip", "skin": True}, {"name": "target", "parent": "root", "x": 6, "y": 3}]
    slots = [{"name": "back", "bone": "hip", "color": "80ff4020", "attachment": "cloth"},
             {"name": "front", "bone": "arm 1", "dark": "102030", "attachment": "plain", "blend": "additive"},
             {"name": "way", "bone": "root", "attachment": "way"}, {"name": "clip", "bone": "root", "blend": "multiply"},
             {"name": "box", "bone": "root", "attachment": "box", "blend": "screen"}]
    iks = [{"name": "reach", "order": 0, "bones": ["arm 1"], "target": "target", "mix": 0.5, "softness": 2, "compress": True,
            "stretch": True, "uniform": True, "bendPositive": False},
           {"name": "bend", "order": 2, "skin": True, "bones": ["hip", "arm 2"], "target": "target", "mix": 1}]
    if version >= 42:
        iks.append({"name": "off", "order": 5, "bones": ["arm 3"], "target": "target", "mix": 0})
    offsets = {"rotation": 15, "x": 1, "y": 2, "scaleX": 0.25, "scaleY": 0.5, "shearY": -3}
    four = [0.25, 0.5, 0.75, 1]
    mixes = dict(zip(MIXES, [*four, 0.125, 0])) if version >= 40 else dict(
        zip(["rotateMix", "translateMix", "scaleMix", "shearMix"], four))
    transforms = [{"name": "follow", "order": 1, "bones": ["arm 3"], "target": "target", **offsets, **mixes, "local": True,
                   "relative": True},
                  {"name": "copy", "order": 3, "skin": True, "bones": ["arm 4", "arm 3"], "target": "hip", **mixes}]
    path_mixes = dict(zip(MIXES[:3], four)) if version >= 40 else {"rotateMix": 0.5, "translateMix": 1}
    paths = [{"name": "walk", "order": 4, "skin": True, "bones": ["arm 2", "arm 4"], "target": "way",
              "positionMode": "fixed", "spacingMode": "percent" if version < 40 else "proportional",
              "rotateMode": "chainScale", "rotation": 45, "position": 0.5, "spacing": 0.25, **path_mixes}]

    square, uvs = [-4, 4, -4, -4, 4, -4, 4, 4], [0, 0, 0, 1, 1, 1, 1, 0]
    weights = [1, 1, -4, 4, 1, 2, 1, -4, -4, 0.75, 2, 1, 2, 0.25, 1, 2, 4, -4, 1, 1, 2, 4, 4, 1]
    size = {"width": 8, "height": 8}
    mesh = {"type": "mesh", "uvs": uvs, "triangles": [0, 1, 2, 0, 2, 3], "hull": 4, **size}
    cloth = {**mesh, "vertices": square, "color": "ff00ff80", "path": "images/cloth"}
    pelt = {**mesh, "vertices": weights}
    plain = {"x": 1, "y": 2, "rotation": 90, "scaleX": 2, "scaleY": -1, "width": 8, "height": 4, "color": "ffffff80"}
    linked = "deform" if version < 41 else "timelines"
    curve = [0, 0, 1, 1, 2, 3, 4, 3, 5, 1, 6, 0]
    shapes = {
        "way": {"way": {"type": "path", "vertexCount": 6, "vertices": curve, "lengths": [5, 9.5]},
                "loop": {"type": "path", "closed": True, "constantSpeed": False, "vertexCount": 6, "vertices": curve,
                         "lengths": [5, 12]}},
        "clip": {"clip": {"type": "clipping", "end": "box", "vertexCount": 3, "vertices": [0, 0, 4, 0, 0, 4]}},
        "box": {"box": {"type": "boundingbox", "vertexCount": 3, "color": "11223344",
                        "vertices": [1, 1, 0, 0, 1, 1, 1, 4, 0, 1, 1, 2, 0, 4, 1]},
                "spot": {"type": "point", "x": 3, "y": -1, "rotation": 60}}}
    sequence = {"count": 3, "start": 1, "digits": 2, "setup": 1}
    frames = {"walk": {"width": 8, "height": 4, "path": "walk_"}, "still": {"width": 8, "height": 4, "rotation": 30}}
    if version >= 41:
        frames["walk"]["sequence"] = sequence
        frames["waving"] = {**cloth, "sequence": sequence}
    skins = [{"name": "default", "attachments": {
                "back": {"cloth": cloth, "pelt": pelt, "twin": {"type": "linkedmesh", "parent": "cloth", **size,
                                                                **({"skin": "default"} if version >= 42 else {})},
                         "later": {"type": "linkedmesh", "parent": "cloth", "skin": "winter", linked: False, **size,
                                   "color": "00ff00ff", "path": "snow"}},
                "front": {"plain": plain, "named": {"name": "other", "width": 2, "height": 2}, **frames}, **shapes}},
             {"name": "winter", "bones": ["élan"], "ik": ["bend"], "transform": ["copy"], "path": ["walk"],
              "attachments": {"back": {"cloth": {**pelt, "name": "fur"}}}},
             {"name": "empty", "attachments": {}}]
    events = {"step": {"int": -3, "float": 0.5, "string": "left"}, "plain": {},
              "sound": {"audio": "sound.wav", "volume": 0.75, "balance": -0.25}}

    def curved(keys, *channels):
        """Adds a curve of each kind: stepped, Bézier with `channels` (start, end), linear."""
        keys[0]["curve"] = "stepped"
        if version < 40:
            keys[1].update({"curve": 0.25, "c2": 0.5, "c3": 0.75, "c4": 1})
        else:
            start, end = keys[1]["time"], keys[2]["time"]
            keys[1]["curve"] = [number for low, high in channels for number in
                                (start * 0.75 + end * 0.25, low, start * 0.25 + end * 0.75, high)]
        return keys

    def times(*values):
        return [{"time": i * 0.5, **each} for i, each in enumerate(values)]

    def floats(*names):
        keys = [{name: i * 2 + j + 1 for j, name in enumerate(names)} for i in range(4)]
        return curved(times(*keys), *((keys[1][name], keys[2][name]) for name in names))

    fractions = [(0.25, 0.5)] * 7
    colors = [{"color": each} for each in ("ff0000ff", "00ff0080", "0000ff40", "ffffff00")]
    two = [{"light": each["color"], "dark": dark} for each, dark in zip(colors, ("000000", "112233", "ff0000", "ffffff"))]
    shown = times({"name": "cloth"}, {"name": None}, {"name": "pelt"})
    if version < 40:
        slot_timelines = {"back": {"attachment": shown, "color": curved(times(*colors))},
                          "front": {"twoColor": curved(times(*two))}}
        bone_timelines = {"hip": {"rotate": floats("angle"), "translate": floats("x", "y"), "scale": floats("x", "y")},
                          "arm 1": {"shear": floats("x", "y")}}
        path_timelines = {"walk": {"position": floats("position"), "spacing": floats("spacing"),
                                   "mix": floats("rotateMix", "translateMix")}}
    else:
        slot_timelines = {
            "back": {"attachment": shown, "rgba": curved(times(*colors), *fractions[:4])},
            "way": {"rgb": curved(times(*({"color": each["color"][:6]} for each in colors)), *fractions[:3]),
                    "alpha": curved(times(*({"value": each / 255} for each in (0, 51, 102, 255))), *fractions[:1])},
            "front": {"rgba2": curved(times(*two), *fractions),
                      "rgb2": curved(times(*({**each, "light": each["light"][:6]} for each in two)), *fractions[:6])}}
        bone_timelines = {
            "hip": {"rotate": floats("value"), "translate": floats("x", "y"), "scale": floats("x", "y"),
                    "shear": floats("x", "y")},
            "arm 1": {kind: floats("value") for kind in ("translatex", "translatey", "scalex", "scaley", "shearx",
                                                         "sheary")}}
        path_timelines = {"walk": {"position": floats("value"), "spacing": floats("value"), "mix": floats(*MIXES[:3])}}
    reach = curved(times({"mix": 1}, {"mix": 0, "softness": 3, "bendPositive": False}, {"mix": 0.5, "compress": True},
                         {"mix": 1, "softness": 0.25, "stretch": True}), (0, 0.5), (3, 0))
    deform = curved(times({"vertices": [1, 2, 3], "offset": 2}, {}, {"vertices": [0.5] * 8}, {"vertices": [4]}), (0, 1))
    animation = {
        "slots": slot_timelines, "bones": bone_timelines, "ik": {"reach": reach},
        "transform": {"follow": floats(*(MIXES if version >= 40 else ["rotateMix", "translateMix", "scaleMix",
                                                                      "shearMix"]))},
        "path": path_timelines,
        "drawOrder": [{"time": 0.25, "offsets": [{"slot": "back", "offset": 2}, {"slot": "way", "offset": -1}]},
                      {"time": 0.5}],
        "events": [{"time": 0, "name": "step", "int": 7, "float": 2.5, "string": "right"},
                   {"time": 0.5, "name": "sound", "volume": 0.5, "balance": 1}, {"time": 0.75, "name": "plain"}]}
    if version < 41:
        animation["deform"] = {"default": {"back": {"cloth": deform}}, "winter": {"back": {"cloth": deform}}}
    else:
        turning = [{"mode": mode, "index": i % 3, "delay": 0.125} if i % 3 else {"mode": mode, "delay": 0.125}
                   for i, mode in enumerate(SEQUENCE_MODES)]
        animation["attachments"] = {"default": {"back": {"cloth": {"deform": deform}},
                                                "front": {"walk": {"sequence": times(*turning)}}},
                                    "winter": {"back": {"cloth": {"deform": deform}}}}
    result = {"skeleton": skeleton, "bones": bones, "slots": slots, "ik": iks, "transform": transforms, "path": paths,
              "skins": skins, "events": events, "animations": {"everything": animation, "nothing": {}}}
    if version >= 42:
        result["physics"] = [
            {"name": "sway", "order": 6, "bone": "arm 1", "x": 1, "y": 0.5, "rotate": 0.25, "scaleX": 0.125, "shearX": 2,
             "limit": 100, "fps": 30, "inertia": 0.5, "strength": 64, "damping": 0.75, "mass": 2, "wind": 1, "gravity": -2,
             "mix": 0.5, "inertiaGlobal": True, "gravityGlobal": True},
            {"name": "still", "order": 7, "skin": True, "bone": "arm 2", "limit": 5000, "fps": 60, "inertia": 1,
             "strength": 100, "damping": 1, "mass": 1, "wind": 0, "gravity": 0, "mix": 1, "mixGlobal": True}]
        skins[1]["physics"] = ["still"]
        animation["physics"] = {"": {"wind": floats("value")},
                                "sway": {**{kind: floats("value") for kind in list(PHYSICS_TIMELINES)[:4]},
                                         "gravity": floats("value"), "mix": floats("value"), "reset": times({}, {})}}
        bone_timelines["arm 2"] = {"inherit": times(*({"inherit": mode} for mode in INHERITS))}
    return result


def files():
    """Name and contents of each file with the features of a version."""
    for version in (38, 40, 41, 42):
        source = features(version)
        yield f"{version / 10}.json", (json.dumps(source, separators=(",", ":"), ensure_ascii=False) + "\n").encode()
        yield f"{version / 10}.skel", Writer(source).write()


def main():
    if sys.argv[1] == "--features":
        for name, contents in files():
            (pathlib.Path(sys.argv[2]) / name).write_bytes(contents)
    elif sys.argv[1] == "--check":
        changed = [name for name, contents in files() if (pathlib.Path(sys.argv[2]) / name).read_bytes() != contents]
        sys.exit(f"write_skel.py --features would change {', '.join(changed)}" if changed else 0)
    else:
        source = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
        pathlib.Path(sys.argv[2]).write_bytes(Writer(source, "images" in source["skeleton"]).write())


if __name__ == "__main__":
    main()
