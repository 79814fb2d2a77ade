# SPDX-License-Identifier: MIT
"""Plays a character through the shared library and compares the results with the output of the C program.

facts.py LIBRARY PROGRAM CHARACTER
"""
import ctypes
import subprocess
import sys
from ctypes import POINTER, Structure, byref, c_bool, c_char, c_char_p, c_double, c_float, c_int32, c_size_t, c_uint8
from ctypes import c_uint16, c_uint32, c_uint64, c_void_p

NONE = 0xFFFFFFFF
STEP, SMOOTH = 0, 1
BIND_CLIP, BIND_IDENTITY = 1, 2
LOOP_ONCE, LOOP_FOREVER = 1, 2
MAX_LAYERS = 64
EVENT_KINDS = ["started", "looped", "finished", "marker", "interrupted"]


class Error(Structure):
    _fields_ = [("code", c_char * 8), ("message", c_char * 1016)]


class Names(Structure):
    _fields_ = [("names", POINTER(c_char_p)), ("count", c_uint32)]


class LoadOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("bind", c_int32), ("bind_clip", c_char_p), ("bind_frame", c_uint32),
                ("max_file_bytes", c_uint64), ("max_image_pixels", c_uint64), ("max_bone_samples", c_uint64),
                ("file_system", c_void_p), ("executor", c_void_p), ("image_folder", c_char_p),
                ("allow_images_outside", c_bool), ("second_player", c_bool), ("black_color_key", c_bool),
                ("also_find_animations", c_bool), ("text_encoding", c_char_p), ("layers", c_int32),
                ("layer_names", Names), ("layer_overrides", c_void_p), ("layer_override_count", c_uint32),
                ("animations", Names), ("texture_folders", Names), ("before_reading", c_void_p),
                ("before_reading_user", c_void_p), ("follow_links", c_bool)]


class Clip(Structure):
    _fields_ = [("struct_size", c_uint32), ("frame_count", c_uint32), ("name", c_char_p),
                ("frames_per_second", c_double),
                ("duration_seconds", c_double), ("loop_start", c_uint32), ("looping", c_bool)]


class Image(Structure):
    _fields_ = [("struct_size", c_uint32), ("width", c_uint32), ("height", c_uint32), ("name", c_char_p)]


class Vertex(Structure):
    _fields_ = [("x", c_float), ("y", c_float), ("u", c_float), ("v", c_float), ("bones", c_uint16 * 4),
                ("weights", c_float * 4)]


class Mesh(Structure):
    _fields_ = [("struct_size", c_uint32), ("image", c_uint32), ("name", c_char_p), ("first_vertex", c_uint32),
                ("vertex_count", c_uint32), ("first_index", c_uint32), ("index_count", c_uint32),
                ("governing_bone", c_uint32)]


class Rect(Structure):
    _fields_ = [("min_x", c_float), ("min_y", c_float), ("max_x", c_float), ("max_y", c_float)]


class BoneState(Structure):
    _fields_ = [("x", c_float), ("y", c_float), ("rotation_degrees", c_float), ("scale_x", c_float),
                ("scale_y", c_float), ("opacity", c_float), ("z_order", c_int32), ("visible", c_bool)]


class Affine(Structure):
    _fields_ = [("a", c_float), ("b", c_float), ("c", c_float), ("d", c_float), ("tx", c_float), ("ty", c_float)]


class DrawItem(Structure):
    _fields_ = [("mesh", c_uint32), ("opacity", c_float), ("tint", c_float * 4), ("image", c_uint32),
                ("dark_tint", c_float * 3), ("additive", c_float * 3), ("blend", c_int32)]


class Appearance(Structure):
    _fields_ = [("struct_size", c_uint32), ("blend", c_int32), ("placement", Affine), ("tint", c_float * 4),
                ("dark_tint", c_float * 3), ("additive", c_float * 3), ("effect", c_float * 2), ("depth", c_float)]


class StreamVertex(Structure):
    _fields_ = [("x", c_float), ("y", c_float), ("u", c_float), ("v", c_float), ("color", c_uint8 * 4)]


