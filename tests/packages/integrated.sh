#!/bin/sh
# Checks what a file manager, a shell and a compiler find of an installed .deb: integrated.sh FILES TESTS.
set -eu
files=$1
tests=$2
out=$(mktemp -d)

desktop-file-validate /usr/share/applications/pchr-player.desktop
# Before version 1.0, appstreamcli rejects the element <developer>, which later versions require.
case $(appstreamcli --version) in *" 0."*) strict= ;; *) strict=--strict ;; esac
appstreamcli validate $strict --no-net /usr/share/metainfo/*pchr*.metainfo.xml
cp "$files/kiri.pchr" "$out/no-extension"
for file in kiri.pchr:x-pchr koi/koi.psk:x-unreal-psk hotaru.px:x-pixquare konpei/konpei.chp:x-pomyu-chp; do
  type=$(gio info -a standard::content-type "$files/${file%:*}" | sed -n 's/.*content-type: //p')
  [ "$type" = "application/${file#*:}" ] || { echo "$file is $type" >&2; exit 1; }
done
type=$(gio info -a standard::content-type "$out/no-extension" | sed -n 's/.*content-type: //p')
[ "$type" = application/x-pchr ] || { echo "a character without an extension is $type" >&2; exit 1; }
gio mime application/x-pchr | grep -q pchr-player.desktop

# As a file manager does.
command=$(sed -n 's/^Exec=//p' /usr/share/thumbnailers/pchr.thumbnailer |
  sed "s|%s|128|g; s|%i|$files/kiri.pchr|; s|%o|$out/thumbnail|")
$command
[ "$(identify -format '%m %wx%h' "$out/thumbnail")" = "PNG 128x128" ]

man -w pchr pchr-player >/dev/null
for project in consumer c_consumer; do
  cmake -S "$tests/embed/$project" -B "$out/$project" -G Ninja -DPCHR_SOURCE_DIR="$tests/.." >/dev/null
  cmake --build "$out/$project" >/dev/null
  "$out/$project/$project" "$files/kiri.pchr"
done
# shellcheck disable=SC2046 # a list of flags
c++ -std=c++20 "$tests/embed/consumer/main.cpp" $(pkg-config --cflags --libs pchr-render) -o "$out/with_pkg_config"
"$out/with_pkg_config" "$files/kiri.pchr"
echo "types, thumbnails, man pages and the libraries are found"
