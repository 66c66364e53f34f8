#!/usr/bin/env bash
# Recordings in every language: what is recorded is the same, and what is replayed is the same, byte for byte, in any time zone and locale.
# After make, the vectors and the front ends' own tests: it needs what they have built.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
fail() {
  echo "recordings: $*" >&2
  exit 1
}
for input in build/bin/plot build/tests/run_vectors .build-venv/bin/python .build-venv-python/bin/python; do
  [[ -x $input ]] || fail "$input is missing: run make test"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH=$root/build/lib PYTHONPATH=$root/bindings/python/src PLOTENGINE_LIBRARY=$root/build/lib/libplotengine.so.0
python=$root/.build-venv-python/bin/python

export PKG_CONFIG_PATH="$root/build/lib/pkgconfig"
read -ra flags <<<"$(pkg-config --cflags --libs plotengine)"
"${CC:-cc}" -std=c99 -O1 -Wall -Wextra -pedantic -Werror -o "$work/replay" examples/replay/replay.c "${flags[@]}"
# A locale with a decimal comma, and one whose letters change case in their own way.
for locale in de_DE tr_TR; do localedef -i "$locale" -f UTF-8 "$work/$locale.UTF-8" 2>/dev/null || fail "localedef cannot make $locale"; done
export LOCPATH=$work

in_swift() { build/bin/plot replay --quiet --output - "$1"; }
in_c() { "$work/replay" "$1"; }
in_python() { "$python" examples/replay/replay.py "$1"; }
mkdir "$work/node_modules"
ln -s "$root/bindings/node" "$work/node_modules/plotengine"
in_node() { NODE_PATH=$work/node_modules node examples/replay/replay.js "$1"; }

if [[ ! -d ../shared/data/bus304 ]]; then
  echo "LEFT OUT: the bus ride in four languages. There are no real traces beside the project."
else
  echo "-- the bus ride with noise, in four languages, time zones and locales"
  "$python" bindings/python/tests/noisy_ride.py 7 >"$work/ride.csv"
  build/bin/plot feed import ../shared/data/bus304/stops.geojson --id-property id --radius 60 --message 'Stop {{name}}' >"$work/stops.json"
  echo '{"publicToken": "REPLACE_ME", "engine": {"noise": "driving"}}' >"$work/config.json"
  build/bin/plot simulate --quiet --config "$work/config.json" --feed "$work/stops.json" --track "$work/ride.csv" \
    --time-zone America/Costa_Rica --record "$work/ride.jsonl"
  expected=$(sha256sum <"$work/ride.jsonl")
  count=0
  while read -r zone locale; do
    for language in swift c python node; do
      given=$(TZ=$zone LC_ALL=$locale "in_$language" "$work/ride.jsonl" | sha256sum)
      [[ $given == "$expected" ]] || fail "in $language, with TZ=$zone and LC_ALL=$locale, the ride has the SHA-256 $given; recorded was $expected"
      count=$((count + 1))
    done
  done <<'END'
UTC C
Asia/Kathmandu de_DE.UTF-8
America/St_Johns tr_TR.UTF-8
END
  echo "$count replays of $(wc -l <"$work/ride.jsonl") lines, one SHA-256: ${expected%% *}"
fi

echo "-- recordings of former releases, in four languages"
count=0
for packed in Tests/recordings/*/*.jsonl.gz; do
  gzip -dc "$packed" >"$work/former.jsonl"
  for language in swift c python node; do
    "in_$language" "$work/former.jsonl" | cmp -s - "$work/former.jsonl" || fail "in $language, $packed comes out otherwise when it is played"
    count=$((count + 1))
  done
done
((count >= 20)) || fail "only $count replays of recordings of former releases"
echo "$count replays gave the same bytes"

echo "-- every life of every vector"
mkdir "$work/c"
PLOT_VECTORS_RECORD=$work/c build/tests/run_vectors Tests/vectors >"$work/log" || fail "the vectors fail"
# A case of no vector: an app that registers its callbacks late.
"$python" - "$work/c/late.jsonl" <<'END'
import sys
import plotengine

with plotengine.Engine({"publicToken": "REPLACE_ME"}, time=1_700_000_000_000, record=sys.argv[1]) as engine:
    engine.on_filter(lambda batch: list(batch))
    engine.set_strategy("mine", plotengine.Strategy())
    engine.advance(time=1_700_000_001_000)
    engine.on_filter(None)
END
build/bin/plot replay --quiet "$work/c" || fail "a recording of C comes out otherwise"
.build-venv/bin/python Tests/recordings/lines.py --all "$work/c"
echo "$(find "$work/c" -name '*.jsonl' | wc -l) recordings, all come out the same"
for recording in "$work"/c/*.jsonl; do
  build/bin/plot replay --quiet --anonymize --output "$work/shared.jsonl.gz" "$recording" || fail "anonymized, $recording decides otherwise"
done
echo "and each with its places elsewhere decides the same"
# Each runner writes the feed's text in its own way before the engine reads it: the digest of that text, also in the image of a store, differs.
# Node answers a batch inside the callback, as of no time of its own, where C answers with the time of the input; and it tries late answers.
sums() {
  local recording
  for recording in "$work/$1"/*.jsonl; do
    sed -E 's/"digest":"[^"]*"//; s/"store":"[^"]*"//; /^\{"input":"feed"/s/([0-9])\.0\b/\1/g
      /^\{"(refused|input":"(filter-answer|geotriggers-handled))"/d' "$recording" | sha256sum
  done | sort | sha256sum
}
rm "$work/c/late.jsonl"
mkdir "$work/python" "$work/node"
PLOT_VECTORS_RECORD=$work/python "$python" -m plotengine.vectors Tests/vectors >"$work/log" || fail "the vectors fail in Python"
[[ $(sums python) == "$(sums c)" ]] || fail "Python records something else than C"
PLOT_VECTORS_RECORD=$work/node node bindings/node/lib/vectors.js Tests/vectors >"$work/log" || fail "the vectors fail in Node"
[[ $(sums node) == "$(sums c)" ]] || fail "Node records something else than C"
echo "Python and Node record the same as C"
