#!/bin/sh
# symbols.sh NM PREFIX LIBRARY...: fails if an installed library exports a symbol that is not pchr's.
set -eu
nm=$1 prefix=$2
shift 2
for library in "$@"; do
  file=$(find "$prefix" -name "$library")
  case $library in
    *.so) symbols=$("$nm" -D --defined-only "$file") ;;
    # Weak symbols (templates, inline functions) are shared: a program keeps one of each.
    *.a) symbols=$("$nm" --extern-only --defined-only "$file" | grep -v ' [VWu] ') ;;
  esac
  symbols=$(echo "$symbols" | awk 'NF == 3 { print $3 }')
  shown=$(echo "$symbols" | grep -cE '^(_ZN[KOR]*4pchr|pchr_)') || { echo "$library exports nothing" && exit 1; }
  others=$(echo "$symbols" | grep -vE '^(_ZN[KOR]*|_ZT[ISV]N)4pchr|^pchr_') || true
  if [ -n "$others" ]; then
    echo "$library exports foreign symbols:"
    echo "$others"
    exit 1
  fi
  echo "$library: $shown symbols, all of pchr"
done
