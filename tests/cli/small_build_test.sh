#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A build without Lua, archives and SQLite reads all the rest, and says what it lacks: small_build_test.sh KDIAG EXAMPLES
examples=$(realpath "$2")
. "$(dirname "$0")/harness.sh"
storm=$examples/traces/item_storm.json

run "$storm"; code_is 0 'a trace'; out_has 'host.sync-stall' 'a trace'; err_empty 'a trace'
gzip -c "$storm" >trace.json.gz
run trace.json.gz; code_is 0 'what is compressed is no archive'; err_empty 'what is compressed is no archive'

python3 -c 'import sqlite3; c = sqlite3.connect("run.sqlite"); c.execute("create table t (a)"); c.commit()'
run run.sqlite; code_is 2 'a database'; err_has 'this build of kdiag reads no SQLite databases' 'a database'
run facts "$storm" --format sqlite --output facts.db; code_is 2 'facts as a database'
err_has 'this build of kdiag makes no SQLite databases' 'facts as a database'
[ ! -s facts.db ] || fail 'nothing was written'

python3 -c 'import zipfile; zipfile.ZipFile("run.zip", "w").write("table.txt")'
tar cf run.tar table.txt
run run.zip; code_is 2 'a zip archive'; err_has 'unpack' 'a zip archive'
run run.tar; code_is 2 'a tar archive'; err_has 'unpack' 'a tar archive'

mkdir rules
printf 'rule = {id = "team.one", title = "One", when = function() return true end}\n' >rules/one.lua
run --rules rules/one.lua table.txt; code_is 3 'a rule in Lua'; err_has 'this build of kdiag has no Lua' 'a rule in Lua'
finish
