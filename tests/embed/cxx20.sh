#!/bin/sh
# cxx20.sh INCLUDE_FOLDER COMPILER: compiles the public headers as C++20. An older standard must fail with a message that
# says what to do, and no header may include a header that is slow to compile.
set -eu
cd "$1"
include_all() { find pchr -name '*.hpp' | sed 's/.*/#include <&>/'; }

include_all | "$2" -std=c++20 -Wall -Wextra -Werror -fsyntax-only -I. -x c++ -

if error=$(include_all | "$2" -std=c++17 -fsyntax-only -I. -x c++ - 2>&1); then
  echo "the headers compile as C++17" >&2
  exit 1
fi
echo "$error" | grep -q "need C++20"

if grep -rnE '#include <(filesystem|iostream|regex|chrono|thread|algorithm)>' --include='*.hpp' pchr; then
  echo "these headers are slow to compile" >&2
  exit 1
fi
