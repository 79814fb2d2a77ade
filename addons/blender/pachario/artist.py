# SPDX-License-Identifier: MIT
"""Makes parts from images and sorts parts by depth."""

import os

import bpy
import numpy as np
from bpy_extras.io_utils import ImportHelper
from mathutils import Vector, geometry

from . import compat, outline
from .character import FileError
from .report import Report


def activate(context, obj):
    """Makes an object the only selected one, and the active one."""
    for each in context.view_layer.objects.selected[:]:
        each.select_set(False)
    obj.select_set(True)
    context.view_layer.objects.active = obj


def new_image(name, pixels):
    """Returns a new packed image from uint8 [height, width, 4], straight alpha, row 0 at the top."""
    height, width = pixels.shape[:2]
    values = (pixels[::-1].astype(np.float32) / 255).ravel()
    image = bpy.data.images.new(name, width, height, alpha=True)
    image.pixels.foreach_set(values)
    image.update()
    image.pack()
    return image


def alpha_of(image):
    """Returns the alpha of an image as uint8 [height, width], row 0 at the top. Raises FileError without pixels."""
    width, height = image.size
    if not width or not height:
        path = bpy.path.abspath(image.filepath) or "its data"
        raise FileError(f'image "{image.name}": no pixels can be read from {path}')
    values = np.empty(width * height * image.channels, np.float32)
    image.pixels.foreach_get(values)
    values = values.reshape(height, width, image.channels)[::-1]
    if image.channels != 4:
        return np.full((height, width), 255, np.uint8)
    return np.round(np.clip(values[..., 3], 0, 1) * 255).astype(np.uint8)


def armature_of(obj):
    """Returns the armature object that moves an object: itself, that of its modifier, or an ancestor. None without."""
    if obj is None or obj.type == "ARMATURE":
        return obj
    for modifier in obj.modifiers:
        if modifier.type == "ARMATURE" and modifier.object:
            return modifier.object
    return armature_of(obj.parent)


def triangulate(points, rings, spacing):
    """Returns (points [n, 2], triangles) that fill polygons, given as for outline.trace(): y down in, triangles
    counterclockwise as seen. With a `spacing`, there are points inside and on long edges, so that meshes bend well."""
    all_points, faces = [], []
    for ring in rings:
        polygon, inside = points[ring], []
        if spacing:
            polygon, inside = outline.divided(polygon, max(spacing, 2))
        faces.append([len(all_points) + i for i in range(len(polygon))])
        all_points += [*map(Vector, polygon * (1, -1)), *map(Vector, np.reshape(inside, (-1, 2)) * (1, -1))]
    found, _, triangles, _, _, owners = geometry.delaunay_2d_cdt(all_points, [], faces, 0, 1e-4)
    return np.array(found) * (1, -1), [triangle for triangle, owner in zip(triangles, owners) if owner]


def add_part(context, name, image, center, armature, bones, report=None, vertices=48, margin=2, threshold=0, spacing=12,
             pixels_per_unit=100):
    """Adds a mesh that covers the opaque pixels of an image, facing the front view, with the middle of the image at
    `center` in world space, and returns its object. With an armature object, the part follows the named bones, or the
    whole armature without any. The outline has at most `vertices`, and is `margin` pixels away from the pixels whose
    alpha is above `threshold`. With a `spacing`, in percent of the longer side of the outline, there are vertices
    inside, too. The report gets the number of vertices, and specks that are not covered. Raises FileError if the image
    has no opaque pixels."""
    alpha = alpha_of(image)
    if not (alpha > threshold).any():
        raise FileError(f'image "{image.name}": no alpha is above {threshold}; the largest is {alpha.max()}')
    points, rings, specks = outline.trace(alpha, threshold, margin, vertices)
    if specks and report:
        x, y, count = specks[0]
        report.warn(f'image "{image.name}": {len(specks)} specks are left out, such as {count} pixels at ({x}, {y})')
    points, triangles = triangulate(points, rings, float(np.ptp(points, axis=0).max()) * spacing / 100)
    if report:
        report.info(f'mesh "{name}": {len(points)} vertices, {len(triangles)} triangles')
    size, scale = np.array(alpha.shape[::-1]), 1 / pixels_per_unit
    flat = (points - size / 2) * (scale, -scale)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata([(x, 0, z) for x, z in flat.tolist()], [], triangles)
    layer = mesh.uv_layers.new(name="UVMap")
    corners = np.empty(len(mesh.loops), np.int32)
    mesh.loops.foreach_get("vertex_index", corners)
    layer.data.foreach_set("uv", (points / size * (1, -1) + (0, 1))[corners].astype(np.float32).ravel())
    shown = [each for each in bpy.data.materials if each.node_tree
             and any(getattr(node, "image", None) == image for node in each.node_tree.nodes)]
    mesh.materials.append(shown[0] if shown else compat.image_material(name, image))
    obj = bpy.data.objects.new(name, mesh)
    obj.location = center
    if armature:
        collections = armature.users_collection
        obj.parent, obj.matrix_parent_inverse = armature, armature.matrix_world.inverted()
        obj.modifiers.new("Armature", "ARMATURE").object = armature
        rest = [armature.data.bones[bone] for bone in bones]
        ends = [[*_flat(armature.matrix_world @ bone.head_local), *_flat(armature.matrix_world @ bone.tail_local)]
                for bone in rest]
        if bones:
            weights = outline.chain_weights(flat + _flat(center), ends)
            for bone, column in zip(bones, weights.T):
                group = obj.vertex_groups.new(name=bone)
                for vertex in np.flatnonzero(column).tolist():
                    group.add([vertex], float(column[vertex]), "REPLACE")
    else:
        collections = (context.collection,)
    for collection in collections:
        collection.objects.link(obj)
    return obj


