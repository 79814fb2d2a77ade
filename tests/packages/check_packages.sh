#!/bin/sh
# Installs the packages in build/packages, which ./dev package makes, in fresh systems or folders: Debian 12 and 13, for
# Windows a new Wine prefix, and with package managers of languages. Needs root and a network. Kinds that are not there
# are skipped.
set -eu
cd "$(dirname "$0")/../.."
packages=build/packages
python3 -B tests/packages/contents_test.py "$packages" .

files=build/package-files
rm -rf "$files"
mkdir "$files"
cp -r assets/kiri.pchr assets/hotaru.px assets/koi assets/konpei "$files"
iconv -f UTF-8 -t SHIFT-JIS "$files/konpei/konpei.chp" >"$files/konpei/shift-jis.chp"
# The last one that was made: pchr-tool of the .deb, or pchr of the .tar.gz.
# shellcheck disable=SC2012 # known names
pchr=$(ls -t build/package-programs/tools/pchr* | head -n 1)
"$pchr" render "$files/kiri.pchr" --clip walk --frame 3 -o "$files/kiri.png"
"$pchr" render "$files/konpei/konpei.chp" -o "$files/konpei.png"

for package in "$packages"/pchr-*-source.tar.gz; do
  [ -e "$package" ] || continue
  # Without git, the sources know their commit.
  rm -rf build/package-source
  mkdir build/package-source
  tar -C build/package-source --strip-components=1 -xf "$package"
  cmake -S build/package-source -B build/package-source/build -G Ninja -DPCHR_TESTS=OFF >/dev/null
  cmake --build build/package-source/build --target pchr_version >/dev/null
  grep -q "$(git rev-parse HEAD | cut -c 1-10)" build/package-source/build/tools/reference/version.cpp
  rm -rf build/package-source
  echo "$package: knows its commit"
done
if [ -e "$packages"/pchr-player-*.tgz ]; then
  # The same commit gives the same bytes in another folder, of another user.
  rm -rf build/package-clone
  git clone -q . build/package-clone
  mkdir build/package-clone/build
  ln -s "$PWD/build/sources" build/package-clone/build/sources
  (cd build/package-clone && umask 077 && cmake/package.sh npm)
  cmp "$packages"/pchr-player-*.tgz build/package-clone/"$packages"/pchr-player-*.tgz
  rm -rf build/package-clone
  echo "the package for npm is the same when it is built again"
fi
/usr/bin/python3 -B tests/packages/ecosystems_test.py . "$packages" "$files"
for package in "$packages"/*.whl; do
  [ -e "$package" ] || continue
  . tests/packages/debian.sh
  mkdir -p build/package-roots
  root=$PWD/build/package-roots/auditwheel
  debian_with sid "$root" python3-auditwheel patchelf
  platform=$(basename "${package##*-}" .whl)
  enter_debian "$root" "auditwheel show '/host$PWD/$package'" | tr '\n' ' ' |
    grep -q "is consistent with the following platform tag: \"$platform\"" || {
    echo "$package is not for $platform" >&2
    exit 1
  }
  echo "$package: auditwheel finds what $platform has"
done
for release in bookworm trixie; do
  for package in "$packages"/*.deb "$packages"/*-linux-*.tar.gz; do
    [ -e "$package" ] || continue
    case $package in *.deb) kind=deb ;; *) kind=tar ;; esac
    printf '%s in %s: ' "$package" "$release"
    tests/packages/in_debian.sh "$release" "$kind" "$package" "$files"
  done
done
for package in "$packages"/*-windows-*.zip; do
  [ -e "$package" ] || continue
  printf '%s in Wine: ' "$package"
  tests/packages/in_wine.sh "$package" "$files" | tail -n 1
done
