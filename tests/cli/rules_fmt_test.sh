#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kdiag rules fmt. Usage: rules_fmt_test.sh KDIAG
. "$(dirname "$0")/harness.sh"

mkdir -p pack
printf 'kdiag: 1   \nrules:\n- rule: a.b\n  title: One\n  when: max( kernels,dur)>1us\n- rule: a.c\n  title: Two # a comment\n  when: exists(copies)\n' >pack/a.yaml
printf 'kdiag_test: 1  \ntests: []\n' >pack/a_test.yaml
cp -r pack kept
run rules fmt --check pack; code_is 3 'check'; out_has '+  when: max(kernels, dur) > 1us' check; out_has '+kdiag_test: 1' check; err_empty check
diff -r pack kept >/dev/null || fail 'check changes nothing'
run rules fmt --check pack/a.yaml; patch -s -d kept a.yaml <out || fail 'the diff can be applied'
chmod 640 pack/a.yaml
run rules fmt pack; code_is 0 fmt; out_has 'formatted pack/a.yaml' fmt; out_has 'formatted pack/a_test.yaml' fmt
cmp -s pack/a.yaml kept/a.yaml || fail 'the diff is what fmt does'
[ "$(stat -c %a pack/a.yaml)" = 640 ] || fail 'fmt keeps the mode of the file'
run rules fmt pack; code_is 0 'fmt again'; out_empty 'fmt again'
run rules fmt --check pack; code_is 0 'check after fmt'; out_empty 'check after fmt'
"$kdiag" rules fmt - <pack/a.yaml >out 2>err; code=$?; code_is 0 'standard input'; cmp -s out pack/a.yaml || fail 'standard input'
printf 'kdiag: 1\nrules: [\n' >broken.yaml; cp broken.yaml before.yaml
run rules fmt broken.yaml pack/a.yaml; code_is 3 'a broken file'; err_has K101 'a broken file'; cmp -s broken.yaml before.yaml || fail 'a broken file is left alone'
run rules fmt missing.yaml; code_is 3 'a missing file'; err_has 'missing.yaml' 'a missing file'
"$kdiag" rules fmt - <broken.yaml >out 2>err; code=$?; code_is 3 'broken standard input'; out_empty 'broken standard input'

finish