def _flat(point):
    return np.array((point[0], point[2]))


def depth_of(obj):
    """Returns the world Y of the middle of an object. A smaller one is in front."""
    corners = [obj.matrix_world @ Vector(corner) for corner in obj.bound_box]
    return sum(corner.y for corner in corners) / len(corners)


def parts_of(context):
    """Returns the mesh objects of the character that the active object belongs to, from front to back: those that its
    armature moves, or, without an armature, those of its collection."""
    active = context.view_layer.objects.active
    armature = armature_of(active)
    if armature:
        parts = [each for each in context.view_layer.objects if each.type == "MESH" and armature_of(each) == armature]
    else:
        collection = active.users_collection[0] if active and active.users_collection else context.collection
        parts = [each for each in collection.all_objects if each.type == "MESH"]
    return sorted(parts, key=lambda each: (depth_of(each), each.name))


def _order(parts, depths):
    """Moves each part along world Y to its depth. Returns the names of the parts whose Y is keyed or driven."""
    fixed = []
    for part, depth in zip(parts, depths):
        offset = depth - depth_of(part)
        if abs(offset) < 1e-7:
            continue
        data = part.animation_data
        drivers = [each.data_path for each in data.drivers] if data else []
        keys = [curve.data_path for curve in compat.fcurves(data.action)] if data and data.action else []
        if "location" in drivers + keys or part.constraints:
            fixed.append(part.name)
            continue
        base = (part.matrix_world @ part.matrix_basis.inverted()).to_3x3()
        part.location += base.inverted() @ Vector((0, offset, 0))
    return fixed