class StreamCommand(Structure):
    _fields_ = [("source", c_uint32), ("image", c_uint32), ("first_index", c_uint32), ("index_count", c_uint32),
                ("blend", c_uint8)]


class StreamOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("source", c_uint32), ("appearance", POINTER(Appearance)),
                ("skin", c_void_p), ("camera", c_void_p), ("first_item", c_uint32), ("item_count", c_uint32),
                ("linear_light", c_bool), ("max_vertices", c_uint32), ("max_indices", c_uint32)]


class LayerOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("mode", c_int32), ("mask", POINTER(c_uint8)), ("weight", c_float),
                ("reference_clip", c_uint32), ("reference_frame", c_uint32)]


class PlayOptions(Structure):
    _fields_ = [("struct_size", c_uint32), ("layer", c_uint32), ("loop", c_int32), ("fade_seconds", c_double),
                ("speed", c_double), ("start_seconds", c_double)]


class Play(Structure):
    _fields_ = [("struct_size", c_uint32), ("kind", c_int32), ("id", c_uint64), ("clip", c_uint32), ("loop", c_int32),
                ("seconds", c_double), ("speed", c_double), ("fade_seconds", c_double), ("weight", c_float),
                ("playing", c_bool)]


class Marker(Structure):
    _fields_ = [("clip", c_uint32), ("frame", c_uint32), ("name", c_char_p)]


class Event(Structure):
    _fields_ = [("kind", c_int32), ("layer", c_uint32), ("play", c_uint64), ("count", c_uint64), ("seconds", c_double),
                ("marker", c_char_p), ("clip", c_uint32), ("weight", c_float)]


