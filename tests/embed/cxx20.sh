#!/bin/sh
# cxx20.sh INCLUDE_FOLDER COMPILER [FLAG...]: compiles the public headers as C++20, with the oldest compilers that they support,
# too, where these are installed. Also compiles them after the macros of <windows.h>. An older standard must fail with a message that says what to do, and no header may
# reach a standard header that is slow to compile, not even through others.
set -eu
cd "$1"
own=$2
shift 2
include_all() { find pchr -name '*.hpp' | sed 's/.*/#include <&>/'; }
# The macros come after other headers, which they would break.
include_after_windows() {
  grep -rh --include='*.hpp' '^#include <' pchr pchr.h | grep -v '<pchr' | sort -u
  for macro in 'min(a, b) ((a) < (b) ? (a) : (b))' 'max(a, b) ((a) > (b) ? (a) : (b))' near far small interface \
    'IN' 'OUT' 'CONST const' 'ERROR 0' 'DELETE 1' 'OPAQUE 2' 'TRANSPARENT 1' 'DrawText DrawTextW' 'LoadImage LoadImageW' \
    'GetObject GetObjectW'; do
    echo "#define $macro"
  done
  include_all
  echo '#include <pchr.h>'
}

for compiler in "$own" g++-11 clang++-16; do
  command -v "$compiler" >/dev/null || continue
  include_all | "$compiler" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I. "$@" -x c++ -
done
include_after_windows | "$own" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I. "$@" -x c++ -

if error=$(include_all | "$own" -std=c++17 -fsyntax-only -I. "$@" -x c++ - 2>&1); then
  echo "the headers compile as C++17" >&2
  exit 1
fi
echo "$error" | grep -q "need C++20"

slow='algorithm|chrono|filesystem|fstream|functional|future|iostream|locale|map|mutex|random|ranges|regex|set|sstream|thread'
if include_all | "$own" -std=c++20 -M -I. "$@" -x c++ - | tr ' ' '\n' | grep -E "/($slow|unordered_map)\$"; then
  echo "the headers include these, which are slow to compile" >&2
  exit 1
fi
