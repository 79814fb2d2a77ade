-- SPDX-License-Identifier: MIT
-- Loads and animates Pachario characters with LuaJIT, through the shared library pchr_c.
--
--   local pchr = require("pchr")
--   local hero = assert(pchr.load("hero.pchr"))
--   local animator, pose, stream = hero:animator(), hero:pose(), pchr.stream()
--   animator:play("walk")
--   for _, event in ipairs(animator:advance(dt)) do print(event.kind, event.marker) end
--   animator:pose(pose)
--   stream:add(pose, {x = 100, y = 50})
--
-- Needs pchr.ffi.h next to this file. The library is the one that PCHR_LIBRARY in the environment names, else one next
-- to this file or to the game, in package.cpath, or on the search path of the system. Clips, bones and meshes are names,
-- or numbers from 0. Wrong arguments raise errors; a file that does not load gives nil and a message. pchr.C has all
-- functions of pchr.h.
local ffi = require("ffi")

local folder = debug.getinfo(1, "S").source:match("^@(.*[/\\])") or ""

local function read_header()
  if love then return love.filesystem.read(folder .. "pchr.ffi.h") end
  local file = io.open(folder .. "pchr.ffi.h", "rb")
  if not file then return nil end
  local text = file:read("*a")
  file:close()
  return text
end

ffi.cdef(read_header() or error("pchr.ffi.h is not next to pchr.lua"))

-- The system cannot load it from a packed game, so it is next to that.
local function find_library()
  local name = ffi.os == "Windows" and "pchr_c" or "libpchr_c"
  local ending = ffi.os == "Windows" and ".dll" or ffi.os == "OSX" and ".dylib" or ".so"
  local folders = {folder}
  if love then
    local game = love.filesystem.getSource()
    folders = {game .. "/" .. folder, game .. "/", love.filesystem.getSourceBaseDirectory() .. "/"}
  end
  for i, each in ipairs(folders) do folders[i] = each .. "?" .. ending end
  return package.searchpath(name, table.concat(folders, ";") .. ";" .. package.cpath)
end

local C = ffi.load(os.getenv("PCHR_LIBRARY") or find_library() or "pchr_c")
if C.pchr_api_version() ~= C.PCHR_API_VERSION then
  error("pchr.ffi.h is of version " .. tonumber(C.PCHR_API_VERSION) .. ", but pchr_c is of " .. C.pchr_api_version())
end

local pchr = {C = C, version = ffi.string(C.pchr_version())}

local Character, Skin, Pose, Animator, Stream = {}, {}, {}, {}, {}
for _, class in ipairs({Character, Skin, Pose, Animator, Stream}) do class.__index = class end

local NONE = C.PCHR_NONE
local LOOPS = {from_file = C.PCHR_LOOP_FROM_FILE, once = C.PCHR_LOOP_ONCE, loop = C.PCHR_LOOP_FOREVER,
               ping_pong = C.PCHR_LOOP_PING_PONG}
local MODES = {override = C.PCHR_LAYER_OVERRIDE, additive = C.PCHR_LAYER_ADDITIVE}
local BLENDS = {normal = C.PCHR_BLEND_NORMAL, add = C.PCHR_BLEND_ADD, multiply = C.PCHR_BLEND_MULTIPLY,
                screen = C.PCHR_BLEND_SCREEN}
local FORMATS = {v1 = C.PCHR_FORMAT_V1, json = C.PCHR_FORMAT_JSON, packed = C.PCHR_FORMAT_PACKED}
local EVENTS = {[tonumber(C.PCHR_EVENT_STARTED)] = "started", [tonumber(C.PCHR_EVENT_LOOPED)] = "looped",
                [tonumber(C.PCHR_EVENT_FINISHED)] = "finished", [tonumber(C.PCHR_EVENT_MARKER)] = "marker",
                [tonumber(C.PCHR_EVENT_INTERRUPTED)] = "interrupted"}
local PARAMETERS = {[tonumber(C.PCHR_PARAMETER_NUMBER)] = "number", [tonumber(C.PCHR_PARAMETER_BOOLEAN)] = "boolean",
                    [tonumber(C.PCHR_PARAMETER_TRIGGER)] = "trigger"}
local STATE_EVENTS = {[tonumber(C.PCHR_STATE_EVENT_LEFT)] = "left", [tonumber(C.PCHR_STATE_EVENT_ENTERED)] = "entered",
                      [tonumber(C.PCHR_STATE_EVENT_NAMED)] = "named"}
