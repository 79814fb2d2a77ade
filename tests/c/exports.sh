#!/bin/sh
# exports.sh NM LIBRARY: fails if the shared library exports anything but functions of the C interface.
set -eu
symbols=$("$1" -D --defined-only "$2" | awk '$2 != "A" { print $3 }')
[ -n "$symbols" ]
if echo "$symbols" | grep -v '^pchr_[a-z0-9_]*$'; then
  echo "are exported, too"
  exit 1
fi
