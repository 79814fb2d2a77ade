#!/bin/sh
# dll_exports.sh OBJDUMP DLL: fails if the DLL exports anything but functions of the C interface, or needs a DLL that is
# not part of Windows.
set -eu
contents=$("$1" -p "$2")
symbols=$(echo "$contents" | sed -n '/^\[Ordinal\/Name Pointer\]/,/^$/p' | awk '/^\t\[/ { print $NF }')
[ -n "$symbols" ]
if echo "$symbols" | grep -v '^pchr_[a-z0-9_]*$'; then
  echo "are exported, too"
  exit 1
fi
if echo "$contents" | sed -n 's/.*DLL Name: //p' | grep -viE '^(kernel32|user32|gdi32|shell32|advapi32|opengl32|msvcrt|ucrtbase|api-ms-win-[a-z0-9-]*)\.dll'; then
  echo "are needed, too"
  exit 1
fi
