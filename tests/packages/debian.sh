# shellcheck shell=sh
# Functions that run commands in a fresh Debian. They need root, debootstrap and a network.

# fresh_debian RELEASE ROOT: unpacks a Debian of RELEASE, such as bookworm, into ROOT. Its archive is kept next to ROOT.
fresh_debian() {
  archive=$(dirname "$2")/$1.tar
  if [ ! -f "$archive" ]; then
    rm -rf "$2.new"
    debootstrap --variant=minbase "$1" "$2.new" >"$archive.log"
    tar -C "$2.new" -cf "$archive.part" .
    mv "$archive.part" "$archive"
    rm -rf "$2.new"
  fi
  rm -rf "$2"
  mkdir "$2"
  tar -C "$2" -xf "$archive"
}

# in_debian ROOT COMMANDS: runs shell commands in ROOT. They can use `install PACKAGE...`.
in_debian() {
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  # shellcheck disable=SC2016 # expanded by the inner shells
  unshare --mount --pid --fork sh -c '
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/tmp" &&
    exec chroot "$1" /bin/sh -c "$2"' sh "$1" '
    unset DISPLAY WAYLAND_DISPLAY
    export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
    install() { apt-get install -y -q --no-install-recommends "$@"; }
    set -e
    apt-get update -q
    '"$2"
}