local OVERRIDES = {x = C.PCHR_OVERRIDE_X, y = C.PCHR_OVERRIDE_Y, rotation_degrees = C.PCHR_OVERRIDE_ROTATION,
                   scale_x = C.PCHR_OVERRIDE_SCALE_X, scale_y = C.PCHR_OVERRIDE_SCALE_Y,
                   z_order = C.PCHR_OVERRIDE_Z_ORDER, visible = C.PCHR_OVERRIDE_VISIBLE}

-- Level of error() for the caller of a function of this module, from a function that it calls.
local CALLER = 3

local function owned(handle, free)
  if handle == nil then error("out of memory", CALLER) end
  return ffi.gc(handle, free)
end

local function named(names, name, what)
  return names[name] or error(what .. ' "' .. tostring(name) .. '" does not exist', CALLER)
end

-- Creates a struct that begins with struct_size.
local function sized(type)
  local struct = ffi.new(type)
  struct.struct_size = ffi.sizeof(type)
  return struct
end

-- Creates options with their defaults.
local function initialized(type, init)
  local options = ffi.new(type)
  init(options, ffi.sizeof(type))
  return options
end

-- Copies the values of fields that have the same names in an options struct.
local function copy(options, values, skipped)
  for key, value in pairs(values or {}) do
    if not (skipped and skipped[key]) then options[key] = value end
  end
  return options
end

local function set_colors(out, look)
  for i, value in ipairs(look.tint or {}) do out.tint[i - 1] = value end
  for i, value in ipairs(look.dark_tint or {}) do out.dark_tint[i - 1] = value end
  for i, value in ipairs(look.additive or {}) do out.additive[i - 1] = value end
  out.blend = named(BLENDS, look.blend or "normal", "blend mode")
end

local function text_or_nil(text)
  if text == nil then return nil end
  return ffi.string(text)
end

-- Files --------------------------------------------------------------------------------------------------------------

-- Returns a pchr_file_system for the options of load(), and for load_rig() and load_markers(): it reads files with
-- `read`, a function of a path that returns the bytes, or nil and a message, such as love.filesystem.read. Make it once,
-- and keep it as long as it is in use.
function pchr.file_system(read)
  local system, kept = ffi.new("pchr_file_system"), {}
  -- The library copies the bytes before it reads the next file.
  local callback = ffi.cast("bool (*)(void*, const char*, pchr_file*)", function(_, path, file)
    local worked, bytes, message = pcall(read, ffi.string(path))
    if not worked then bytes, message = nil, bytes end
    kept.text = type(bytes) == "string" and bytes or tostring(message or "it cannot be read")
    if bytes == nil then
      file.error = kept.text
      return false
    end
    file.bytes, file.size = ffi.cast("const char*", kept.text), #kept.text
    return true
  end)
  system.read = callback
  return ffi.gc(system, function() callback:free() end)
end

-- A compiled call cannot call back.
local function reading(call)
  jit.off(call)
  return call
end

-- Characters ---------------------------------------------------------------------------------------------------------

local function loaded(handle, failure)
  if handle == nil then
    return nil, ffi.string(failure.message), ffi.string(failure.code), ffi.string(failure.path),
           text_or_nil(failure.hint)
  end
  return setmetatable({handle = ffi.gc(handle, C.pchr_character_free)}, Character)
end

-- Loads a character of any format from a file. `options` can have the fields of pchr_load_options, such as
-- `file_system`. If it fails, returns nil, a message, a code, the place in the file, and a hint for its author.
pchr.load = reading(function(path, options)
  local failure = ffi.new("pchr_error")
  return loaded(C.pchr_load_file(path, copy(sized("pchr_load_options"), options), failure), failure)
end)

