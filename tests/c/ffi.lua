-- SPDX-License-Identifier: MIT
-- ffi.lua HEADER LIBRARY LAYOUT: reads pchr.ffi.h as LuaJIT does, compares the layout of structs with what the program
-- LAYOUT prints, finds each function in the shared library, and calls it with NULL, 0 and false for all arguments.
local ffi = require("ffi")
local text = assert(io.open(arg[1])):read("*a")
ffi.cdef(text)
local pchr = ffi.load(arg[2])
assert(pchr.pchr_api_version() == pchr.PCHR_API_VERSION)
assert(pchr.PCHR_NONE == 4294967295)

local lines = 0
for name, member, expected in io.popen(arg[3]):read("*a"):gmatch("(pchr_[%w_]+)%.?([%w_]*) (%d+)") do
  local actual = member == "" and ffi.sizeof(name) or ffi.offsetof(name, member)
  assert(actual == tonumber(expected), name .. " " .. member)
  lines = lines + 1
end
assert(lines > 400, lines)

local function zero(parameter)
  if parameter:find("*", 1, true) or parameter:find("pchr_get_proc_address", 1, true) then
    return nil
  end
  return not parameter:find("^bool ") and 0 or false
end

local functions = 0
for name, parameters in text:gmatch("\n[%w_ ]+[ *]+(pchr_[%w_]+)(%b());") do
  local arguments, count = {}, 0
  if parameters ~= "(void)" then
    for parameter in parameters:sub(2, -2):gsub("%s+", " "):gmatch("[^,]+") do
      count = count + 1
      arguments[count] = zero(parameter:gsub("^ ", ""))
    end
  end
  local ok, result = pcall(pchr[name], unpack(arguments, 1, count))
  assert(ok, name .. ": " .. tostring(result))
  functions = functions + 1
end
assert(functions > 190, functions)
print(functions .. " functions and " .. lines .. " sizes and offsets")
