# completions.sh KERN SCRIPT: what bash would offer for command lines, in a folder with
# files of several kinds. Words are as bash splits them: `--option=value` is three.
PATH=$(dirname "$1"):$PATH
source "$2"
mkdir files && cd files || exit 1
mkdir 'a folder' && touch b.kern b.npy b.ptx b.txt 'with blank.kern'

offer() {
  local word
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  _kern
  printf '%s:' "$*"
  while IFS= read -r word; do
    [[ -d $word ]] && word+=/
    [[ -n $word ]] && printf ' %s' "$word"
  done < <(printf '%s\n' "${COMPREPLY[@]}" | if [[ ${COMP_WORDS[1]} == c ]]; then cat; else sort_files; fi)
  echo
}
# Files in order, other words as they come.
sort_files() {
  local words
  mapfile -t words
  if [[ -e ${words[0]} ]]; then printf '%s\n' "${words[@]}" | LC_ALL=C sort; else printf '%s\n' "${words[@]}"; fi
}

offer kern c
offer kern -q che
offer kern --color ne
offer kern --color = never che
offer kern help che
offer kern cache pr
offer kern completions ''
offer kern explain linalg.n
offer kern explain K0201
offer kern compile --ou
offer kern compile --emit pt
offer kern compile --emit = obj,he
offer kern compile --target sm_7
offer kern compile --fp-mode =
offer kern check --diagnostics = g
offer kern run --check = bounds,r
offer kern run --device cu
offer kern check ''
offer kern check w
offer kern run b
offer kern compile -o b
offer kern compile --out-dir ''
offer kern devices ''
