#!/bin/sh
# Runs a command that runs Windows programs: run.sh PREFIX COMMAND [ARGUMENT...]. Wine gets its own Windows installation
# in the folder PREFIX, and programs their own display.
set -eu
mkdir -p "$1"
prefix=$(cd "$1" && pwd)
shift
export WINEPREFIX="$prefix" WINEDEBUG=-all WINEDLLOVERRIDES="mscoree,mshtml=;winedbg.exe=d"

xvfb=
end() {
  wineserver -k || true
  [ -z "$xvfb" ] || kill "$xvfb"
  rm -f "$prefix/display"
}
trap end EXIT
rm -f "$prefix/display"
mkfifo "$prefix/display"
Xvfb -displayfd 3 -screen 0 1280x1024x24 -noreset -nolisten tcp 3>"$prefix/display" 2>/dev/null &
xvfb=$!
read -r display <"$prefix/display"
export DISPLAY=":$display"
# Programs start faster if the server stays between them.
wineserver -p
wine winecfg -v win10 >/dev/null 2>&1
"$@"
