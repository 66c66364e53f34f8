#!/usr/bin/env bash
# The tests of the campaign service, on SQLite and on a PostgreSQL of their own.
#   server/Tests/test.sh          the short form, which `make test` has
#   server/Tests/test.sh long     with servers and databases that are killed under load, for four minutes
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

swift=${SWIFT:-swift}
scratch=../.build-server
read -ra flags <<<"${DEBUGFLAGS:-"-Xswiftc -gnone -Xswiftc -index-ignore-system-modules -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2"} -Xcc -g0"

work=$(mktemp -d)
finish() {
  Tests/postgres.sh "$work" stop || true
  rm -rf "$work"
}
trap finish EXIT
# The user that PostgreSQL runs as must get there.
chmod 711 "$work"

# Without TLS, whose C and C++ take as long to build as all the rest; the long form has it.
"$swift" build --build-tests --scratch-path "$scratch" "${flags[@]}" --disable-default-traits
PLOT_TEST_POSTGRES=$(Tests/postgres.sh "$work" start)
export PLOT_TEST_POSTGRES
"$swift" test --skip-build --scratch-path "$scratch" "${flags[@]}" --disable-default-traits
PLOT=${PLOT:-../.build/debug/plot} PLOT_SERVER=$scratch/debug/plot-server ./demo.py --port 0 --devices 5 --once
Tests/kills.py --server "$scratch/debug/plot-server" --short
Tests/failures.py --server "$scratch/debug/plot-server"
# The Python front end, and httpx beside urllib: bindings/python/test.sh has made this environment, if it was called before.
python=../.build-venv-python/bin/python
[[ -x $python ]] || "${PYTHON:-python3}" -m venv ../.build-venv-python
"$python" Tests/sync.py --server "$scratch/debug/plot-server"
"$python" -c 'import pyarrow' 2>/dev/null || "$python" -m pip install --quiet --disable-pip-version-check pyarrow
"$python" Tests/parquet.py --server "$scratch/debug/plot-server"
PLOT_SERVER=$scratch/debug/plot-server "$python" ./demo_live.py --port 0 --once
# In a browser, where there is one.
if command -v chromium >/dev/null; then
  browser=../.build-venv-dashboard
  [[ -x $browser/bin/python ]] || "${PYTHON:-python3}" -m venv "$browser"
  "$browser/bin/python" -m pip install --quiet --disable-pip-version-check -r Tests/requirements-dashboard.txt
  ../scripts/vendor_map.sh
  "$browser/bin/python" Tests/dashboard.py --server "$scratch/debug/plot-server"
else
  echo "LEFT OUT: the dashboard in a browser. There is no Chromium here (apt-get install chromium)."
fi
if [[ ${1:-short} == long ]]; then
  Tests/kills.py --server "$scratch/debug/plot-server"
  Tests/kills.py --server "$scratch/debug/plot-server" --postgres
  Tests/kills.py --server "$scratch/debug/plot-server" --postgres --nodes 2
  "$swift" build --scratch-path "$scratch-tls" "${flags[@]}" --product plot-server
  Tests/failures.py --server "$scratch-tls/debug/plot-server" --tls
  "$python" Tests/sync.py --server "$scratch/debug/plot-server" --long
  requests=../.build-venv-openapi
  [[ -x $requests/bin/python ]] || "${PYTHON:-python3}" -m venv "$requests"
  "$requests/bin/python" -m pip install --quiet --disable-pip-version-check -r Tests/requirements-openapi.txt
  "$requests/bin/python" Tests/openapi.py --server "$scratch/debug/plot-server"
fi
