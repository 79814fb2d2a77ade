-- SPDX-License-Identifier: MIT
-- Draws characters with LÖVE, whose y axis points down.
--
--   local batch = require("pchr_love").batch()
--   batch:clear()
--   batch:add(pose, {x = 400, y = 500, scale = 2})  -- see Stream:add() in pchr.lua
--   batch:draw()
local ffi = require("ffi")
local pchr = require("pchr")

local Batch = {}
Batch.__index = Batch

-- Files of the game, also of a packed one: pchr.load("hero.pchr", {file_system = pchr_love.files}).
local files = pchr.file_system(love.filesystem.read)

-- The layout of pchr_stream_vertex.
local FORMAT = {{"VertexPosition", "float", 2}, {"VertexTexCoord", "float", 2}, {"VertexColor", "byte", 4}}
local VERTEX_BYTES, INDEX_BYTES = ffi.sizeof("pchr_stream_vertex"), ffi.sizeof("uint32_t")

-- Creates an empty batch: characters that are drawn together, in the order in which they were added.
local function batch()
  return setmetatable({stream = pchr.stream(), source_count = 0, capacity = {vertices = 0, indices = 0},
                       -- Images by character or skin, and by source: as long as the character or skin is in use.
                       owners = setmetatable({}, {__mode = "k"}), sources = setmetatable({}, {__mode = "v"})}, Batch)
end

local function image_of(width, height, fill)
  local data = love.image.newImageData(width, height)
  fill(data:getFFIPointer(), data:getSize())
  return love.graphics.newImage(data, {mipmaps = true})
end

-- Decodes the images of a character and its skin, numbered as in commands of a stream.
local function images_of(character, skin)
  local images, count = {}, 0
  for i, image in character:images() do
    images[i] = image_of(image.width, image.height, function(pointer, size)
      assert(character:decode_image(i, pointer, size))
    end)
    count = i + 1
  end
  while skin do
    local pixels, width, height = skin:image(count)
    if not pixels then break end
    images[count] = image_of(width, height, function(pointer, size) ffi.copy(pointer, pixels, size) end)
    count = count + 1
  end
  return images
end

-- Removes all characters.
function Batch:clear() self.stream:clear() end

-- Appends a posed character on top. Add all images to a skin before it is drawn for the first time.
function Batch:add(pose, place)
  local skin = place and place.skin
  local owner = skin or pose.character
  local images = self.owners[owner]
  if not images then
    images = images_of(pose.character, skin)
    self.source_count = self.source_count + 1
    images.source = self.source_count
    self.owners[owner], self.sources[images.source] = images, images
  end
  local placed = {y_down = true, source = images.source}
  for key, value in pairs(place or {}) do placed[key] = value end
  self.stream:add(pose, placed)
end

-- LÖVE multiplies even where an image is transparent, unless the color there is white.
local MULTIPLY = [[
vec4 effect(vec4 color, Image image, vec2 uv, vec2 position) {
  vec4 pixel = Texel(image, uv) * color;
  return vec4(pixel.rgb + 1.0 - pixel.a, 1.0);
}]]

local function set_blend(self, blend)
  if blend == pchr.C.PCHR_BLEND_MULTIPLY then
    self.multiply = self.multiply or love.graphics.newShader(MULTIPLY)
    love.graphics.setBlendMode("multiply", "premultiplied")
    love.graphics.setShader(self.multiply)
  else
    love.graphics.setBlendMode(blend == pchr.C.PCHR_BLEND_SCREEN and "screen" or "alpha", "premultiplied")
    love.graphics.setShader()
  end
end

-- Returns a capacity for `needed` elements, with room to grow.
local function grown(capacity, needed) return needed > capacity and 2 * needed or capacity end

-- Draws all characters.
function Batch:draw()
  local vertices, vertex_count = self.stream:vertices()
  local indices, index_count = self.stream:indices()
  if index_count == 0 then return end
  local capacity = self.capacity
  if vertex_count > capacity.vertices or index_count > capacity.indices then
    capacity.vertices, capacity.indices = grown(capacity.vertices, vertex_count), grown(capacity.indices, index_count)
    self.vertices = love.data.newByteData(capacity.vertices * VERTEX_BYTES)
    self.indices = love.data.newByteData(capacity.indices * INDEX_BYTES)
    self.mesh = love.graphics.newMesh(FORMAT, capacity.vertices, "triangles", "stream")
  end
  ffi.copy(self.vertices:getFFIPointer(), vertices, vertex_count * VERTEX_BYTES)
  ffi.copy(self.indices:getFFIPointer(), indices, index_count * INDEX_BYTES)
  self.mesh:setVertices(self.vertices, 1, vertex_count)
  self.mesh:setVertexMap(self.indices, "uint32")

  local mode, alpha_mode = love.graphics.getBlendMode()
  local shader = love.graphics.getShader()
  local commands, command_count = self.stream:commands()
  for i = 0, command_count - 1 do
    local command = commands[i]
    set_blend(self, command.blend)
    self.mesh:setTexture(self.sources[command.source][command.image])
    self.mesh:setDrawRange(command.first_index + 1, command.index_count)
    love.graphics.draw(self.mesh)
  end
  love.graphics.setBlendMode(mode, alpha_mode)
  love.graphics.setShader(shader)
end

return {batch = batch, files = files}
