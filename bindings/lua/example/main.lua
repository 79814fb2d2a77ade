-- SPDX-License-Identifier: MIT
-- Walks, jumps (space) and waves (w) with LÖVE.
--
--   love example [SCREENSHOT.png]
--
-- Draws hero.pchr of this folder, with hero.rig.json if it is there. With a screenshot, draws one second and quits. Copy
-- pchr.lua, pchr_love.lua, pchr.ffi.h and the library next to this file.
local pchr = require("pchr")
local pchr_love = require("pchr_love")

local animator, pose, batch, screenshot, scale, ground
local steps, elapsed = 0, 0

function love.load(arguments)
  local hero = assert(pchr.load("hero.pchr", {file_system = pchr_love.files}))
  screenshot = arguments[1]
  animator, pose, batch = hero:animator(), hero:pose(), pchr_love.batch()
  animator:set_smooth(true)
  if love.filesystem.getInfo("hero.rig.json") then assert(animator:load_rig("hero.rig.json", pchr_love.files)) end
  animator:set_markers({{clip = "walk", frame = 0, name = "step"}})
  animator:set_layer(1, {bones = {"chest"}})
  animator:play("walk")
  local _, bottom, _, top = hero:clip_bounds("walk")
  scale = 300 / (top - bottom)
  ground = 350 + bottom * scale
end

function love.keypressed(key)
  if key == "space" then
    animator:play("jump", {fade_seconds = 0.1, loop = "once"})
    animator:queue("walk", {fade_seconds = 0.2})
  elseif key == "w" then
    animator:play("wave", {layer = 1, fade_seconds = 0.2, loop = "once"})
  end
end

function love.update(dt)
  if screenshot then dt = 1 / 60 end
  elapsed = elapsed + dt
  for _, event in ipairs(animator:advance(dt)) do
    if event.marker == "step" then steps = steps + 1 end
    if event.kind == "finished" and event.layer == 1 then animator:stop(1, 0.2) end
  end
  animator:pose(pose)
  batch:clear()
  batch:add(pose, {x = 200, y = ground, scale = scale})
  batch:add(pose, {x = 440, y = ground, scale = scale, flip_x = true, tint = {0.6, 0.8, 1, 1}})
end

function love.draw()
  love.graphics.clear(0.96, 0.94, 0.92)
  batch:draw()
  love.graphics.setColor(0, 0, 0)
  love.graphics.print(steps .. " steps")
  love.graphics.setColor(1, 1, 1)
  if screenshot and elapsed > 1 then
    love.graphics.captureScreenshot(function(image)
      local file = assert(io.open(screenshot, "wb"))
      file:write(image:encode("png"):getString())
      file:close()
      love.event.quit()
    end)
  end
end
