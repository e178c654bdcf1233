#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs the command on every file below some folders: none may crash it, hang it or leave the user without a word.
# Usage: every_trace_test.sh KDIAG FOLDER...
set -u
kdiag=$1
shift
failures=0
files=0
report=$(mktemp)
errors=$(mktemp)
trap 'rm -f "$report" "$errors"' EXIT
while IFS= read -r -d '' file; do
  files=$((files + 1))
  timeout 60 "$kdiag" --quiet "$file" >"$report" 2>"$errors" </dev/null
  code=$?
  if [ "$code" = 0 ] && [ -s "$report" ]; then continue; fi
  if [ "$code" = 2 ] && [ ! -s "$report" ] && grep -q 'error\[K[67]' "$errors"; then continue; fi
  if [ "$code" = 2 ] && grep -qE '\[K(609|780|786)\]' "$report"; then continue; fi  # it was read, and holds nothing
  echo "FAILED: exit code $code for $file"
  head -3 "$errors" | sed 's/^/    /'
  failures=$((failures + 1))
done < <(find "$@" -type f -print0 | sort -z)
echo "$files files, $failures failures"
exit $((failures > 0 || files == 0))
