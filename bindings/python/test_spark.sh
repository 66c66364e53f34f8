#!/usr/bin/env bash
# Tests plotengine.spark on Spark itself: in one process, on a cluster of a master and two workers, and as streams.
#   test_spark.sh          everything (make spark)
#   test_spark.sh short    the same rows, and a stream with three killed workers and a killed driver (make test)
#   test_spark.sh bench    measures instead (make bench-spark)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source ./engine_venv.sh
engine_venv spark "PySpark, 430 MB"
tests=(timeout 1200 "$venv/bin/python" -m pytest --rootdir tests_spark -o addopts= -o filterwarnings= -q tests_spark)
case ${1:-} in
  short) PLOT_SPARK_KILLS=3 "${tests[@]}" -k "two_threads or killed_workers" ;;
  bench)
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check sedonadb==0.5.0
    "$venv/bin/python" tests_spark/bench.py "${@:2}"
    ;;
  *) "${tests[@]}" ;;
esac
