#!/usr/bin/env bash
# `plot run` with the real parts: gpsd, D-Bus services, a screen, a webhook.
#   Tests/run/run_tests.sh short   what `make test` has
#   Tests/run/run_tests.sh         200 kills, and a day in quick time, too
#   Tests/run/run_tests.sh bench   wakeups and processor time, beside gpspipe
#
# PLOT is the tool; build/bin/plot by default. The services are those of the system, and so is its Python, which has their modules.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$(realpath ../..)
export PLOT=${PLOT:-$root/build/bin/plot}
python=/usr/bin/python3
[[ -x $PLOT ]] || {
  echo "run: $PLOT is missing: run make first" >&2
  exit 1
}

# gpsfake and gpspipe are in a package of Debian that brings a desktop's worth of others along: only the two files are taken out of it.
if command -v gpsfake >/dev/null && command -v gpspipe >/dev/null; then
  GPSFAKE=$(command -v gpsfake) GPSPIPE=$(command -v gpspipe)
else
  place=$root/.build-gpsd
  if [[ ! -x $place/usr/bin/gpsfake ]]; then
    echo "run: taking gpsfake and gpspipe out of Debian's gpsd-clients (apt-get download)"
    rm -rf "$place" && mkdir -p "$place"
    # The user that apt-get downloads as may not write here.
    (cd "$place" && apt-get -o APT::Sandbox::User=root download -qq gpsd-clients && dpkg -x gpsd-clients_*.deb . && rm gpsd-clients_*.deb)
  fi
  GPSFAKE=$place/usr/bin/gpsfake GPSPIPE=$place/usr/bin/gpspipe
fi
export GPSFAKE GPSPIPE

case ${1:-long} in
  short) exec "$python" -W ignore -m unittest -q test_run ;;
  bench) exec "$python" bench.py "${@:2}" ;;
  long)
    "$python" -W ignore -m unittest test_run
    "$python" chaos.py --kills 200
    "$python" day.py
    ;;
  *)
    echo "usage: $0 [short|bench]" >&2
    exit 2
    ;;
esac
