// SPDX-License-Identifier: Apache-2.0
#include <kdiag/compare.hpp>
#include <kdiag/html.hpp>
#include <kdiag/kdiag.hpp>

#include <memory>
#include <stdexcept>

#include "tests/robustness/growth_shapes.hpp"
#include "tests/robustness/growth_text.hpp"

namespace kdiag::growth {
namespace {

std::string number(std::size_t i) { return std::to_string(i); }

template <class Value>
Value checked(Result<Value> result) {
  if (!result) throw std::runtime_error(render(result.error()));
  return std::move(*result);
}

std::string small_trace() {
  Trace trace;
  for (int i = 0; i < 20; ++i) {
    trace.call(10.0 * i, 1, i + 1);
    trace.kernel(10.0 * i + 2, 5, "k", 0, 7, i + 1);
  }
  return trace.take();
}

/// Loads a rule file and judges a small trace by it; what is wrong with the file is part of the work.
Work rules_of(std::string text) {
  return [text = std::move(text)] {
    const std::string trace = small_trace();
    const Facts facts = checked(load_trace("trace.json", trace, {.threads = 1}));
    RuleOptions options;
    options.builtin = false;
    options.threads = 1;
    if (const auto rules = load_rules_text("rules.yaml", text, options))
      to_json(diagnose(facts, *rules, {.threads = 1}));
    else render(rules.error());
  };
}

Shape rules(std::string name, std::size_t size, std::string (*text)(std::size_t n)) {
  return {.name = std::move(name), .prepare = [text](std::size_t n) { return rules_of(text(n)); }, .size = size};
}

/// One rule with that condition.
std::string one_rule(const std::string& condition, const std::string& more = {}) {
  return "kdiag: 1\nrules:\n- rule: a.b\n  title: t\n" + more + "  when: " + condition + "\n";
}

template <class Part>
std::string joined(std::size_t n, const std::string& between, Part part) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += (i > 0 ? between : "") + part(i);
  return out;
}

std::string many_rules(std::size_t n) {
  return "kdiag: 1\nrules:\n" + joined(n, "", [](std::size_t i) {
           return "- rule: a.r" + number(i) + "\n  title: Rule " + number(i) + "\n  when: count(kernels) > " +
                  number(i) + "\n";
         });
}
std::string many_firing_rules(std::size_t n) {
  return "kdiag: 1\nrules:\n" + joined(n, "", [](std::size_t i) {
           return "- rule: a.r" + number(i) + "\n  title: Rule " + number(i) +
                  "\n  when: count(kernels) > 0\n  impact: spans(kernels)\n";
         });
}
std::string rules_that_explain(std::size_t n) {
  return "kdiag: 1\nrules:\n" + joined(n, "", [](std::size_t i) {
           return "- rule: a.r" + number(i) + "\n  title: Rule " + number(i) +
                  "\n  when: count(kernels) > 0\n  impact: spans(kernels)\n" +
                  (i > 0 ? "  symptom_of: [a.r" + number(i - 1) + "]\n" : "");
         });
}
std::string many_lets(std::size_t n) {
  return one_rule("v" + number(n - 1) + " > 0", "  let:\n" + joined(n, "", [](std::size_t i) {
                                                  return "    v" + number(i) + ": " +
                                                         (i == 0 ? "count(kernels)" : "v" + number(i - 1) + " + 1") +
                                                         "\n";
                                                }));
}
std::string many_params(std::size_t n) {
  return one_rule("count(kernels) > $p0", "  params:\n" + joined(n, "", [](std::size_t i) {
                                            return "    p" + number(i) + ": {type: number, default: 1, doc: d}\n";
                                          }));
}
std::string many_terms(std::size_t n) {
  return one_rule(joined(n, " + ", [](std::size_t i) { return number(i); }) + " > 0");
}
std::string many_conditions(std::size_t n) {
  return one_rule(joined(n, " or ", [](std::size_t i) { return "count(kernels) > " + number(100 + i); }));
}
std::string nested_parentheses(std::size_t n) {
  return one_rule(std::string(n, '(') + "count(kernels)" + std::string(n, ')') + " > 0");
}
std::string a_long_list(std::size_t n) {
  return one_rule("exists(kernels where name in [" +
                  joined(n, ", ", [](std::size_t i) { return "\"k" + number(i) + "\""; }) + "])");
}
std::string a_long_text(std::size_t n) {
  return one_rule("count(kernels) > 0", "  message: " + std::string(n, 'x') + "\n");
}
std::string many_mistakes(std::size_t n) {
  return "kdiag: 1\nrules:\n" + joined(n, "", [](std::size_t i) {
           return "- rule: a.r" + number(i) + "\n  title: t\n  when: cuont(kernels) > " + number(i) + "\n";
         });
}
std::string deep_yaml(std::size_t n) { return "kdiag: 1\nrules: " + std::string(n, '[') + std::string(n, ']') + "\n"; }

// --- Reports --------------------------------------------------------------------------------------------------------

Work rendering_of(Report report) {
  return [report = std::make_shared<Report>(std::move(report))] {
    TextOptions all;
    all.all = true;
    to_text(*report);
    to_text(*report, all);
    to_json(*report);
    to_markdown(*report);
    to_sarif(*report);
  };
}

Shape report(std::string name, std::size_t size, Report (*made)(std::size_t n)) {
  return {.name = std::move(name), .prepare = [made](std::size_t n) { return rendering_of(made(n)); }, .size = size};
}

Finding finding(std::size_t i) {
  Finding out;
  out.run = "A";
  out.rank = static_cast<std::int64_t>(i) + 1;
  out.rule = "a.r" + number(i);
  out.title = "Title of a finding";
  out.message = "The message of a finding.";
  out.subject = {"device", number(i), "GPU " + number(i)};
  out.impact_ns = 1000;
  out.impact_share = 0.5;
  out.share_of = ShareOf::wall;
  return out;
}
RunEntry run(std::size_t i) {
  RunEntry out;
  out.id = "R" + number(i);
  out.label = "run " + number(i);
  out.role = RunRole::subject;
  return out;
}

Report many_findings(std::size_t n) {
  Report out;
  out.runs.push_back(run(0));
  out.runs[0].id = "A";
  for (std::size_t i = 0; i < n; ++i) out.findings.push_back(finding(i));
  return out;
}
Report many_runs(std::size_t n) {
  Report out;
  for (std::size_t i = 0; i < n; ++i) {
    out.runs.push_back(run(i));
    out.inputs.push_back({.path = "f" + number(i), .adapter = "a", .producer = {}, .role = RunRole::subject});
    out.findings.push_back(finding(0));
    out.findings.back().run = out.runs.back().id;
    for (int rule = 0; rule < 3; ++rule) {
      OutcomeEntry entry;
      entry.run = out.runs.back().id;
      entry.rule = "a.r" + std::to_string(rule);
      entry.outcome = Outcome::inconclusive;
      entry.reason = "not recorded";
      out.outcomes.push_back(entry);
    }
  }
  return out;
}
Report many_outcomes(std::size_t n) {
  Report out;
  out.runs.push_back(run(0));
  for (std::size_t i = 0; i < n; ++i) {
    OutcomeEntry entry;
    entry.run = out.runs[0].id;
    entry.rule = "a.r" + number(i);
    entry.subject = {"device", number(i), "GPU " + number(i)};
    entry.outcome = Outcome::inconclusive;
    entry.missing = {{"table" + number(i) + ".column", "record it so: " + number(i)}};
    out.outcomes.push_back(entry);
  }
  return out;
}
Report many_devices(std::size_t n) {
  Report out;
  out.runs.push_back(run(0));
  for (std::size_t i = 0; i < n; ++i) {
    const auto id = static_cast<std::int64_t>(i);
    out.runs[0].devices.push_back({id, id, "NVIDIA A100 " + number(i), "nvidia", "GPU"});
    LedgerEntry entry;
    entry.run = out.runs[0].id;
    entry.device = entry.rank = id;
    entry.basis = LedgerBasis::timeline;
    entry.wall_ns = 100;
    entry.lines.push_back({.name = "compute", .ns = 100, .low_ns = 100, .share = 1, .rule = {}, .high_ns = {}});
    out.ledger.push_back(entry);
  }
  return out;
}
Report a_long_table(std::size_t n) {
  Report out = many_findings(1);
  std::vector<RowEntry> rows;
  for (std::size_t i = 0; i < n; ++i)
    rows.push_back({{"name", {.value = "kernel " + number(i), .unit = "text"}},
                    {"total", {.value = static_cast<std::int64_t>(i), .unit = "ns"}}});
  out.findings[0].evidence.emplace_back("rows", std::move(rows));
  return out;
}
Report many_subjects(std::size_t n) {
  Report out = many_findings(1);
  for (std::size_t i = 0; i < n; ++i) out.findings[0].also.push_back({{"device", number(i), "GPU " + number(i)}, 5});
  return out;
}
Report many_notes(std::size_t n) {
  Report out = many_findings(1);
  InputEntry input;
  input.path = "trace.json";
  input.role = RunRole::subject;
  for (std::size_t i = 0; i < n; ++i)
    input.notes.push_back({"K60" + number(i % 10), NoteSeverity::warning, "note " + number(i), 1});
  out.inputs.push_back(std::move(input));
  return out;
}

// --- Comparisons ----------------------------------------------------------------------------------------------------

template <class Add>
std::string trace_of(std::size_t n, Add add) {
  Trace trace;
  for (std::size_t i = 0; i < n; ++i) add(trace, static_cast<long>(i));
  return trace.take();
}

template <class Text>
Shape compared(std::string name, std::size_t size, Text text) {
  return {.name = "compare: " + std::move(name),
          .prepare = [text](std::size_t n) { return comparison_of(text(n, 1.0), text(n, 1.3)); },
          .size = size};
}

}  // namespace

