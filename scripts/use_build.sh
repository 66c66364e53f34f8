# For scripts that compile programs in C against a build; they source it.
#   use_build NAME BUILD PACKAGES FILE...
# Ends when the library or a FILE is missing, in the name of NAME. Sets `flags` for the compiler, also for the PACKAGES of pkg-config beside plotengine,
# and the paths of pkg-config and of the loader; makes BUILD/tests.
use_build() {
  local name=$1 build=$2 packages=$3 file
  shift 3
  for file in "$@" "$build/lib/libplotengine.so.0" "$build/lib/pkgconfig/plotengine.pc"; do
    [[ -s $file ]] || {
      echo "$name: $file is missing" >&2
      exit 1
    }
  done
  mkdir -p "$build/tests"
  PKG_CONFIG_PATH=$(realpath "$build/lib/pkgconfig")
  LD_LIBRARY_PATH=$(realpath "$build/lib")
  export PKG_CONFIG_PATH LD_LIBRARY_PATH
  # shellcheck disable=SC2034,SC2086 # the caller's; one word for each package
  read -ra flags <<<"$(pkg-config --cflags --libs plotengine $packages)"
}
