#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# SARIF of every trace below some folders against the published schema 2.1.0 and the rules of GitHub's code scanning.
# Usage: sarif_test.sh KDIAG NODE_MODULES FOLDER...
# Exit code 77, skipped: the schema is not there (`scripts/setup test` installs it where there is npm).
set -u
kdiag=$1 modules=$2
shift 2
here=$(dirname "$0")
if ! command -v node >/dev/null || [ ! -d "$modules/@microsoft/jest-sarif" ]; then
  echo "skipped: no node, or no schema in $modules"
  exit 77
fi
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
number=0
while IFS= read -r -d '' file; do
  number=$((number + 1))
  log=$logs/$number-$(basename "$file" | tr -c 'A-Za-z0-9.' _).sarif
  timeout 60 "$kdiag" --quiet --no-config --format sarif "$file" >"$log" 2>/dev/null </dev/null
  [ -s "$log" ] || rm -f "$log"
done < <(find "$@" -type f -print0 | sort -z)
for file in "$here"/../golden/errors/*.in; do
  "$kdiag" rules check --no-lua --format sarif "$file" >"$logs/$(basename "$file").sarif" 2>/dev/null
done
cp "$here"/../golden/report/*.sarif "$logs"

# A schema that accepts everything would find nothing: what GitHub refused before must be found, too.
sed 's/"startLine": [0-9]*/"startLine": 0/' "$here"/../golden/report/two_runs.sarif >"$logs/broken"
if node "$here/check_sarif.js" "$modules" "$logs/broken" >/dev/null; then
  echo 'FAILED: a log with line 0 passes'
  exit 1
fi
rm "$logs/broken"
find "$logs" -type f -print0 | sort -z | xargs -0 -n 2000 node "$here/check_sarif.js" "$modules"
