#!/bin/sh
# in_wine.sh PACKAGE FILES: unpacks a .zip and checks its programs in a new Wine prefix. FILES is as for installed.sh.
# Needs wine, Xvfb, xdotool and ImageMagick.
set -eu
package=$(realpath "$1")
files=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -c 'import sys, zipfile; zipfile.ZipFile(sys.argv[1]).extractall(sys.argv[2])' "$package" "$work"
mkdir "$work/bin"
# So that the same script checks it.
for name in pchr pchr-player; do
  program=$(echo "$work"/pchr-*/bin/$name.exe)
  printf '#!/bin/sh\nexec "%s/wine.sh" "%s" "$@"\n' "$here/../../cmake/windows" "$program" >"$work/bin/$name"
  chmod +x "$work/bin/$name"
done
"$here/../windows/run.sh" "$work/prefix" "$here/installed.sh" "$work/bin" "$files"
