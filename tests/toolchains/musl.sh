#!/bin/sh
# Makes build/musl/root, with musl and a C++ library for it: LLVM's, built from Debian's sources.
set -eu
cd "$(dirname "$0")/../.."
root=$PWD/build/musl/root
[ ! -e "$root/usr/lib/libc++.a" ] || exit 0
rm -rf build/musl
mkdir -p "$root/usr"
cp -R /usr/lib/x86_64-linux-musl "$root/usr/lib"
cp -R /usr/include/x86_64-linux-musl "$root/usr/include"
cp -R /usr/include/linux /usr/include/asm-generic /usr/include/x86_64-linux-gnu/asm "$root/usr/include"
cmake/debian_sources.sh build/musl llvm-toolchain-19
cmake -S build/musl/llvm-toolchain-19/runtimes -B build/musl/libcxx -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/musl.cmake" -DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY \
  -DCMAKE_INSTALL_PREFIX=/usr -DLLVM_ENABLE_RUNTIMES="libunwind;libcxxabi;libcxx" -DLIBCXX_HAS_MUSL_LIBC=ON \
  -DLIBCXX_ENABLE_SHARED=OFF -DLIBCXXABI_ENABLE_SHARED=OFF -DLIBUNWIND_ENABLE_SHARED=OFF \
  -DLIBCXX_INCLUDE_TESTS=OFF -DLIBCXXABI_INCLUDE_TESTS=OFF -DLIBUNWIND_INCLUDE_TESTS=OFF \
  -DLIBCXX_INCLUDE_BENCHMARKS=OFF >&2
DESTDIR=$root cmake --build build/musl/libcxx --target install >&2
rm -rf build/musl/llvm-toolchain-19 build/musl/libcxx
