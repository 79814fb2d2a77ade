#!/bin/sh
# with_pkg_config.sh PREFIX LINKAGE FOLDER CXX CC SOURCES CHARACTER: builds the consumers with pkg-config's flags and runs
# them.
set -eu
prefix=$1 linkage=$2 folder=$3 cxx=$4 cc=$5 sources=$6 character=$7
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name pchr.pc)")
export PKG_CONFIG_PATH
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export LD_LIBRARY_PATH
case $linkage in
  static) flags="--cflags --libs --static" ;;
  shared) flags="--cflags --libs" ;;
esac
mkdir -p "$folder"
# shellcheck disable=SC2046,SC2086 # lists of flags
"$cxx" -std=c++20 "$sources/embed/consumer/main.cpp" -o "$folder/consumer" $(pkg-config $flags pchr-render)
"$folder/consumer" "$character"
# shellcheck disable=SC2046,SC2086 # lists of flags
"$cxx" -std=c++20 -fno-exceptions -fno-rtti "$sources/embed/consumer/main.cpp" -o "$folder/without_exceptions" \
  $(pkg-config $flags pchr-render)
"$folder/without_exceptions" "$character"
# shellcheck disable=SC2046,SC2086 # lists of flags
"$cc" -std=c99 "$sources/c/facts.c" -o "$folder/c_consumer" $(pkg-config $flags pchr)
"$folder/c_consumer" "$character" >/dev/null
# shellcheck disable=SC2086 # a list of flags
libraries=$(pkg-config $flags pchr-v1)
case $libraries in
  *import* | *fmt* | *jpeg* | *gif* | *webp*) echo "pchr-v1 links importers: $libraries" && exit 1 ;;
esac
# shellcheck disable=SC2086 # a list of flags
"$cc" -std=c99 -Wl,--gc-sections "$sources/embed/v1.c" -o "$folder/v1" $libraries
"$folder/v1" "$character"
# The line of the cookbook, which is for both kinds of libraries.
line=$(sed -n 's/^cc \(.*pkg-config.*\)$/\1/p' "$sources/../docs/cookbook.md")
[ -n "$line" ]
cp "$sources/c/facts.c" "$folder/hero.c"
cd "$folder"
eval "\"$cc\" $line"
./hero "$character" >/dev/null
