#!/usr/bin/env bash
# consumer.sh SOURCE_DIR BUILD_DIR STORE: installs, moves the installed tree, and builds a project
# against it with find_package, pkg-config and add_subdirectory, static and shared, with each
# compiler that is here.
set -euo pipefail
source=$1 build=$2 store=$3
here=$source/tests/build/consumer
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
define=-DRATCHET_TEST_STORE=$store

cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/moved"
prefix=$work/moved
libdir=$(dirname "$(find "$prefix" -name libratchet.a)")

# with_cmake COMPILER NAME [cmake arguments]
with_cmake() {
  local compiler=$1 folder=$work/$2-$1
  shift 2
  cmake -S "$here" -B "$folder" -G Ninja -DCMAKE_CXX_COMPILER="$compiler" \
    -DCMAKE_CXX_FLAGS="$define" "$@"
  cmake --build "$folder" -j "$(nproc)"
  "$folder/consumer"
  if [[ -d $folder/ratchet/stress || -d $folder/ratchet/tests || -d $folder/ratchet/bench ]]; then
    echo "a project that adds ratchet gets its tests or its harness too" >&2
    return 1
  fi
}

# linked_with static|shared PROGRAM
linked_with() {
  local found=static
  if readelf -d "$2" | grep -q 'NEEDED.*libratchet\.so'; then found=shared; fi
  if [[ $found != "$1" ]]; then
    echo "$2 is linked with the $found library, and asked for the $1 one" >&2
    return 1
  fi
}

with_package() {
  local from=(-DRATCHET_FROM=package -DCMAKE_PREFIX_PATH="$prefix")
  with_cmake "$1" package-static "${from[@]}"
  linked_with static "$work/package-static-$1/consumer"
  with_cmake "$1" package-shared "${from[@]}" -DBUILD_SHARED_LIBS=ON
  linked_with shared "$work/package-shared-$1/consumer"
}

with_subdirectory() {
  with_cmake "$1" folder-static -DRATCHET_FROM="$source"
  linked_with static "$work/folder-static-$1/consumer"
  with_cmake "$1" folder-shared -DRATCHET_FROM="$source" -DBUILD_SHARED_LIBS=ON
  linked_with shared "$work/folder-shared-$1/consumer"
}

with_pkg_config() {
  local flags
  flags=$(PKG_CONFIG_PATH=$libdir/pkgconfig pkg-config --cflags --libs ratchet)
  # shellcheck disable=SC2086  # the flags are words
  "$1" -std=c++20 "$define" "$here/consumer.cpp" $flags -o "$work/shared"
  linked_with shared "$work/shared"
  LD_LIBRARY_PATH=$libdir "$work/shared"
  flags=${flags/-lratchet/-l:libratchet.a}
  # shellcheck disable=SC2086
  "$1" -std=c++20 "$define" "$here/consumer.cpp" $flags -o "$work/static"
  linked_with static "$work/static"
  "$work/static"
}

try_all() {
  with_package "$1"
  with_subdirectory "$1"
  with_pkg_config "$1"
}

for compiler in g++ clang++-14 clang++-19; do
  if ! command -v "$compiler" >/dev/null; then
    echo "$compiler: not here, not tried"
    continue
  fi
  try_all "$compiler"
  echo "$compiler: find_package, add_subdirectory and pkg-config, static and shared: built and ran"
done
