#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Whatever names, texts and paths hold, no verb writes anything that steers a terminal, in any format. The verbs and
# formats are those that --help lists, so that a new one cannot be forgotten. Usage: inert_test.sh KDIAG
. "$(dirname "$0")/harness.sh"

# ESC, BEL, CR, C1 controls, reordering and hidden characters, ends of lines and quotes, markup and formulas.
hostile='=1+1 \u001b[2J\u001b]0;x\u0007\r\n# forged\nforged: x\u009b31m\u202e\u200b\ufeff<img src=x> [x](javascript:1) | ` \" @a #1'
trace=$(printf 't\033[31m\n\342\200\256.json')
{
  printf '{"schemaVersion":1,"deviceProperties":[{"id":0,"name":"%s"}],"traceEvents":[{"ph":"X","cat":"user_annotation","name":"ProfilerStep#1","pid":1,"tid":1,"ts":0,"dur":1000}' "$hostile"
  for i in 1 2 3 4 5 6 7 8; do
    printf ',{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":%d,"dur":2,"args":{"correlation":%d}}' $((i * 20)) $i
    printf ',{"ph":"X","cat":"kernel","name":"%s%d","pid":0,"tid":7,"ts":%d,"dur":10,"args":{"device":0,"stream":7,"correlation":%d}}' "$hostile" $((i % 3)) $((i * 20 + 5)) $i
    printf ',{"ph":"X","cat":"cpu_op","name":"%s","pid":1,"tid":1,"ts":%d,"dur":8}' "$hostile" $((i * 20))
  done
  printf ']}'
} >"$trace"
text=$hostile
cat >own.yaml <<RULE
kdiag: 1
pack: {name: own}
rules:
- rule: own.rule
  title: "$text"
  message: "$text"
  summary: "$text"
  why: "$text"
  tags: ["$text"]
  for_each: device
  when: exists(kernels)
  impact: spans(kernels)
  evidence: {rows: "top(kernels, 3, dur)", name: "argmax(kernels, dur, name)"}
  recommend:
  - {text: "$text", where: "$text", risk: "$text"}
  tests:
  - name: "$text"
    facts: {devices: [{id: 0, name: "$text"}], kernels: [{name: "$text", start: 0us, dur: 5us, device: 0}]}
    expect: clear
RULE
cat >own.lua <<'RULE'
local text = "\27[2J\27]0;x\7\r\n# forged\nforged: x\194\155\226\128\174<img src=x>"
return {id = "own.lua", title = text, for_each = "device", detect = function(kd)
  kd.note(text)
  kd.finding{title = text, message = text, impact = kd.spans("kernels"), evidence = {text = text}}
end}
RULE
cat >project.yaml <<RULE
kdiag_project: 1
rules: [own.yaml, "$text.yaml"]
params: {own.rule: {}}
known: "$text"
waivers:
- {rule: own.*, reason: "$text", owner: "$text"}
- {rule: own.*, reason: "$text", owner: "$text", until: 2020-01-01}
- {rule: other.*, reason: "$text"}
RULE
sed '/^- {rule: other/d; s/^rules:.*/rules: [own.yaml]/; /^known/d' project.yaml >waivers.yaml
printf 'kdiag: 1\nrules:\n- {rule: "a\033[2Jb", \302\233: \342\200\256, when: "\\e[2J"}\n' >broken.yaml

# quiet FILE WHAT: it holds no control but tabs and line breaks, nothing hidden, no line of the hostile text.
control='[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8b-\x8f\xa8-\xae]|\xef\xbb\xbf' forged='^(# forged|forged)'
quiet() {
  # One look where there is nothing to find.
  [ -s "$1" ] && LC_ALL=C grep -qaP "$control|$forged" "$1" || return 0
  if LC_ALL=C grep -qaP "$control" "$1"; then fail "$2: a control character"; fi
  if grep -qaE "$forged" "$1"; then
    case "$2" in *csv*) ;; *) fail "$2: a forged line" ;; esac  # CSV keeps the lines of a quoted cell
  fi
}
# check ARGUMENT...: the command in each format that its help lists.
declare -A listed
check() {
  local name="the command ${verb[*]}"
  [ -n "${listed[$name]+asked}" ] ||
    listed[$name]=$("$kdiag" "${verb[@]}" --help | sed -n 's/^ *--format NAME *Output (\(.*\))$/\1/p' | tr -d ,)
  for format in ${listed[$name]:-none}; do
    [ "$format" != sqlite ] || continue  # a database, with names as they are: it is not written to a terminal
    if [ "$format" = none ]; then run "${verb[@]}" "$@"; else run "${verb[@]}" "$@" --format "$format"; fi
    [ "$code" != 70 ] || fail "${verb[*]} $format"
    # A trace for the Perfetto UI is no text, but tools print its texts.
    if [ "$format" = perfetto ]; then
      if LC_ALL=C grep -qaF -e $'\e[2J' -e $'\e[31m' -e $'\e]0' -e $'\342\200\256' out; then fail "${verb[*]} perfetto: a raw text"; fi
    else
      quiet out "${verb[*]} $format"
    fi
    [ -z "${written-}" ] || [ -s out ] || fail "${verb[*]} $format: nothing is written"
    quiet err "${verb[*]} $format, standard error"
  done
}
# All that is hostile comes as far as the output.
check_written() { local written=yes; check "$@"; }
verbs() { "$kdiag" "$@" --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]\{2,\}\) .*/\1/p'; }

