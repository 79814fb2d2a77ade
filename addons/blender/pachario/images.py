# SPDX-License-Identifier: MIT
"""Images and materials of Blender as pixels: which image a material shows, and the images of all meshes in one."""

import os

import bpy
import numpy as np

from . import atlas, compat
from .character import FileError, Image


def _upstream(socket, seen, changed=None):
    """Yields (node, link, first node after it that changes colors or None) for the nodes before a socket, also inside
    groups. What is nearer to a color comes first: the image of a base color is before that of a roughness."""
    for link in socket.links:
        node = link.from_node
        if node in seen or link.is_muted:
            continue
        seen.add(node)
        yield node, link, changed
        passes = node.mute or node.type in {"REROUTE", "GROUP", "GROUP_OUTPUT"} or link.from_socket.type == "SHADER"
        after = changed or (None if passes else node)
        inner = [each for each in node.node_tree.nodes if each.type == "GROUP_OUTPUT"] \
            if node.type == "GROUP" and node.node_tree else []
        inputs = [each for owner in [*inner, node] for each in owner.inputs if each.is_linked]
        for each in sorted(inputs, key=lambda each: {"SHADER": 0, "RGBA": 1}.get(each.type, 2)):
            yield from _upstream(each, seen, after)


def image_node(material):
    """Returns the node with the image of a material, and a node that changes its colors; None for what there is not."""
    tree = compat.node_tree(material) if material else None
    if not tree:
        return None, None
    output = tree.get_output_node("ALL")
    for node, _, changed in _upstream(output.inputs["Surface"], set()) if output else ():
        if node.type == "TEX_IMAGE" and node.image:
            return node, changed
    others = [node for node in [tree.nodes.active, *tree.nodes] if node and node.type == "TEX_IMAGE" and node.image]
    return (others + [None])[0], None


def uv_layer(node, geometry):
    """Returns the name of the UV map of an image node, and a node that places the image by other means, or None."""
    layer, placed = geometry.active_uv, None
    for source, link, _ in _upstream(node.inputs["Vector"], set()) if node else ():
        name = {"UVMAP": "uv_map", "ATTRIBUTE": "attribute_name"}.get(source.type)
        if name and getattr(source, name) in geometry.uv_layers:
            layer = getattr(source, name)
        elif not (source.type == "UVMAP" or source.mute or source.type in {"REROUTE", "GROUP", "GROUP_INPUT"}
                  or source.type == "TEX_COORD" and link.from_socket.identifier == "UV"
                  or source.type == "MAPPING" and _maps_nothing(source)):
            placed = placed or source
    return layer, placed


def _maps_nothing(node):
    values = {"Location": (0, 0, 0), "Rotation": (0, 0, 0), "Scale": (1, 1, 1)}
    return all(not socket.is_linked and tuple(socket.default_value) == values[socket.name]
               for socket in node.inputs if socket.name in values)


def is_animated(block):
    data = block.animation_data if block else None
    return bool(data and (data.action or data.drivers or data.nla_tracks))


def _plain_color(material):
    """Returns the linear color of a material without an image."""
    if material is None:
        return (0.8, 0.8, 0.8, 1.0)
    tree = compat.node_tree(material)
    output = tree.get_output_node("ALL") if tree else None
    for node, _, _ in _upstream(output.inputs["Surface"], set()) if output else ():
        color = node.inputs.get("Base Color") or node.inputs.get("Color")
        if color and not color.is_linked and hasattr(color, "default_value"):
            alpha = node.inputs.get("Alpha")
            strength = alpha.default_value if alpha and not alpha.is_linked else color.default_value[3]
            return (*color.default_value[:3], strength)
    return tuple(material.diffuse_color)


def _to_srgb(linear):
    linear = np.clip(linear, 0, 1)
    return np.where(linear <= 0.0031308, linear * 12.92, 1.055 * np.power(linear, 1 / 2.4) - 0.055)


def _to_linear(encoded):
    return np.where(encoded <= 0.04045, encoded / 12.92, np.power((encoded + 0.055) / 1.055, 2.4))


def _checker():
    pixels = np.zeros((64, 64, 4), np.uint8)
    rows, columns = np.indices((64, 64)) // 8
    pixels[(rows + columns) % 2 == 0] = (255, 0, 255, 255)
    pixels[(rows + columns) % 2 == 1] = (0, 0, 0, 255)
    return pixels


