#!/usr/bin/env bash
# usage: setup.sh [docs|python|venvs]
#
# Installs what is missing to build and test Kern:
#   1. Debian packages (packages.txt),
#   2. build/venv with the tests' NumPy (requirements.txt),
#   3. build/cuda with cuda.h, libdevice and ptxas from PyPI (cuda-parts.txt),
#      where no CUDA toolkit is found.
# With `docs`, installs build/docs/venv instead, which builds the site
# (requirements-docs.txt). With `python`, installs build/python/venv, with what
# the Python package is tested against (requirements-python.txt) and the wheels
# of build/wheels; with `venvs`, both without the wheels. Names what cannot be installed and stops.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source tools/scripts/phases.sh
mkdir -p build/logs

# listed FILE: its lines without comments.
listed() { sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "$1"; }

is_installed() {
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

install_packages() {
  local missing=() package as_root=()
  while read -r package; do
    is_installed "$package" || missing+=("$package")
  done < <(listed tools/scripts/packages.txt)
  ((${#missing[@]})) || return 0

  echo "    missing: ${missing[*]}"
  if [[ $(id -u) != 0 ]]; then
    command -v sudo >/dev/null ||
      die 1 "neither root nor sudo: install these packages first: ${missing[*]}"
    as_root=(sudo)
  fi
  quietly build/logs/apt-update.log "${as_root[@]}" apt-get update -q ||
    die 1 "apt-get update failed; missing packages: ${missing[*]}"
  for package in "${missing[@]}"; do
    apt-cache show "$package" >/dev/null 2>&1 ||
      die 1 "no package '$package' in this machine's package sources \
(Debian 12 has it in bookworm or bookworm-security)"
  done
  quietly build/logs/apt-install.log "${as_root[@]}" \
    env DEBIAN_FRONTEND=noninteractive \
    apt-get install -q -y --no-install-recommends "${missing[@]}" || true
  for package in "${missing[@]}"; do
    is_installed "$package" || die 1 "package '$package' could not be installed"
  done
}

# Prints the path of a Python that can make a venv. Prefers Debian's own, since
# python3-venv belongs to it.
find_python() {
  local candidate
  for candidate in /usr/bin/python3 python3; do
    if "$candidate" -c 'import venv, ensurepip' 2>/dev/null; then
      echo "$candidate"
      return
    fi
  done
}

# make_venv FOLDER REQUIREMENTS
make_venv() {
  local folder=$1 wanted=$2 requirement python
  cmp -s "$wanted" "$folder/installed.txt" && return
  python=$(find_python)
  [[ $python ]] || die 1 "no python3 with venv found (Debian package python3-venv)"
  rm -rf "$folder"
  quietly "build/logs/venv-${folder//\//-}.log" "$python" -m venv "$folder" ||
    die 1 "the virtual environment could not be created (Debian package python3-venv)"
  local log=build/logs/pip-${folder//\//-}.log
  # All at once is quicker; one after the other names the one that is missing.
  "$folder/bin/python" -m pip install -q --disable-pip-version-check \
    -r "$wanted" >"$log" 2>&1 || while read -r requirement; do
    quietly "$log" "$folder/bin/python" -m pip install -q \
      --disable-pip-version-check "$requirement" ||
      die 1 "Python package '$requirement' could not be installed"
  done < <(listed "$wanted")
  cp "$wanted" "$folder/installed.txt"
}

# has_cuda_parts ROOT...: whether the roots together hold all three parts.
# tools/cmake/KernCudaParts.cmake looks in the same places.
has_cuda_parts() {
  local root header='' library='' assembler=''
  for root in "$@"; do
    [[ -f $root/include/cuda.h || \
      -f $root/targets/x86_64-linux/include/cuda.h ]] && header=1
    [[ -f $root/nvvm/libdevice/libdevice.10.bc ]] && library=1
    [[ -x $root/bin/ptxas ]] && assembler=1
  done
  [[ $header && $library && $assembler ]]
}

get_cuda_parts() {
  local roots=(/usr/local/cuda /usr/lib/cuda /usr) requirement
  local wheels=build/cuda-wheels
  [[ ${CUDA_HOME:-} ]] && roots=("$CUDA_HOME" "${roots[@]}")
  if [[ ! ${KERN_CUDA_FROM_PYPI:-} ]] && has_cuda_parts "${roots[@]}"; then
    return
  fi
  if has_cuda_parts build/cuda &&
    cmp -s tools/scripts/cuda-parts.txt build/cuda/installed.txt; then
    return
  fi
  rm -rf build/cuda "$wheels"
  while read -r requirement; do
    quietly build/logs/pip.log build/venv/bin/python -m pip download -q \
      --disable-pip-version-check --no-deps --only-binary=:all: \
      -d "$wheels" "$requirement" ||
      die 1 "Python package '$requirement' could not be fetched"
  done < <(listed tools/scripts/cuda-parts.txt)
  build/venv/bin/python tools/scripts/unpack_cuda.py "$wheels" build/cuda ||
    die 1 "PyPI's CUDA packages could not be unpacked"
  rm -rf "$wheels"
  has_cuda_parts build/cuda || die 1 "PyPI's packages lack a part of CUDA"
  cp tools/scripts/cuda-parts.txt build/cuda/installed.txt
}

docs_venv() {
  phase "preparing Python in build/docs/venv" \
    make_venv build/docs/venv tools/scripts/requirements-docs.txt
}
python_venv() {
  phase "preparing Python in build/python/venv" \
    make_venv build/python/venv tools/scripts/requirements-python.txt
}
if [[ ${1:-} == venvs ]]; then
  docs_venv
  python_venv
  exit
fi
if [[ ${1:-} == docs ]]; then
  docs_venv
  exit
fi
if [[ ${1:-} == python ]]; then
  python_venv || exit
  phase "installing the wheels" quietly build/logs/pip-wheels.log \
    build/python/venv/bin/python -m pip install -q --disable-pip-version-check \
    --force-reinstall --no-deps --no-index --find-links build/wheels \
    kern-lang kern-lang-core || exit
  ls build/wheels >build/python/wheels.txt
  exit
fi
[[ $(uname -sm) == 'Linux x86_64' ]] || die 1 "only Linux on x86-64 is supported"
if [[ ! ${KERN_SKIP_PACKAGES:-} ]]; then
  command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
    die 1 "this is not Debian: install what corresponds to \
tools/scripts/packages.txt yourself, then set KERN_SKIP_PACKAGES=1"
  # Phases run where bash ignores `set -e`, so each step in them uses `|| die`.
  phase "installing packages" install_packages
fi
phase "preparing Python in build/venv" \
  make_venv build/venv tools/scripts/requirements.txt
phase "looking for CUDA's parts" get_cuda_parts
