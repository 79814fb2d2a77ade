# SPDX-License-Identifier: MIT
"""Shows the character in pchr-player while it is made."""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import time
import traceback
from pathlib import Path

import bpy
from bpy.app.handlers import persistent

from . import artist, export_scene, files
from .character import FileError
from .report import ERROR, INFO, WARNING, Report, show

PLAYER, TOOL = "pchr-player", "pchr"


class State:
    """The preview of this session. `path` is the file that the player shows, or None. `collection` names what is
    exported to it. `changed` says that something may have changed since the last export, which had `settings`, took
    `seconds`, wrote `clips` and left `report`."""

    def __init__(self):
        self.path = None
        self.collection = ""
        self.changed = False
        self.unsaved = False
        self.exporting = False
        self.seconds = 0.0
        self.exported_at = ""
        self.settings = None
        self.clips = []
        self.report = Report()


state = State()
# The players that were started, by the file they show. They outlive Blender.
_players = {}


def _chosen(name):
    addon = bpy.context.preferences.addons.get(__package__)
    return getattr(addon.preferences, name.replace("-", "_"), "") if addon else ""


def program(name):
    """Returns the path of pchr-player or pchr: the one in the preferences, else the one on PATH, else None. Where
    another program is called pchr, the tool is pchr-tool in the same folder."""
    if chosen := _chosen(name):
        return shutil.which(bpy.path.abspath(chosen))
    found = (shutil.which(each, path=folder) for folder in os.get_exec_path() for each in ("pchr-tool", name)
             if each == name or name == TOOL)
    return next(filter(None, found), None)


def missing(name):
    """Returns the message for a program that `program` does not find."""
    if _chosen(name):
        return f"{name}: {_chosen(name)} in the preferences of this add-on is not a program"
    return f"{name} was not found on PATH: install pchr, or choose it in the preferences of this add-on"


