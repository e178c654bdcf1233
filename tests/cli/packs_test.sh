#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The packs of a team's repository: pinned, compared with a new version, updated from archives. Usage: packs_test.sh KDIAG EXAMPLES
examples=$(realpath "$2")
team=$(realpath "$(dirname "$0")/team")
. "$(dirname "$0")/harness.sh"
cp -r "$team" repository && cd repository || exit 1
"$examples/traces/item_storm.sh" 640 >trace.json
today=(--today 2026-11-26)

# --- The lock. ---
cp kdiag.lock shipped.lock
run packs lock --check; code_is 0 'the lock of the repository holds'; out_has 'house@1.0.0 sha256:' 'what is pinned'
rm kdiag.lock
run packs lock --check; code_is 3 'no lock'; err_has 'kdiag packs lock' 'no lock'
run packs lock; code_is 0 'packs lock'; out_has 'limits@2.1.0 sha256:' 'packs lock'
cmp -s kdiag.lock shipped.lock || fail 'the lock is the same on every machine'
run "${today[@]}" --format json trace.json; code_is 1 'a report'
hash=$(grep -o 'sha256:[0-9a-f]*' kdiag.lock | head -1)
out_has "{\"name\": \"house\", \"version\": \"1.0.0\", \"hash\": \"$hash\"" 'JSON names the packs'
run "${today[@]}" --format sarif trace.json; out_has "$hash" 'SARIF names the packs'
run "${today[@]}" --all trace.json; tr -s ' \n' ' ' <out >flat; mv flat out; out_has 'house@1.0.0 sha256:' 'text under --all names the packs'
(mkdir deeper && cd deeper && "$kdiag" packs lock --check >out 2>err) || fail 'from a folder below'

# --- What is not pinned is not judged by. ---
sed -i 's/default: 1,/default: 9,/' rules/house/loss_reads.yaml
run "${today[@]}" trace.json; code_is 3 'a changed pack'; out_empty 'a changed pack'
err_has 'house@1.0.0 is not what was pinned: its files changed' 'a changed pack'; err_has 'kdiag packs lock' 'a changed pack'
run query 'count(kernels)' trace.json; code_is 3 'a query by a changed pack'
run --no-config trace.json; code_is 0 'without the project file'
run packs lock --check; code_is 3 'a changed pack'
sed -i 's/default: 9,/default: 1,/' rules/house/loss_reads.yaml
run "${today[@]}" trace.json; code_is 1 'the pack as it was'
echo '# a comment' >>rules/limits.yaml
run rules list; code_is 3 'a changed rule file'; err_has 'limits@2.1.0' 'a changed rule file'
cp "$team/rules/limits.yaml" rules
cp "$team/rules/limits.yaml" rules/more.yaml; sed -i 's/limits/more/' rules/more.yaml
run "${today[@]}" --rules rules/more.yaml trace.json; code_is 1 '--rules adds to what is pinned'
sed 's#rules/limits.yaml#rules/limits.yaml, rules/more.yaml#' "$team/kdiag.yaml" >kdiag.yaml
run "${today[@]}" trace.json; code_is 3 'a new rule file'; err_has 'more@2.1.0 is not pinned: rules/more.yaml' 'a new rule file'
printf 'kdiag_project: 1\nrules: [rules/house]\n' >kdiag.yaml
run packs lock --check; code_is 3 'a pack is gone'; err_has 'limits@2.1.0 is pinned, and no rule file names it' 'a pack is gone'
cp "$team/kdiag.yaml" .
echo '{}' >kdiag.lock
run "${today[@]}" trace.json; code_is 3 'no lock'; err_has 'K790' 'no lock'
cp shipped.lock kdiag.lock