def _image_pixels(image, user, report):
    """Returns the pixels of an image of Blender as uint8 [height, width, 4], straight sRGB, the top row first."""
    path = bpy.path.abspath(image.filepath, library=image.library)
    name = os.path.basename(path) or image.name
    kind = {"MOVIE": "a movie", "SEQUENCE": "a sequence of images", "TILED": "tiled"}.get(image.source)
    if image.source == "SEQUENCE" and os.path.isfile(path):
        # Blender has the pixels of the frame that was shown last, or none.
        still = bpy.data.images.load(path)
        try:
            still.colorspace_settings.name, still.alpha_mode = image.colorspace_settings.name, image.alpha_mode
            pixels = _image_pixels(still, user, report)
        finally:
            bpy.data.images.remove(still)
        report.warn(f'{user}: the image "{image.name}" is {kind}, but a character has still images; {name} is exported')
        return pixels
    width, height = image.size
    if not width or not height or not image.channels:
        problem = f"was not found in {os.path.dirname(path) or 'the file'}"
        if os.path.isfile(path):
            problem = f"cannot be read from {os.path.dirname(path)}"
        report.warn(f"{user}: the image {name}{f', {kind},' if kind else ''} {problem}; a checker is exported instead")
        return _checker()
    if kind:
        report.warn(f'{user}: the image "{image.name}" is {kind}; only its current part is exported')
    flat = np.empty(width * height * image.channels, np.float32)
    image.pixels.foreach_get(flat)
    pixels = flat.reshape(height, width, image.channels)[::-1]
    if image.channels < 4:
        alpha = pixels[..., 1:2] if image.channels == 2 else np.ones((height, width, 1), np.float32)
        colors = pixels[..., :3] if image.channels == 3 else np.repeat(pixels[..., :1], 3, axis=2)
        pixels = np.concatenate([colors, alpha], axis=2)
    if image.alpha_mode == "NONE":
        pixels[..., 3] = 1
    if image.alpha_mode == "PREMUL" or image.is_float and image.alpha_mode != "CHANNEL_PACKED":
        pixels[..., :3] /= np.where(pixels[..., 3:] > 0, pixels[..., 3:], 1)
    space = image.colorspace_settings.name
    if image.is_float or space in {"Non-Color", "Raw"} or space.startswith("Linear"):
        pixels[..., :3] = _to_srgb(pixels[..., :3])
    return np.floor(np.clip(pixels, 0, 1) * 255 + 0.5).astype(np.uint8)


def _tinted(pixels, color):
    result = pixels.astype(np.float64) / 255
    if tuple(color[:3]) != (1, 1, 1):
        result[..., :3] = _to_srgb(_to_linear(result[..., :3]) * color[:3])
    result[..., 3] *= color[3]
    return np.floor(np.clip(result, 0, 1) * 255 + 0.5).astype(np.uint8)


def gather(parts, colors, settings, report):
    """Returns the images of the parts, and sets their `image` and, with an atlas, their texture coordinates."""
    images, keys = [], {}
    sources = {}
    for part in parts:
        node, _ = image_node(part.material)
        color = tuple(np.round(colors[part.object], 6))
        datablock = node.image if node else None
        key = (datablock or part.material, color)
        if key not in keys:
            keys[key] = len(images)
            if datablock and datablock not in sources:
                user = f'mesh "{part.name}"'
                sources[datablock] = _image_pixels(datablock, user, report)
            if datablock:
                name, pixels = compat.true_name(datablock), sources[datablock]
            else:
                plain = np.array(_plain_color(part.material))
                plain[:3] = _to_srgb(plain[:3])
                name = part.material.name if part.material else "white"
                pixels = np.broadcast_to(np.floor(np.clip(plain, 0, 1) * 255 + 0.5).astype(np.uint8), (4, 4, 4))
            if color != (1, 1, 1, 1):
                pixels = _tinted(pixels, color)
                name += " tinted" if any(other[0] == key[0] for other in keys if other != key) else ""
            images.append(Image(name, np.ascontiguousarray(pixels)))
        part.image = keys[key]
        if not datablock:
            part.uv[:] = 0.5
        _inside(part, report)
    return _packed(parts, images, settings, report) if settings.use_atlas and len(images) > 1 else images


def _inside(part, report):
    """Moves texture coordinates by whole numbers into 0 to 1 if possible, and says so if not."""
    used = np.unique(part.triangles)
    uv = part.uv[used]
    if not len(uv):
        return
    shift = np.floor(uv.min(axis=0) + 1e-5)
    if (shift != 0).any() and (uv.max(axis=0) - shift <= 1 + 1e-5).all():
        part.uv -= shift
    elif (uv < -1e-5).any() or (uv > 1 + 1e-5).any():
        low, high = uv.min(axis=0), uv.max(axis=0)
        report.warn(f'mesh "{part.name}": texture coordinates go from {low[0]:.3f}, {low[1]:.3f} to {high[0]:.3f}, '
                    f"{high[1]:.3f}, outside 0 to 1; the edge of the image is repeated there")


def _packed(parts, images, settings, report):
    """Packs what the parts use of the images into one image."""
    boxes = []
    for i, image in enumerate(images):
        height, width, _ = image.pixels.shape
        used = [np.clip(part.uv[np.unique(part.triangles)], 0, 1) for part in parts if part.image == i]
        corners = np.concatenate(used) * (width, height)
        low = np.maximum(np.floor(corners.min(axis=0, initial=width + height)) - 1, 0).astype(int)
        high = np.minimum(np.ceil(corners.max(axis=0, initial=0)) + 1, (width, height)).astype(int)
        low = np.minimum(low, high - 1)
        boxes.append((*low, *high))
    crops = [image.pixels[y0:y1, x0:x1] for image, (x0, y0, x1, y1) in zip(images, boxes)]
    try:
        pixels, places = atlas.build(crops, 2, settings.max_atlas_size)
    except FileError as error:
        report.warn(f"{error}; the images stay separate")
        return images
    height, width, _ = pixels.shape
    for part in parts:
        x0, y0, x1, y1 = boxes[part.image]
        size = images[part.image].pixels.shape[1::-1]
        inside = np.clip(np.clip(part.uv, 0, 1) * size, (x0, y0), (x1, y1))
        part.uv = (inside - (x0, y0) + places[part.image]) / (width, height)
        part.image = 0
    return [Image("atlas.png", pixels)]