class PACHARIO_OT_mesh_from_image(bpy.types.Operator, ImportHelper):
    """Make a mesh from the outline of each image, moved by the selected bones"""
    bl_idname = "pachario.mesh_from_image"
    bl_label = "Mesh from image"
    bl_options = {"REGISTER", "UNDO"}

    filter_glob: bpy.props.StringProperty(default="*.png;*.jpg;*.jpeg;*.webp;*.tga;*.tif;*.tiff;*.bmp",
                                          options={"HIDDEN"})
    files: bpy.props.CollectionProperty(type=bpy.types.OperatorFileListElement, options={"HIDDEN", "SKIP_SAVE"})
    directory: bpy.props.StringProperty(subtype="DIR_PATH", options={"HIDDEN", "SKIP_SAVE"})
    image: bpy.props.StringProperty(name="Image", description="Use this image of the file instead of a path",
                                    options={"HIDDEN", "SKIP_SAVE"})
    bones: bpy.props.StringProperty(
        name="Bones", description="Bones that move the mesh, separated by commas (empty: the selected bones)",
        options={"SKIP_SAVE"})
    place: bpy.props.EnumProperty(name="Place", description="Where the middle of the image is", items=(
        ("BONES", "Bones", "In the middle of the bones; without any, at the 3D cursor"),
        ("CURSOR", "3D cursor", "At the 3D cursor")))
    vertices: bpy.props.IntProperty(name="Vertices", description="Largest number of vertices of the outline",
                                    default=48, min=4, max=2000)
    margin: bpy.props.FloatProperty(name="Margin", description="Pixels between the opaque pixels and the outline",
                                    default=2, min=0, max=100)
    threshold: bpy.props.IntProperty(name="Threshold", description="Alpha above which a pixel is opaque, from 0 to 255",
                                     default=0, min=0, max=254)
    spacing: bpy.props.FloatProperty(
        name="Spacing", description="Distance of the vertices inside, in percent of the longer side of the outline "
        "(0: none)", default=12, min=0, max=100, subtype="PERCENTAGE")
    pixels_per_unit: bpy.props.FloatProperty(
        name="Pixels per unit", description="Pixels of the image in a Blender unit", default=100, min=0.001)

    @classmethod
    def poll(cls, context):
        return context.mode in ("OBJECT", "POSE")

    def invoke(self, context, event):
        self.pixels_per_unit = context.scene.pachario.pixels_per_unit
        return self.execute(context) if self.image else ImportHelper.invoke(self, context, event)

    def execute(self, context):
        armature = armature_of(context.view_layer.objects.active)
        bones = [name.strip() for name in self.bones.split(",") if name.strip()]
        if armature and not bones:
            active = armature.data.bones.active
            bones = compat.selected_bones(armature) if context.mode == "POSE" else [active.name] if active else []
        missing = [name for name in bones if not armature or name not in armature.data.bones]
        if missing:
            owner = f'armature "{armature.name}" has no such bone' if armature else "no armature is active"
            self.report({"ERROR"}, f'bone "{missing[0]}": {owner}')
            return {"CANCELLED"}
        paths = [os.path.join(self.directory, each.name) for each in self.files if each.name] or [self.filepath]
        center = context.scene.cursor.location.copy()
        if self.place == "BONES" and bones:
            ends = [end for name in bones for end in (armature.data.bones[name].head_local,
                                                      armature.data.bones[name].tail_local)]
            center = armature.matrix_world @ (sum(ends, Vector()) / len(ends))
        parts = parts_of(context)
        if parts:
            center.y = min(center.y, depth_of(parts[0]) - 0.01)
        added, found = [], Report()
        for path in [self.image] if self.image else paths:
            image = None
            try:
                image = _load(path, bool(self.image))
                name = os.path.splitext(os.path.basename(path))[0]
                added.append(add_part(context, name, image, center, armature, bones, found, self.vertices,
                                      self.margin, self.threshold, self.spacing, self.pixels_per_unit))
            except FileError as problem:
                found.error(str(problem))
                if image and not image.users and not self.image:
                    bpy.data.images.remove(image)
            center.y -= 0.01
        for severity, message in found.entries:
            self.report({severity}, message)
        if added and context.mode == "OBJECT":
            for each in context.view_layer.objects.selected[:]:
                each.select_set(False)
            for each in added:
                each.select_set(True)
            if not armature:
                context.view_layer.objects.active = added[-1]
        return {"FINISHED"} if added else {"CANCELLED"}


def _load(path, loaded):
    if loaded:
        image = bpy.data.images.get(path)
        if image is None:
            raise FileError(f'image "{path}": the file has no such image')
        return image
    path = bpy.path.abspath(path)
    if not os.path.isfile(path):
        raise FileError(f"{path}: is not a file; choose an image")
    try:
        return bpy.data.images.load(path, check_existing=True)
    except RuntimeError as problem:
        reason = str(problem).removeprefix("Error: ").strip()
        raise FileError(f"{path}: cannot be read as an image ({reason})") from problem


class PACHARIO_OT_order_parts(bpy.types.Operator):
    """Sort the parts of the character by a list of their names, from front to back"""
    bl_idname = "pachario.order_parts"
    bl_label = "Order from list"
    bl_options = {"REGISTER", "UNDO"}

    names: bpy.props.StringProperty(
        name="Names",
        description="Names of objects from front to back, separated by commas; the others stay behind them")
    spacing: bpy.props.FloatProperty(name="Spacing", description="Distance of neighboring parts", default=0.01,
                                     min=0.0001, unit="LENGTH", precision=4)

    @classmethod
    def poll(cls, context):
        return context.mode in ("OBJECT", "POSE") and bool(parts_of(context))

    def invoke(self, context, _event):
        self.names = ", ".join(each.name for each in parts_of(context))
        return context.window_manager.invoke_props_dialog(self, width=600)

    def execute(self, context):
        names = [name.strip() for name in self.names.replace("\n", ",").split(",") if name.strip()]
        parts = parts_of(context)
        for name in names:
            if all(each.name != name for each in parts):
                self.report({"WARNING"}, f'part "{name}": the character has no such object')
        rank = {name: index for index, name in reversed(list(enumerate(names)))}
        ordered = sorted(parts, key=lambda each: rank.get(each.name, len(names)))
        front = depth_of(parts[0])
        return _finish(self, _order(ordered, [front + self.spacing * index for index in range(len(ordered))]))


