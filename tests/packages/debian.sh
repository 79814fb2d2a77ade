# shellcheck shell=sh
# Functions that run commands in a fresh Debian. They need root, debootstrap and a network.

# fresh_debian RELEASE ROOT: unpacks a Debian of RELEASE, such as bookworm, into ROOT. Its archive is kept next to ROOT.
fresh_debian() {
  archive=$(dirname "$2")/$1.tar
  if [ ! -f "$archive" ]; then
    rm -rf "$2.new"
    # An older debootstrap has no script for a newer release, which is unpacked like sid.
    rm -rf "$2.scripts"
    cp -R /usr/share/debootstrap "$2.scripts"
    [ -e "$2.scripts/scripts/$1" ] || ln -s sid "$2.scripts/scripts/$1"
    DEBOOTSTRAP_DIR=$2.scripts debootstrap --variant=minbase "$1" "$2.new" >"$archive.log"
    rm -rf "$2.scripts"
    tar -C "$2.new" -cf "$archive.part" .
    mv "$archive.part" "$archive"
    rm -rf "$2.new"
  fi
  rm -rf "$2"
  mkdir "$2"
  tar -C "$2" -xf "$archive"
}

# debian_with RELEASE ROOT PACKAGE...: makes a Debian with these packages in ROOT, unless it is there.
debian_with() {
  release=$1 root=$2
  shift 2
  [ "$(cat "$root/installed" 2>/dev/null)" != "$*" ] || return 0
  fresh_debian "$release" "$root"
  # A mirror can be a snapshot, whose index of sid is no longer valid.
  echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/90-snapshot"
  in_debian "$root" "install $*" >"$root.log" 2>&1 || {
    tail -n 40 "$root.log" >&2
    return 1
  }
  mkdir "$root/host"
  echo "$*" >"$root/installed"
}

# enter_debian ROOT COMMANDS: runs shell commands in ROOT, without this system's variables. If it has a folder /host,
# that is this system, and the current folder is also where it is here.
enter_debian() {
  # shellcheck disable=SC2016 # expanded by the inner shells
  unshare --mount --pid --fork sh -c '
    mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/tmp" &&
    { [ ! -d "$1/host" ] || { mkdir -p "$1$PWD" && mount --bind . "$1$PWD" && mount --rbind / "$1/host"; }; } &&
    exec chroot "$1" env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
      /bin/sh -ec "$2"' sh "$1" "$2"
}

# in_debian ROOT COMMANDS: runs shell commands in ROOT. They can use `install PACKAGE...`.
in_debian() {
  cp /etc/resolv.conf "$1/etc/resolv.conf"
  enter_debian "$1" 'export DEBIAN_FRONTEND=noninteractive
    install() { apt-get install -y -q --no-install-recommends "$@"; }
    apt-get update -q
    '"$2"
}
