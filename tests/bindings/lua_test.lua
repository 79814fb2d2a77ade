-- SPDX-License-Identifier: MIT
-- lua_test.lua CHARACTER README FACTS RIG: uses pchr.lua as a program would. FACTS is tests/c/facts.c.
local pchr = require("pchr")
local ffi = require("ffi")
local path = arg[1]
local C = pchr.C

local tests = {}
local function test(name, body) tests[#tests + 1] = {name = name, body = body} end
local function equal(actual, expected)
  if actual ~= expected then error(tostring(actual) .. " instead of " .. tostring(expected), 2) end
end
local function near(actual, expected, tolerance)
  if not (math.abs(actual - expected) <= tolerance) then error(actual .. " instead of " .. expected, 2) end
end
local function fails(text, body, ...)
  local done, message = pcall(body, ...)
  if done or not message:find(text, 1, true) then error(tostring(message) .. ' instead of "' .. text .. '"', 2) end
end
local function read(file)
  local opened = assert(io.open(file, "rb"))
  local bytes = opened:read("*a")
  opened:close()
  return bytes
end

local lines
local function print_line(format, ...) lines[#lines + 1] = format:format(...) end
local function milli(...)
  local numbers = {...}
  for i, value in ipairs(numbers) do
    numbers[i] = ("%d"):format(value < 0 and math.ceil(value * 1000 - 0.5) or math.floor(value * 1000 + 0.5))
  end
  return table.concat(numbers, " ")
end
local function sum_of(pointer, size)
  local bytes, sum = ffi.cast("const uint8_t*", pointer), 0
  for i = 0, size - 1 do sum = (sum * 31 + bytes[i]) % 65521 end
  return sum
end
local function print_pose(pose, bone)
  local b, w = pose:bone(bone), pose:world(bone)
  print_line("bone at %s, %s degrees, scale %s, opacity %s, order %d, visible %d", milli(b.x, b.y),
             milli(b.rotation_degrees), milli(b.scale_x, b.scale_y), milli(b.opacity), b.z_order, b.visible and 1 or 0)
  print_line("world %s, within %s", milli(w.a, w.b, w.c, w.d, w.tx, w.ty), milli(pose:bounds()))
end
local function print_stream(stream)
  local vertices, vertex_count = stream:vertices()
  local indices, index_count = stream:indices()
  print_line("stream of %d vertices, sum %d, and %d indices, sum %d", vertex_count, sum_of(vertices, vertex_count * 20),
             index_count, sum_of(indices, index_count * 4))
  local commands, count = stream:commands()
  for i = 0, count - 1 do
    local c = commands[i]
    print_line("command: source %d, image %d, indices %d+%d, blend %d", c.source, c.image, c.first_index, c.index_count,
               c.blend)
  end
  stream:clear()
end
local function print_hit(what, hit)
  print_line(hit and "%s: mesh %d, bone %d, alpha %d" or "%s: nothing", what, hit and hit.mesh, hit and hit.bone,
             hit and hit.alpha)
end
local function print_events(animator, seconds)
  for _, e in ipairs(animator:advance(seconds)) do
    print_line("%s: layer %d, play %d, clip %d, marker %s, at %s, times %d, weight %s", e.kind, e.layer, e.play, e.clip,
               e.marker or "-", milli(e.seconds), e.count, milli(e.weight))
  end
end

local function print_parts(hero)
  for i, name in hero:bones() do print_line("bone %s of %d", name, hero:parent(i) or -1) end
  for i, clip in hero:clips() do
    print_line("clip %s: %d frames, %s per second, %s s, loop %d from %d, within %s", clip.name, clip.frame_count,
               milli(clip.frames_per_second), milli(clip.duration_seconds), clip.looping and 1 or 0, clip.loop_start,
               milli(hero:clip_bounds(i)))
  end
  local mesh = ffi.new("pchr_mesh")
  for i = 0, C.pchr_mesh_count(hero.handle) - 1 do
    C.pchr_get_mesh(hero.handle, i, mesh)
    equal(hero:find_mesh(ffi.string(mesh.name)), i)
    print_line("mesh %s: image %d, vertices %d+%d, indices %d+%d, bone %d", ffi.string(mesh.name), mesh.image,
               mesh.first_vertex, mesh.vertex_count, mesh.first_index, mesh.index_count, mesh.governing_bone)
  end
  for i, image in hero:images() do
    local size = image.width * image.height * 4
    local pixels = ffi.new("uint8_t[?]", size)
    assert(hero:decode_image(i, pixels, size))
    equal(hero:decode_image(i, pixels, size - 1), false)
    print_line("image %s: %d x %d, sum %d", image.name, image.width, image.height, sum_of(pixels, size))
  end
  local count = ffi.new("uint32_t[2]")
  local vertices, indices = C.pchr_vertices(hero.handle, count), C.pchr_indices(hero.handle, count + 1)
  print_line("%d vertices, sum %d, %d indices, sum %d, %d warnings", count[0], sum_of(vertices, count[0] * 40),
             count[1], sum_of(indices, count[1] * 2), #hero:warnings())
end

local function print_poses(hero, pose, stream)
  print_pose(pose, "head")
  pose:clip("walk", 0.3)
  print_pose(pose, "head")
  pose:clip("walk", 0.31, true)
  print_pose(pose, "head")
  stream:add(pose, {x = 100, y = -50, rotation = 30, scale = 2, flip_x = true, tint = {1, 0.5, 0.25, 0.5},
                    blend = "multiply", source = 7})
  local state = pose:bone("head")
  state.rotation_degrees = pose:rotation_towards("head", 1000, 300)
  state.opacity = 0.5
  pose:set_bone("head", state)
  pose:update()
  print_pose(pose, "head")
  stream:add(pose)
  print_stream(stream)
end

local function print_skins(hero, pose, stream)
  pose:bind()
  local x, y = pose:world("head").tx, pose:world("head").ty + 10
  print_hit("head", pose:hit_test(x, y))
  print_hit("beside it", pose:hit_test(x + 500, y))
  print_hit("placed there", pose:hit_test(x + 500, y, {x = 500}))
  local skin = hero:skin("red")
  local red = skin:add_image(ffi.new("uint8_t[4]", 255, 0, 0, 255), 1, 1)
  local pixels, width, height = skin:image(red)
  equal(pixels[0] + width + height, 257)
  skin:set(pose:hit_test(x, y).mesh, {image = red, tint = {1, 1, 1, 0.5}, blend = "screen"})
  stream:add(pose, {skin = skin})
  print_stream(stream)
  for i = 0, C.pchr_mesh_count(hero.handle) - 1 do skin:set(i, {visible = false}) end
  print_hit("hidden", pose:hit_test(x, y, {skin = skin}))
end

local function print_animation(hero, pose, stream)
  local animator = hero:animator()
  animator:set_markers({{clip = "walk", frame = 4, name = "left"}, {clip = "walk", frame = 16, name = "right"}})
  animator:set_smooth(true)
  C.pchr_animator_set_root_motion(animator.handle, hero:find_bone("hips"), true, true)
  animator:set_layer(1, {bones = {"chest"}, weight = 0.75})
  animator:set_layer(2, {mode = "additive", reference_clip = "walk", reference_frame = 3, weight = 0.5})
  animator:play("wave", {layer = 1})
  animator:play("walk", {layer = 2, start_seconds = 0.5})
  animator:play("walk")
  local jump = animator:play("jump", {fade_seconds = 0.25, loop = "once"})
  local last = animator:queue("walk", {fade_seconds = 0.25, loop = "loop", speed = 1.5})
  for step = 0, 5 do
    print_events(animator, 0.4)
    if step == 0 then
      equal(animator:get_play(jump).clip, hero:find_clip("jump"))
      equal(animator:get_play(last + 1), nil)
      print_line("seek %d %d %d", C.pchr_animator_seek_play(animator.handle, jump, 0.1) and 1 or 0,
                 C.pchr_animator_set_play_speed(animator.handle, jump, 2) and 1 or 0,
                 C.pchr_animator_seek_play(animator.handle, last + 1, 0) and 1 or 0)
    end
    animator:set_overrides(step == 4 and {{bone = "head", rotation_degrees = 30, scale_x = 1.25, weight = 0.5}} or {})
    animator:pose(pose)
    print_pose(pose, "head")
    stream:add(pose)
    print_stream(stream)
  end
  local moved = ffi.new("float[2]")
  C.pchr_animator_take_root_motion(animator.handle, moved, moved + 1)
  print_line("moved %s", milli(moved[0], moved[1]))
  animator:stop(1)
  animator:queue_stop(0, 0.1)
  animator:set_speed(-1)
  print_events(animator, 0.01)
end

local function print_rig(hero, pose, file)
  local animator = hero:animator()
  assert(animator:load_rig(file))
  animator:set_layer(1, {mask = "arm"})
  animator:set_target("look", 1000, 300)
  animator:play("walk")
  animator:play("wave", {layer = 1})
  for step = 0, 9 do
    animator:set_placement({x = 20 * step})
    print_events(animator, 1 / 60)
    animator:pose(pose)
  end
  print_pose(pose, "head")
  print_pose(pose, "tail_1")
  print_pose(pose, "near_upper_arm")
end

local function print_states(animator)
  for _, e in ipairs(animator:state_events()) do
    print_line("%s %s: layer %d, state %d, at %s", e.kind, e.name, e.layer, e.state, milli(e.seconds))
  end
  local layer = 0
  while animator:state(layer) do
    local s = animator:state(layer)
    print_line("%s: %s, %s of %d from %s, phase %s", s.layer, s.name, milli(s.progress), s.transition or -1,
               s.from or "-", milli(s.phase))
    layer = layer + 1
  end
  for _, p in ipairs(animator:parameters()) do print_line("%s is %s", p.name, milli(p.value)) end
end

local function print_machine(hero, pose, file)
  local animator = hero:animator()
  fails("call load_rig() or load_rig_string() first", animator.play_states, animator)
  assert(animator:load_rig(file))
  assert(animator:play_states())
  print_line("%d layers", C.pchr_animator_state_layer_count(animator.handle))
  for _, p in ipairs(animator:parameters()) do
    print_line("%s %s: %s from %s to %s, key %s", p.kind, p.name, milli(p.value), milli(p.min), milli(p.max), p.key)
  end
  for step = 0, 9 do
    if step == 1 then animator:set_parameter("speed", 0.25) end
    if step == 3 then animator:set_parameter("wînkt", true) end
    if step == 4 then animator:set_parameter("speed", 7) end
    if step == 5 then animator:fire("jump") end
    print_events(animator, 0.3)
    print_states(animator)
    animator:pose(pose)
    print_pose(pose, "head")
    print_pose(pose, "near_forearm")
  end
  animator:enter_state("jump", 0, 0.1)
  fails('no state "fly"', animator.enter_state, animator, "fly")
  for _, name in ipairs({"fly", "speed", 99}) do
    fails(('no trigger "%s"'):format(name), animator.fire, animator, name)
  end
  fails('layer is "arms", expected a number', animator.state, animator, "arms")
  fails('no parameter "fly"', animator.set_parameter, animator, "fly", 1)
  print_line("enter 1 0")
  print_events(animator, 0.7)
  print_states(animator)
  local saved = animator:save_states()
  print_line("saved %d, sum %d", #saved, sum_of(saved, #saved))
  print_events(animator, 0.7)
  for _, text in ipairs({"nothing", "", 7}) do equal(animator:restore_states(text), false) end
  print_line("restore 0 %d", animator:restore_states(saved) and 1 or 0)
  print_events(animator, 0.3)
  print_states(animator)
  animator:stop_states()
  print_line("%d layers", C.pchr_animator_state_layer_count(animator.handle))
end

test("the binding shows what C shows", function()
  lines = {}
  local hero = assert(pchr.load(path))
  local pose, stream = hero:pose(), pchr.stream()
  print_parts(hero)
  print_poses(hero, pose, stream)
  print_skins(hero, pose, stream)
  print_animation(hero, pose, stream)
  print_rig(hero, pose, arg[4])
  print_machine(hero, pose, arg[4])
  for _, result in ipairs({{pchr.load("nowhere.pchr")}, {pchr.load_string("PCHR")}}) do
    print_line("%s %s", result[3], result[2])
  end
  local number = 0
  for line in assert(io.popen(arg[3] .. " " .. path .. " " .. arg[4])):lines() do
    number = number + 1
    equal(lines[number], line)
  end
  equal(#lines, number)
end)

test("a file that does not load gives nil, a message, a code, a path and a hint", function()
  local hero, message, code, place, hint = pchr.load("no/such/file.pchr")
  equal(hero, nil)
  assert(message:find("no/such/file.pchr: error", 1, true))
  assert(code:find("^E%d%d%d$") and place == "" and #hint > 0)
  equal(pchr.load_string("nonsense"), nil)
  equal(pchr.load(path, {max_file_bytes = 10}), nil)
end)

test("a saved character loads from memory", function()
  local hero = assert(pchr.load(path))
  local files = assert(hero:save("v1", "hero"))
  local again = assert(pchr.load_string(files["hero.pchr"]))
  equal(again:clip("walk").frame_count, hero:clip("walk").frame_count)
  fails('format "gif" does not exist', hero.save, hero, "gif", "hero")
end)

test("streams can have y pointing down", function()
  local hero = assert(pchr.load(path))
  local pose, stream = hero:pose(), pchr.stream()
  local _, min_y, _, max_y = pose:bounds()
  stream:add(pose, {x = 100, y = 50, scale = 2, y_down = true})
  local vertices, count = stream:vertices()
  local low, high = math.huge, -math.huge
  for i = 0, count - 1 do low, high = math.min(low, vertices[i].y), math.max(high, vertices[i].y) end
  near(low, 50 - 2 * max_y, 0.01)
  near(high, 50 - 2 * min_y, 0.01)
end)

test("files are read by a function of the program, and a rig from a string", function()
  local asked, rig = {}, read(path:gsub("%.pchr$", ".rig.json"))
  local files = pchr.file_system(function(name)
    asked[#asked + 1] = name
    if name == "pack/hero.pchr" then return read(path) end
    if name == "pack/hero.rig.json" then return rig end
    if name == "broken" then error("the pack is broken") end
    return nil, "the pack has no such file"
  end)
  local hero = assert(pchr.load("pack/hero.pchr", {file_system = files}))
  assert(hero:find_clip("walk"))
  equal(asked[1], "pack/hero.pchr")
  local animator = hero:animator()
  assert(animator:load_rig("pack/hero.rig.json", files))
  assert(animator:load_markers("pack/hero.rig.json", files))
  assert(animator:play_states())
  animator:set_parameter(animator:find_parameter("speed"), 1)
  animator:fire(animator:find_parameter("jump"))
  fails('no trigger "0"', animator.fire, animator, animator:find_parameter("speed"))
  equal(animator:find_parameter("fly"), nil)
  assert(select(2, pchr.load("hero.pchr", {file_system = files})):find("the pack has no such file", 1, true))
  assert(select(2, pchr.load("broken", {file_system = files})):find("the pack is broken", 1, true))
  assert(select(2, animator:load_rig("nothing", files)):find("the pack has no such file", 1, true))

  local another = hero:animator()
  assert(another:load_rig_string(rig))
  assert(another:play_states())
  equal(#another:parameters(), #animator:parameters())
  local done, message = another:load_rig_string("{")
  equal(done, false)
  assert(message:find("E107", 1, true))
  -- Often enough to be compiled.
  for _ = 1, 200 do assert(another:load_rig("pack/hero.rig.json", files)) end
end)

test("mistakes raise errors at the caller", function()
  local hero, other = assert(pchr.load(path)), assert(pchr.load(path))
  local animator = hero:animator()
  fails("lua_test.lua", function() animator:play("fly") end)
  fails("the character has no clip fly", animator.play, animator, "fly")
  fails("the character has no clip 99", animator.play, animator, 99)
  fails('loop "sometimes" does not exist', animator.play, animator, "walk", {loop = "sometimes"})
  fails("the pose belongs to another character", animator.pose, animator, other:pose())
  fails('no aim or limb "listen"', animator.set_target, animator, "listen")
  fails('no mask "leg"', animator.set_layer, animator, 1, {mask = "leg"})
  equal(animator:load_rig("no/such/rig.json"), false)
end)

test("handles can be collected in any order", function()
  for _ = 1, 50 do
    local hero = assert(pchr.load(path))
    local animator, pose = hero:animator(), hero:pose()
    hero = nil
    collectgarbage()
    animator:play("walk")
    animator:advance(0.5)
    animator:pose(pose)
  end
  collectgarbage()
end)

test("the program of the readme runs", function()
  local code = read(arg[2]):match("```lua\n(.-)```"):gsub('"hero.pchr"', ("%q"):format(path), 1)
    :gsub('"hero.rig.json"', ("%q"):format(path:gsub("%.pchr$", ".rig.json")), 1)
  local lines = {}
  local function print(...) lines[#lines + 1] = table.concat({...}, " ") end
  local environment = setmetatable({print = print}, {__index = _G})
  setfenv(assert(loadstring(code)), environment)()
  assert(lines[1]:find("started", 1, true))
  assert(tonumber(lines[#lines]:match("^%d+")) > 1000)
end)

local failed = 0
for _, case in ipairs(tests) do
  local done, message = xpcall(case.body, debug.traceback)
  if not done then
    failed = failed + 1
    print(case.name .. ": " .. message)
  end
end
print(#tests - failed .. " passed, " .. failed .. " failed")
os.exit(failed == 0 and 0 or 1)
