#!/bin/sh
# Builds the libraries and the tool with cmake/NAME.cmake, whose programs run on this system, and runs their tests except
# those that render and those that replace functions of glibc: run.sh NAME, musl or x86.
set -eu
cd "$(dirname "$0")/../.."
except=
if [ "$1" = musl ]; then
  tests/toolchains/musl.sh
  # Its sines differ from those of glibc in the last bit, and its iconv reads some invalid bytes as characters.
  except="samples of other formats have the same|invalid bytes are replaced|any bytes become|has exactly its diagnostic"
fi
toolchain=$PWD/cmake/$1.cmake
cmake/libraries.sh build/sources "build/$1/libraries" "$toolchain"
cmake -S . -B "build/$1/pchr" -G Ninja -DCMAKE_TOOLCHAIN_FILE="$toolchain" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CXX_FLAGS_RELEASE=-O1 -DCMAKE_UNITY_BUILD=ON -DPCHR_C_SHARED=OFF -DPCHR_PLAYER=OFF \
  -DPCHR_INSTALL=OFF >&2
tests="runtime_tests thread_tests memory_tests c_tests"
# shellcheck disable=SC2086 # a list of targets
cmake --build "build/$1/pchr" --target pchr c_everything $tests >&2
ctest --test-dir "build/$1/pchr" --output-on-failure --no-tests=error -j "$(nproc)" \
  -R "^($(echo "$tests" | tr ' ' '|'))" ${except:+-E "$except"}
"build/$1/pchr/tools/pchr" validate assets/kiri.pchr assets/tako/tako.skel assets/konpei/konpei.chp
