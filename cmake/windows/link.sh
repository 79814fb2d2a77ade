#!/bin/sh
# Runs the steps of the compiler, and links with LLVM's linker if it is installed: that of MinGW takes a minute for a
# program of many templates.
case $1 in
  */collect2)
    if command -v ld.lld-19 >/dev/null; then
      shift
      exec ld.lld-19 "$@"
    fi
    ;;
esac
exec "$@"