-- Loads a character from the bytes of a file, such as those that love.filesystem.read() returns.
pchr.load_string = reading(function(bytes, options)
  local failure = ffi.new("pchr_error")
  return loaded(C.pchr_load_memory(bytes, #bytes, copy(sized("pchr_load_options"), options), failure), failure)
end)

-- Returns a number for a name or number, or raises an error.
local function part(character, value, find, count, what)
  if type(value) == "string" then
    local number = find(character.handle, value)
    if number ~= NONE then return number end
  elseif type(value) == "number" and value >= 0 and value < count(character.handle) and value % 1 == 0 then
    return value
  end
  return error("the character has no " .. what .. " " .. tostring(value), CALLER + 1)
end
local function clip_of(character, value) return part(character, value, C.pchr_find_clip, C.pchr_clip_count, "clip") end
local function bone_of(character, value) return part(character, value, C.pchr_find_bone, C.pchr_bone_count, "bone") end
local function mesh_of(character, value) return part(character, value, C.pchr_find_mesh, C.pchr_mesh_count, "mesh") end

-- Return the number of a part, or nil if there is none with that name.
local function found(number) return number ~= NONE and number or nil end
function Character:find_clip(name) return found(C.pchr_find_clip(self.handle, name)) end
function Character:find_bone(name) return found(C.pchr_find_bone(self.handle, name)) end
function Character:find_mesh(name) return found(C.pchr_find_mesh(self.handle, name)) end

-- Iterates over numbers and whatever `get` returns for them.
local function each(count, get)
  local i = -1
  return function()
    i = i + 1
    if i < count then return i, get(i) end
  end
end

-- Returns an iterator over numbers and names of all bones.
function Character:bones()
  return each(C.pchr_bone_count(self.handle), function(i) return ffi.string(C.pchr_bone_name(self.handle, i)) end)
end

-- Returns the parent of a bone, or nil.
function Character:parent(bone) return found(C.pchr_bone_parent(self.handle, bone_of(self, bone))) end

-- Returns a table about a clip: name, frames_per_second, duration_seconds, frame_count, looping and loop_start.
function Character:clip(clip)
  local out = sized("pchr_clip")
  C.pchr_get_clip(self.handle, clip_of(self, clip), out)
  return {name = ffi.string(out.name), frames_per_second = out.frames_per_second,
          duration_seconds = out.duration_seconds, frame_count = out.frame_count, looping = out.looping,
          loop_start = out.loop_start}
end

-- Returns an iterator over numbers of all clips and their tables.
function Character:clips()
  return each(C.pchr_clip_count(self.handle), function(i) return self:clip(i) end)
end

-- Returns an iterator over numbers of all images and their tables: name, width and height.
function Character:images()
  return each(C.pchr_image_count(self.handle), function(i)
    local out = sized("pchr_image")
    C.pchr_get_image(self.handle, i, out)
    return {name = ffi.string(out.name), width = out.width, height = out.height}
  end)
end

-- Decodes an image into memory of width * height * 4 bytes: premultiplied RGBA, top row first. Returns whether it
-- succeeded, and a message if not.
function Character:decode_image(image, pointer, size)
  local failure = ffi.new("pchr_error")
  if C.pchr_decode_image(self.handle, image, ffi.cast("uint8_t*", pointer), size, failure) then return true end
  return false, ffi.string(failure.message)
end

-- Returns the bounds of a clip: min_x, min_y, max_x, max_y.
function Character:clip_bounds(clip)
  local out = ffi.new("pchr_rect")
  C.pchr_clip_bounds(self.handle, clip_of(self, clip), nil, out)
  return out.min_x, out.min_y, out.max_x, out.max_y
end

-- Returns the warnings from loading, a list of messages.
function Character:warnings()
  local messages, out = {}, ffi.new("pchr_error")
  for i = 0, C.pchr_warning_count(self.handle) - 1 do
    C.pchr_warning(self.handle, i, out)
    messages[i + 1] = ffi.string(out.message)
  end
  return messages
end

-- Saves the character in memory: as "v1", "json" or "packed". Returns a table of file names and contents, or nil and a
-- message. `options` can have the fields of pchr_save_options.
function Character:save(format, stem, options)
  local failure, files, file = ffi.new("pchr_error"), {}, ffi.new("pchr_saved_file")
  local saved = C.pchr_save(self.handle, named(FORMATS, format, "format"), stem,
                            copy(sized("pchr_save_options"), options), failure)
  if saved == nil then return nil, ffi.string(failure.message) end
  for i = 0, C.pchr_saved_file_count(saved) - 1 do
    C.pchr_get_saved_file(saved, i, file)
    files[ffi.string(file.name)] = ffi.string(file.bytes, file.size)
  end
  C.pchr_saved_free(saved)
  return files
end

-- Skins --------------------------------------------------------------------------------------------------------------

-- Creates a skin that changes nothing.
function Character:skin(name)
  return setmetatable({handle = owned(C.pchr_skin_create(self.handle, name or ""), C.pchr_skin_free), character = self},
                      Skin)
end

-- Changes a mesh. `part` can have visible, image, and the colors of Stream:add().
function Skin:set(mesh, part)
  local out = initialized("pchr_skin_part", C.pchr_skin_part_init)
  if part.visible ~= nil then out.visible = part.visible end
  if part.image then out.image = part.image end
  set_colors(out, part)
  if not C.pchr_skin_set_part(self.handle, mesh_of(self.character, mesh), out) then
    error("image " .. tostring(part.image) .. " does not exist", 2)
  end
end

-- Adds an image of width * height * 4 bytes, premultiplied, top row first. Returns its number for set().
function Skin:add_image(pointer, width, height)
  return found(C.pchr_skin_add_image(self.handle, ffi.cast("const uint8_t*", pointer), width, height))
end

-- Returns the pixels of an image that was added, with width and height. Nil for images of the character.
function Skin:image(image)
  local size = ffi.new("uint32_t[2]")
  local pixels = C.pchr_skin_image(self.handle, image, size, size + 1)
  if pixels == nil then return nil end
  return pixels, size[0], size[1]
end

-- Poses --------------------------------------------------------------------------------------------------------------

-- Creates a pose that holds the bind pose.
function Character:pose()
  return setmetatable({handle = owned(C.pchr_pose_create(self.handle), C.pchr_pose_free), character = self}, Pose)
end

-- Sets the pose to the bind pose.
function Pose:bind() C.pchr_pose_bind(self.handle) end

-- Sets the pose to a clip at a time.
function Pose:clip(clip, seconds, smooth)
  C.pchr_pose_clip(self.handle, clip_of(self.character, clip), seconds, smooth and C.PCHR_SMOOTH or C.PCHR_STEP)
end

-- Returns the values of a bone, a pchr_bone_state that can be changed and passed to set_bone().
function Pose:bone(bone)
  local out = ffi.new("pchr_bone_state")
  C.pchr_pose_get_bone(self.handle, bone_of(self.character, bone), out)
  return out
end

-- Sets the values of a bone. After the last change, call update().
function Pose:set_bone(bone, state) C.pchr_pose_set_bone(self.handle, bone_of(self.character, bone), state) end

-- Recomputes matrices and draw list after changes to bones.
function Pose:update() C.pchr_pose_update(self.handle) end

-- Returns the world transform of a bone, a pchr_affine that is valid until the pose changes.
function Pose:world(bone) return C.pchr_pose_world(self.handle)[bone_of(self.character, bone)] end

-- Returns the bounds of the visible vertices: min_x, min_y, max_x, max_y.
function Pose:bounds()
  local out = C.pchr_pose_bounds(self.handle)
  return out.min_x, out.min_y, out.max_x, out.max_y
end

-- Returns the rotation_degrees that point a bone at a world point.
function Pose:rotation_towards(bone, x, y)
  return C.pchr_pose_rotation_towards(self.handle, bone_of(self.character, bone), x, y, 0, 1)
end

-- Animators ----------------------------------------------------------------------------------------------------------

-- Creates an animator that shows the bind pose.
function Character:animator()
  return setmetatable({handle = owned(C.pchr_animator_create(self.handle), C.pchr_animator_free), character = self},
                      Animator)
end

local function play_options(values)
  local options = initialized("pchr_play_options", C.pchr_play_options_init)
  copy(options, values, {loop = true})
  if values and values.loop then options.loop = named(LOOPS, values.loop, "loop") end
  return options
end

-- Starts a clip now. `options` can have layer, fade_seconds, speed, start_seconds and loop: "from_file", "once", "loop"
-- or "ping_pong". Returns the id of this play.
function Animator:play(clip, options)
  return tonumber(C.pchr_animator_play(self.handle, clip_of(self.character, clip), play_options(options)))
end

-- Starts a clip when the layer's last play ends. Otherwise like play().
function Animator:queue(clip, options)
  return tonumber(C.pchr_animator_queue(self.handle, clip_of(self.character, clip), play_options(options)))
end

-- Fades out a layer and clears its queue.
function Animator:stop(layer, fade_seconds) return C.pchr_animator_stop(self.handle, layer or 0, fade_seconds or 0) end

-- Fades out a layer when queue() would start a clip.
function Animator:queue_stop(layer, fade_seconds)
  return C.pchr_animator_queue_stop(self.handle, layer or 0, fade_seconds or 0)
end

-- Sets how a layer mixes. `options` can have weight, mode ("override" or "additive"), bones: a list of bones, each with
-- its descendants, or mask: the name of a mask of the loaded rig, and reference_clip and reference_frame for an
-- additive layer.
function Animator:set_layer(layer, values)
  values = values or {}
  local options = initialized("pchr_layer_options", C.pchr_layer_options_init)
  copy(options, values, {mode = true, bones = true, mask = true, reference_clip = true})
  options.mode = named(MODES, values.mode or "override", "mode")
  if values.reference_clip then options.reference_clip = clip_of(self.character, values.reference_clip) end
  local mask
  if values.bones or values.mask then
    mask = ffi.new("uint8_t[?]", C.pchr_bone_count(self.character.handle))
    for _, bone in ipairs(values.bones or {}) do
      C.pchr_mask_subtree(self.character.handle, bone_of(self.character, bone), mask)
    end
    if values.mask and not C.pchr_rig_mask(self.rig, values.mask, mask) then
      error('the rig has no mask "' .. tostring(values.mask) .. '"', 2)
    end
    options.mask = mask
  end
  return C.pchr_animator_set_layer(self.handle, layer, options)
end

-- Returns a table about a play, or nil before it starts and after it ends: clip, seconds, speed and weight.
function Animator:get_play(play)
  local out = sized("pchr_play")
  if not C.pchr_animator_get_play(self.handle, play, out) then return nil end
  return {clip = out.clip, seconds = out.seconds, speed = out.speed, weight = out.weight}
end

-- Sets the speed of all plays, fades and queues.
function Animator:set_speed(speed) C.pchr_animator_set_speed(self.handle, speed) end

-- Interpolates between frames if `smooth`.
function Animator:set_smooth(smooth)
  C.pchr_animator_set_sampling(self.handle, smooth and C.PCHR_SMOOTH or C.PCHR_STEP)
end

-- Loads markers from a file, of a file system if one is given. Returns whether it succeeded, and a message if not.
Animator.load_markers = reading(function(self, path, file_system)
  local failure = ffi.new("pchr_error")
  if C.pchr_animator_load_markers(self.handle, path, file_system, failure) then return true end
  return false, ffi.string(failure.message)
end)

-- Replaces the markers by a list of tables with clip, frame and name.
function Animator:set_markers(markers)
  local array = ffi.new("pchr_marker[?]", #markers)
  for i, marker in ipairs(markers) do
    array[i - 1].clip, array[i - 1].frame = clip_of(self.character, marker.clip), marker.frame
    array[i - 1].name = marker.name  -- The strings in `markers` live until the call below.
  end
  return C.pchr_animator_set_markers(self.handle, array, #markers)
end

-- Replaces values of bones after clips are mixed: a list of tables with bone, any of x, y, rotation_degrees, scale_x,
-- scale_y, z_order and visible, and relative and weight.
function Animator:set_overrides(overrides)
  local array = ffi.new("pchr_bone_override[?]", math.max(#overrides, 1))
  for i, values in ipairs(overrides) do
    local out = array[i - 1]
    out.struct_size, out.bone = ffi.sizeof("pchr_bone_override"), bone_of(self.character, values.bone)
    out.relative, out.keep = values.relative or false, 1 - (values.weight or 1)
    for name, flag in pairs(OVERRIDES) do
      if values[name] ~= nil then out[name], out.values = values[name], bit.bor(out.values, flag) end
    end
  end
  return C.pchr_animator_set_overrides(self.handle, array, #overrides)
end

local function set_rig(animator, rig, failure)
  if rig == nil then return false, ffi.string(failure.message) end
  animator.rig = owned(rig, C.pchr_rig_free)
  return C.pchr_animator_set_rig(animator.handle, rig)
end

-- Sets the procedural layers, markers and masks of a file such as hero.rig.json, of a file system if one is given.
-- Returns whether it succeeded, and a message if not.
Animator.load_rig = reading(function(self, path, file_system)
  local failure = ffi.new("pchr_error")
  return set_rig(self, C.pchr_rig_load(self.character.handle, path, file_system, failure), failure)
end)

-- Does so from the text of such a file.
function Animator:load_rig_string(text)
  local failure = ffi.new("pchr_error")
  return set_rig(self, C.pchr_rig_from_memory(self.character.handle, text, #text, failure), failure)
end

-- Sets the world point that an aim or limb of the rig points at or reaches for; without one, its target bone.
function Animator:set_target(name, x, y, weight)
  local target = x and ffi.new("float[2]", x, y) or nil
  if not C.pchr_animator_set_target(self.handle, name, target, weight or 1) then
    error('the rig has no aim or limb "' .. tostring(name) .. '"', 2)
  end
end

local count = ffi.new("uint32_t[1]")

-- Advances and returns everything that happened, in order: a list of tables with kind ("started", "looped",
-- "finished", "marker" or "interrupted"), clip, play, layer, count, seconds, weight and marker.
function Animator:advance(seconds)
  local events = C.pchr_animator_advance(self.handle, seconds, count)
  local list = {}
  for i = 0, count[0] - 1 do
    local event = events[i]
    list[i + 1] = {kind = EVENTS[tonumber(event.kind)], clip = found(event.clip), play = tonumber(event.play),
                   layer = event.layer, count = tonumber(event.count), seconds = event.seconds, weight = event.weight,
                   marker = text_or_nil(event.marker)}
  end
  return list
end

-- Lets the state machines of the loaded rig play the clips: advance() then advances them. Returns whether it succeeded,
-- and a message if not. After another rig, it keeps values of parameters and current states of the same names.
function Animator:play_states()
  local failure = ffi.new("pchr_error")
  if not self.rig then error("call load_rig() or load_rig_string() first", 2) end
  if C.pchr_animator_set_states(self.handle, self.rig, failure) then return true end
  return false, ffi.string(failure.message)
end

-- Removes the state machines. What plays continues.
function Animator:stop_states() C.pchr_animator_set_states(self.handle, nil, nil) end

-- Returns the parameters of the state machines: a list of tables with name, kind ("number", "boolean" or "trigger"),
-- value, min, max and key.
function Animator:parameters()
  local list, out = {}, sized("pchr_parameter")
  while C.pchr_animator_get_parameter(self.handle, #list, out) do
    list[#list + 1] = {name = ffi.string(out.name), kind = PARAMETERS[tonumber(out.kind)], value = out.value,
                       min = out.min, max = out.max, key = ffi.string(out.key)}
  end
  return list
end

-- Returns the number of a parameter, or nil if there is none with that name.
function Animator:find_parameter(name) return found(C.pchr_animator_find_parameter(self.handle, tostring(name))) end

local function parameter_of(animator, value)
  return type(value) == "number" and value or C.pchr_animator_find_parameter(animator.handle, tostring(value))
end

-- Sets a number, which is kept within its range, or a boolean, for the next advance().
function Animator:set_parameter(name, value)
  if type(value) == "boolean" then value = value and 1 or 0 end
  local number = parameter_of(self, name)
  if not C.pchr_animator_set_parameter(self.handle, number, value) then
    error('the state machines have no parameter "' .. tostring(name) .. '"', 2)
  end
end

-- Sets a trigger.
function Animator:fire(trigger)
  local number, out = parameter_of(self, trigger), sized("pchr_parameter")
  if not C.pchr_animator_get_parameter(self.handle, number, out) or out.kind ~= C.PCHR_PARAMETER_TRIGGER then
    error('the state machines have no trigger "' .. tostring(trigger) .. '"', 2)
  end
  C.pchr_animator_set_parameter(self.handle, number, 1)
end

-- Returns the number of a layer with states, or raises an error.
local function state_layer(layer)
  return tonumber(layer or 0) or error('layer is "' .. tostring(layer) .. '", expected a number', CALLER)
end

-- Returns where a layer of the state machines is, or nil if there is no such layer: a table with layer and name, the
-- names of the layer and of its state; phase; and while it fades, from, transition and progress.
function Animator:state(layer)
  local out = sized("pchr_state_status")
  if not C.pchr_animator_get_state(self.handle, state_layer(layer), out) then return nil end
  return {layer = ffi.string(out.layer_name), name = ffi.string(out.name), from = text_or_nil(out.from_name),
          transition = found(out.transition), progress = out.progress, phase = out.phase}
end

-- Enters a state at once, whatever the transitions.
function Animator:enter_state(name, layer, fade_seconds)
  if not C.pchr_animator_enter_state(self.handle, state_layer(layer), tostring(name), fade_seconds or 0) then
    error('the state machines have no state "' .. tostring(name) .. '" in layer ' .. (layer or 0), 2)
  end
end

-- Returns what the state machines did in the last advance(), in order: a list of tables with kind ("left", "entered" or
-- "named"), name (of the state or the event), layer, state and seconds.
function Animator:state_events()
  local events = C.pchr_animator_state_events(self.handle, count)
  local list = {}
  for i = 0, count[0] - 1 do
    local event = events[i]
    list[i + 1] = {kind = STATE_EVENTS[tonumber(event.kind)], name = ffi.string(event.name), layer = event.layer,
                   state = event.state, seconds = event.seconds}
  end
  return list
end

-- Returns values and states as text for a saved game.
function Animator:save_states()
  local size = tonumber(C.pchr_animator_save_states(self.handle, nil, 0))
  local saved = ffi.new("char[?]", size + 1)
  C.pchr_animator_save_states(self.handle, saved, size + 1)
  return ffi.string(saved, size)
end

-- Continues from such a text, without fades that were under way. Returns false if the text is another.
function Animator:restore_states(saved) return C.pchr_animator_restore_states(self.handle, tostring(saved)) end

-- Poses the character as the animator shows it.
function Animator:pose(out)
  if not C.pchr_animator_pose(self.handle, out.handle) then error("the pose belongs to another character", 2) end
end

-- Placement and look ------------------------------------------------------------------------------------------------

local appearance = ffi.new("pchr_appearance")

-- Fills `appearance` from a table; see Stream:add().
local function appear(place)
  C.pchr_appearance_init(appearance, ffi.sizeof(appearance))
  local placed = C.pchr_placement(place.x or 0, place.y or 0, place.rotation or 0, place.scale or 1,
                                  place.flip_x or false)
  if place.y_down then placed.b, placed.d = -placed.b, -placed.d end
  appearance.placement = placed
  set_colors(appearance, place)
  return appearance
end

-- Tells the procedural layers where the character is drawn, which swings its springs, unless it teleports. `place` as in
-- Stream:add().
function Animator:set_placement(place, teleport)
  C.pchr_animator_set_placement(self.handle, appear(place).placement, teleport or false)
end

-- Hit tests ----------------------------------------------------------------------------------------------------------

-- Returns the topmost mesh at a world point, as a table with mesh, bone and alpha, or nil. `place` as in Stream:add().
function Pose:hit_test(x, y, place)
  local character, hit, hit_options = self.character, sized("pchr_hit"), sized("pchr_hit_options")
  if not character.hit_images then
    local failure = ffi.new("pchr_error")
    local images = C.pchr_hit_images_create(character.handle, nil, failure)
    if images == nil then error(ffi.string(failure.message), 2) end
    character.hit_images = ffi.gc(images, C.pchr_hit_images_free)
  end
  hit_options.appearance = appear(place or {})
  hit_options.skin = place and place.skin and place.skin.handle or nil
  if not C.pchr_hit_test(self.handle, character.hit_images, x, y, hit_options, hit) then return nil end
  return {mesh = hit.mesh, bone = hit.bone, alpha = hit.alpha}
end

-- Draw streams -------------------------------------------------------------------------------------------------------

-- Creates an empty stream of triangles.
function pchr.stream()
  return setmetatable({handle = owned(C.pchr_stream_create(0), C.pchr_stream_free)}, Stream)
end

local options = sized("pchr_stream_options")

-- Appends a posed character on top. `place` can have x, y, rotation (degrees counter-clockwise), scale, flip_x, and
-- y_down for worlds whose y axis points down; tint ({r, g, b, a}) and blend ("normal", "add", "multiply" or "screen");
-- skin; and source, your number for whose images to use.
function Stream:add(pose, place)
  place = place or {}
  options.appearance, options.source = appear(place), place.source or 0
  options.skin = place.skin and place.skin.handle or nil
  if not C.pchr_stream_add(self.handle, pose.handle, options) then error("the skin does not fit the pose", 2) end
end

-- Removes everything but keeps the memory.
function Stream:clear() C.pchr_stream_clear(self.handle) end

-- Return a pointer and a count, valid until the stream changes.
function Stream:vertices() return C.pchr_stream_vertices(self.handle, count), count[0] end
function Stream:indices() return C.pchr_stream_indices(self.handle, count), count[0] end
function Stream:commands() return C.pchr_stream_commands(self.handle, count), count[0] end

return pchr
