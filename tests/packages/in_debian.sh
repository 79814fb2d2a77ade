#!/bin/sh
# in_debian.sh RELEASE KIND PACKAGE FILES: installs a package (KIND deb or tar) in a fresh Debian of RELEASE, such as
# bookworm, and checks it there. Needs root, debootstrap and a network. The base system is kept in build/package-roots.
set -eu
release=$1
kind=$2
package=$(realpath "$3")
files=$(realpath "$4")
here=$(cd "$(dirname "$0")" && pwd)
. "$here/debian.sh"
roots=$(cd "$here/../.." && pwd)/build/package-roots
mkdir -p "$roots"
root=$roots/$release-$kind
fresh_debian "$release" "$root"
mkdir "$root/check"
cp -r "$files" "$root/check/files"
cp -r "$here/.." "$root/check/tests"
cp "$package" "$root/check/"
name=/check/$(basename "$package")

tools="libgl1-mesa-dri xvfb xdotool imagemagick"
case $kind in
  deb)
    # The package brings what it needs.
    run="install $tools man-db shared-mime-info desktop-file-utils libglib2.0-bin appstream; install $name
      sh /check/tests/packages/installed.sh /usr/bin /check/files
      install cmake g++ ninja-build pkg-config libglm-dev
      sh /check/tests/packages/integrated.sh /check/files /check/tests
      sh /check/tests/packages/beside.sh $name
      dpkg --purge pchr-tool
      left=\$(find /usr /etc /opt -name '*pchr*'); test -z \"\$left\" || { echo \"left behind: \$left\"; exit 1; }
      echo the package installs, is found, runs, and leaves nothing"
    ;;
  tar)
    run="install $tools libegl1 libgl1 libx11-6
      mkdir /opt/pchr; tar -C /opt/pchr --strip-components=1 -xf $name
      sh /check/tests/packages/installed.sh /opt/pchr/bin /check/files"
    ;;
esac
in_debian "$root" "$run" >"$roots/$release-$kind.log" 2>&1 || {
  tail -n 40 "$roots/$release-$kind.log" >&2
  exit 1
}
cp "$root/check/files/player.png" "$roots/$release-$kind.png"
tail -n 1 "$roots/$release-$kind.log"
rm -rf "$root"
