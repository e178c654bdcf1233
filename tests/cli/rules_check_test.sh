#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# kdiag rules check: folders, formats, exit codes. Usage: rules_check_test.sh KDIAG EXAMPLES
examples=$(realpath "$2")
. "$(dirname "$0")/harness.sh"

mkdir -p pack/inner pack/.hidden empty
cat >pack/bad.yaml <<'RULE'
kdiag: 1
rules:
- rule: test.bad
  title: One
  let: {unused: 3us}
  when: max(kernels, durr) > 1us
RULE
sed 's/test.bad/test.lint/; s/durr/dur/' pack/bad.yaml >pack/inner/lint.yml
cp pack/bad.yaml pack/.hidden/
cp pack/bad.yaml pack/notes.txt
printf 'kdiag_test: 1\ntests: []\n' >pack/bad_test.yaml

printf 'services: {}\n' >pack/compose.yml
run rules check pack; out_has 'they hold no rules: pack/compose.yml' 'other YAML in a folder'; rm pack/compose.yml
run rules check; code_is 2 'nothing to check'; err_has 'FILE is missing' 'nothing to check'
run rules check pack; code_is 3 'a folder'; out_has '2 files: 1 error, 1 warning' 'a folder'
err_has "did you mean 'dur'" 'a folder'; err_has 'pack/inner/lint.yml:5:9' 'lints stand beside errors'
run rules check pack --format json; code_is 3 'JSON'; err_empty 'JSON'
out_has '"kdiag.diagnostics/1"' 'JSON'; out_has '"code": "K302"' 'JSON'; out_has '"offset": 88' 'JSON'
run rules check pack --format sarif; code_is 3 'SARIF'; err_empty 'SARIF'; out_has '"unknown name or table"' 'SARIF'
run rules check pack --format github; code_is 3 'GitHub'; err_empty 'GitHub'
out_has '::error file=pack/bad.yaml,line=6,col=22,endLine=6,endColumn=26,title=K302::' 'GitHub'
run rules check pack --format json --output report.json; code_is 3 'JSON into a file'; out_empty 'JSON into a file'
grep -q K302 report.json || fail 'JSON into a file'
run rules check pack/inner; code_is 0 'warnings alone'; err_has K401 'warnings alone'; out_has 'no errors, 1 warning' 'warnings alone'
run rules check pack/inner --only-rules; code_is 0 'without the built-in rules'; err_has K401 'without the built-in rules'
run rules check pack/inner --quiet; code_is 0 'quiet'; err_empty 'quiet'
run rules check pack/inner --werror --quiet; code_is 3 'warnings are errors'; err_has K401 'warnings are errors'
mkdir checkout; cp -r "$examples/../rules/clocks" checkout/clocks; rm -r checkout/clocks/tests
run rules check checkout; code_is 0 'another version of a built-in pack'
cp -r checkout/clocks checkout/mine; run rules check checkout/mine; code_is 3 'a built-in rule again'; err_has K306 'a built-in rule again'
run rules check empty; code_is 3 'an empty folder'; out_empty 'an empty folder'; err_has 'no rule files were found' 'an empty folder'
run rules check pack/bad_test.yaml; code_is 3 'a test file alone'; err_has 'no rule files were found' 'a test file alone'
run rules check pack/bed.yaml; code_is 3 'a misspelt file'; err_has "did you mean 'pack/bad.yaml'" 'a misspelt file'
run --rules empty table.txt; code_is 3 'an empty folder of rules'; err_has 'no rule files were found' 'an empty folder of rules'
run --rules pack/inner table.txt; code_is 0 'a folder of rules'
"$kdiag" rules check <(cat pack/inner/lint.yml) >out 2>err; code=$?; code_is 0 'a pipe is read once'; err_has K401 'a pipe is read once'

mkdir -p scripted/lua
printf 'kdiag: 1\nrules:\n- rule: test.scripted\n  title: t\n  script: lua/s.lua\n' >scripted/p.yaml
printf 'return { detect = function(kd) if kd.eval("count(kernels)") == 2 then kd.finding{} end end }\n' >scripted/lua/s.lua
printf 'return { id = "test.alone", title = "found", detect = function(kd) kd.finding{} end }\n' >alone.lua
if "$kdiag" rules check alone.lua 2>&1 | grep -q 'has no Lua'; then
  run rules check alone.lua; code_is 3 'a build without Lua'; err_has K741 'a build without Lua'
  run table.txt; code_is 0 'built-in rules without Lua'
else
  run rules check scripted; code_is 0 'a pack with a script'; err_has 'K744' 'a pack with a script is called one'
  run rules check scripted --no-lua; code_is 3 'no Lua'; err_has 'K741' 'no Lua'
  run rules check alone.lua; code_is 0 'a rule in Lua'; err_has 'runs a Lua script' 'a rule in Lua'
  run --rules alone.lua --only-rules table.txt; code_is 0 'judged by Lua'; out_has 'test.alone' 'judged by Lua'
  run --rules scripted --only-rules table.txt; code_is 0 'judged by a script'; out_has 'test.scripted' 'judged by a script'
  run --rules alone.lua --no-lua table.txt; code_is 3 'refused'; err_has 'switched off' 'refused'
  mkdir -p lua_rules/lua
  cp alone.lua lua_rules/; cp scripted/lua/s.lua lua_rules/lua/; cp scripted/p.yaml lua_rules/
  run rules check lua_rules; code_is 0 'Lua in a folder'; out_has '2 files: no errors' 'Lua in a folder'
  grep -q 'passed over' out && fail 'scripts of rules are no files that hold no rules'
  run --rules lua_rules --only-rules table.txt; out_has test.alone 'rules of a folder'; out_has test.scripted 'rules of a folder'
  sed -i "s/detect/tests = {{name = 'a', expect = 'fired', facts = {devices = {{id = 0}}}}}, detect/" lua_rules/alone.lua
  run rules test lua_rules; code_is 0 'tests in Lua, in a folder'; out_has '1 passed' 'tests in Lua, in a folder'
  run rules fmt --check lua_rules; code_is 0 'only YAML is formatted'
  sed -i 's/kd.finding/kd.findng/' lua_rules/alone.lua
  run rules check lua_rules; code_is 3 'a name that kd does not have'
  err_has "did you mean 'finding'" 'a name that kd does not have'; err_has 'lua_rules/alone.lua:1:' 'at its line'
  run table.txt --no-lua; code_is 0 'built-in Lua rules are left out'
  run rules list --no-lua; out_has 'gpu.low-utilization' 'others stay'; grep -q step.bimodal out && fail 'left out'
fi

finish