HANDLE = c_void_p
COUNT = POINTER(c_uint32)
FUNCTIONS = {
    "pchr_version": (c_char_p,),
    "pchr_load_file": (HANDLE, c_char_p, POINTER(LoadOptions), POINTER(Error)),
    "pchr_load_memory": (HANDLE, c_void_p, c_size_t, POINTER(LoadOptions), POINTER(Error)),
    "pchr_character_free": (None, HANDLE),
    "pchr_warning_count": (c_uint32, HANDLE),
    "pchr_bone_count": (c_uint32, HANDLE),
    "pchr_bone_name": (c_char_p, HANDLE, c_uint32),
    "pchr_bone_parent": (c_uint32, HANDLE, c_uint32),
    "pchr_find_bone": (c_uint32, HANDLE, c_char_p),
    "pchr_clip_count": (c_uint32, HANDLE),
    "pchr_get_clip": (c_bool, HANDLE, c_uint32, POINTER(Clip)),
    "pchr_frame_begin": (c_double, HANDLE, c_uint32, c_uint32),
    "pchr_find_clip": (c_uint32, HANDLE, c_char_p),
    "pchr_image_count": (c_uint32, HANDLE),
    "pchr_get_image": (c_bool, HANDLE, c_uint32, POINTER(Image)),
    "pchr_decode_image": (c_bool, HANDLE, c_uint32, c_void_p, c_size_t, POINTER(Error)),
    "pchr_mesh_count": (c_uint32, HANDLE),
    "pchr_get_mesh": (c_bool, HANDLE, c_uint32, POINTER(Mesh)),
    "pchr_vertices": (POINTER(Vertex), HANDLE, COUNT),
    "pchr_indices": (POINTER(c_uint16), HANDLE, COUNT),
    "pchr_clip_bounds": (c_bool, HANDLE, c_uint32, c_void_p, POINTER(Rect)),
    "pchr_pose_create": (HANDLE, HANDLE),
    "pchr_pose_free": (None, HANDLE),
    "pchr_pose_bind": (c_bool, HANDLE),
    "pchr_pose_clip": (c_bool, HANDLE, c_uint32, c_double, c_int32),
    "pchr_pose_get_bone": (c_bool, HANDLE, c_uint32, POINTER(BoneState)),
    "pchr_pose_set_bone": (c_bool, HANDLE, c_uint32, POINTER(BoneState)),
    "pchr_pose_update": (c_bool, HANDLE),
    "pchr_pose_world": (POINTER(Affine), HANDLE),
    "pchr_pose_palette": (POINTER(Affine), HANDLE),
    "pchr_pose_draw_list": (POINTER(DrawItem), HANDLE, COUNT),
    "pchr_pose_bounds": (Rect, HANDLE),
    "pchr_appearance_init": (None, POINTER(Appearance), c_uint32),
    "pchr_placement": (Affine, c_float, c_float, c_float, c_float, c_bool),
    "pchr_play_options_init": (None, POINTER(PlayOptions), c_uint32),
    "pchr_layer_options_init": (None, POINTER(LayerOptions), c_uint32),
    "pchr_animator_create": (HANDLE, HANDLE),
    "pchr_animator_free": (None, HANDLE),
    "pchr_animator_play": (c_uint64, HANDLE, c_uint32, POINTER(PlayOptions)),
    "pchr_animator_queue": (c_uint64, HANDLE, c_uint32, POINTER(PlayOptions)),
    "pchr_animator_stop": (c_bool, HANDLE, c_uint32, c_double),
    "pchr_animator_get_play": (c_bool, HANDLE, c_uint64, POINTER(Play)),
    "pchr_animator_set_play_speed": (c_bool, HANDLE, c_uint64, c_double),
    "pchr_animator_seek_play": (c_bool, HANDLE, c_uint64, c_double),
    "pchr_animator_set_layer": (c_bool, HANDLE, c_uint32, POINTER(LayerOptions)),
    "pchr_animator_set_layer_weight": (c_bool, HANDLE, c_uint32, c_float),
    "pchr_mask_subtree": (c_bool, HANDLE, c_uint32, POINTER(c_uint8)),
    "pchr_animator_set_speed": (None, HANDLE, c_double),
    "pchr_animator_set_sampling": (None, HANDLE, c_int32),
    "pchr_animator_set_markers": (c_bool, HANDLE, POINTER(Marker), c_uint32),
    "pchr_animator_load_markers": (c_bool, HANDLE, c_char_p, c_void_p, POINTER(Error)),
    "pchr_animator_advance": (POINTER(Event), HANDLE, c_double, COUNT),
    "pchr_animator_pose": (c_bool, HANDLE, HANDLE),
    "pchr_animator_set_root_motion": (c_bool, HANDLE, c_uint32, c_bool, c_bool),
    "pchr_animator_take_root_motion": (None, HANDLE, POINTER(c_float), POINTER(c_float)),
    "pchr_stream_create": (HANDLE, c_uint32),
    "pchr_stream_free": (None, HANDLE),
    "pchr_stream_clear": (None, HANDLE),
    "pchr_stream_add": (c_bool, HANDLE, HANDLE, POINTER(StreamOptions)),
    "pchr_stream_vertices": (POINTER(StreamVertex), HANDLE, COUNT),
    "pchr_stream_indices": (POINTER(c_uint32), HANDLE, COUNT),
    "pchr_stream_commands": (POINTER(StreamCommand), HANDLE, COUNT),
}


def open_library(path):
    library = ctypes.CDLL(path)
    for name, (result, *arguments) in FUNCTIONS.items():
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library


def hash_bytes(data):
    value = 2166136261
    for byte in data:
        value = (value ^ byte) * 16777619 & 0xFFFFFFFF
    return value


def text(value):
    return value.decode()


def number(value):
    return "%.9g" % value


def numbers(values):
    return " ".join(map(number, values))


def fields(structure):
    return [getattr(structure, name) for name, *_ in structure._fields_]