class PACHARIO_OT_move_part(bpy.types.Operator):
    """Move the active part one place to the front or to the back"""
    bl_idname = "pachario.move_part"
    bl_label = "Move part"
    bl_options = {"REGISTER", "UNDO"}

    direction: bpy.props.EnumProperty(name="Direction", items=(
        ("FRONT", "Forward", "One place to the front"), ("BACK", "Backward", "One place to the back")))

    @classmethod
    def poll(cls, context):
        active = context.view_layer.objects.active
        return context.mode == "OBJECT" and active is not None and active.type == "MESH"

    def execute(self, context):
        parts = parts_of(context)
        old = parts.index(context.view_layer.objects.active)
        new = min(max(old + (-1 if self.direction == "FRONT" else 1), 0), len(parts) - 1)
        depths = [depth_of(each) for each in parts]
        if any(behind - front < 1e-5 for front, behind in zip(depths, depths[1:])):
            depths = [depths[0] + 0.01 * index for index in range(len(parts))]
        parts.insert(new, parts.pop(old))
        return _finish(self, _order(parts, depths))


def _finish(operator, fixed):
    for name in fixed:
        operator.report({"WARNING"}, f'part "{name}": its location is keyed, driven or constrained, so it stays; '
                                     "change the key, or z_order of its bone")
    return {"FINISHED"}


class PACHARIO_UL_parts(bpy.types.UIList):
    """The parts of the character from front to back."""

    def draw_item(self, _context, layout, _data, item, _icon, _active_data, _active_name):
        layout.label(text=item.name)
        layout.prop(item, "hide_render", text="", emboss=False)

    def filter_items(self, context, data, name):
        items = getattr(data, name)
        parts = [each.name for each in parts_of(context)]
        rank = {part: index for index, part in enumerate(parts)}
        shown = [self.bitflag_filter_item if each.name in rank
                 and self.filter_name.lower() in each.name.lower() else 0 for each in items]
        others = iter(range(len(rank), len(items)))
        return shown, [rank[each.name] if each.name in rank else next(others) for each in items]


class PACHARIO_PT_parts(bpy.types.Panel):
    bl_idname = "PACHARIO_PT_parts"
    bl_label = "Parts"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Pachario"
    bl_order = 1

    def draw(self, context):
        layout = self.layout
        layout.operator(PACHARIO_OT_mesh_from_image.bl_idname, icon="IMAGE_DATA")
        row = layout.row()
        row.template_list("PACHARIO_UL_parts", "", bpy.data, "objects", context.window_manager, "pachario_part", rows=4)
        column = row.column(align=True)
        column.operator(PACHARIO_OT_move_part.bl_idname, text="", icon="TRIA_UP").direction = "FRONT"
        column.operator(PACHARIO_OT_move_part.bl_idname, text="", icon="TRIA_DOWN").direction = "BACK"
        layout.operator(PACHARIO_OT_order_parts.bl_idname)


def _active_part(_manager):
    active = bpy.context.view_layer.objects.active
    return bpy.data.objects.find(active.name) if active else -1


def _select_part(_manager, index):
    obj = bpy.data.objects[index]
    if bpy.context.mode in ("OBJECT", "POSE") and obj.name in bpy.context.view_layer.objects:
        if bpy.context.mode == "POSE":
            bpy.ops.object.mode_set(mode="OBJECT")
        activate(bpy.context, obj)


def _menu(self, _context):
    self.layout.separator()
    self.layout.operator(PACHARIO_OT_mesh_from_image.bl_idname, icon="IMAGE_DATA")


_classes = (PACHARIO_OT_mesh_from_image, PACHARIO_OT_order_parts, PACHARIO_OT_move_part, PACHARIO_UL_parts,
            PACHARIO_PT_parts)


def register():
    for each in _classes:
        bpy.utils.register_class(each)
    bpy.types.WindowManager.pachario_part = bpy.props.IntProperty(get=_active_part, set=_select_part)
    bpy.types.VIEW3D_MT_mesh_add.append(_menu)


def unregister():
    bpy.types.VIEW3D_MT_mesh_add.remove(_menu)
    del bpy.types.WindowManager.pachario_part
    for each in reversed(_classes):
        bpy.utils.unregister_class(each)
