#!/usr/bin/env bash
# Tests the Rust binding: its own tests, its example, and all shared vectors, which must pass and be printed as C prints them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
root=$(realpath ../..)
[[ -s $root/build/lib/libplotengine.so.0 ]] || {
  echo "bindings/rust: build/lib/libplotengine.so.0 is missing: run make first" >&2
  exit 1
}
export PLOTENGINE_LIB_DIR=$root/build/lib LD_LIBRARY_PATH=$root/build/lib CARGO_TARGET_DIR=$root/.build-rust
export CARGO_NET_OFFLINE=true RUSTFLAGS="-D warnings"
cargo test --quiet --features vectors --lib --bins --tests
[[ $(cargo run --quiet --features vectors --example first) == "Welcome!" ]] || {
  echo "bindings/rust: the example does not print Welcome!" >&2
  exit 1
}
cargo run --quiet --features vectors --bin vectors "$root/Tests/vectors" | tail -n 1
