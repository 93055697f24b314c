#!/usr/bin/env bash
# usage: pack.sh BUILD FILE.tar.xz
#
# Packs the installed files of BUILD (a release build) and the site that
# `./dev docs` builds. The same build gives the same bytes. Prints the size of
# the package.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$1
file=$2

name=$(basename "$file" .tar.xz)
stage=$build/package
rm -rf "$stage"
DESTDIR='' cmake --install "$build" --prefix "$stage/$name" >build/logs/install.log
install -m 755 tools/scripts/run-gpu-tests.sh "$stage/$name/run-gpu-tests.sh"

# The documents, and a README with links to them.
mkdir -p "$stage/$name/share/doc"
cp -r build/docs/site "$stage/$name/share/doc/kern"
rm -f "$stage/$name/share/doc/kern/.buildinfo"
sed -E -e 's#\]\(docs/images/#](share/doc/kern/_images/#g' \
  -e 's#\]\(((docs/|[A-Z]+\b)[^)]*)\.md([)\#])#](share/doc/kern/\1.html\3#g' \
  -e 's#\]\(LICENSE\)#](share/kern/LICENSE)#g' \
  README.md >"$stage/$name/README.md"

# One block with a window over all of it, because the libraries share much code.
# The x86 filter gives calls of the same function the same bytes.
tar -C "$stage" -c --sort=name --owner=0 --group=0 --numeric-owner \
  --mtime="@${SOURCE_DATE_EPOCH:-0}" "$name" |
  xz --threads=1 --x86 --lzma2=preset=9,dict=128MiB >"$file.part"
mv "$file.part" "$file"
du -sh --apparent-size "$stage/$name" | sed 's/\t.*/ unpacked/; s/^/    /'
printf '    %s: %d bytes (%d.%d MB)\n' "$file" "$(stat -c %s "$file")" \
  $(($(stat -c %s "$file") / 1000000)) $(($(stat -c %s "$file") / 100000 % 10))