# --- A new version, as a folder, a tar and a zip. ---
mkdir new && cp -r rules/house new/house
sed -i 's/1\.0\.0/1.1.0/' new/house/pack.yaml
sed -i 's/default: 1,/default: 2,/; s/severity: medium/severity: low/' new/house/loss_reads.yaml
cat >new/house/slow_copies.yaml <<'END'
kdiag: 1
rule: house.slow-copies
title: Copies take ${sum(copies, dur)}
summary: Copies take time.
when: sum(copies, dur) > 1ms
END
tar -C new -czf house-1.1.0.tar.gz house
run packs diff house-1.1.0.tar.gz; code_is 0 'packs diff'
out_has 'house: 1.0.0 -> 1.1.0' 'packs diff'; out_has 'changed  house.loss-reads' 'a changed rule'
out_has '- most: 1 -> 2' 'a changed threshold'; out_has '- severity: medium -> low' 'a changed severity'
out_has 'added    house.slow-copies: Copies take time.' 'a new rule'
out_has 'hold with the rules of 1.1.0: 1 of 2 of 1.0.0, 1 of 2 of 1.1.0' 'tests of both'
out_has "house.loss-reads, 'two reads a step' of 1.0.0" 'a test that the new version does not pass'
cp out by_archive
run packs diff rules/house new/house; code_is 0 'two folders'; cmp -s out by_archive || fail 'a folder is as good as an archive'
run packs diff new/house rules/house; out_has 'removed  house.slow-copies' 'backwards'
run packs diff rules/house; out_has 'the same files' 'nothing changes'

run packs update house-1.1.0.tar.gz; code_is 4 'tests of the new version fail'; err_has '--force' 'tests of the new version fail'
sed -i 's/expect: fired/expect: clear/' new/house/tests/loss_reads.yaml
tar -C new -czf house-1.1.0.tar.gz house
run packs update house-1.1.0.tar.gz; code_is 0 'packs update'; out_has 'Nothing was changed. --write takes it.' 'packs update'
grep -q 1.0.0 rules/house/pack.yaml || fail 'without --write nothing changes'
run packs update house-1.1.0.tar.gz --write; code_is 0 'packs update --write'; out_has 'house@1.1.0 sha256:' 'packs update --write'
diff -r new/house rules/house >/dev/null || fail 'the files of the new version'
if ls -d rules/house.* 2>/dev/null; then fail 'nothing is left beside it'; fi
run "${today[@]}" trace.json; code_is 0 'the new version is pinned'
run rules list; out_has house.slow-copies 'the new version judges'
run packs update "$team/rules/house" --write; code_is 0 'and back from a folder'
cmp -s kdiag.lock shipped.lock || fail 'the lock of before'
sed 's/2\.1\.0/2.2.0/' "$team/rules/limits.yaml" >limits-2.2.yaml
run packs update limits-2.2.yaml --write; code_is 0 'a rule file'; out_has limits@2.2.0 'a rule file'

# --- What is refused. ---
run packs update missing.zip; code_is 3 'no archive'
run packs update trace.json; code_is 3 'no pack'; err_has 'K792' 'no pack'
mkdir -p bad && ln -s /etc/passwd bad/pack.yaml && tar -czf bad.tar.gz bad
run packs update bad.tar.gz; code_is 3 'a link'; err_has 'K792' 'a link'
tar -C new --transform 's#house/pack#../pack#' -Pczf out.tar.gz house
run packs update out.tar.gz; code_is 3 'a way out'; err_has 'leads out of the pack' 'a way out'
sed -i 's/1\.1\.0/1.2.0, engine: ">=99.0"/' new/house/pack.yaml
run packs update new/house; code_is 3 'for another kdiag'; err_has 'needs kdiag >=99' 'for another kdiag'
sed -i 's/, engine: ">=99.0"//; s/name: house/name: other/' new/house/pack.yaml
run packs update new/house; code_is 3 'no pack of that name'; err_has "no pack 'other'" 'no pack of that name'
cp -r rules/house second && sed -i 's/1\.0\.0/1.2.0/' second/pack.yaml && sed -i 's/loss-reads/more-reads/' second/*.yaml second/tests/*.yaml
run --no-config --rules rules/house --rules second trace.json; code_is 3 'two versions'
err_has "error[K316]: two versions of the pack 'house': 1.2.0 and 1.0.0" 'two versions'
run packs lock --no-config; code_is 3 'no project'; err_has 'no project file' 'no project'
run packs; code_is 2 'no verb'; err_has 'what to do with the packs is missing' 'no verb'
finish
