#!/usr/bin/env bash
# Tests the example of Apache Flink (make flink).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
source ./engine_venv.sh
engine_venv flink "PyFlink, 330 MB"
timeout 600 "$venv/bin/python" -m pytest --rootdir tests_flink -o addopts= -o filterwarnings= -q tests_flink