class Facts:
    def __init__(self, library, path):
        self.pchr = library
        self.path = path.encode()
        self.lines = []

    def print(self, line):
        self.lines.append(line)

    def array(self, function, handle):
        count = c_uint32()
        return function(handle, byref(count)), count.value

    def each(self, function, handle, kind):
        """Yields what `function` returns for 0, 1 and so on."""
        index = 0
        item = kind()
        while function(handle, index, byref(item)):
            yield index, item
            index += 1

    def character(self, character):
        pchr = self.pchr
        self.print("bones %u, meshes %u, clips %u, images %u, vertices %u, indices %u, warnings %u" % (
            pchr.pchr_bone_count(character), pchr.pchr_mesh_count(character), pchr.pchr_clip_count(character),
            pchr.pchr_image_count(character), self.array(pchr.pchr_vertices, character)[1],
            self.array(pchr.pchr_indices, character)[1], pchr.pchr_warning_count(character)))
        for bone in range(pchr.pchr_bone_count(character)):
            parent = pchr.pchr_bone_parent(character, bone)
            self.print("bone %s, parent %d" % (text(pchr.pchr_bone_name(character, bone)),
                                               -1 if parent == NONE else parent))
        for index, clip in self.each(pchr.pchr_get_clip, character, Clip):
            bounds = Rect()
            pchr.pchr_clip_bounds(character, index, None, byref(bounds))
            self.print("clip %s: %u frames, %s per second, %s s, looping %d from %u, last from %s s, within %s" % (
                text(clip.name), clip.frame_count, number(clip.frames_per_second), number(clip.duration_seconds),
                clip.looping, clip.loop_start,
                number(pchr.pchr_frame_begin(character, index, clip.frame_count - 1)), numbers(fields(bounds))))
        for _, mesh in self.each(pchr.pchr_get_mesh, character, Mesh):
            self.print("mesh %s: image %u, vertices %u+%u, indices %u+%u, bone %u" % (
                text(mesh.name), mesh.image, *fields(mesh)[3:]))

    def images(self, character):
        for index, image in self.each(self.pchr.pchr_get_image, character, Image):
            size = image.width * image.height * 4
            rgba = (c_uint8 * size)()
            error = Error()
            small = self.pchr.pchr_decode_image(character, index, rgba, size - 1, byref(error))
            self.print("one byte too small: %d, %s" % (small, text(error.message)))
            decoded = self.pchr.pchr_decode_image(character, index, rgba, size, None)
            self.print("image %s: %u x %u, decoded %d, hash %08x" % (text(image.name), image.width, image.height,
                                                                   decoded, hash_bytes(bytes(rgba))))

    def stream(self, stream):
        vertices, vertex_count = self.array(self.pchr.pchr_stream_vertices, stream)
        indices, index_count = self.array(self.pchr.pchr_stream_indices, stream)
        commands, command_count = self.array(self.pchr.pchr_stream_commands, stream)
        self.print("stream of %u vertices, hash %08x, and %u indices, hash %08x" % (
            vertex_count, hash_bytes(ctypes.string_at(vertices, vertex_count * ctypes.sizeof(StreamVertex))),
            index_count, hash_bytes(ctypes.string_at(indices, index_count * 4))))
        for command in commands[:command_count]:
            self.print("command: source %u, image %u, indices %u+%u, blend %u" % tuple(fields(command)))

    def pose(self, pose, bone):
        pchr = self.pchr
        state = BoneState()
        pchr.pchr_pose_get_bone(pose, bone, byref(state))
        self.print("bone at %s, %s degrees, scale %s, opacity %s, order %d, visible %d" % (
            numbers([state.x, state.y]), number(state.rotation_degrees), numbers([state.scale_x, state.scale_y]),
            number(state.opacity), state.z_order, state.visible))
        self.print("world " + numbers(fields(pchr.pchr_pose_world(pose)[bone])))
        self.print("palette " + numbers(fields(pchr.pchr_pose_palette(pose)[bone])))
        self.print("bounds " + numbers(fields(pchr.pchr_pose_bounds(pose))))
        items, count = self.array(pchr.pchr_pose_draw_list, pose)
        for item in items[:count]:
            self.print("draw %u at %s" % (item.mesh, number(item.opacity)))

    def poses(self, character):
        pchr = self.pchr
        pose = pchr.pchr_pose_create(character)
        stream = pchr.pchr_stream_create(0)
        head = pchr.pchr_find_bone(character, b"head")
        walk = pchr.pchr_find_clip(character, b"walk")

        pchr.pchr_stream_add(stream, pose, None)
        self.pose(pose, head)
        pchr.pchr_pose_clip(pose, walk, 0.3, STEP)
        self.pose(pose, head)
        pchr.pchr_pose_clip(pose, walk, 0.3, SMOOTH)
        appearance = Appearance()
        pchr.pchr_appearance_init(byref(appearance), ctypes.sizeof(Appearance))
        appearance.placement = pchr.pchr_placement(100, -50, 0, 2, False)
        appearance.tint = (c_float * 4)(1, 0.5, 0.25, 0.5)
        pchr.pchr_stream_add(stream, pose, byref(StreamOptions(source=1, appearance=ctypes.pointer(appearance))))
        state = BoneState()
        pchr.pchr_pose_get_bone(pose, head, byref(state))
        state.rotation_degrees += 30
        state.opacity = 0.5
        pchr.pchr_pose_set_bone(pose, head, byref(state))
        pchr.pchr_pose_update(pose)
        self.pose(pose, head)
        pchr.pchr_stream_add(stream, pose, None)
        self.stream(stream)
        pchr.pchr_stream_clear(stream)
        self.stream(stream)
        self.print("invalid indices: %d %d %d %d %d" % (
            pchr.pchr_pose_clip(pose, 1000, 0, STEP), pchr.pchr_pose_set_bone(pose, NONE, byref(state)),
            pchr.pchr_find_clip(character, b"moonwalk") == NONE, pchr.pchr_bone_name(character, 1000) is None,
            pchr.pchr_pose_bind(pose)))
        pchr.pchr_stream_free(stream)
        pchr.pchr_pose_free(pose)

    def events(self, events):
        for event in events:
            self.print("%s: layer %u, play %u, clip %u, marker %s, at %s, times %u, weight %s" % (
                EVENT_KINDS[event.kind], event.layer, event.play, event.clip, text(event.marker or b"-"),
                number(event.seconds), event.count, number(event.weight)))

    def animation(self, character):
        pchr = self.pchr
        walk = pchr.pchr_find_clip(character, b"walk")
        head = pchr.pchr_find_bone(character, b"head")
        arm = pchr.pchr_find_bone(character, b"near_upper_arm")
        animator = pchr.pchr_animator_create(character)
        pose = pchr.pchr_pose_create(character)
        stream = pchr.pchr_stream_create(0)

        markers = (Marker * 2)(Marker(walk, 4, b"left"), Marker(walk, 16, b"right"))
        marked = pchr.pchr_animator_set_markers(animator, markers, 2)
        pchr.pchr_animator_set_sampling(animator, SMOOTH)
        self.print("markers: %d, root: %d" % (marked, pchr.pchr_animator_set_root_motion(animator, 0, True, False)))
        mask = (c_uint8 * pchr.pchr_bone_count(character))()
        masked = pchr.pchr_mask_subtree(character, arm, mask)
        mixing = LayerOptions()
        pchr.pchr_layer_options_init(byref(mixing), ctypes.sizeof(LayerOptions))
        mixing.weight = 0.75
        mixing.mask = mask
        layered = pchr.pchr_animator_set_layer(animator, 1, byref(mixing))
        self.print("mask: %d, layer: %d, weight: %d" % (masked, layered,
                                                      pchr.pchr_animator_set_layer_weight(animator, 1, 0.5)))

        options = PlayOptions()
        pchr.pchr_play_options_init(byref(options), ctypes.sizeof(PlayOptions))
        options.fade_seconds = 0.25
        options.loop = LOOP_ONCE
        jump = pchr.pchr_animator_play(animator, pchr.pchr_find_clip(character, b"jump"), byref(options))
        options.loop = LOOP_FOREVER
        options.speed = 1.5
        pchr.pchr_animator_queue(animator, walk, byref(options))
        pchr.pchr_play_options_init(byref(options), ctypes.sizeof(PlayOptions))
        options.layer = 1
        pchr.pchr_animator_play(animator, pchr.pchr_find_clip(character, b"wave"), byref(options))
        count = c_uint32()
        for step in range(6):
            events = pchr.pchr_animator_advance(animator, 0.4, byref(count))
            self.events(events[:count.value])
            play = Play()
            if pchr.pchr_animator_get_play(animator, jump, byref(play)):
                self.print("jump: clip %u at %s, speed %s, weight %s" % (play.clip, number(play.seconds),
                                                                        number(play.speed), number(play.weight)))
            if step == 0:
                sought = pchr.pchr_animator_seek_play(animator, jump, 0.1)
                self.print("seek: %d, speed: %d" % (sought, pchr.pchr_animator_set_play_speed(animator, jump, 2)))
            self.print("posed: %d" % pchr.pchr_animator_pose(animator, pose))
            self.print("head " + numbers(fields(pchr.pchr_pose_world(pose)[head])))
            pchr.pchr_stream_clear(stream)
            pchr.pchr_stream_add(stream, pose, byref(StreamOptions(source=7)))
            self.stream(stream)
        x, y = c_float(), c_float()
        pchr.pchr_animator_take_root_motion(animator, byref(x), byref(y))
        self.print("moved " + numbers([x.value, y.value]))
        stopped = pchr.pchr_animator_stop(animator, 0, 0)
        pchr.pchr_animator_set_speed(animator, -1)
        pchr.pchr_animator_advance(animator, 0.01, byref(count))
        self.print("stop: %d, %u events" % (stopped, count.value))
        error = Error()
        loaded = pchr.pchr_animator_load_markers(animator, b"nowhere.json", None, byref(error))
        self.print("markers: %d, %s" % (loaded, text(error.code)))
        options.layer = MAX_LAYERS
        self.print("invalid indices: %u %u" % (pchr.pchr_animator_play(animator, walk, byref(options)),
                                              pchr.pchr_animator_play(animator, 1000, None)))
        pchr.pchr_stream_free(stream)
        pchr.pchr_pose_free(pose)
        pchr.pchr_animator_free(animator)

    def errors(self):
        pchr = self.pchr
        error = Error()

        def report(what, loaded):
            self.print("%s: %d, %s: %s" % (what, loaded is not None, text(error.code), text(error.message)))

        report("missing file", pchr.pchr_load_file(b"nowhere.pchr", None, byref(error)))
        report("four bytes", pchr.pchr_load_memory(b"PCHR", 4, None, byref(error)))
        options = LoadOptions(bind=BIND_CLIP, bind_clip=b"nothing")
        report("bind pose from a missing clip", pchr.pchr_load_file(self.path, byref(options), byref(error)))
        options = LoadOptions(bind=BIND_IDENTITY, max_bone_samples=1)
        report("over a limit", pchr.pchr_load_file(self.path, byref(options), byref(error)))
        options.struct_size = 3
        report("wrong size", pchr.pchr_load_file(self.path, byref(options), byref(error)))

    def all(self):
        self.print("pchr " + text(self.pchr.pchr_version()))
        error = Error()
        character = self.pchr.pchr_load_file(self.path, None, byref(error))
        if character is None:
            sys.exit(text(error.message))
        self.character(character)
        self.images(character)
        self.poses(character)
        self.animation(character)
        self.errors()
        self.pchr.pchr_character_free(character)
        return "\n".join(self.lines) + "\n"


def main():
    library, program, path = sys.argv[1:]
    here = Facts(open_library(library), path).all()
    there = subprocess.run([program, path], check=True, stdout=subprocess.PIPE, text=True).stdout
    for line, (a, b) in enumerate(zip(here.splitlines(), there.splitlines()), 1):
        if a != b:
            sys.exit(f"line {line} differs:\nPython: {a}\nC:      {b}")
    if here != there:
        sys.exit("the outputs have different numbers of lines")
    print(f"{len(here.splitlines())} lines are equal")


main()
