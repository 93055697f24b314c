# The progress of ./dev: each phase prints its name, the seconds since the start,
# and how long it took. Sourced by bash.

# Child processes of ./dev measure from the same start.
export KERN_START=${KERN_START:-$(date +%s)}

# die STATUS MESSAGE: prints the message on standard error and exits.
die() {
  echo "dev: $2" >&2
  exit "$1"
}

# phase NAME COMMAND...: runs the command and returns its status.
phase() {
  local name=$1 begin status=0
  shift
  begin=$(date +%s)
  printf '==> [%4d s] %s\n' $((begin - KERN_START)) "$name"
  "$@" || status=$?
  if ((status)); then
    printf '    %s FAILED after %d s\n' "$name" $(($(date +%s) - begin))
  else
    printf '    done in %d s\n' $(($(date +%s) - begin))
  fi
  return $status
}

# quietly LOG COMMAND...: writes the output to LOG, and to the terminal only if
# the command fails.
quietly() {
  local log=$1 status=0
  shift
  "$@" >"$log" 2>&1 || status=$?
  if ((status)); then
    tail -n 60 "$log" >&2
    echo "    (full log: $log)" >&2
  fi
  return $status
}
