-- SPDX-License-Identifier: MIT
-- lua_test.lua CHARACTER README: uses pchr.lua as a program would.
local pchr = require("pchr")
local ffi = require("ffi")
local path = arg[1]

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

test("a character lists its parts", function()
  local hero = assert(pchr.load(path))
  local names = {}
  for i, clip in hero:clips() do
    names[clip.name] = i
    assert(clip.duration_seconds > 0)
  end
  equal(names.walk, hero:find_clip("walk"))
  equal(hero:find_clip("fly"), nil)
  local bones = 0
  for i, name in hero:bones() do
    equal(hero:find_bone(name), i)
    local parent = hero:parent(i)
    assert(parent == nil or parent < i)
    bones = bones + 1
  end
  assert(bones > 10)
  for i, image in hero:images() do
    local size = image.width * image.height * 4
    local pixels = ffi.new("uint8_t[?]", size)
    assert(hero:decode_image(i, pixels, size))
    equal(hero:decode_image(i, pixels, size - 1), false)
  end
  equal(#hero:warnings(), 0)
end)

test("a file that does not load gives nil, a message and a code", function()
  local hero, message, code = pchr.load("no/such/file.pchr")
  equal(hero, nil)
  assert(message:find("no/such/file.pchr: error", 1, true))
  assert(code:find("^E%d%d%d$"))
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

test("events come in order", function()
  local hero = assert(pchr.load_string(read(path)))
  local animator = hero:animator()
  assert(animator:set_markers({{clip = "walk", frame = 3, name = "step"},
                               {clip = "jump", frame = 1, name = "takeoff"}}))
  local walk = animator:play("walk")
  local jump = animator:play("jump", {loop = "once"})
  local queued = animator:queue("walk")
  local seen = {}
  for _, event in ipairs(animator:advance(hero:clip("jump").duration_seconds + 0.5)) do
    seen[#seen + 1] = event.kind .. " " .. event.play .. (event.marker and " " .. event.marker or "")
    equal(event.clip, event.play == jump and hero:find_clip("jump") or hero:find_clip("walk"))
  end
  equal(table.concat(seen, ", "),
        ("started %d, interrupted %d, started %d, marker %d takeoff, finished %d, started %d, marker %d step")
          :format(walk, walk, jump, jump, jump, queued, queued))
  equal(animator:get_play(jump), nil)
  equal(animator:get_play(queued).clip, hero:find_clip("walk"))
end)

test("layers, overrides and poses change bones", function()
  local hero = assert(pchr.load(path))
  local animator, pose, bind = hero:animator(), hero:pose(), hero:pose()
  local head = hero:find_bone("head")
  animator:set_layer(1, {bones = {"chest"}, weight = 0.5})
  animator:set_layer(2, {mode = "additive", reference_clip = "walk", reference_frame = 3})
  animator:play("wave", {layer = 1})
  animator:advance(1)
  animator:pose(pose)
  equal(pose:bone(0).rotation_degrees, bind:bone(0).rotation_degrees)
  assert(pose:bone(head).rotation_degrees ~= bind:bone(head).rotation_degrees)
  animator:set_overrides({{bone = "head", rotation_degrees = 30, weight = 1}})
  animator:pose(pose)
  equal(pose:bone(head).rotation_degrees, 30)
  local state = pose:bone(head)
  state.rotation_degrees = pose:rotation_towards("head", 1000, 0)
  pose:set_bone(head, state)
  pose:update()
  local world = pose:world("head")
  near(math.atan2(world.d, world.c), math.atan2(0 - world.ty, 1000 - world.tx), 1e-4)
end)

test("rigs move bones after the clips", function()
  local hero = assert(pchr.load(path))
  local animator, pose = hero:animator(), hero:pose()
  local file = os.tmpname()
  local out = assert(io.open(file, "w"))
  out:write('{"aim": [{"name": "look", "bone": "head"}], "springs": [{"bones": "tail_1"}],',
            ' "markers": [{"clip": "walk", "frame": 0, "name": "start"}]}')
  out:close()
  assert(animator:load_rig(file))
  os.remove(file)
  equal(animator:load_rig(file), false)
  animator:set_target("look", 1000, 300)
  animator:advance(1 / 60)
  animator:pose(pose)
  local world = pose:world("head")
  near(math.atan2(world.d, world.c), math.atan2(300 - world.ty, 1000 - world.tx), 1e-3)
  local still = pose:bone("tail_1").rotation_degrees
  for step = 1, 10 do
    animator:set_placement({x = 20 * step})
    animator:advance(1 / 60)
    animator:pose(pose)
  end
  assert(math.abs(pose:bone("tail_1").rotation_degrees - still) > 1)
  fails('no aim or limb "listen"', animator.set_target, animator, "listen")
end)

test("a stream has triangles within the bounds of the pose", function()
  local hero = assert(pchr.load(path))
  local pose, stream = hero:pose(), pchr.stream()
  pose:clip("walk", 0.25, true)
  local min_x, min_y, max_x, max_y = pose:bounds()
  stream:add(pose, {x = 100, y = 50, scale = 2, y_down = true, source = 7})
  local vertices, vertex_count = stream:vertices()
  local low, high = math.huge, -math.huge
  for i = 0, vertex_count - 1 do
    low, high = math.min(low, vertices[i].y), math.max(high, vertices[i].y)
    assert(vertices[i].x >= 100 + 2 * min_x - 0.01 and vertices[i].x <= 100 + 2 * max_x + 0.01)
  end
  near(low, 50 - 2 * max_y, 0.01)
  near(high, 50 - 2 * min_y, 0.01)
  local indices, index_count = stream:indices()
  for i = 0, index_count - 1 do assert(indices[i] < vertex_count) end
  local commands, command_count = stream:commands()
  assert(command_count > 0)
  equal(commands[0].source, 7)
  stream:clear()
  equal(select(2, stream:vertices()), 0)
end)

test("skins hide and replace what is drawn and hit", function()
  local hero = assert(pchr.load(path))
  local pose, stream, skin = hero:pose(), pchr.stream(), hero:skin("red")
  local world = pose:world("head")
  local x, y = world.tx, world.ty + 10
  local hit = assert(pose:hit_test(x, y))
  assert(hit.alpha >= 128)
  equal(pose:hit_test(x + 500, y), nil)
  equal(pose:hit_test(x + 500, y, {x = 500}).mesh, hit.mesh)
  local red = skin:add_image(ffi.new("uint8_t[4]", 255, 0, 0, 255), 1, 1)
  local pixels, width, height = skin:image(red)
  equal(pixels[0] + width + height, 257)
  skin:set(hit.mesh, {image = red, tint = {1, 1, 1, 0.5}, blend = "screen"})
  stream:add(pose, {skin = skin})
  local commands, count = stream:commands()
  local used = false
  for i = 0, count - 1 do used = used or commands[i].image == red and commands[i].blend == pchr.C.PCHR_BLEND_SCREEN end
  assert(used)
  for i = 0, pchr.C.pchr_mesh_count(hero.handle) - 1 do skin:set(i, {visible = false}) end
  equal(pose:hit_test(x, y, {skin = skin}), nil)
end)

test("mistakes raise errors at the caller", function()
  local hero, other = assert(pchr.load(path)), assert(pchr.load(path))
  local animator = hero:animator()
  fails("lua_test.lua", function() animator:play("fly") end)
  fails("the character has no clip fly", animator.play, animator, "fly")
  fails("the character has no clip 99", animator.play, animator, 99)
  fails('loop "sometimes" does not exist', animator.play, animator, "walk", {loop = "sometimes"})
  fails("the pose belongs to another character", animator.pose, animator, other:pose())
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