def cache_folder():
    """Returns the folder for the previews of the open .blend file, one for each file. It need not exist."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache")
    file = bpy.data.filepath
    unique = hashlib.sha256(os.path.abspath(file).encode()).hexdigest()[:12] if file else str(os.getpid())
    return base / "pchr" / "blender" / f"{_file_name(Path(file).stem or 'unsaved')}-{unique}"


def _file_name(name):
    return re.sub(r"[^\w.-]+", "_", name).strip("._")[:80] or "character"


def _character(context):
    """Returns what is previewed: the name of a collection ("" is the whole scene) and a name for the file."""
    chosen = context.scene.pachario.collection
    if chosen:
        return chosen.name, chosen.name
    active = context.view_layer.objects.active
    owner = artist.armature_of(active) or active
    for collection in owner.users_collection if owner else ():
        if collection != context.scene.collection:
            return collection.name, collection.name
    return "", owner.name if owner else context.scene.name


def _settings(context):
    options = context.scene.pachario
    return export_scene.Settings(state.collection, **{
        name: getattr(options, name) for name in export_scene.SharedSettings.__annotations__})


def update(context):
    """Exports the previewed character. Errors go to `state.report`; the last good file then stays. Returns whether the
    export succeeded."""
    found, settings = Report(), _settings(context)
    begun, state.exporting = time.monotonic(), True
    try:
        state.path.parent.mkdir(parents=True, exist_ok=True)
        character, markers, masks = export_scene.capture(context, settings, found)
        warnings = []
        files.write_files(state.path, character, ("PCHR",), markers, masks, level=1, warnings=warnings)
        found.warn(*warnings)
        state.clips = [clip.name for clip in character.clips]
    except (FileError, OSError) as problem:
        found.error(str(problem))
    except Exception as problem:
        # A timer that raises would end unnoticed; the panel shows it instead.
        traceback.print_exc()
        found.error(f"the export failed: {type(problem).__name__}: {problem}")
    finally:
        # What the export has put back is no change.
        context.view_layer.update()
        state.exporting = False
    failed = any(severity == ERROR for severity, _ in found.entries)
    state.seconds = time.monotonic() - begun
    state.exported_at = state.exported_at if failed else time.strftime("%H:%M:%S")
    state.report, state.settings, state.changed = found, settings, False
    _redraw()
    return not failed


def play():
    """Starts the player on the previewed file, unless it runs. Raises FileError if it cannot be started."""
    running = _players.get(state.path)
    if running and running.poll() is None:
        return
    _players.pop(state.path, None)
    command = program(PLAYER)
    if not command:
        raise FileError(missing(PLAYER))
    detached = {"start_new_session": True}
    if sys.platform == "win32":
        detached = {"creationflags": subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP}
    with open(state.path.parent / "player.log", "wb") as log:
        try:
            _players[state.path] = subprocess.Popen([command, str(state.path)], stdin=subprocess.DEVNULL, stdout=log,
                                                    stderr=log, **detached)
        except OSError as problem:
            raise FileError(f"{command}: does not start ({problem})") from problem


def player_status():
    """Returns what the player of the preview does, as a sentence for the panel, and whether that is a problem."""
    running = _players.get(state.path)
    if running is None:
        return "The player is closed", False
    code = running.poll()
    if code is None:
        return "The player is open", False
    if code == 0:
        return "The player is closed", False
    log = state.path.parent / "player.log"
    lines = log.read_text(errors="replace").strip().splitlines() if log.exists() else []
    return f"The player ended with {code}: {lines[0] if lines else 'no message'}", True


def stop():
    """Ends the updates. The player stays open."""
    state.__init__()
    if bpy.app.timers.is_registered(tick):
        bpy.app.timers.unregister(tick)
    _redraw()


def tick():
    """Exports if something has changed and Blender is not busy. Returns the seconds until the next call, or None."""
    if state.path is None:
        return None
    options = bpy.context.scene.pachario
    if options.update == "INTERVAL" and _changed() and not _busy():
        with _window():
            update(bpy.context)
    return max(options.interval, 2 * state.seconds)


def _window():
    windows = bpy.context.window_manager.windows
    return bpy.context.temp_override(window=windows[0]) if windows else bpy.context.temp_override()


def _busy():
    if export_scene.running:
        return True
    if any(bpy.app.is_job_running(job) for job in ("RENDER", "OBJECT_BAKE")):
        return True
    windows = bpy.context.window_manager.windows
    if state.seconds > 0.1 and any(window.screen.is_animation_playing for window in windows):
        return True
    # An export would end a transform: it sets the frame and the pose.
    return any(len(getattr(window, "modal_operators", ())) for window in windows)


def _redraw():
    for window in bpy.context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


def _changed():
    return state.changed or _settings(bpy.context) != state.settings


@persistent
def _depsgraph_updated(_scene, depsgraph):
    if state.path is None or state.exporting or state.changed or export_scene.running:
        return
    # A selection or another frame updates the scene alone.
    state.changed = any(not isinstance(each.id, bpy.types.Scene) for each in depsgraph.updates)


@persistent
def _save_started(*_):
    # Some changes, such as those of markers, update nothing that is drawn. Without a window, Blender 4.3 is always
    # dirty.
    state.unsaved = bpy.data.is_dirty and not bpy.app.background


@persistent
def _saved(*_):
    if state.path is None or bpy.context.scene.pachario.update == "MANUAL":
        return
    if _changed() or (state.unsaved and bpy.context.scene.pachario.update == "SAVE"):
        update(bpy.context)


@persistent
def _undone(*_):
    state.changed = True


@persistent
def _loaded(*_):
    stop()


class PACHARIO_AP_preferences(bpy.types.AddonPreferences):
    bl_idname = __package__

    pchr_player: bpy.props.StringProperty(name="Player", description="Path of pchr-player (empty: the one on PATH)",
                                          subtype="FILE_PATH")
    pchr: bpy.props.StringProperty(
        name="Tool", description="Path of pchr, which checks characters (empty: the one on PATH)", subtype="FILE_PATH")

    def draw(self, _context):
        layout = self.layout
        layout.use_property_split = True
        for key, name in (("pchr_player", PLAYER), ("pchr", TOOL)):
            layout.prop(self, key)
            found = program(name)
            text = f"Found {found}" if found else missing(name)
            layout.label(text=text, icon="CHECKMARK" if found else "ERROR")


class PACHARIO_PG_settings(bpy.types.PropertyGroup, export_scene.SharedSettings):
    """Settings of the preview, which are those of the export, and when it is updated."""
    collection: bpy.props.PointerProperty(
        name="Collection", type=bpy.types.Collection,
        description="Collection to export, or empty for that of the active object")
    update: bpy.props.EnumProperty(
        name="Update", description="When the preview is exported again", default="SAVE", items=(
            ("SAVE", "On save", "When the file is saved"),
            ("INTERVAL", "While editing", "At an interval, if something has changed, and when the file is saved"),
            ("MANUAL", "Manual", "With the button only")))
    interval: bpy.props.FloatProperty(
        name="Interval", description="Seconds between two updates while editing; longer if an export takes longer",
        default=2, min=0.2, soft_max=60, subtype="TIME_ABSOLUTE", unit="TIME_ABSOLUTE")


class PACHARIO_OT_preview(bpy.types.Operator):
    """Export the active character to a folder of the cache and show it in pchr-player"""
    bl_idname = "pachario.preview"
    bl_label = "Preview"

    def execute(self, context):
        collection, name = _character(context)
        if state.path is None or state.collection != collection:
            state.collection, state.path = collection, cache_folder() / f"{_file_name(name)}.pchr"
        if not bpy.app.timers.is_registered(tick):
            bpy.app.timers.register(tick, first_interval=context.scene.pachario.interval, persistent=True)
        exported = update(context)
        show(state.report, self)
        try:
            if state.path.exists():
                play()
        except FileError as problem:
            self.report({"WARNING"}, str(problem))
            # The panel shows as long as the program is missing.
            if program(PLAYER):
                state.report.warn(str(problem))
        return {"FINISHED"} if exported else {"CANCELLED"}


class PACHARIO_OT_stop_preview(bpy.types.Operator):
    """Stop updating the preview; the player stays open"""
    bl_idname = "pachario.stop_preview"
    bl_label = "Stop"

    @classmethod
    def poll(cls, _context):
        return state.path is not None

    def execute(self, _context):
        stop()
        return {"FINISHED"}


class PACHARIO_OT_check(bpy.types.Operator):
    """Check the exported preview with pchr validate"""
    bl_idname = "pachario.check"
    bl_label = "Check"

    @classmethod
    def poll(cls, _context):
        return state.path is not None and state.path.exists()

    def execute(self, _context):
        tool = program(TOOL)
        if not tool:
            self.report({"ERROR"}, missing(TOOL))
            return {"CANCELLED"}
        result = subprocess.run([tool, "validate", str(state.path)], capture_output=True, text=True, errors="replace",
                                stdin=subprocess.DEVNULL)
        lines = [line for line in (result.stdout + result.stderr).splitlines() if line.strip()]
        state.report = Report()
        state.report.entries = [(ERROR if result.returncode else WARNING, line) for line in lines]
        self.report({"ERROR" if result.returncode else "INFO"}, lines[0] if lines else "no errors or warnings")
        _redraw()
        return {"FINISHED"}


class PACHARIO_OT_preview_report(bpy.types.Operator):
    """Write the messages of the last export to a text of this file"""
    bl_idname = "pachario.preview_report"
    bl_label = "Show report"

    def execute(self, _context):
        state.report.write("Pachario preview")
        self.report({"INFO"}, 'the messages are in the text "Pachario preview"')
        return {"FINISHED"}


class PACHARIO_PT_preview(bpy.types.Panel):
    bl_idname = "PACHARIO_PT_preview"
    bl_label = "Preview"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Pachario"

    def draw(self, context):
        layout, options = self.layout, context.scene.pachario
        layout.use_property_split, layout.use_property_decorate = True, False
        row = layout.row(align=True)
        row.operator(PACHARIO_OT_preview.bl_idname, icon="PLAY", text="Preview" if state.path is None else "Update")
        row.operator(PACHARIO_OT_stop_preview.bl_idname, icon="X", text="")
        layout.prop(options, "update")
        if options.update == "INTERVAL":
            layout.prop(options, "interval")
        if state.path is not None:
            _draw_state(layout, context)
        if not program(PLAYER):
            _wrap(layout, context, f"{missing(PLAYER)}. Without it, previews are only exported.", "ERROR")


class PACHARIO_PT_preview_settings(bpy.types.Panel):
    bl_parent_id = "PACHARIO_PT_preview"
    bl_label = "Settings"
    bl_space_type, bl_region_type, bl_category = "VIEW_3D", "UI", "Pachario"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context):
        layout, options = self.layout, context.scene.pachario
        layout.use_property_split, layout.use_property_decorate = True, False
        for name in ("collection", *export_scene.SharedSettings.__annotations__):
            layout.prop(options, name)


def _draw_state(layout, context):
    box = layout.box()
    box.label(text=state.path.name, icon="FILE")
    status, problem = player_status()
    _wrap(box, context, status, "ERROR" if problem else "WINDOW")
    if state.exported_at:
        box.label(text=f"{state.exported_at}, {state.seconds:.2f} s", icon="TIME")
        _wrap(box, context, ", ".join(state.clips), "ACTION")
    entries = state.report.entries
    problems = sorted((entry for entry in entries if entry[0] != INFO), key=lambda entry: entry[0] != ERROR)
    for _, message in problems[:3]:
        _wrap(box, context, message, "ERROR")
    row = box.row(align=True)
    if entries:
        row.operator(PACHARIO_OT_preview_report.bl_idname, text=f"Report ({len(entries)})")
    row.operator(PACHARIO_OT_check.bl_idname)


def _wrap(layout, context, message, icon):
    """Draws a message in as many lines as the width of the region needs."""
    scale = context.preferences.system.ui_scale
    width = max(20, int((context.region.width / scale - 60) / 6.5)) if context.region else 40
    lines, column = [""], layout.column(align=True)
    for word in message.split():
        if lines[-1] and len(lines[-1]) + len(word) + 1 > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    for index, line in enumerate(lines[:6]):
        column.label(text=line, icon="BLANK1" if index else icon)


_classes = (PACHARIO_AP_preferences, PACHARIO_PG_settings, PACHARIO_OT_preview, PACHARIO_OT_stop_preview,
            PACHARIO_OT_check, PACHARIO_OT_preview_report, PACHARIO_PT_preview,
            PACHARIO_PT_preview_settings)
_handlers = (("depsgraph_update_post", _depsgraph_updated), ("save_pre", _save_started), ("save_post", _saved),
             ("load_post", _loaded), ("undo_post", _undone), ("redo_post", _undone))


def register():
    for each in _classes:
        bpy.utils.register_class(each)
    bpy.types.Scene.pachario = bpy.props.PointerProperty(type=PACHARIO_PG_settings)
    for name, handler in _handlers:
        getattr(bpy.app.handlers, name).append(handler)


def unregister():
    stop()
    for name, handler in _handlers:
        getattr(bpy.app.handlers, name).remove(handler)
    del bpy.types.Scene.pachario
    for each in reversed(_classes):
        bpy.utils.unregister_class(each)
