#!/bin/sh
# Compiles all public headers after the macros of <windows.h>: macros.sh INCLUDE_FOLDER COMPILER [FLAG...]
set -eu
include=$1
compiler=$2
shift 2
{
  # What other libraries include must be read before, because not all of it allows for these macros.
  printf '#include <%s>\n' glm/glm.hpp glm/ext.hpp algorithm array atomic bit concepts filesystem functional iterator \
    limits map memory optional ranges span string variant vector
  printf '#define %s\n' 'min(a, b) (((a) < (b)) ? (a) : (b))' 'max(a, b) (((a) > (b)) ? (a) : (b))' near far \
    'small char' 'interface struct' 'IN' 'OUT' 'CONST const' 'ERROR 0' 'OPAQUE 2' 'TRANSPARENT 1' \
    'DrawText DrawTextW' 'LoadImage LoadImageW' 'GetObject GetObjectW'
  find "$include/pchr" -name '*.hpp' -printf '#include <pchr/%P>\n' | sort
} | "$compiler" -std=c++20 -Wall -Werror -fsyntax-only "-I$include" "$@" -x c++ -
