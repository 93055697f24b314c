#!/usr/bin/env bash
# usage: run-demo.sh PREFIX [OUTPUT]
#
# Runs the examples on real input: compiles their kernels to PTX, runs them on
# the first GPU (or the CPU, where there is none), checks the numbers,
# and says what was computed, by which kernel, where, and how fast. Writes
# mandelbrot.png and the PTX files to OUTPUT.
#
# PREFIX: a build folder, or where Kern is installed. OUTPUT: PREFIX/demo in a
# build folder, else kern-demo.
set -euo pipefail
prefix=$(cd "${1:?usage: run-demo.sh PREFIX [OUTPUT]}" && pwd)
examples=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
output=${2:-}
if [[ -z $output ]]; then
  output="kern-demo"
  [[ ! -f $prefix/CMakeCache.txt ]] || output=$prefix/demo
fi
mkdir -p "$output"

kern=$prefix/bin/kern
demo=$prefix/bin/kern_demo
[[ -x $demo ]] || demo=$prefix/share/kern/examples/bin/kern_demo
if [[ ! -x $demo ]]; then
  echo "run-demo.sh: there is no kern_demo in $prefix; build it with" >&2
  echo "  cmake -S $examples -B BUILD -DCMAKE_PREFIX_PATH=$prefix" >&2
  exit 1
fi

echo "Devices:"
"$kern" devices | sed 's/^/  /'

echo
echo "Kernels, compiled to PTX in $output:"
for source in "$examples"/[0-9]*.kern; do
  ptx=$output/$(basename "$source" .kern).ptx
  case $source in # the generic ones need to be told their types
  */01_add.kern) types=(--signature "f32(f32, f32)" --signature "f64(f64, f64)") ;;
  */05_zero_suppress.kern) types=(--signature "i16(i16, i16)") ;;
  *) types=() ;;
  esac
  "$kern" compile "$source" "${types[@]}" -o "$ptx"
  printf '  %-24s %7d bytes, %2d entries\n' "$(basename "$ptx")" \
    "$(wc -c <"$ptx")" "$(grep -c '\.entry' "$ptx" || true)"
done

echo
echo "From the command line:"
for line in "01_add.kern add 1 2.5" "02_hypot.kern hypotenuse 3 4" \
  "04_polar_distance.kern polar_distance 3 0 4 1.5707963267948966"; do
  # shellcheck disable=SC2086
  printf '  $ kern run %s\n  %s\n' "$line" \
    "$(cd "$examples" && "$kern" run $line)"
done

echo
exec "$demo" "$examples" "$output"
