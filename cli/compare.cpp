// SPDX-License-Identifier: Apache-2.0
// kdiag compare NORMAL ABNORMAL: compares two runs.
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/catalogue.hpp>
#include <kdiag/compare.hpp>

#include "cli/command.hpp"
#include "cli/render_report.hpp"
#include "cli/verbs.hpp"

namespace kdiag::cli {
namespace {

std::optional<Sides> load_both(Options& options, int& code) {
  code = exit_code::rules;
  if (!load_maps(options)) return std::nullopt;
  std::unique_ptr<Progress> progress = show_progress(options);
  const std::vector<std::string>& given = options.files;
  Result<Sides> sides = given.size() == 1   ? load_sides(given[0], options.load)
                        : given.size() == 2 ? load_sides({&given[0], 1}, {&given[1], 1}, options.load)
                                            : load_sides(options.normal, options.abnormal, options.load);
  progress.reset();
  code = interrupted ? exit_code::interrupted : exit_code::usage;
  if (sides) return std::move(*sides);
  if (!interrupted) complain(options, sides.error());
  return std::nullopt;
}

bool is_above(const GrowthLimit& limit, std::int64_t before, std::int64_t after) {
  const auto growth = static_cast<double>(after - before);
  return growth > (limit.share ? *limit.share * static_cast<double>(before) : static_cast<double>(limit.ns));
}

/// Whether the cycle or a part of it got longer by more than a limit. What chance could have made fails nothing.
bool exceeds(const GrowthLimit& limit, const Comparison& comparison) {
  const CycleEntry& cycle = comparison.cycle;
  if (limit.part.empty())
    return comparison.verdict == Verdict::regression && is_above(limit, *cycle.normal_ns, *cycle.abnormal_ns);
  return std::any_of(comparison.decomposition.begin(), comparison.decomposition.end(),
                     [&](const DecompositionEntry& part) {
                       return part.name == limit.part && part.verdict == Verdict::regression &&
                              is_above(limit, part.normal_ns.value_or(0), part.abnormal_ns.value_or(0));
                     });
}

/// Whether every account of a timeline has a part of this name; where a comparison does not list it, it took no time.
bool is_part_of_time(std::string_view part) {
  constexpr std::string_view work[] = {"compute", "communication", "copy", "memset", "idle.unknown"};
  constexpr std::string_view idle = "idle.";
  if (std::find(std::begin(work), std::end(work), part) != std::end(work)) return true;
  const auto causes = info(column("idle.cause")).traits.words;
  return part.starts_with(idle) && std::find(causes.begin(), causes.end(), part.substr(idle.size())) != causes.end();
}

/// The exit code for limits on parts that no account has, nor this comparison, with a complaint: a gate that looks at
/// nothing must not pass. Without a verdict there are no parts; --strict is about that.
int unknown_parts(const Options& options, const Comparison& comparison) {
  std::string parts;
  for (const DecompositionEntry& part : comparison.decomposition) parts += (parts.empty() ? "" : ", ") + part.name;
  int code = exit_code::ok;
  for (const GrowthLimit& limit : options.fail_above) {
    const auto has_name = [&](const DecompositionEntry& part) { return part.name == limit.part; };
    if (limit.part.empty() || parts.empty() || is_part_of_time(limit.part) ||
        std::any_of(comparison.decomposition.begin(), comparison.decomposition.end(), has_name))
      continue;
    complain(options, "--fail-above: this comparison has no part '" + limit.part + "'; it has " + parts);
    code = exit_code::usage;
  }
  return code;
}

/// Findings that the normal run had as well, and as bad, fail nothing, nor do those that chance could have made.
bool fails(const Options& options, const Report& report) {
  const Comparison& comparison = *report.comparison;
  if (std::any_of(options.fail_above.begin(), options.fail_above.end(),
                  [&](const GrowthLimit& limit) { return exceeds(limit, comparison); }))
    return true;
  if (!options.fail_on) return false;
  if (const auto severity = severity_of(comparison); severity && *severity >= *options.fail_on) return true;
  std::set<std::string_view> grown;
  for (const FindingChange& fate : comparison.finding_changes) {
    if (fate.within_noise.value_or(false)) continue;
    if (fate.fate == Fate::appeared || fate.fate == Fate::worse) grown.insert(fate.rule);
    if (fate.fate == Fate::moved) grown.insert(fate.to);
  }
  return std::any_of(report.findings.begin(), report.findings.end(), [&](const Finding& finding) {
    return grown.contains(finding.rule) && finding.severity >= *options.fail_on;
  });
}

}  // namespace

int compare_sides(Options& options) {
  const std::optional<RuleSet> rules = load_rule_set(options, options.rules);  // before any trace is read
  if (!rules) return exit_code::rules;
  int code = exit_code::ok;
  const std::optional<Sides> sides = load_both(options, code);
  if (!sides) return code;
  options.compare.threads = options.load.threads;
  options.compare.cancel = &interrupted;
  const Result<Report> report = compare(*sides, *rules, options.compare);
  if (!report) {
    complain(options, report.error());
    return exit_code::usage;
  }
  const bool open = options.strict && report->comparison->verdict == Verdict::inconclusive;
  return print(
      options, interrupted ? std::string() : render_report(options, *report),
      worst({unreadable(options, sides->normal), unreadable(options, sides->abnormal),
             unknown_parts(options, *report->comparison), fails(options, *report) ? exit_code::findings : exit_code::ok,
             open ? exit_code::inconclusive : exit_code::ok}));
}

}  // namespace kdiag::cli
