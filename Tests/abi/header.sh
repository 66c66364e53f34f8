#!/usr/bin/env bash
# The header compiles alone, as C99 and C++17, with gcc and clang; the program in its first comment compiles too, and is
# examples/first/first.c.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

fail() {
  echo "header: $*" >&2
  exit 1
}

header=include/plotengine.h
sample=examples/first/first.c
for input in "$header" "$sample"; do
  [[ -s $input ]] || fail "$input is missing"
done
for tool in gcc g++ clang clang++; do
  command -v "$tool" >/dev/null || fail "$tool is missing"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict=(-Wall -Wextra -pedantic -Werror -Iinclude -fsyntax-only)

echo '#include <plotengine.h>' >"$work/alone.c"
for compiler in gcc clang; do
  "$compiler" -std=c99 "${strict[@]}" -x c "$work/alone.c" || fail "does not compile alone as C99 with $compiler"
done
for compiler in g++ clang++; do
  "$compiler" -std=c++17 "${strict[@]}" -x c++ "$work/alone.c" || fail "does not compile alone as C++17 with $compiler"
done

# With clang, a NULL that the library refuses is a warning; one that it takes is none.
null() { # null ARGUMENTS: a call of plot_engine_init with these
  printf '#include <plotengine.h>\nint32_t f(plot_engine *e, const plot_config *c) { return plot_engine_init(%s); }\n' "$1" >"$work/null.c"
  clang -std=c99 "${strict[@]}" "$work/null.c" 2>/dev/null
}
null 'e, 0, c, NULL, NULL' || fail "clang warns of a NULL that is fine"
for arguments in 'NULL, 0, c, NULL, NULL' 'e, 0, NULL, NULL, NULL'; do
  ! null "$arguments" || fail "clang does not warn of plot_engine_init($arguments)"
done

# The program: the indented lines of the first comment, up to the next essay.
awk '
  /^ \*\// { exit }
  /^ \*     / { inside = 1; print substr($0, 8); next }
  inside && /^ \*$/ { print ""; next }
  inside { exit }
' "$header" >"$work/example.c"
grep -q 'int main(void)' "$work/example.c" || fail "no program stands in the first comment of $header"
for compiler in gcc clang; do
  "$compiler" -std=c99 "${strict[@]}" "$work/example.c" || fail "the program in the first comment does not compile with $compiler"
done

# Without comments and white space, it is the sample.
bare() {
  gcc -fpreprocessed -dD -E -P "$1" | tr -d '[:space:]'
}
[[ $(bare "$work/example.c") == "$(bare "$sample")" ]] || {
  diff -u --label "the program in $header" --label "$sample" "$work/example.c" "$sample" >&2 || true
  fail "$sample is not the program in the first comment of $header"
}
echo "header: compiles alone as C99 and C++17 with gcc and clang; its program is $sample"