# Two versions of a pack, whose titles, parameters and tests differ.
mkdir old_pack new_pack
printf 'kdiag: 1\npack: {name: own, version: 1.0.0}\n' >old_pack/pack.yaml
printf 'kdiag: 1\npack: {name: own, version: 1.1.0}\n' >new_pack/pack.yaml
sed '/^pack:/d' own.yaml >old_pack/rule.yaml
sed '/^pack:/d; s/title: "/title: "x /; s/name: "=1/name: "x =1/' own.yaml >new_pack/rule.yaml

"$kdiag" --only-rules --rules own.yaml --format json "$trace" >report.json 2>err

verb=()
check --config project.yaml "$trace"
check_written --config waivers.yaml --known report.json --all "$trace"
check --config waivers.yaml --known report.json --select trace "$trace"
check_written --rules own.yaml --rules own.lua --only-rules --all "$trace"
check_written --rules own.yaml --baseline "$trace" "$trace"
check "$work/no $trace"
check --rules broken.yaml "$trace"
check --within "$trace" "$trace"
for name in $(verbs); do
  verb=("$name")
  case $name in
    compare | trend) check_written "$trace" "$trace" ;;
    mcp)  # what it answers to hostile names is tested in tests/unit/serve
      run mcp --root "$trace"; quiet out mcp; quiet err 'mcp, standard error'
      run mcp --rules broken.yaml; quiet err 'mcp --rules, standard error' ;;
    query) for question in 'argmax(kernels, dur, name)' kernels devices; do check_written "$question" "$trace"; done; check "$trace" "$trace" ;;
    explain) check_written own.rule --rules own.yaml "$trace"; check_written own.lua --rules own.lua "$trace"; check_written own.rule --rules own.yaml
             check "$trace" "$trace" ;;
    facts) check "$trace"; check "$trace" kernels; check "$trace" runs ;;
    plan) check_written "$trace" ;;
    summarize) ;;  # packed bytes: they are not written to a terminal
    fleet) check "$trace"; check --select trace "$trace"; check "$work/no $trace" ;;
    annotate) ;;  # a copy of the trace, with its names as they are: it is not written to a terminal
    formats | limits) check ;;
    lsp) check </dev/null ;;  # it writes ASCII
    help) check; check "$text" ;;
    config)
      for inner in $(verbs config); do
        verb=(config "$inner"); check --config project.yaml; check --config waivers.yaml
      done ;;
    packs)
      for inner in $(verbs packs); do
        verb=(packs "$inner")
        case $inner in
          lock) check --config waivers.yaml; check --config project.yaml ;;
          diff) check_written old_pack new_pack; check "$trace" new_pack ;;
          update) check new_pack --config waivers.yaml; check "$trace" --config waivers.yaml ;;
          *) fail "packs $inner: say here how it is run" ;;
        esac
      done ;;
    waive) check report.json --reason "$text"; check report.json "$trace" --reason x ;;
    rules)
      for inner in $(verbs rules); do
        verb=(rules "$inner")
        case $inner in
          check | fmt) check own.yaml; check broken.yaml; check "$trace" ;;
          test) check_written own.yaml --verbose ;;
          list) check_written --rules own.yaml ;;
          show) check_written own.lua --rules own.lua; check "$trace" ;;  # the text of a rule in YAML is shown as it stands
          docs) check_written own.rule --rules own.yaml ;;
          new) check --from "$trace" --rule own.rule --rules own.yaml; check "$trace" ;;
          schema) check ;;
          *) fail "rules $inner: say here how it is run" ;;
        esac
      done ;;
    *) fail "$name: say here how it is run" ;;
  esac
done
finish
