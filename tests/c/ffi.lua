-- SPDX-License-Identifier: MIT
-- ffi.lua HEADER LIBRARY: reads pchr.ffi.h as LuaJIT does and finds each of its functions in the shared library.
local ffi = require("ffi")
local text = assert(io.open(arg[1])):read("*a")
ffi.cdef(text)
local pchr = ffi.load(arg[2])
assert(pchr.pchr_api_version() == pchr.PCHR_API_VERSION)
assert(pchr.PCHR_NONE == 4294967295)
local functions = 0
for name in text:gmatch("[ *](pchr_[%w_]+)%(") do
  assert(pchr[name], name)
  functions = functions + 1
end
assert(functions > 60, functions)
print(functions .. " functions")
