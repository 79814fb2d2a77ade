#!/bin/sh
# Compiles the libraries that programs for other systems contain, statically, from Debian's source packages:
#   libraries.sh SOURCES PREFIX [TOOLCHAIN]
# Without TOOLCHAIN, a CMake toolchain file, for this system. Does nothing if PREFIX is complete.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
packages="libdeflate libjpeg-turbo giflib libwebp fmtlib simdjson glfw3 imgui"
toolchain=${3:+$(realpath "$3")}
# The prefix depends on these. Sources of a new version are fetched to an empty folder.
contents=$(cat "$folder/libraries.sh" "$folder/libraries/CMakeLists.txt" ${toolchain:+"$toolchain"} | cksum)
[ "$(cat "$2/contents" 2>/dev/null)" != "$contents" ] || exit 0
# shellcheck disable=SC2086 # a list of package names
"$folder/debian_sources.sh" "$1" $packages
rm -rf "$2"
cmake -S "$folder/libraries" -B "$2/build" -G Ninja ${toolchain:+"-DCMAKE_TOOLCHAIN_FILE=$toolchain"} \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$2" -DCMAKE_INSTALL_LIBDIR=lib \
  -DSOURCES="$(cd "$1" && pwd)" >&2
cmake --build "$2/build" --target install >&2
rm -rf "$2/build"
echo "$contents" >"$2/contents"
