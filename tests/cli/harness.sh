# SPDX-License-Identifier: Apache-2.0
# What the tests of the command share; they source it with the path of kdiag as $1. They run in a folder of their own.
set -u
kdiag=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset NO_COLOR
failures=0

# run ARGUMENT...: leaves $code and the files out and err.
run() { "$kdiag" "$@" >out 2>err </dev/null; code=$?; }
fail() {
  echo "FAILED: $1"
  echo "  exit code $code; stdout:"; head -5 out | sed 's/^/    /'
  echo "  stderr:"; head -5 err | sed 's/^/    /'
  failures=$((failures + 1))
}
code_is() { [ "$code" = "$1" ] || fail "$2: exit code $1 expected"; }
# has FILE TEXT: by the shell itself, since `grep` would take as long as a third of a run; up to a zero byte.
has() { local all; IFS= read -r -d '' all <"$1"; [[ $all == *"$2"* ]]; }
out_has() { has out "$1" || fail "$2: '$1' expected on stdout"; }
err_has() { has err "$1" || fail "$2: '$1' expected on stderr"; }
out_empty() { [ ! -s out ] || fail "$1: nothing expected on stdout"; }
err_empty() { [ ! -s err ] || fail "$1: nothing expected on stderr"; }

# A kernel table as the profiler's script prints it: two kernels, 12 us of device time.
{
  printf '%-55s%s%7s%7s\n' Kernel Latency Tensor DRAM
  printf '%-50s|%11d%7.2f%8.2f\n' gemm 8000 0.55 0.20 elementwise_kernel 4000 0 0.6
} >table.txt

# write_rule LINE ...: rule.yaml with a rule that fires on any kernel, and these lines.
write_rule() {
  printf '%s\n' 'kdiag: 1' 'rules:' '- rule: test.any' '  title: There are kernels' '  when: count(kernels) > 0' "$@" >rule.yaml
}

finish() {
  [ "$failures" = 0 ] && echo "all as expected"
  exit $((failures > 0))
}
