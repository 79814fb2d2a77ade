#!/bin/sh
# Compiles all sources but the tests for their warnings, which are errors, without writing objects. GCC finds some only
# while it generates code:
#   warnings.sh FOLDER CXX
set -eu
c_compiler=$(echo "$2" | sed 's/clang++/clang/; s/g++/gcc/')
cmake -S . -B "$1" -G Ninja -DCMAKE_CXX_COMPILER="$2" -DCMAKE_C_COMPILER="$c_compiler" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
  -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 -DPCHR_TESTS=OFF -DPCHR_WARNINGS_AS_ERRORS=ON >&2
cmake --build "$1" --target generated_headers pchr_version >&2
jq -r '.[] | "cd \(.directory) && \(.command | sub("-o [^ ]+ -c "; "-O0 -S -o /dev/null "))"' \
  "$1/compile_commands.json" | xargs -d '\n' -P "$(nproc)" -n 1 sh -c
