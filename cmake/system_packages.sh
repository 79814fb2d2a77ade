# shellcheck shell=sh
# Functions of ./dev that install packages, named as in Debian. system_packages.txt has the names elsewhere.

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "dev: cannot run as root, because sudo is not installed: $*" >&2
    exit 3
  fi
}

# Prints the package manager of this system, or nothing.
package_manager() {
  for manager in apt-get dnf pacman zypper brew; do
    if command -v "$manager" >/dev/null; then
      echo "$manager"
      return
    fi
  done
}

# local_names MANAGER PACKAGE...: prints what a package manager calls Debian's packages, or "?PACKAGE".
local_names() {
  manager=$1
  shift
  printf '%s\n' "$@" | awk -v manager="$manager" '
    BEGIN {
      split("dnf pacman zypper brew", managers, " ")
      for (i in managers) if (managers[i] == manager) column = i + 1
    }
    FILENAME != "-" { if ($1 != "#") names[$1] = column ? $column : $1; next }
    { name = $1 in names ? names[$1] : column ? "?" : $1 }
    name == "?" { name = "?" $1 }
    name != "-" && !seen[name]++ { print name }' cmake/system_packages.txt -
}

# is_installed MANAGER PACKAGE
is_installed() {
  case $1 in
    apt-get) dpkg-query -W -f '${Status}' "$2" 2>/dev/null | grep -q 'ok installed' ;;
    dnf | zypper) rpm -q --whatprovides "$2" >/dev/null 2>&1 ;;
    pacman) pacman -T "$2" >/dev/null 2>&1 ;;
    brew) brew list "$2" >/dev/null 2>&1 ;;
    *) false ;;
  esac
}

# Lists those of Debian's packages that are not installed, as this system calls them.
missing() {
  manager=$(package_manager)
  for package in $(local_names "$manager" "$@"); do
    is_installed "$manager" "$package" || printf ' %s' "$package"
  done
}

# Installs those of Debian's packages that are missing. Where that is not possible, lists them, and the build tells what
# it does not find.
need() {
  missing=$(missing "$@")
  [ -n "$missing" ] || return 0
  manager=$(package_manager)
  known=""
  unknown=""
  for package in $missing; do
    case $package in
      "?"*) unknown="$unknown ${package#?}" ;;
      *) known="$known $package" ;;
    esac
  done
  [ -z "$unknown" ] || echo "dev: if you have not done so, install what Debian calls$unknown" >&2
  # shellcheck disable=SC2086 # lists of package names
  case $manager in
    apt-get)
      echo "dev: installing$known" >&2
      as_root apt-get update -q >&2
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $known >&2
      ;;
    dnf | zypper | pacman)
      [ -n "$known" ] || return 0
      echo "dev: installing$known" >&2
      case $manager in
        dnf) as_root dnf install -y $known >&2 ;;
        zypper) as_root zypper --non-interactive install $known >&2 ;;
        pacman) as_root pacman -S --needed --noconfirm $known >&2 ;;
      esac
      ;;
    brew) [ -z "$known" ] || echo "dev: if the build does not find something: brew install$known" >&2 ;;
    *) echo "dev: this needs, by the names of Debian's packages:$known" >&2 ;;
  esac
}
