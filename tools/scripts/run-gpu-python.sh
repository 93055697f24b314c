#!/usr/bin/env bash
# usage: run-gpu-python.sh [OUTPUT [STEP]...]
#
# Tests the Python package, from its wheels, on a machine with an NVIDIA GPU; it
# needs no network. Run it in a copy of the tree that has python/tests,
# test/bench, test/e2e and build/wheels with the wheels of this Python
# (PYTHON=… names it), which has NumPy, SciPy and pytest. torch, CuPy, JAX, Numba,
# Dask, pandas and xarray are tested where they are installed; other wheels in
# build/wheels/more are installed too. All output goes to OUTPUT (default:
# gpu-python); nothing is written into Python's own folders.
#
# Steps: gpu cpu calls numba. TESTS="test_fork test_dask_cluster" runs these files of
# python/tests alone, GPU_SECONDS=60 ends the step gpu after that time. Last line:
# `N passed, N failed, N skipped`, of the tests; exit status 1 if a test failed.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out=${1:-gpu-python}
shift || true
steps=" ${*:-gpu cpu calls numba} "
python=${PYTHON:-python3}
jobs=$(nproc)
((jobs <= 12)) || jobs=12
mkdir -p "$out"
out=$(cd "$out" && pwd)
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT
# JAX would take most of the GPU's memory, in each process.
export PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 \
  XLA_PYTHON_CLIENT_PREALLOCATE=false

shopt -s nullglob
"$python" -m pip install -q --no-index --no-deps --no-compile --target "$site" \
  --find-links "$root/build/wheels" kern-lang kern-lang-core \
  "$root"/build/wheels/more/*.whl >"$out/install.log" 2>&1 || {
  cat "$out/install.log"
  exit 2
}
export PYTHONPATH=$site PATH=$site/bin:$PATH
cd "$root" || exit 2
"$python" - <<'PY' | tee "$out/versions.txt"
import importlib.metadata as metadata, sys
import kern
print("Python", sys.version.split()[0], "on", ", ".join(one.name for one in kern.devices()))
for name in ("kern-lang numpy torch cupy-cuda13x jax numba numba-cuda dask pandas "
             "xarray").split():
    try:
        print(name, metadata.version(name))
    except metadata.PackageNotFoundError:
        print(name, "is not installed")
PY

files=(python/tests)
[[ -z ${TESTS:-} ]] || read -ra files < <(printf 'python/tests/%s.py ' $TESTS)
parallel=()
"$python" -c 'import xdist' 2>/dev/null && parallel=(-n "$jobs" --dist loadfile)

# tests STEP SECONDS EXPRESSION: the tests with these marks.
tests() {
  [[ $steps == *" $1 "* ]] || return 0
  echo "==> $1"
  timeout --signal=INT --kill-after=9 "$2" "$python" -m pytest -q -p no:cacheprovider -m "$3" \
    -rfE --durations=10 --tb=short --junitxml="$out/$1.xml" "${parallel[@]}" \
    "${files[@]}" >"$out/$1.log" 2>&1
  local status=$?
  tail -n 60 "$out/$1.log" | cut -c 1-300
  ((status == 0)) || echo "$1: pytest ended with status $status"
}

# measure STEP SECONDS SCRIPT ARGUMENT…: a benchmark. Missed goals are in its log.
measure() {
  local name=$1 limit=$2
  shift 2
  [[ $steps == *" $name "* ]] || return 0
  echo "==> $name"
  timeout --kill-after=5 "$limit" "$python" "$@" >"$out/$name.log" 2>&1
  local status=$?
  tail -n 40 "$out/$name.log" | cut -c 1-300
  ((status <= 1)) || echo "$name: ended with status $status"
}

tests gpu "${GPU_SECONDS:-240}" gpu
tests cpu 280 'not gpu'
measure calls 60 test/bench/python_calls.py --only one,calls \
  --json "$out/calls.json"
measure numba 90 test/bench/numba_examples.py --device cuda --log2 24 \
  --json "$out/numba.json"

"$python" - "$out" "$steps" <<'PY' | tee "$out/summary.txt"
import pathlib, sys
import xml.etree.ElementTree as ElementTree
total = {"tests": 0, "failed": 0, "skipped": 0}
for step in {"gpu", "cpu"} & set(sys.argv[2].split()):
    try:
        suite = ElementTree.parse(pathlib.Path(sys.argv[1], step + ".xml")).find("testsuite")
    except (OSError, ElementTree.ParseError):  # it was stopped
        total["tests"] += 1
        total["failed"] += 1
        continue
    total["tests"] += int(suite.get("tests"))
    total["failed"] += int(suite.get("failures")) + int(suite.get("errors"))
    total["skipped"] += int(suite.get("skipped"))
passed = total["tests"] - total["failed"] - total["skipped"]
print(f"{passed} passed, {total['failed']} failed, {total['skipped']} skipped")
PY
grep -q ' 0 failed' "$out/summary.txt"
