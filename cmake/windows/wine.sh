#!/bin/sh
# Runs a Windows program: wine.sh PROGRAM [ARGUMENT...]. Does not offer to download what no test needs.
export WINEDEBUG="${WINEDEBUG:--all}" WINEDLLOVERRIDES="${WINEDLLOVERRIDES:-mscoree,mshtml=;winedbg.exe=d}"
command -v wine64 >/dev/null || PATH=$PATH:/usr/lib/wine
exec wine64 "$@"
