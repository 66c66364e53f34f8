#!/usr/bin/env bash
# The costs of a fix, an engine and the library, where they can be counted and come out alike on every machine, against Benchmarks/thresholds.json:
#   Tests/costs/check.sh [--write] [LIBRARY]
# A value that is missing, or above its limit, is a fault. Instructions are counted by callgrind, as the difference of two runs; without
# valgrind they are skipped, with a word. --write takes the counted instructions as the new limits, with the room that stands beside each, in
# per cent; the other limits are what was promised, and stay. The bytes of the index are compared by a Swift test (IndexCostTests).
set -euo pipefail

write=0
if [[ ${1:-} == --write ]]; then
  write=1
  shift
fi
library=$(realpath -m -- "${1:-build/lib/libplotengine.so.0}")
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

thresholds=Benchmarks/thresholds.json
fail() {
  echo "costs: $*" >&2
  exit 1
}
for input in "$library" "$thresholds" build/include/plotengine.h Benchmarks/programs/costs.c Benchmarks/programs/generate.c; do
  [[ -s $input ]] || fail "$input is missing"
done
command -v "${CC:-cc}" >/dev/null || fail "${CC:-cc} is missing"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH=${library%/*}
# So that the order of a table does not change the count.
export SWIFT_DETERMINISTIC_HASHING=1
flags=(-std=gnu11 -O2 -Wall -Wextra -Werror)
"${CC:-cc}" "${flags[@]}" -o "$work/generate" Benchmarks/programs/generate.c -lm
"${CC:-cc}" "${flags[@]}" -Ibuild/include -o "$work/costs" Benchmarks/programs/costs.c -L"${library%/*}" -lplotengine -lm
mkdir "$work/data"
"$work/generate" "$work/data"

count() { # count WHAT [NUMBER]
  "$work/costs" "$work/data" "$@" || fail "cannot count: $*"
}
found() { # found NAME VALUE
  echo "$1 $2" >>"$work/found"
}
collected() { # collected WHAT FIXES: all instructions of a run
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$work/costs" "$work/data" "$1" "$2" 2>"$work/log" >&2 ||
    fail "callgrind: $(tail -n 5 "$work/log")"
  sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/log"
}
instructions() { # instructions WHAT FEW MANY: of one fix
  local few many
  few=$(collected "$1" "$2")
  many=$(collected "$1" "$3")
  [[ -n $few && -n $many ]] || fail "callgrind did not say how many instructions: $1"
  awk -v few="$few" -v many="$many" -v n="$(($3 - $2))" 'BEGIN { printf "%.1f\n", (many - few) / n }'
}

allocations=$(count allocations)
found allocations "$allocations"
found weighed-allocations "$(count weighed-allocations)"
idle=$(count idle 10000)
found idle "$idle"
found library "$(stat -c %s "$library")"
skip=(index)
if command -v valgrind >/dev/null; then
  for what in plain phone weighed-rest weighed-walk weighed-edge; do
    each=$(instructions "$what" 1000 21000)
    found "$what" "$each"
  done
  each=$(instructions crossing 200 1000)
  found crossing "$each"
  once=$(instructions crowded 1000 41000)
  twice=$(instructions crowded-twice 1000 41000)
  found crowded "$(awk -v once="$once" -v twice="$twice" 'BEGIN { if (once <= 0) exit 1; printf "%.4f\n", twice / once }')"
else
  skip+=(plain phone weighed-rest weighed-walk weighed-edge crossing crowded)
  echo "costs: valgrind is not here: instructions are not counted" >&2
fi

python3 - "$thresholds" "$work/found" "$write" "${skip[@]}" <<'END'
import json, math, sys

path, found_path, write, *skip = sys.argv[1:]
with open(path, encoding="utf-8") as file:
    limits = json.load(file)
with open(found_path, encoding="utf-8") as file:
    found = {name: float(value) for name, value in (line.split() for line in file)}
faults = []
for name in sorted(found.keys() - limits.keys()):
    faults.append(f"{name} is counted, and has no limit")
for name, entry in limits.items():
    if name in skip:
        continue
    if name not in found or not math.isfinite(found[name]) or found[name] < 0:
        faults.append(f"{name} was not counted")
        continue
    if write == "1" and "room" in entry:
        entry["limit"] = math.ceil(found[name] * (1 + entry["room"] / 100))
    if found[name] > entry["limit"]:
        faults.append(f"{name}: {found[name]:g}, more than {entry['limit']:g} ({entry['unit']})")
    if "room" in entry and found[name] < 1:
        faults.append(f"{name}: {found[name]:g} instructions cannot be")
if faults:
    sys.exit("\n".join(f"costs: {fault}" for fault in faults))
if write == "1":
    lines = [f"  {json.dumps(name)}: {json.dumps(entry)}" for name, entry in limits.items()]
    with open(path, "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(lines) + "\n}\n")
print("costs: " + ", ".join(f"{name} {value:g} of {limits[name]['limit']:g}" for name, value in found.items()))
END
