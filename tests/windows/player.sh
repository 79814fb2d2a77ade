#!/bin/sh
# Drives a Windows player with window tests: player.sh PLAYER WINDOW_TESTS [ARGUMENT...], run by run.sh. Exits with 77
# if the player has not been built.
set -eu
[ -f "$1" ] || exit 77
export PCHR_TEST_PLAYER="$1"
shift
# The player looks here for the typeface that it has on Linux, so that its window looks the same.
fonts=$WINEPREFIX/drive_c/windows/Fonts
mkdir -p "$fonts"
cp /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf "$fonts"
# Mesa would take the player's cache folder, a path of Windows, for one in this folder.
export MESA_SHADER_CACHE_DISABLE=1
exec "$@"
