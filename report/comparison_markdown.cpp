// SPDX-License-Identifier: Apache-2.0
#include "report/comparison_markdown.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

#include <kdiag/compare.hpp>
#include <kdiag/format.hpp>

#include "base/escape.hpp"
#include "report/markdown_table.hpp"
#include "report/phrases/comparison_phrases.hpp"
#include "report/phrases/function_list.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/telemetry_phrases.hpp"

namespace kdiag::report {
namespace {

// --- Numbers as LatencyPrism's tables hold them ---------------------------------------------------------------------

/// The same in every locale: with `precision` significant digits (general), or decimals (fixed).
std::string printed(double value, std::chars_format format, int precision) {
  char text[400];  // the largest double has 309 digits before the point
  return {text, std::to_chars(text, text + sizeof text, value, format, precision).ptr};
}

std::string six_digits(double value) { return printed(value, std::chars_format::general, 6); }

/// "750,054.29": two decimals, thousands separated.
std::string two_decimals(double value) {
  const double hundredths = std::round(std::abs(value) * 100);
  if (!(hundredths < 9e15)) return six_digits(value);
  const auto whole = static_cast<std::int64_t>(hundredths);
  const std::string cents = std::to_string(whole % 100);
  return (value < 0 && whole > 0 ? "-" : "") + format_count(whole / 100) + "." + (cents.size() < 2 ? "0" : "") + cents;
}

std::string microseconds(std::optional<std::int64_t> ns) {
  return ns ? two_decimals(static_cast<double>(*ns) / 1000) : "-";
}

std::string percent_change(std::optional<std::int64_t> before, std::optional<std::int64_t> after) {
  if (!before || !after || *before == 0) return "-";
  const double change = 100 * static_cast<double>(*after - *before) / static_cast<double>(*before);
  return (std::signbit(change) ? "" : "+") + printed(change, std::chars_format::fixed, 2) + "%";
}

std::optional<std::int64_t> difference(std::optional<std::int64_t> before, std::optional<std::int64_t> after) {
  return before && after ? std::optional(*after - *before) : std::nullopt;
}

std::string digits(std::optional<double> value) { return value ? six_digits(*value) : "nan"; }
std::string percent(std::optional<double> share) {
  return share ? printed(100 * *share, std::chars_format::fixed, 2) : "nan";
}
std::string mean(std::optional<double> value) { return value ? two_decimals(*value) : "nan"; }

// --- Tables ---------------------------------------------------------------------------------------------------------

std::string summary_table(const CycleEntry& cycle) {
  const std::int64_t count = cycle.normal.count, other = cycle.abnormal.count;
  return "### High-Level Performance Summary\n\n" +
         table_head({"Metric", "normal", "abnormal", "Δ (abnormal - normal)", "Change (%)"},
                    {false, true, true, true, true}) +
         table_row({"Total Cycles", format_count(count), format_count(other), std::to_string(other - count), "-"}) +
         table_row({"Avg Cycle Time (us)", microseconds(cycle.normal.mean_ns), microseconds(cycle.abnormal.mean_ns),
                    microseconds(difference(cycle.normal.mean_ns, cycle.abnormal.mean_ns)),
                    percent_change(cycle.normal.mean_ns, cycle.abnormal.mean_ns)}) +
         table_row({"Median Cycle Time (us)", microseconds(cycle.normal_ns), microseconds(cycle.abnormal_ns),
                    microseconds(difference(cycle.normal_ns, cycle.abnormal_ns)),
                    percent_change(cycle.normal_ns, cycle.abnormal_ns)}) +
         "\n";
}

/// The longest cycle of one run beside the longest of the other, and so on. All of them: who reads the table again
/// needs the median of each side.
std::string cycles_table(const CycleEntry& cycle) {
  std::vector<std::int64_t> before = cycle.normal.times_ns, after = cycle.abnormal.times_ns;
  std::sort(before.begin(), before.end(), std::greater<>());
  std::sort(after.begin(), after.end(), std::greater<>());
  const std::size_t ranks = std::max(before.size(), after.size());
  if (ranks < 2) return {};
  std::string out = "### Cycle Duration Distribution Comparison\n\n" +
                    table_head({"Time Rank", "normal Time (us)", "abnormal Time (us)", "Δ (us)", "Δ (%)"},
                               {true, true, true, true, true});
  const auto at = [](const std::vector<std::int64_t>& times, std::size_t rank) {
    return rank < times.size() ? std::optional(times[rank]) : std::nullopt;
  };
  for (std::size_t rank = 0; rank < ranks; ++rank)
    out += table_row({std::to_string(rank + 1), microseconds(at(before, rank)), microseconds(at(after, rank)),
                      microseconds(difference(at(before, rank), at(after, rank))),
                      percent_change(at(before, rank), at(after, rank))});
  return out + "\n";
}

void add_part(std::string& out, const DecompositionEntry& part, std::string_view lead) {
  out += table_row(
      {std::string(lead) + markdown_code_cell(part.name), part.normal_ns ? format_duration(*part.normal_ns) : "",
       part.abnormal_ns ? format_duration(*part.abnormal_ns) : "", signed_duration(part.delta_ns),
       part.share ? markdown(signed_share(*part.share)) : "", std::string(part.verdict ? name_of(*part.verdict) : "")});
  for (const DecompositionEntry& inner : part.parts) add_part(out, inner, "in it ");
}

std::string decomposition_table(const Comparison& comparison) {
  if (comparison.decomposed.basis == LedgerBasis::none) return {};
  std::string out = "### Where the difference went\n\n" +
                    table_head({"line", "normal", "abnormal", "Δ", "share of the difference", "verdict"},
                               {false, true, true, true, true, false});
  for (const DecompositionEntry& part : comparison.decomposition) add_part(out, part, "");
  const DecompositionBasis& basis = comparison.decomposed;
  out += table_row({"all", format_duration(basis.normal_ns), format_duration(basis.abnormal_ns),
                    signed_duration(basis.delta_ns), markdown(decomposed_phrase(basis)), ""});
  return out + "\n";
}

std::string changes_table(const Comparison& comparison) {
  if (comparison.changes.empty()) return {};
  std::string out = "### What changed most\n\n" + table_head({"Δ", "kind", "name", "how"}, {true, false, false, false});
  for (const ChangeEntry& change : comparison.changes)
    out +=
        table_row({signed_duration(change.delta_ns), std::string(name_of(change.kind)), markdown_code_cell(change.name),
                   markdown((change.waits ? "waiting: " : "") + change_phrase(change))});
  return out + "\n";
}

std::string sampled_table(const Report& report) {
  const std::vector<SampledDevice> devices = sampled_in_both(report);
  if (devices.empty()) return {};
  std::string out = "### How samples changed\n\n" +
                    table_head({"device", "series", "normal", "abnormal", "change"}, {false, false, true, true, true});
  for (const SampledDevice& device : devices)
    for (const SampledChange& change : device.changes)
      out += table_row({markdown(device.device), markdown(change.label), markdown(change.normal),
                        markdown(change.abnormal), change.change ? markdown(signed_share(*change.change)) : ""});
  return out + "\n";
}

std::string fates_table(const Comparison& comparison) {
  if (comparison.finding_changes.empty()) return {};
  std::string out = "### What became of the findings\n\n" +
                    table_head({"rule", "finding", "fate", "how"}, {false, false, false, false});
  for (const FindingChange& fate : comparison.finding_changes)
    out += table_row({markdown_code_cell(fate.rule), markdown(flowing(fate.title)), markdown(name_of(fate.fate)),
                      markdown(fate_phrase(fate))});
  return out + "\n";
}

std::string differences_list(const ComparabilityEntry& comparability) {
  std::string out = "### Comparable\n\nScore " + markdown(comparability_phrase(comparability)) + "\n\n";
  for (const DifferenceEntry& difference : comparability.differences)
    out += "- " + markdown(difference_phrase(difference)) + "\n";
  return out + (comparability.differences.empty() ? "" : "\n");
}

/// The first of them in kdiag's words, with what the tool's columns do not hold.
std::string functions_summary(const Comparison& comparison) {
  constexpr std::size_t most = 10;
  const FunctionList list = function_list(comparison, false, most);
  if (list.lines.empty()) return {};
  std::string out = "### Functions\n\n" + markdown(list.heading) + ":\n\n";
  for (const std::string& line : list.lines) out += "- " + markdown(line) + "\n";
  return out + "\n";
}

std::string functions_table(const Comparison& comparison) {
  if (comparison.functions.empty()) return {};
  std::vector<bool> right(17, true);
  right[0] = right[1] = right[2] = false;
  std::string out = "### Detailed comparison table\n\n" +
                    table_head({"Function Name", "Metric Name", "Device", "Suspicion Score", "β_normal(%)",
                                "β_abnormal(%)", "Δβ(%)", "Z-Score(β)", "p-value(β)", "U-test p(β)", "μ_normal",
                                "μ_abnormal", "Δμ", "Z-Score(μ)", "Z-Score(log_μ)", "p-value(μ)", "U-test p(μ)"},
                               right);
  const auto minus = [](std::optional<double> a, std::optional<double> b) {
    return a && b ? std::optional(*a - *b) : std::nullopt;
  };
  for (const FunctionEntry& row : comparison.functions)
    out += table_row({markdown_code_cell(row.function), markdown(row.metric), markdown(row.device),
                      digits(row.suspicion), percent(row.beta_normal), percent(row.beta_abnormal),
                      percent(minus(row.beta_abnormal, row.beta_normal)), digits(row.z_beta), digits(row.p_beta),
                      digits(row.u_beta), mean(row.mu_normal), mean(row.mu_abnormal),
                      digits(minus(row.mu_abnormal, row.mu_normal)), digits(row.z_mu), digits(row.z_log_mu),
                      digits(row.p_mu), digits(row.u_mu)});
  return out + "\n";
}

}  // namespace

std::string comparison_text(const Report& report) {
  const Comparison& comparison = *report.comparison;
  std::string out = "## " + markdown(product_phrase(report)) + ": comparison\n\n**" + verdict_word(comparison.verdict) +
                    "** " + markdown(cycle_phrase(comparison)) + "\n\n";
  std::string tail = tail_phrase(comparison.cycle);
  if (!tail.empty()) tail = "Tail: " + tail;
  const std::string& record = comparison.comparability.record;
  for (const std::string& text :
       {reason_phrase(comparison), healthy_phrase(comparison.healthy),
        record.empty() ? std::string() : "To do: " + record + ".", edges_phrase(comparison.cycle), tail,
        nature_phrase(comparison), hidden_phrase(comparison), utilization_phrase(comparison)})
    if (!text.empty()) out += markdown(text) + "\n\n";
  out += decomposition_table(comparison) + changes_table(comparison) + sampled_table(report);
  if (!comparison.unchanged.empty()) out += "Not changed: " + markdown(join(comparison.unchanged, ", ")) + "\n\n";
  return out + fates_table(comparison) + functions_summary(comparison) + differences_list(comparison.comparability) +
         summary_table(comparison.cycle) + cycles_table(comparison.cycle) + functions_table(comparison);
}

}  // namespace kdiag::report
