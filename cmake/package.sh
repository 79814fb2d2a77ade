#!/bin/sh
# Makes packages in build/packages: package.sh [KIND...], with the kinds source, deb, tar, zip, npm, blender, godot,
# wheel, nuget, unity and manifests (default: all; godot only after ./dev godot). The last four are made from those before
# them. SHA256SUMS and pchr-VERSION.spdx.json describe those that are there.
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^project(pchr VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
output=build/packages
commit=$(git rev-parse HEAD 2>/dev/null || true)
# The SPDX document names one commit.
[ "$(cat build/packages.commit 2>/dev/null)" = "$commit" ] || rm -rf "$output"
mkdir -p "$output"
echo "$commit" >build/packages.commit
# Files are as old as the commit, so that the same sources give the same packages.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y CMakeLists.txt)}
export SOURCE_DATE_EPOCH

# configure FOLDER OPTION...
configure() {
  folder=$1
  shift
  cmake -S . -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 \
    -DCMAKE_C_FLAGS_RELEASE="-O2 -DNDEBUG -ffile-prefix-map=$PWD=." \
    -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG -ffile-prefix-map=$PWD=." \
    -DCMAKE_SKIP_INSTALL_RPATH=ON -DPCHR_BINDINGS=ON -DPCHR_EXAMPLES=OFF -DPCHR_TESTS=OFF "$@" >&2
  cmake --build "$folder" >&2
}

# build_programs TOOL_NAME: the programs contain all libraries except those of the C library, X11 and OpenGL.
build_programs() {
  cmake/libraries.sh build/sources build/package-libraries
  configure build/package-programs -DCMAKE_PREFIX_PATH="$PWD/build/package-libraries" -DCMAKE_INSTALL_LIBDIR=lib \
    -DPCHR_PACKAGE_LIBRARIES="$PWD/build/package-shared" -DPCHR_TOOL_NAME="$1" \
    -DCMAKE_EXE_LINKER_FLAGS="-static-libstdc++ -static-libgcc -Wl,--gc-sections,--exclude-libs,ALL" \
    -DCMAKE_SHARED_LINKER_FLAGS="-static-libstdc++ -static-libgcc -Wl,--gc-sections,--exclude-libs,ALL"
}

# Shared libraries contain those of other projects, so that one package serves several releases of Debian.
build_shared() {
  configure build/package-shared -DCMAKE_PREFIX_PATH="$PWD/build/package-libraries" -DCMAKE_INSTALL_PREFIX=/usr \
    -DBUILD_SHARED_LIBS=ON -DPCHR_TOOLS=OFF -DPCHR_PLAYER=OFF -DCMAKE_SHARED_LINKER_FLAGS="-Wl,--exclude-libs,ALL"
}

# pack GENERATOR BUILD: CPack's intermediate files stay in the build folder.
pack() {
  cpack --config "$2/CPackConfig.cmake" -G "$1" -B "$PWD/$2/packed" >&2
  find "$2/packed" -maxdepth 1 -type f -exec mv {} "$output/" \;
  rm -rf "$2/packed"
}

make_deb() {
  build_programs pchr-tool
  build_shared
  pack DEB build/package-programs
}

make_tar() {
  build_programs pchr
  pack TGZ build/package-programs
}

make_zip() {
  toolchain=$PWD/cmake/windows/toolchain.cmake
  cmake/libraries.sh build/sources build/windows-libraries "$toolchain"
  configure build/package-windows -DCMAKE_TOOLCHAIN_FILE="$toolchain"
  pack ZIP build/package-windows
}

make_npm() {
  cmake --preset web >&2
  cmake --build build/web >&2
  stage=build/web/package
  rm -rf "$stage"
  # Without what the site has of earlier sources. npm takes what package.json lists.
  python3 -B player/web/build_site.py "$version" "$stage"
  cp build/web/site/*.wasm "$stage"
  python3 -B cmake/package/stage.py npm "$stage" "$version" . "$commit"
  (cd "$stage" && npm pack --silent --pack-destination "../../../$output" >&2)
}

make_blender() {
  python3 -B cmake/package/blender.py . "$output/pchr-blender-$version.zip"
}

# The libraries that ./dev godot and ./dev windows built.
make_godot() {
  python3 -B cmake/package/godot.py . build/godot/pchr "$output/pchr-godot-$version.zip"
}

make_source() {
  git archive --format=tar --prefix="pchr-$version/" HEAD | gzip -9n >"$output/pchr-$version-source.tar.gz"
}

if [ $# -eq 0 ]; then
  set -- source deb tar zip npm blender
  [ ! -e build/godot/pchr/bin ] || set -- "$@" godot
  set -- "$@" wheel nuget unity manifests
fi
for kind in "$@"; do
  case $kind in
    deb | tar | zip | npm | blender | godot | source) "make_$kind" ;;
    wheel | nuget | unity | manifests) python3 -B cmake/package/ecosystems.py "$kind" . "$output" ;;
    *)
      echo "package.sh: $kind is not a kind of package; the kinds are source, deb, tar, zip, npm, blender, godot," \
        "wheel, nuget, unity and manifests" >&2
      exit 2
      ;;
  esac
done
python3 -B cmake/package/spdx.py "$output" "$version" "$commit" build/sources
(cd "$output" && sha256sum --check --quiet SHA256SUMS && ls -l >&2)
