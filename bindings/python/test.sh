#!/usr/bin/env bash
# Tests the Python front end: against the library that `make` has built, and then as the wheel that people install.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$(realpath ../..)
[[ -s $root/build/lib/libplotengine.so.0 ]] || {
  echo "bindings/python: build/lib/libplotengine.so.0 is missing: run make first" >&2
  exit 1
}
unset PLOTENGINE_LIBRARY PLOTENGINE_TOOL PYTHONPATH

venv=$root/.build-venv-python
[[ -x $venv/bin/python ]] || "${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r requirements-build.txt -r requirements-test.txt

echo "-- style and types"
"$venv/bin/ruff" check .
"$venv/bin/ruff" format --check .
"$venv/bin/ruff" check --config pyproject.toml --line-length 100 "$root/examples"
"$venv/bin/ruff" format --config pyproject.toml --line-length 100 --check "$root/examples"
"$venv/bin/mypy" src samples bench.py tests/typing_check.py tests/typing_host.py "$root"/examples/*/*.py
# A host's code, under another checker and its strictest rules.
(cd tests && PYTHONPATH=../src "$venv/bin/basedpyright" --pythonpath "$venv/bin/python" typing_host.py)

# PLOT_PYTHONS, a list like PATH, names other Pythons for what differs between versions.
echo "-- against the development build"
PYTHONPATH=src "$venv/bin/python" -m pytest 2>&1 | tee "$venv/pytest.log"
# The results, for docs/support.md: runtime, version, suite, number of tests.
results=$root/build/support/python.tsv
mkdir -p "$(dirname "$results")"
version=$("$venv/bin/python" -c 'import platform; print(platform.python_version())')
printf 'CPython\t%s\tagainst the development build\t%s\n' "$version" "$(sed -nE 's/.*[^0-9]([0-9]+) passed.*/\1/p' "$venv/pytest.log" | tail -1)" >"$results"

echo "-- as a wheel, in an environment of its own"
clean=$(mktemp -d)
trap 'rm -rf "$clean"' EXIT
# `make test` has packed it already.
wheels=${PLOT_DIST:-$clean/wheel}
[[ -n ${PLOT_DIST:-} ]] || ./build_wheel.sh "$wheels"
cp -r "$root/demo" "$clean/demo"
cp -r "$root/Tests/vectors" "$clean/vectors"
cp "$root/examples/console-phone/console_phone.py" "$clean/"
"$venv/bin/python" -m venv "$clean/venv"
"$clean/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-index "$wheels"/plotengine-*.whl
cp tests/smoke.py "$clean/"
cd "$clean"
venv/bin/python -W error smoke.py
installed=$(echo "$clean"/venv/lib/python*/site-packages)
"$venv/bin/python" "$root/Tests/packages/check_package_pages.py" "$installed/plotengine" --pages doc --index "$(echo "$installed"/plotengine-*.dist-info/METADATA)"
venv/bin/python -W error -m plotengine.vectors vectors
# The tool is a package of its own, and the extra `cli`.
! venv/bin/python -m plotengine --version 2>missing
grep -q "pip install plotengine\[cli\]" missing
if venv/bin/python -m plotengine replay-fleet 2>missing; then exit 1; fi
grep -q "pip install plotengine\[fleet\]" missing
venv/bin/python -m pip install --quiet --disable-pip-version-check --no-index --find-links "$wheels" "plotengine[cli]"
for program in venv/bin/plot "venv/bin/python -m plotengine"; do
  # shellcheck disable=SC2086 # a program and its arguments
  [[ $($program --version) == "$(cat "$root/VERSION")" ]]
done
venv/bin/plot vectors vectors >/dev/null
venv/bin/python -m plotengine simulate --config demo/plotconfig.json --feed demo/feed.json --track demo/walk.gpx >simulated
grep -q "Welcome to Dam square\|Fijne middag" simulated
venv/bin/python -W error console_phone.py demo/walk.gpx --config demo/plotconfig.json --feed demo/feed.json >phone
grep -q "Welcome to Dam square" phone
printf 'CPython\t%s\tthe wheel\t%s\n' "$version" "$(find vectors -name '*.json' | wc -l)" >>"$results"
python3 "$root/scripts/support_table.py" --check python
echo "python: all passed, also from the wheel"
