rockspec_format = "3.0"
package = "pchr"
version = "@version@-1"
source = {url = "@url:source@", dir = "@folder:source@"}
description = {summary = "@description@", homepage = "@homepage@", license = "MIT"}
-- LuaJIT.
dependencies = {"lua == 5.1"}
build = {
  type = "command",
  build_command = "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DPCHR_EXPORT=OFF -DPCHR_TOOLS=OFF "
    .. "-DPCHR_PLAYER=OFF -DPCHR_TESTS=OFF && cmake --build build --parallel 4 --target pchr_c_shared",
  install_command = "cmake -E copy bindings/lua/pchr.lua bindings/lua/pchr_love.lua build/runtime/include/pchr.ffi.h "
    .. "'$(LUADIR)' && cmake -E copy build/runtime/libpchr_c.so '$(LIBDIR)'",
}
