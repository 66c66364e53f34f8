#!/usr/bin/env bash
# Installs by apt what is missing, and says so in one line; does nothing when all is there.
#   scripts/install-deps.sh build   what `make` needs
#   scripts/install-deps.sh test    what `make test` needs beside that
#   scripts/install-deps.sh fuzz    what `make fuzz` needs: the same as build, and a clang with libFuzzer, which is Swift's own
#   scripts/install-deps.sh presence  what `make presence` needs: the same as build, and a Python that can make a venv
#   scripts/install-deps.sh spark   what `make spark` needs: the same as presence, and Java
#   scripts/install-deps.sh run     what `make run` needs: the same as build, and the services that plot run works with; `make test` has them, too
#   scripts/install-deps.sh rust    what `make rust` needs: the same as build, and Rust; `make test` has it, too
#   scripts/install-deps.sh server  what `make server` needs: the same as build, libpq, libsodium, and a PostgreSQL for its tests; `make test` has it, too
#   scripts/install-deps.sh server-test  what `make server-test` needs beside that: a browser
#   scripts/install-deps.sh deb     what `make deb` needs beside what `make` needs; `make test` has it, too
#   scripts/install-deps.sh docs    what `make docs` needs: the same as build, and Doxygen
#   scripts/install-deps.sh bench   what `make bench` compares with; what cannot be had is said, and left out there
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

what=${1:-build}
case $what in
  build | test | fuzz | bench | presence | spark | run | rust | server | server-test | deb | docs) ;;
  *)
    echo "usage: $0 [build|test|fuzz|bench|presence|spark|run|rust|server|server-test|deb|docs]" >&2
    exit 2
    ;;
esac

packages=()
need() { # need PACKAGE COMMAND...: the package is missing when the command fails
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || packages+=("$package")
}
wishes=()
wish() { # the same for what one can do without
  local package=$1
  shift
  "$@" >/dev/null 2>&1 || wishes+=("$package")
}
has() {
  command -v "$1" >/dev/null 2>&1
}
# shellcheck disable=SC2317 # called through need
has_program() { # one of the system's, which are not in everyone's PATH
  PATH=$PATH:/usr/sbin:/sbin command -v "$1" >/dev/null 2>&1
}
# shellcheck disable=SC2317 # called through need
has_header() { # of C++, with what it includes
  echo "#include <$1>" | "${CXX:-g++}" -std=gnu++17 -E -x c++ -
}
# shellcheck disable=SC2317 # called through need
has_library() { # without pkg-config nothing can be said yet; asking for an installed package does no harm
  has pkg-config && pkg-config --exists "$1"
}

need pkg-config has pkg-config
need libjansson-dev has_library jansson
need libsodium-dev has_library libsodium
need libsqlite3-dev has_library sqlite3
need zlib1g-dev has_library zlib
need libexpat1-dev has_library expat
need libsystemd-dev has_library libsystemd
need libcurl4-openssl-dev has_library libcurl
need gcc has gcc
need g++ has g++
need binutils has readelf
need patchelf has patchelf
need git has git
need python3 has python3
need tzdata test -e /usr/share/zoneinfo/Europe/Amsterdam
if [[ $what == test || $what == deb ]]; then
  need dpkg-dev has dpkg-buildpackage
  need fakeroot has fakeroot
  need debhelper has dh
  need dh-python has dh_python3
  need lintian has lintian
  need debootstrap has_program debootstrap
fi
if [[ $what == docs ]]; then
  need doxygen has doxygen
fi
if [[ $what == server-test ]]; then
  need chromium has chromium
fi
if [[ $what == test ]]; then
  need clang has clang++
  need abigail-tools has abidiff
  need locales test -e /usr/share/i18n/locales/de_DE
  need cmake has cmake
  need groff-base has groff
  need patch has patch
  wish valgrind has valgrind
fi
if [[ $what == test || $what == spark ]]; then need default-jre-headless has java; fi
if [[ $what == test || $what == presence || $what == spark ]]; then
  need python3-venv python3 -c 'import ensurepip, venv'
