#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What the build installs beside the command: manual page and completion. Usage: generate_test.sh KDIAG EXAMPLES
. "$(dirname "$0")/harness.sh"

run --generate man; code_is 0 'manual page'; err_empty 'manual page'
out_has '.TH KDIAG 1' 'manual page'; out_has '\-\-fail\-on' 'options'; out_has '.SS kdiag rules check' 'verbs of verbs'
if command -v groff >/dev/null; then
  groff -man -Tutf8 -ww -z out 2>warnings >/dev/null
  [ ! -s warnings ] || { cat warnings; fail 'a manual page without warnings'; }
fi

# What bash offers behind the words of a command line.
run --generate bash; code_is 0 'bash completion'
offered() {
  bash -c '. ./completion; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _kdiag; printf "%s\n" "${COMPREPLY[@]}"' - "$@" >out
}
cp out completion
offered kdiag qu; [ "$(cat out)" = query ] || fail 'a verb'
offered kdiag rules che; [ "$(cat out)" = check ] || fail 'a verb of a verb'
offered kdiag rules check --we; [ "$(cat out)" = --werror ] || fail 'an option of a verb'
offered kdiag --fail-o; [ "$(cat out)" = --fail-on ] || fail 'an option of the command'
offered kdiag query tab; [ "$(cat out)" = table.txt ] || fail 'a file'

run --generate zsh; code_is 0 'zsh completion'; out_has '#compdef kdiag' 'zsh completion'
run --generate fish; code_is 0 'fish completion'
out_has "complete -c kdiag -n '__fish_use_subcommand' -a query" 'fish completion'
run --generate csh; code_is 2 'another shell'
run --help; ! grep -q generate out || fail 'the help does not name it'

finish
