# SPDX-License-Identifier: MIT
"""Exports, imports and previews Pachario characters."""

bl_info = {
    "name": "Pachario",
    "author": "The pchr authors",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "File > Import, File > Export, and the sidebar of the 3D view",
    "description": "Make 2D characters for the pchr runtime: export, import, preview",
    "category": "Import-Export",
}

try:
    import bpy  # noqa: F401
except ImportError:
    # The readers and writers also serve scripts outside Blender.
    _modules = ()
else:
    from . import artist, export_scene, import_file, preview, starter
    _modules = (export_scene, import_file, preview, artist, starter)


def register():
    for module in _modules:
        module.register()


def unregister():
    for module in reversed(_modules):
        module.unregister()
