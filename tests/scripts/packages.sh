# shellcheck shell=bash
# Which Debian packages the scripts need, and how a missing one is brought.

# needed_packages run|quick|full|night: one package:command a line; no command where there is none
# to look for.
needed_packages() {
  printf '%s\n' cmake:cmake ninja-build:ninja g++:g++ libgtest-dev: libbenchmark-dev: \
    nlohmann-json3-dev: librapidcheck-dev:
  case $1 in
    quick) printf '%s\n' python3:python3 clang-format-19:clang-format-19 ;;
    full)
      needed_packages quick
      printf '%s\n' clang-14:clang++-14 clang-19:clang++-19 clang-tidy-19:clang-tidy-19 \
        libclang-rt-19-dev: patch:patch pkg-config:pkg-config binutils:objdump \
        shellcheck:shellcheck
      ;;
    night)
      needed_packages full
      printf '%s\n' spin:spin gcc:gcc
      ;;
  esac
}

is_debian() { command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; }

is_installed() { dpkg-query -W -f='${db:Status-Status}\n' "$1" 2>/dev/null | grep -qx installed; }

# Prints which of the given package:command pairs are missing.
missing_packages() {
  local pair package command
  for pair in "$@"; do
    package=${pair%%:*} command=${pair#*:}
    if is_debian; then
      is_installed "$package" || echo "$package"
    elif [[ -n $command ]] && ! command -v "$command" >/dev/null; then
      echo "$package"
    fi
  done
}

as_root() {
  if ((EUID == 0)); then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    echo "this needs root, and there is no sudo: $*" >&2
    return 1
  fi
}

apt_install() {
  as_root apt-get update &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

# install_missing run|quick|full|night: does nothing, and needs no network, when nothing is missing.
install_missing() {
  local needed missing
  mapfile -t needed < <(needed_packages "$1" | sort -u)
  mapfile -t missing < <(missing_packages "${needed[@]}")
  if ! is_debian; then
    echo "packages: this is not Debian, so nothing is installed here." \
      "Needed, by their Debian names: ${needed[*]%%:*}${missing[*]:+; not found: ${missing[*]}}"
  elif ((${#missing[@]} == 0)); then
    echo "packages: nothing is missing"
  else
    echo "packages: installing ${missing[*]}"
    local log status=0
    log=$(mktemp)
    apt_install "${missing[@]}" >"$log" 2>&1 </dev/null || status=$?
    if ((status != 0)); then
      tail -n 20 "$log" >&2
      echo "packages: apt-get could not install ${missing[*]}" >&2
    fi
    rm -f "$log"
    return "$status"
  fi
}