fi
if [[ $what == test || $what == run ]]; then
  need gpsd has_program gpsd
  need python3-gps /usr/bin/python3 -c 'import gps.fake'
  need python3-dbusmock /usr/bin/python3 -c 'import dbusmock'
  need dbus-daemon has dbus-daemon
  need dbus-bin has dbus-send
  need dunst has dunst
  need xvfb has Xvfb
  need xdotool has xdotool
  need fonts-dejavu-core test -e /usr/share/fonts/truetype/dejavu
fi
if [[ $what == test || $what == rust ]]; then
  need cargo has cargo
  need rustc has rustc
fi
if [[ $what == test || $what == server || $what == server-test ]]; then
  need libpq-dev has_library libpq
  need libsodium-dev has_library libsodium
  need strace has strace
  need openssl has openssl
  need procps has pkill
  need postgresql compgen -G '/usr/lib/postgresql/*/bin/initdb'
fi
if [[ $what == server || $what == server-test ]]; then need wrk has wrk; fi
if [[ $what == bench ]]; then
  wish util-linux has taskset
  wish libboost-dev has_header boost/geometry.hpp
  wish libgeos++-dev has_header geos/geom/Envelope.h
  wish libs2-dev has_header s2/s2cell_index.h
fi

if ((${#packages[@]} + ${#wishes[@]})); then
  how=apt
  as_root=()
  if ! has apt-get; then
    how="There is no apt-get here; install them in this system's own way."
  elif [[ $(id -u) -ne 0 ]]; then
    if has sudo; then as_root=(sudo); else how="Install them as root: apt-get install ${packages[*]} ${wishes[*]}"; fi
  fi
  if [[ $how != apt ]]; then
    ((!${#packages[@]})) || echo "missing: ${packages[*]} (Debian's names). $how" >&2
    ((!${#wishes[@]})) || echo "left out: ${wishes[*]} (Debian's names). $how" >&2
    ((!${#packages[@]})) || exit 1
  else
    echo "installing by apt: ${packages[*]} ${wishes[*]}"
    log=$(mktemp)
    trap 'rm -f "$log"' EXIT
    install() {
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
    }
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq >"$log" 2>&1 || ((!${#packages[@]})) || {
      cat "$log" >&2
      echo "apt could not install: ${packages[*]}" >&2
      exit 1
    }
    if ((${#packages[@]})) && ! install "${packages[@]}" >"$log" 2>&1; then
      cat "$log" >&2
      echo "apt could not install: ${packages[*]}" >&2
      exit 1
    fi
    for package in "${wishes[@]}"; do
      install "$package" >"$log" 2>&1 || echo "left out: apt could not install $package: $(tail -n 1 "$log")" >&2
    done
  fi
fi

# Tools that apt does not have.
missing=0
complain() {
  echo "$*" >&2
  missing=1
}
swift=${SWIFT:-swift}
if ! has "$swift"; then
  complain "Swift is missing. Install Swift 6.2 or later (https://www.swift.org/install/linux/) and have it on the PATH, or say" \
    "where it is: make SWIFT=/path/to/swift"
else
  # To a file first: with pipefail, a reader that stops early would fail the writer.
  about=$("$swift" --version 2>/dev/null || true)
  version=$(sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' <<<"$about" | head -n 1)
  if [[ -z $version || $(printf '%s\n' 6.2 "$version" | sort -V | head -n 1) != 6.2 ]]; then
    complain "Swift 6.2 or later is needed; '$swift' is ${version:-of an unknown version}."
  fi
fi
if [[ $what == test ]]; then
  has python3 || complain "Python is missing. Install Python 3.11 or later: apt-get install python3 python3-venv"
  if [[ -f bindings/node/test.sh ]] && ! has node; then
    complain "Node.js is missing; the tests of the Node binding need version 20 or later (https://nodejs.org/)."
  fi
fi
exit "$missing"
