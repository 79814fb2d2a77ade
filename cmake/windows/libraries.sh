#!/bin/sh
# Compiles the libraries that pchr needs on Windows, from Debian's source packages, and installs them with the headers
# of others: libraries.sh SOURCES PREFIX. Does nothing if PREFIX is complete.
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
packages="zlib libjpeg-turbo giflib libwebp fmtlib simdjson glfw3 imgui"
# The prefix depends on these. Sources of a new version are fetched to an empty folder.
contents=$(cat "$folder"/libraries.sh "$folder"/libraries/* "$folder"/toolchain.cmake | cksum)
[ "$(cat "$2/contents" 2>/dev/null)" != "$contents" ] || exit 0
# shellcheck disable=SC2086 # a list of package names
"$folder/../debian_sources.sh" "$1" $packages
rm -rf "$2"
cmake -S "$folder/libraries" -B "$2/build" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$folder/toolchain.cmake" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$2" -DSOURCES="$(cd "$1" && pwd)" >&2
cmake --build "$2/build" --target install >&2
rm -rf "$2/build"
echo "$contents" >"$2/contents"
