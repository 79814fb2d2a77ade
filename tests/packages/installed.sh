#!/bin/sh
# Checks an installed package in a Debian without anything else of pchr: installed.sh BIN_FOLDER FILES. FILES has
# characters, and images of them that the system that made the package rendered.
set -eu
PATH=$1:$PATH
files=$2
out=$(mktemp -d)

fail() {
  echo "installed.sh: $*" >&2
  exit 1
}

pchr --version
pchr-player --version
pchr validate "$files/kiri.pchr"
# Other versions of the software renderer draw some edges slightly differently.
pchr render "$files/kiri.pchr" --clip walk --frame 3 --reference "$files/kiri.png" -o "$out/kiri.png"
for file in "$files"/konpei/*.chp; do
  pchr render "$file" --reference "$files/konpei.png" -o "$out/$(basename "$file").png"
done
pchr render "$files/hotaru.px" -o "$out/hotaru.webp"
mkdir "$out/json"
pchr convert "$files/kiri.pchr" -o "$out/json/kiri.json"

if [ -z "${DISPLAY:-}" ]; then
  mkfifo "$out/display"
  Xvfb -displayfd 3 -screen 0 1280x800x24 -noreset -nolisten tcp 3>"$out/display" 2>"$out/xvfb.log" &
  server=$!
  trap 'kill $server' EXIT
  read -r number <"$out/display"
  export DISPLAY=":$number"
fi
pchr-player "$files/kiri.pchr" >"$out/player.log" 2>&1 &
player=$!
until window=$(xdotool search --onlyvisible --name kiri 2>/dev/null); do
  kill -0 $player 2>/dev/null || fail "the player ended: $(cat "$out/player.log")"
  sleep 0.1
done
# Only a character has so many colors in the middle of the window.
colors=0
until [ "$colors" -gt 2000 ]; do
  kill -0 $player 2>/dev/null || fail "the player ended: $(cat "$out/player.log")"
  import -window "$window" "$out/player.png" &&
    colors=$(convert "$out/player.png" -gravity center -crop 50%x50%+0+0 +repage -format %k info:)
  sleep 0.2
done
xdotool windowfocus "$window" key --window 0 q
wait $player || fail "the player ended with $?: $(cat "$out/player.log")"
[ ! -s "$out/player.log" ] || cat "$out/player.log"
cp "$out/player.png" "$files/player.png"
echo "the programs run, and the player draws $colors colors and quits"
