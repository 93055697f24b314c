#!/usr/bin/env bash
# usage: run-gpu-tests.sh [OUTPUT [STEP]...]
#
# Tests the unpacked package on a machine with an NVIDIA GPU. This script is at
# the package's root. It needs the driver, and Python with NumPy 2 or later
# (PYTHON=… names it); the benchmarks also need CuPy. All output goes to files
# in OUTPUT (default: gpu-tests). Each step has a time limit; all steps together
# take less than nine minutes.
#
# Steps: devices unit stdlib e2e e2e-cpu programs sanitizer demo bench. Last line:
# `N passed, N failed, N skipped`; exit status 1 if anything failed.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=${1:-gpu-tests}
shift || true
steps=" ${*:-devices unit stdlib e2e e2e-cpu programs sanitizer demo bench} "
share=$here/share/kern
python=${PYTHON:-python3}
jobs=$(nproc)
((jobs <= 8)) || jobs=8
export PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1

if [[ ! -d $share/test/e2e ]]; then
  echo "run-gpu-tests.sh: $here is not an unpacked package: it has no share/kern" >&2
  exit 2
fi
mkdir -p "$out"
out=$(cd "$out" && pwd)
rm -f "$out"/*.tally

# tally STEP PASSED FAILED SKIPPED SECONDS NOTE
tally() { printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$@" >"$out/$1.tally"; }

# step NAME SECONDS COMMAND…: runs a command with a time limit. Its output goes
# to OUTPUT/NAME.log, and its last lines to the terminal. Counts as one check,
# unless the command writes a summary to OUTPUT/NAME.json.
step() {
  local name=$1 limit=$2 begin=$SECONDS status note=''
  shift 2
  [[ $steps == *" $name "* ]] || return 0
  echo "==> $name"
  rm -f "$out/$name.json"
  timeout --kill-after=5 "$limit" "$@" >"$out/$name.log" 2>&1
  status=$?
  tail -n "${SHOWN:-40}" "$out/$name.log" | cut -c 1-400
  ((status != 124 && status != 137)) || note="stopped after $limit s"
  local counts
  if counts=$("$python" - "$out/$name.json" 2>/dev/null <<'PY'
import json, sys
summary = json.load(open(sys.argv[1]))
if "passed" not in summary:
    sys.exit(1)
print(summary["passed"], summary["failed"], summary["skipped"])
PY
  ); then
    read -r passed failed skipped <<<"$counts"
    # A failure that is not in the summary.
    if ((status != 0 && failed == 0)); then
      failed=1
      note=${note:-ended with status $status}
    fi
    tally "$name" "$passed" "$failed" "$skipped" $((SECONDS - begin)) "$note"
  elif ((status == 0)); then
    tally "$name" 1 0 0 $((SECONDS - begin)) ''
  else
    tally "$name" 0 1 0 $((SECONDS - begin)) "${note:-status $status}"
  fi
}

# skip NAME WHY
skip() {
  [[ $steps == *" $1 "* ]] || return 0
  echo "==> $1: skipped: $2"
  tally "$1" 0 0 1 0 "$2"
}

unit_tests() {
  local program failed=0
  for program in "$share"/test/bin/kern_*_tests; do
    [[ -x $program ]] || continue
    echo "--- $(basename "$program")"
    "$program" --gtest_brief=1 \
      --gtest_output="json:$out/unit-$(basename "$program").json" || failed=1
  done
  "$python" - "$out" <<'PY'
import json, pathlib, sys
out = pathlib.Path(sys.argv[1])
passed = failed = skipped = 0
for path in out.glob("unit-*.json"):
    report = json.loads(path.read_text())
    for suite in report["testsuites"]:
        for test in suite["testsuite"]:
            if test.get("failures"):
                failed += 1
            elif test.get("result") == "SKIPPED" or test["status"] == "NOTRUN":
                skipped += 1
            else:
                passed += 1
(out / "unit.json").write_text(json.dumps(
    {"passed": passed, "failed": failed, "skipped": skipped}))
PY
  return $failed
}

e2e() {
  local name=$1
  shift
  "$python" "$share/test/e2e/run.py" --lib "$here/lib/libkern.so" \
    --kern "$here/bin/kern" --summary "$out/$name.json" --jobs "$jobs" "$@"
}

# Random programs on each device, compared with an evaluation of their syntax
# trees: of all types, then of those narrower than a register.
programs() {
  local device types status=0 number=0
  for device in cuda cpu; do
    for types in "" f16,bf16 bool,i8,u8,i16,u16; do
      "$python" "$share/test/programs/run.py" --lib "$here/lib/libkern.so" \
        --device $device --types "$types" \
        --count $([[ $types ]] && echo 5000 || echo 10000) --jobs "$(nproc)" \
        --json "$out/programs-$((number++)).json" || status=1
    done
  done
  "$python" - "$out" "$number" <<'PY'
import json, pathlib, sys
out = pathlib.Path(sys.argv[1])
parts = [json.loads((out / f"programs-{n}.json").read_text())
         for n in range(int(sys.argv[2]))]
(out / "programs.json").write_text(json.dumps(
    {key: sum(p[key] for p in parts) for key in parts[0]}))
PY
  return $status
}

# sanitize TOOL PROGRAM…
sanitize() {
  local tool=$1
  shift
  compute-sanitizer --tool "$tool" --target-processes all \
    --error-exitcode 99 --print-limit 20 "$python" "$@"
}

# The calls of a few groups of tests, and each kind of kernel under each tool.
# racecheck takes six times as long as the others.
sanitized() {
  local tool part status=0 running=()
  sanitize memcheck "$share/test/e2e/run.py" --lib "$here/lib/libkern.so" \
    --kern "$here/bin/kern" --device cuda --jobs 2 --case-timeout 100 \
    --groups ranks,gufuncs,overlap \
    -k 'named shapes|ranks 2 and 3|sizes int16|of nothing|windows of 5|vectors' &
  running+=($!)
  for tool in memcheck synccheck initcheck racecheck; do
    local parts=1
    [[ $tool != racecheck ]] || parts=6
    for ((part = 0; part < parts; part++)); do
      sanitize $tool "$share/test/e2e/each_kernel.py" \
        --lib "$here/lib/libkern.so" --part $part/$parts --seconds 80 &
      running+=($!)
    done
  done
  for part in "${running[@]}"; do wait "$part" || status=1; done
  return $status
}

export -f unit_tests e2e programs sanitize sanitized
export here out share python jobs

step devices 20 "$here/bin/kern" devices
step unit 45 bash -c unit_tests
step stdlib 60 "$here/bin/kern" test --stdlib
step e2e 180 bash -c 'e2e e2e --device cuda'
step e2e-cpu 45 bash -c \
  'e2e e2e-cpu --device cpu --groups ranks,gufuncs,language,generic'
step programs 150 bash -c programs
if ! command -v compute-sanitizer >/dev/null; then
  skip sanitizer 'compute-sanitizer is not installed'
else
  step sanitizer 100 bash -c sanitized
fi
if [[ -f $share/examples/run-demo.sh ]]; then
  step demo 30 bash "$share/examples/run-demo.sh" "$here" "$out/demo"
else
  skip demo 'the package has no examples/run-demo.sh'
fi
if ! "$python" -c 'import cupy' 2>/dev/null; then
  skip bench 'CuPy is not installed'
elif [[ ! -f $share/test/bench/bench.py ]]; then
  skip bench 'the package has no test/bench/bench.py'
else
  # Missed goals appear in the log and the table. The step passes if all results
  # are correct and every part finishes.
  SHOWN=200 step bench 150 "$python" "$share/test/bench/bench.py" \
    --lib "$here/lib/libkern.so" --kern "$here/bin/kern" --seconds 90 \
    --batches 5 --peers CuPy,torch --no-goals \
    --json "$out/measured.json" --markdown "$out/measured.md"
fi

echo
printf '%-10s %7s %7s %8s %8s\n' step passed failed skipped seconds
passed=0 failed=0 skipped=0
for name in devices unit stdlib e2e e2e-cpu programs sanitizer demo bench; do
  [[ -f $out/$name.tally ]] || continue
  IFS=$'\t' read -r _ p f s seconds note <"$out/$name.tally"
  printf '%-10s %7d %7d %8d %8d  %s\n' "$name" "$p" "$f" "$s" "$seconds" "$note"
done | tee "$out/summary.txt"
for file in "$out"/*.tally; do
  [[ -f $file ]] || continue
  IFS=$'\t' read -r _ p f s _ <"$file"
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
rm -f "$out"/*.tally
echo "$passed passed, $failed failed, $skipped skipped" |
  tee -a "$out/summary.txt"
((failed == 0))
