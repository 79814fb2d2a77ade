# SPDX-License-Identifier: MIT
"""Differences between Blender 3.4 and 5.x, in one place."""

import uuid

import bpy


def slot_of(action, owner):
    """Returns the slot of `action` that fits `owner`, or None: with Blender 3.4 to 4.3, an action has no slots."""
    slots = getattr(action, "slots", None)
    if slots is None:
        return None
    fitting = [slot for slot in slots if slot.target_id_type in (owner.id_type, "UNSPECIFIED")]
    named = [slot for slot in fitting if slot.name_display == owner.name]
    return (named or fitting or [None])[0]


def fcurves(action, slot=None):
    """Returns the F-curves of an action, of one of its slots where it has slots."""
    if not hasattr(action, "layers"):
        return list(action.fcurves)
    return [curve for layer in action.layers for strip in layer.strips for bag in strip.channelbags
            if slot is None or bag.slot_handle == slot.handle for curve in bag.fcurves]


def assign(owner, action, slot=None):
    """Makes `action` the current action of `owner`; None removes it."""
    data = owner.animation_data or owner.animation_data_create()
    data.action = action
    if action is not None and hasattr(data, "action_slot"):
        data.action_slot = slot or slot_of(action, owner)


def new_fcurve(action, owner, path, index=0, group=""):
    """Returns a new, empty F-curve of an action that is assigned to `owner`."""
    if not hasattr(action, "layers"):
        return action.fcurves.new(path, index=index, action_group=group)
    if not action.slots:
        action.slots.new(owner.id_type, owner.name)
    slot = slot_of(action, owner)
    layer = action.layers[0] if action.layers else action.layers.new("Layer")
    strip = layer.strips[0] if layer.strips else layer.strips.new(type="KEYFRAME")
    bag = strip.channelbag(slot, ensure=True)
    curve = bag.fcurves.new(path, index=index)
    if group:
        curve.group = bag.groups.get(group) or bag.groups.new(group)
    return curve


def bone_sets(armature):
    """Returns the named sets of bones of an armature object, as a dictionary of lists of names: bone collections, or
    the bone groups of Blender 3."""
    data = armature.data
    if hasattr(data, "collections"):
        sets = getattr(data, "collections_all", data.collections)
        return {each.name: [bone.name for bone in each.bones] for each in sets}
    return {group.name: [bone.name for bone in armature.pose.bones if bone.bone_group == group]
            for group in armature.pose.bone_groups}


def add_bone_set(armature, name, bones):
    """Adds a named set of bones to an armature object, which is not in edit mode: a bone collection, or a bone group in
    Blender 3, where a bone is in one group only and the last one wins. Returns it."""
    if hasattr(armature.data, "collections"):
        added = armature.data.collections.new(name)
        for bone in bones:
            added.assign(armature.data.bones[bone])
    else:
        added = armature.pose.bone_groups.new(name=name)
        for bone in bones:
            armature.pose.bones[bone].bone_group = added
    return added


def image_material(name, image):
    """Returns a new material that shows an image with straight alpha as it is, without light or shadow."""
    material = bpy.data.materials.new(name)
    if bpy.app.version < (5, 0):
        material.use_nodes = True
    if hasattr(material, "surface_render_method"):
        material.surface_render_method = "BLENDED"
        material.use_transparent_shadow = True
    else:
        material.blend_method = "BLEND"
        material.shadow_method = "NONE"
    material.show_transparent_back = True
    nodes, links = material.node_tree.nodes, material.node_tree.links
    nodes.clear()
    kinds = ("ShaderNodeTexImage", "ShaderNodeEmission", "ShaderNodeBsdfTransparent", "ShaderNodeMixShader",
             "ShaderNodeOutputMaterial")
    texture, emission, clear, mix, output = (nodes.new(kind) for kind in kinds)
    for node, place in zip((texture, emission, clear, mix, output),
                           ((-600, 0), (-280, -60), (-280, 100), (-80, 0), (120, 0))):
        node.location = place
    texture.image = image
    texture.extension = "EXTEND"
    nodes.active = texture
    links.new(texture.outputs["Color"], emission.inputs["Color"])
    links.new(texture.outputs["Alpha"], mix.inputs[0])
    links.new(clear.outputs[0], mix.inputs[1])
    links.new(emission.outputs[0], mix.inputs[2])
    links.new(mix.outputs[0], output.inputs["Surface"])
    return material


def node_tree(material):
    """Returns the nodes of a material, or None if it uses none."""
    return material.node_tree if bpy.app.version >= (5, 0) or material.use_nodes else None


def selected_bones(armature):
    """Returns the names of the selected bones of an armature object, in the order of its bones."""
    if "select" in bpy.types.PoseBone.bl_rna.properties:
        return [bone.name for bone in armature.pose.bones if bone.select]
    return [bone.name for bone in armature.data.bones if bone.select]


def short_name(name):
    """Returns a name that every Blender accepts: at most 63 bytes of UTF-8."""
    return name.replace("\0", "").encode(errors="replace")[:63].decode(errors="ignore")


def keep_name(block, name):
    """Keeps the name that a file has for a pose bone or data-block, if Blender gave it another."""
    if block.name != name:
        block["pachario_name"] = name
        block["pachario_blender_name"] = block.name


def true_name(block):
    """Returns the name that a file has for a pose bone or data-block: the one that was kept, unless it has been renamed
    since."""
    return block["pachario_name"] if block.get("pachario_blender_name") == block.name else block.name


def set_owner(armature, action):
    """Says that an action was made for an armature object, among others whose bones have the same names."""
    action["pachario_owner"] = armature["pachario_owner"] = armature.get("pachario_owner") or uuid.uuid4().hex


def is_owner(armature, action):
    """Returns whether an action was made for an armature object."""
    return "pachario_owner" in action and action["pachario_owner"] == armature.get("pachario_owner")
