#!/bin/sh
# game_size.sh GAME MAX_BYTES NM STRIP: prints the size of a statically linked game, stripped. Fails if it is larger than
# MAX_BYTES or contains code that only importers and exporters need.
set -eu
game=$1 max=$2 nm=$3 strip=$4
if "$nm" -C "$game" | grep -E ' (fmt::|simdjson::|jpeg_|WebP|iconv|DGif|pchr::(json|chp|px|psk)::)'; then
  echo "the game contains parts of an importer"
  exit 1
fi
"$strip" -o "$game.stripped" "$game"
bytes=$(wc -c <"$game.stripped")
echo "$bytes bytes, at most $max"
[ "$bytes" -le "$max" ]
