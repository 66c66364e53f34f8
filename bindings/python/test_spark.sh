#!/usr/bin/env bash
# Tests plotengine.spark on Spark itself: in one process, and on a cluster of a master and two workers (make spark).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$(realpath ../..)
[[ -s $root/build/lib/libplotengine.so.0 ]] || {
  echo "bindings/python: build/lib/libplotengine.so.0 is missing: run make first" >&2
  exit 1
}
venv=$root/.build-venv-spark
[[ -x $venv/bin/python ]] || "${PYTHON:-python3}" -m venv "$venv"
echo "spark: installing PySpark (pip install -r bindings/python/requirements-spark.txt)"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r requirements-spark.txt
PYTHONPATH=$PWD/src timeout 900 "$venv/bin/python" -m pytest --rootdir tests_spark -o addopts= -o filterwarnings= -q tests_spark
