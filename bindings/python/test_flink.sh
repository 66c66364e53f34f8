#!/usr/bin/env bash
# Tests the example of Apache Flink (make flink).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$(realpath ../..)
[[ -s $root/build/lib/libplotengine.so.0 ]] || {
  echo "bindings/python: build/lib/libplotengine.so.0 is missing: run make first" >&2
  exit 1
}
venv=$root/.build-venv-flink
if [[ ! -e $venv/installed || requirements-flink.txt -nt $venv/installed ]]; then
  "${PYTHON:-python3}" -m venv "$venv"
  echo "flink: installing PyFlink, 330 MB (pip install -r bindings/python/requirements-flink.txt)"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r requirements-flink.txt
  touch "$venv/installed"
fi
PYTHONPATH=$PWD/src timeout 600 "$venv/bin/python" -m pytest --rootdir tests_flink -o addopts= -o filterwarnings= -q tests_flink
