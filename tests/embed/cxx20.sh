#!/bin/sh
# cxx20.sh INCLUDE_FOLDER COMPILER: compiles the public headers as C++20, with the oldest compilers that they support,
# too, where these are installed. An older standard must fail with a message that says what to do, and no header may
# reach a standard header that is slow to compile, not even through others.
set -eu
cd "$1"
include_all() { find pchr -name '*.hpp' | sed 's/.*/#include <&>/'; }

for compiler in "$2" g++-11 clang++-16; do
  command -v "$compiler" >/dev/null || continue
  include_all | "$compiler" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I. -x c++ -
done

if error=$(include_all | "$2" -std=c++17 -fsyntax-only -I. -x c++ - 2>&1); then
  echo "the headers compile as C++17" >&2
  exit 1
fi
echo "$error" | grep -q "need C++20"

slow='algorithm|chrono|filesystem|fstream|functional|future|iostream|locale|map|mutex|random|ranges|regex|set|sstream|thread'
if include_all | "$2" -std=c++20 -M -I. -x c++ - | tr ' ' '\n' | grep -E "/($slow|unordered_map)\$"; then
  echo "the headers include these, which are slow to compile" >&2
  exit 1
fi
