// SPDX-License-Identifier: Apache-2.0
#include "report/html/comparison_data.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "report/html/shown.hpp"
#include "report/phrases/comparison_phrases.hpp"
#include "report/phrases/function_list.hpp"
#include "report/phrases/ledger_phrases.hpp"
#include "report/phrases/phrases.hpp"

namespace kdiag::report {
namespace {

constexpr std::size_t most_times = 1000;  // of a side: what a distribution needs (judgement)

/// As many of the sorted times at even distances, the shortest and the longest among them.
std::vector<std::int64_t> spread_times(std::vector<std::int64_t> times, std::size_t most) {
  std::sort(times.begin(), times.end());
  if (times.size() <= most || most < 2) return times.size() <= most ? times : std::vector<std::int64_t>{};
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < most; ++i) out.push_back(times[i * (times.size() - 1) / (most - 1)]);
  return out;
}

void write_side(JsonWriter& json, std::string_view name, const CycleSide& side, const PageLimits& limits) {
  json.object(name, Layout::line, [&] {
    json.member("count", side.count);
    json.member("median", side.median_ns);
    json.list("times", spread_times(side.times_ns, std::min(most_times, limits.slices)),
              [&](std::int64_t time) { json.value(time); });
  });
}

void write_part(JsonWriter& json, const DecompositionEntry& part) {
  json.object(Layout::line, [&] {
    json.member("name", shown(part.name));
    json.member("label", shown(ledger_name(LedgerLine{.name = part.name, .rule = {}})));
    json.member("delta", part.delta_ns);
    json.text_or_null("verdict", part.verdict ? name_of(*part.verdict) : std::string_view());
  });
}

void write_decomposition(JsonWriter& json, const Comparison& comparison, const PageLimits& limits) {
  const DecompositionBasis& basis = comparison.decomposed;
  json.object("decomposed", Layout::line, [&] {
    json.member("normal_ns", basis.normal_ns);
    json.member("abnormal_ns", basis.abnormal_ns);
    sentence(json, "phrase", basis.basis == LedgerBasis::none ? std::string() : decomposed_phrase(basis));
  });
  const std::size_t parts =
      basis.basis == LedgerBasis::none ? 0 : std::min(limits.lines, comparison.decomposition.size());
  json.array("parts", Layout::line, [&] {
    for (std::size_t i = 0; i < parts; ++i) write_part(json, comparison.decomposition[i]);
  });
}

void write_changes(JsonWriter& json, const Comparison& comparison, const PageLimits& limits) {
  const std::size_t count = std::min(limits.rows, comparison.changes.size());
  json.array("changes", Layout::line, [&] {
    for (std::size_t i = 0; i < count; ++i) {
      const ChangeEntry& change = comparison.changes[i];
      json.object(Layout::line, [&] {
        json.member("kind", name_of(change.kind));
        json.member("name", shown(change.name));
        json.member("delta", change.delta_ns);
        sentence(json, "how", (change.waits ? "waiting: " : "") + change_phrase(change));
      });
    }
  });
  sentence(json, "unchanged", join(comparison.unchanged, ", "));
  const FunctionList functions = function_list(comparison, false, std::min<std::size_t>(limits.rows, 20));
  json.object("functions", Layout::line, [&] {
    sentence(json, "heading", functions.heading);
    json.list("lines", functions.lines, [&](const std::string& line) { json.value(shown(line, longest_sentence)); });
  });
}

void write_fates(JsonWriter& json, const Comparison& comparison, const PageLimits& limits) {
  const std::size_t count = std::min(limits.rows, comparison.finding_changes.size());
  json.array("fates", Layout::line, [&] {
    for (std::size_t i = 0; i < count; ++i) {
      const FindingChange& fate = comparison.finding_changes[i];
      json.object(Layout::line, [&] {
        json.member("rule", shown(fate.rule));
        json.member("title", shown(fate.title, longest_sentence));
        json.member("fate", name_of(fate.fate));
        sentence(json, "how", fate_phrase(fate));
      });
    }
  });
}

/// What stands below the verdict, in the order of the other formats.
std::vector<std::string> verdict_texts(const Comparison& comparison) {
  const std::string tail = tail_phrase(comparison.cycle);
  const std::string& record = comparison.comparability.record;
  std::vector<std::string> out;
  for (const std::string& text : {reason_phrase(comparison), healthy_phrase(comparison.healthy),
                                  record.empty() ? std::string() : "To do: " + record + ".",
                                  edges_phrase(comparison.cycle), tail.empty() ? std::string() : "Tail: " + tail,
                                  nature_phrase(comparison), hidden_phrase(comparison), utilization_phrase(comparison)})
    if (!text.empty()) out.push_back(text);
  return out;
}

}  // namespace

void write_comparison_data(JsonWriter& json, const Report& report, const PageLimits& limits) {
  const Comparison& comparison = *report.comparison;
  json.object("comparison", Layout::line, [&] {
    json.member("verdict", name_of(comparison.verdict));
    json.member("word", verdict_word(comparison.verdict));
    json.list("texts", verdict_texts(comparison),
              [&](const std::string& text) { json.value(shown(text, longest_sentence)); });
    json.object("cycle", Layout::line, [&] {
      json.member("phrase", shown(cycle_phrase(comparison), longest_sentence));
      write_side(json, "normal", comparison.cycle.normal, limits);
      write_side(json, "abnormal", comparison.cycle.abnormal, limits);
    });
    write_decomposition(json, comparison, limits);
    write_changes(json, comparison, limits);
    write_fates(json, comparison, limits);
    json.member("score", shown(comparability_phrase(comparison.comparability)));
    json.list("differences", comparison.comparability.differences, [&](const DifferenceEntry& difference) {
      json.value(shown(difference_phrase(difference), longest_sentence));
    });
  });
}

}  // namespace kdiag::report
