# SPDX-License-Identifier: Apache-2.0
# What the tests of faults share, beside harness.sh, which this brings along: the module that makes calls fail as $3.
faults=$(realpath "$3")
. "$(dirname "$0")/harness.sh"
limit=30  # seconds that a run may take; each takes some hundredths

# Each run takes some hundredths of a second: a process more for each, of `rm`, `timeout` or `cmp`, is felt.
runs=0
# faulted CALL AT FAULT FILE ARGUMENT...: runs kdiag as `run` does, with standard input of the caller, while a call on FILE
# fails (tests/robustness/fault_injection.c). True if the fault happened.
faulted() {
  local call=$1 at=$2 fault=$3 file=$4 seen=$work/.seen$((++runs)); shift 4
  KDIAG_FAULT_CALL=$call KDIAG_FAULT_AT=$at KDIAG_FAULT=$fault KDIAG_FAULT_FILE=$file KDIAG_FAULT_SEEN=$seen \
    KDIAG_FAULT_LIMIT=$limit LD_PRELOAD=$faults "$kdiag" "$@" >out 2>err
  code=$?
  [ -e "$seen" ]
}
# alike FILE FILE: whether they are the same; what holds zero bytes is no text, and `cmp` decides.
alike() {
  local one two
  if IFS= read -r -d '' one <"$1" || IFS= read -r -d '' two <"$2"; then cmp -s "$1" "$2"; else [ "$one" = "$two" ]; fi
}
# What no fault may do.
in_order() {  # ABOUT
  case $code in
    0 | 1 | 2 | 3 | 4 | 5 | 70 | 130) ;;
    137) fail "$1: it hangs" ;;
    *) fail "$1: it crashes" ;;
  esac
}
# sweep CALL FAULT FILE CHECK ARGUMENT...: lets the first call fail, the second, and so on until there is none, each time
# held against CHECK (a function that gets a text about it). Later calls of long sweeps are left out in part.
sweep() {
  local call=$1 fault=$2 file=$3 check=$4 at=1; shift 4
  while faulted "$call" "$at" "$fault" "$file" "$@" <"${input:-/dev/null}"; do
    in_order "$call $at $fault $file: $*"
    "$check" "$call $at $fault $file: $*"
    at=$((at + 1 + at / 8))
  done
  [ "$at" -gt 1 ] || fail "$call $fault $file: $*: there is no such call"
}
# stuck CALL AT FILE SIGNAL ARGUMENT...: the call does not come back, as of a file server that is gone, and the signal comes.
stuck() {
  local call=$1 at=$2 file=$3 signal=$4 child; shift 4
  rm -f "$work/.seen"
  KDIAG_FAULT_CALL=$call KDIAG_FAULT_AT=$at KDIAG_FAULT=stuck KDIAG_FAULT_FILE=$file KDIAG_FAULT_SEEN=$work/.seen \
    LD_PRELOAD=$faults "$kdiag" "$@" >out 2>err & child=$!
  for _ in $(seq 500); do [ -e "$work/.seen" ] && break; sleep 0.02; done
  kill "-$signal" "$child"; timeout "$limit" tail --pid="$child" -f /dev/null || kill -KILL "$child"
  wait "$child" 2>/dev/null; code=$?
}
