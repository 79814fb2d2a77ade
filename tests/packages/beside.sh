#!/bin/sh
# Checks, where the .deb is installed, that a package of another project with a program pchr and the .deb leave each
# other alone, whichever comes first: beside.sh PACKAGE.
set -eu
package=$1
out=$(mktemp -d)

# is PROGRAM: what pchr is; "" if there is none.
is() {
  found=$({ pchr --version || true; } 2>/dev/null | cut -d ' ' -f 1)
  [ "$found" = "$1" ] || { echo "beside.sh: pchr is \"$found\", expected \"$1\"" >&2; exit 1; }
}
# has_completions yes|no: whether there are completions of this project for pchr.
has_completions() {
  found=no
  [ ! -e /usr/share/bash-completion/completions/pchr ] || found=yes
  [ "$found" = "$1" ] || { echo "beside.sh: completions for pchr: $found, expected $1" >&2; exit 1; }
}

other=$out/other
mkdir -p "$other/DEBIAN" "$other/usr/bin" "$other/usr/share/man/man1"
printf 'Package: pchr\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nDescription: other\n' \
  >"$other/DEBIAN/control"
printf '#!/bin/sh\necho other 1\n' >"$other/usr/bin/pchr"
echo '.TH OTHER 1' | gzip -n >"$other/usr/share/man/man1/pchr.1.gz"
chmod 755 "$other/usr/bin/pchr"
dpkg-deb --root-owner-group --build "$other" "$out/other.deb" >/dev/null

is pchr
has_completions yes
dpkg -i "$out/other.deb"
is other
has_completions no
pchr-tool --version
dpkg --purge pchr-tool
is other
zcat /usr/share/man/man1/pchr.1.gz | grep -q OTHER
dpkg -i "$package"
is other
dpkg -i "$package"
is other
has_completions no
dpkg --verify pchr
dpkg --purge pchr
is pchr
has_completions yes
dpkg -i "$package"
is pchr
echo "another pchr and the package leave each other alone"
