# Sourced by test_spark.sh and test_flink.sh: engine_venv NAME WHAT makes a Python with requirements-NAME.txt, whose folder is then in $venv.
engine_venv() {
  local root
  root=$(realpath ../..)
  [[ -s $root/build/lib/libplotengine.so.0 ]] || {
    echo "bindings/python: build/lib/libplotengine.so.0 is missing: run make first" >&2
    exit 1
  }
  venv=$root/.build-venv-$1
  export PYTHONPATH=$PWD/src
  [[ -e $venv/installed && ! requirements-$1.txt -nt $venv/installed ]] && return
  "${PYTHON:-python3}" -m venv "$venv"
  echo "$1: installing $2 (pip install -r bindings/python/requirements-$1.txt)"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "requirements-$1.txt"
  touch "$venv/installed"
}
