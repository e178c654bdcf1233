// SPDX-License-Identifier: Apache-2.0
// The rule that authors start from.
#include <kdiag/error_ids.hpp>
#include <kdiag/tools.hpp>

#include "base/diagnostic.hpp"
#include "dsl/rule_file.hpp"

namespace kdiag {
namespace {

/// Stands for the id, and for its first part, in the skeleton.
constexpr std::string_view id_mark = "@ID@";
constexpr std::string_view area_mark = "@AREA@";

constexpr std::string_view skeleton = R"yaml(# What this pack is about, in one line.
#
#   kdiag rules check FILE                   finds mistakes
#   kdiag rules test FILE                    runs the tests below
#   kdiag --rules FILE trace.json            judges a trace with this rule too
#   kdiag explain @ID@ --rules FILE trace.json    shows why it fired or not
kdiag: 1                        # the edition of the language
pack: {name: @AREA@, version: 0.1.0}
rule: @ID@
# Texts may hold values: ${expression}.
title: Copies run alone for ${share} of the time on ${device.name}
message:                      # sentences; those whose `if` holds are said
- ${count(copies)} copies run, the longest for ${max(copies, dur)}.
- {text: "Most of their time no kernel runs beside them.", if: length(alone) > 50% * busy(copies)}
summary: The device copies while it computes nothing.
why: Time in which only a copy runs is time in which no kernel does.
how: Time of copies in which no kernel runs, as a share of the wall.
false_positives: Copies before the first step, when nothing can overlap them yet.
tags: [copies]
role: cause                   # or symptom, health
for_each: device              # judged once per device; also: run, rank, stream, step, thread, kernel, op, ...
params:                       # users change them: --set @ID@.most=30%
  most: {type: ratio, default: 20%, range: [1%, 100%], doc: Share from which it is worth a finding (judgement).}
let:                          # names for parts of the condition
  alone: spans(copies) - spans(kernels)
  share: length(alone) / run.wall
when: share > $most           # fires when true; unknown facts make it inconclusive, never wrong
severity: {ladder: share_of_time, of: share}   # or a list such as [high: share > 50%, low: true], the first that holds
impact: alone                 # the time that it explains: intervals, a duration, or [low, high]
evidence:
  largest: top(copies, 3, dur)
verify: share < $most         # what holds in the next run when the advice helped
recommend:
- Copy on a stream of its own, from pinned memory, while the kernels of the step before run.
explains: [gpu.low-utilization]    # this rule is a cause of that one
# One test in which it fires, one in which it is clear, one in which it cannot tell. Tables that a test does not
# mention are absent. `kdiag rules new --from trace.json --rule @ID@ --rules FILE` cuts one out of a trace.
tests:
- name: copies and kernels in turn
  facts:
    devices: [{id: 0}]
    kernels: [{name: gemm, start: 0us+100us*3, dur: 60us, device: 0}]
    copies: [{kind: h2d, bytes: 1MiB, start: 60us+100us*3, dur: 40us, device: 0}]
  expect: fired
  severity: high
  impact: [119us, 121us]
- name: copies beside kernels
  facts:
    devices: [{id: 0}]
    kernels: [{name: gemm, start: 0us+100us*3, dur: 100us, device: 0}]
    copies: [{kind: h2d, bytes: 1MiB, start: 60us+100us*3, dur: 40us, device: 0}]
  expect: clear
- name: a trace without copies
  facts:
    devices: [{id: 0}]
    kernels: [{name: gemm, start: 0us, dur: 60us, device: 0}]
  expect: {inconclusive: {missing: [copies]}}
)yaml";

std::string replaced(std::string text, std::string_view mark, std::string_view by) {
  for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + by.size()))
    text.replace(at, mark.size(), by);
  return text;
}

}  // namespace

Result<std::string> rule_skeleton(std::string_view id) {
  if (!is_rule_id(id))
    return make_error(error_id::invalid_name,
                      {std::make_shared<const Source>(Source{"rule", std::string(id)}), 0, id.size()},
                      "'" + std::string(id) + "' is no id of a rule", {},
                      "ids are area.name in lower-case letters, digits and hyphens: clock.throttled");
  return replaced(replaced(std::string(skeleton), id_mark, id), area_mark, id.substr(0, id.find('.')));
}

}  // namespace kdiag