std::vector<Shape> rule_shapes() {
  return {
      rules("rules", 500, many_rules),
      rules("rules that fire", 250, many_firing_rules),
      rules("rules that explain each other", 250, rules_that_explain),
      rules("lets of one rule", 500, many_lets),
      rules("parameters of one rule", 500, many_params),
      rules("terms of an expression", 500, many_terms),
      rules("conditions of an expression", 500, many_conditions),
      rules("nested parentheses", 500, nested_parentheses),
      rules("items of a list", 2000, a_long_list),
      rules("a long text", 50000, a_long_text),
      rules("mistakes in rules", 50, many_mistakes),
      rules("nested YAML", 500, deep_yaml),
      report("report: findings", 500, many_findings),
      report("report: runs", 500, many_runs),
      report("report: outcomes", 1000, many_outcomes),
      report("report: devices", 500, many_devices),
      report("report: rows of a table", 2000, a_long_table),
      report("report: subjects of a finding", 2000, many_subjects),
      report("report: notes", 2000, many_notes),
      compared("kernels", 2000,
               [](std::size_t n, double factor) {
                 return trace_of(n, [factor](Trace& t, long i) {
                   t.kernel(20.0 * factor * static_cast<double>(i), 5 * factor, "k" + std::to_string(i % 20));
                 });
               }),
      compared("kernel names", 1000,
               [](std::size_t n, double factor) {
                 return trace_of(n, [factor](Trace& t, long i) {
                   t.kernel(20.0 * factor * static_cast<double>(i), 5, "kernel_" + std::to_string(i));
                 });
               }),
      compared("names that differ", 1000,
               [](std::size_t n, double factor) {
                 return trace_of(n, [factor](Trace& t, long i) {
                   t.kernel(20.0 * static_cast<double>(i), 5 * factor,
                            "kernel<" + std::to_string(i) + (factor > 1 ? ", new>" : ", old>"));
                 });
               }),
      compared("devices", 125,
               [](std::size_t n, double factor) {
                 return trace_of(
                     n, [factor](Trace& t, long i) { t.kernel(10.0 * static_cast<double>(i), 5 * factor, "k", i); });
               }),
      compared("streams", 1000,
               [](std::size_t n, double factor) {
                 return trace_of(
                     n, [factor](Trace& t, long i) { t.kernel(10.0 * static_cast<double>(i), 5 * factor, "k", 0, i); });
               }),
      compared("threads", 1000,
               [](std::size_t n, double factor) {
                 return trace_of(n, [factor](Trace& t, long i) {
                   t.call(10.0 * static_cast<double>(i), 1, i + 1, "cudaLaunchKernel", i);
                   t.kernel(10.0 * static_cast<double>(i) + 2, 5 * factor, "k", 0, 7, i + 1);
                 });
               }),
      compared("steps", 500,
               [](std::size_t n, double factor) {
                 return trace_of(n, [factor](Trace& t, long i) {
                   const double start = 100 * factor * static_cast<double>(i);
                   t.step(i, start, 100 * factor);
                   t.call(start + 1, 1, i + 1);
                   t.kernel(start + 3, 50 * factor, "k", 0, 7, i + 1);
                 });
               }),
      compared("ranges", 1000,
               [](std::size_t n, double factor) {
                 return trace_of(n, [factor](Trace& t, long i) {
                   t.range(10 * factor * static_cast<double>(i), 8 * factor, "range" + std::to_string(i));
                   t.kernel(10 * factor * static_cast<double>(i), 5);
                 });
               }),
      compared("operators", 1000,
               [](std::size_t n, double factor) {
                 return trace_of(n, [factor](Trace& t, long i) {
                   t.op(10 * factor * static_cast<double>(i), 8 * factor, i + 1, "aten::op" + std::to_string(i));
                   t.call(10 * factor * static_cast<double>(i) + 1, 1, i + 1);
                   t.kernel(10 * factor * static_cast<double>(i) + 3, 5, "k", 0, 7, i + 1);
                 });
               }),
  };
}

Work diagnosis_of(std::string name, std::string bytes) {
  return [name = std::move(name), bytes = std::make_shared<const std::string>(std::move(bytes))] {
    static const RuleSet builtin = checked(builtin_rules({.threads = 1}));
    const auto facts = load_trace(name, *bytes, {.threads = 1});
    if (!facts) throw std::runtime_error(render(facts.error()));
    Report report = diagnose(*facts, builtin, {.threads = 1});
    to_html(report, {.facts = *facts});
    rendering_of(std::move(report))();
  };
}

Work comparison_of(std::string normal, std::string abnormal) {
  using Text = std::shared_ptr<const std::string>;
  return [normal = Text(std::make_shared<std::string>(std::move(normal))),
          abnormal = Text(std::make_shared<std::string>(std::move(abnormal)))] {
    static const RuleSet builtin = checked(builtin_rules({.threads = 1}));
    const Sides sides{checked(load_trace("normal.json", *normal, {.threads = 1})),
                      checked(load_trace("abnormal.json", *abnormal, {.threads = 1}))};
    rendering_of(checked(compare(sides, builtin, {.threads = 1})))();
  };
}

}  // namespace kdiag::growth
