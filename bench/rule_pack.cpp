// SPDX-License-Identifier: Apache-2.0
#include "bench/rule_pack.hpp"

#include <array>

namespace kdiag::bench {
namespace {

/// What a rule asks: `@` is a number that differs from rule to rule, `?` a part of a kernel's name.
struct Shape {
  const char* let;
  const char* when;
  const char* impact;
};

// Thresholds differ, the tables and filters in front of them recur: so it is in the packs of the field.
constexpr std::array shapes{
    Shape{"short: kernels where dur < @us", "count(short) / count(kernels) > 90%", "sum(short, dur)"},
    Shape{"named: kernels where name =~ /?/i and dur > @us", "sum(named, dur) / run.wall > 60%", "spans(named)"},
    Shape{"waits: idle where cause == \"launch\" and dur > @us", "sum(waits, dur) / run.wall > 95%", "spans(waits)"},
    Shape{"calls: api where is_sync and dur > @us", "count(calls) > 1000000", "sum(calls, dur)"},
    Shape{"share: busy(kernels where grid_x < @) / run.wall", "share > 99%", "run.wall * share"},
    Shape{"hidden: exposed(copies, kernels)", "hidden > run.wall * 0.9 and median(copies, dur) > @ms", "hidden"},
    Shape{"tail: p(kernels where stream.id == 7, dur, 99)", "tail > @s", "tail"},
    Shape{"by_name: kernels group by (name) select (n = count(), t = sum(dur))", "max(by_name, t) > @s",
          "max(by_name, t)"},
    Shape{"cost: sum(kernel_stats where name =~ /?/, total)", "cost / run.wall > 80% and cost > @us", "cost"},
    Shape{"host: sum(op_stats where name == \"aten::item\", host_total)", "host > run.wall * 0.9 and host > @us",
          "host"},
};
constexpr std::array fragments{"gemm", "elementwise", "reduce",    "softmax",
                               "copy", "Functor",     "c10::Half", "vectorized"};

std::string filled(const char* text, std::size_t rule) {
  std::string out;
  for (; *text != '\0'; ++text) {
    if (*text == '@') out += std::to_string(1 + rule % 97);
    else if (*text == '?') out += fragments[rule % fragments.size()];
    else out += *text;
  }
  return out;
}

}  // namespace

std::string rule_pack(std::size_t rules) {
  std::string out = "kdiag: 1\npack: {name: bench, version: 0.1.0}\nimport: [std]\nrules:\n";
  for (std::size_t rule = 0; rule < rules; ++rule) {
    const Shape& shape = shapes[rule % shapes.size()];
    out += "- rule: bench.rule-" + std::to_string(rule) + "\n  title: Rule " + std::to_string(rule) +
           " of the pack\n  summary: One of the rules of a pack that is as large as packs get.\n  for_each: device\n"
           "  let:\n    " +
           filled(shape.let, rule) + "\n  when: " + filled(shape.when, rule) +
           "\n  severity:\n    - high: " + "true\n  impact: " + filled(shape.impact, rule) +
           "\n  recommend:\n    - text: Look at the kernels.\n";
  }
  return out;
}

}  // namespace kdiag::bench
