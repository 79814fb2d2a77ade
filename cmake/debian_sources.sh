#!/bin/sh
# Fetches the sources of libraries that are compiled with this project: debian_sources.sh FOLDER PACKAGE...
# Downloads each Debian source package for this system's release, with its patches, to FOLDER/PACKAGE. Packages that are
# there are kept. Does not need root, and does not change the system's list of sources: apt checks the signatures as
# usual.
set -eu

fail() {
  echo "debian_sources.sh: $*" >&2
  exit 3
}

mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
missing=""
for package in "$@"; do
  [ -d "$folder/$package" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
for tool in apt-get dpkg-source; do
  command -v "$tool" >/dev/null || fail "$tool is not installed: the build needs the sources of" \
    "Debian packages. On Debian or Ubuntu: apt install dpkg-dev"
done

work=$(mktemp -d "$folder/fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial"

# The distribution's own archives, by their suites, such as bookworm and bookworm-security.
codename=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
[ -n "$codename" ] || fail "/etc/os-release does not name the release of the system"
{ cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null || true; } |
  awk -v release="$codename" '$1 == "deb" && / main( |$)/ {
    for (i = 2; i <= NF; ++i) if ($i == release || index($i, release "-") == 1) { sub(/deb/, "deb-src"); print; next }
  }' >"$work/sources.list"
# Stanzas are separated by empty lines, or not at all at the end of a file.
for list in /etc/apt/sources.list.d/*.sources; do
  [ ! -f "$list" ] || { cat "$list"; echo; }
done | awk -v release="$codename" 'BEGIN { RS = ""; FS = "\n" } {
    ours = 0
    for (i = 1; i <= NF; ++i) if ($i ~ "^Suites:.*[ \t]" release) ours = 1
    if (!ours || $0 !~ /Components:[^\n]* main/) next
    for (i = 1; i <= NF; ++i) if ($i !~ /^(#|Types:|Enabled:)/) print $i
    print "Types: deb-src\n"
  }' >"$work/debian.sources"
list=$work/debian.sources
[ -s "$list" ] || list=$work/sources.list
[ -s "$list" ] || fail "found no archive of $codename in /etc/apt"

set -- -q -o Dir::Etc::sourcelist="$list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$work/lists" \
  -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=
apt-get "$@" update >&2 || fail "apt-get could not list source packages"
cd "$work"
for package in $missing; do
  mkdir "$package.source"
  (cd "$package.source" && apt-get "$@" source "$package" >&2) || fail "apt-get could not fetch the source of $package"
  mv "$package.source"/*/ "$folder/$package"
done
