// SPDX-License-Identifier: Apache-2.0
#include "report/text/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/format.hpp>

#include "base/escape.hpp"
#include "base/utf8.hpp"
#include "report/phrases/comparison_phrases.hpp"
#include "report/phrases/function_list.hpp"
#include "report/phrases/phrases.hpp"
#include "report/phrases/signature.hpp"
#include "report/phrases/table.hpp"
#include "report/text/ledger.hpp"
#include "report/text/section.hpp"
#include "report/text/telemetry.hpp"

namespace kdiag::report {
namespace {

// What is shown without `all` (judgement).
constexpr double shown_share = 0.01;  // of the difference
constexpr std::size_t shown_differences = 6, shown_fates = 6;
constexpr std::size_t longest_name = 60;
constexpr std::size_t readable_name = 18;  // judgement: "idle.communication"

Style style_of_verdict(Verdict verdict) {
  switch (verdict) {
    case Verdict::regression: return Style::red;
    case Verdict::improvement: return Style::cyan;
    case Verdict::inconclusive: return Style::yellow;
    case Verdict::neutral: return Style::strong;
  }
  return Style::plain;
}

/// Bytes of the folders that all of some paths begin with, with the last slash.
std::size_t common_folders(const std::vector<std::string>& paths) {
  if (paths.empty()) return 0;
  const auto [low, high] = std::minmax_element(paths.begin(), paths.end());
  const auto differ = std::mismatch(low->begin(), low->end(), high->begin(), high->end());
  if (differ.first == low->begin()) return 0;
  const std::size_t slash = low->rfind('/', static_cast<std::size_t>(differ.first - low->begin()) - 1);
  return slash == std::string::npos ? 0 : slash + 1;
}

std::vector<std::string> paths_of(const Report& report, RunRole role) {
  std::vector<std::string> paths;
  for (const InputEntry& input : report.inputs)
    if (input.role == role) paths.push_back(input.path);
  return paths;
}

/// Whether the compared runs are two: one run can be compared with itself.
bool are_two_runs(const Report& report) {
  const auto label_of = [&](const std::string& id) {
    const auto run =
        std::find_if(report.runs.begin(), report.runs.end(), [&](const RunEntry& r) { return r.id == id; });
    return run == report.runs.end() ? std::string() : run->label;
  };
  return label_of(report.comparison->normal) != label_of(report.comparison->abnormal);
}

/// The parts of the runs that are compared, in words: two parts of one run.
std::pair<std::string, std::string> scopes_of(const Report& report) {
  std::pair<std::string, std::string> scopes;
  for (const RunEntry& run : report.runs) {
    if (run.id == report.comparison->normal) scopes.first = run.scope;
    if (run.id == report.comparison->abnormal) scopes.second = run.scope;
  }
  return scopes;
}

/// What one path says of each side, or the folder of several, without the folders that both sides lie in.
std::pair<std::string, std::string> side_names(const Report& report) {
  std::vector<std::string> sides;
  for (const RunRole role : {RunRole::baseline, RunRole::subject}) {
    const std::vector<std::string> paths = paths_of(report, role);
    const std::size_t recordings = role == RunRole::baseline ? report.comparison->healthy.runs.size() : 1;
    if (paths.size() == 1) sides.push_back(paths.front());
    else if (recordings > 1) sides.push_back(counted(recordings, "recording"));
    else if (const std::size_t folder = common_folders(paths); folder > 1)
      sides.push_back(paths.front().substr(0, folder - 1));
    else sides.push_back(paths.empty() ? std::string(name_of(role)) : counted(paths.size(), "input"));
  }
  if (sides[0] == sides[1] && are_two_runs(report)) {
    // Two runs of one file stay in its order.
    sides[0] += "#1";
    sides[1] += "#2";
  } else if (const auto parts = scopes_of(report); sides[0] == sides[1] && parts.first != parts.second) {
    sides[0] += " " + parts.first;
    sides[1] += " " + parts.second;
  }
  const std::size_t shared = common_folders(sides);
  return {sides[0].substr(shared), sides[1].substr(shared)};
}

/// Columns side by side, two spaces apart. A longer name than `readable_name` can be shortened.
std::size_t width_of(const std::vector<std::vector<std::string>>& cells) {
  std::vector<std::size_t> widest;
  for (const auto& row : cells) {
    widest.resize(std::max(widest.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widest[i] = std::max(widest[i], count_code_points(row[i]));
  }
  if (!widest.empty()) widest[0] = std::min(widest[0], readable_name);
  std::size_t width = 0;
  for (const std::size_t column : widest) width += column + (width > 0 ? 2 : 0);
  return width;
}

/// Leaves out columns while there is no room for all: a time whose middle is left out would be another one. `least`:
/// the place of each column when its turn comes.
void leave_out(std::vector<std::vector<std::string>>& cells, std::vector<bool>& right, std::size_t room,
               std::initializer_list<std::ptrdiff_t> least) {
  for (const std::ptrdiff_t column : least) {
    if (width_of(cells) <= room) return;
    for (auto& row : cells) row.erase(row.begin() + column);
    right.erase(right.begin() + column);
  }
}

void print_decomposition(Page& page, const Comparison& comparison, bool all) {
  if (comparison.decomposed.basis == LedgerBasis::none) return;
  Section section(page, "where it went");
  std::vector<std::vector<std::string>> cells;
  std::size_t hidden = 0;
  const auto add = [&](const DecompositionEntry& part, const std::string& name) {
    // Where the whole differs by next to nothing, parts that cancel each other are told by their size in the cycle.
    const double of_cycle = static_cast<double>(part.delta_ns) /
                            static_cast<double>(std::max<std::int64_t>(1, comparison.decomposed.normal_ns));
    if (!all && std::abs(part.share.value_or(of_cycle)) < shown_share) {
      ++hidden;
      return false;
    }
    const bool line = part.normal_ns.has_value();
    const bool told = part.verdict == Verdict::regression || part.verdict == Verdict::improvement;
    cells.push_back({visible(name), signed_duration(part.delta_ns), part.share ? signed_share(*part.share) : "",
                     line ? format_duration(*part.normal_ns) + " -> " + format_duration(*part.abnormal_ns) : "",
                     std::string(told ? name_of(*part.verdict) : "")});
    return true;
  };
  for (const DecompositionEntry& part : comparison.decomposition) {
    const bool shown = add(part, part.name);
    const double inside = std::abs(static_cast<double>(comparison.decomposed.delta_ns)) * shown_share;
    for (const DecompositionEntry& inner : part.parts)
      if (all || (shown && std::abs(static_cast<double>(inner.delta_ns)) >= inside)) add(inner, "  " + inner.name);
  }
  const DecompositionBasis& basis = comparison.decomposed;
  cells.push_back({"all", signed_duration(basis.delta_ns), "",
                   format_duration(basis.normal_ns) + " -> " + format_duration(basis.abnormal_ns), ""});
  std::vector<bool> right = {false, true, true, true, false};
  leave_out(cells, right, page.width() - std::min(page.width(), section_column), {2, 3, 2});  // share, verdict, times
  section.table(std::move(cells), right);
  section.line("(" + decomposed_phrase(basis) +
               (hidden > 0 ? "; " + counted(hidden, "smaller part") + " with --all" : "") + ")");
}

void print_changes(Page& page, const Comparison& comparison, bool all, std::size_t most) {
  Section section(page, "what changed most");
  std::size_t shown = 0, hidden = 0;
  for (const ChangeEntry& change : comparison.changes) {
    // What waits stands last in the list: the largest of it is told beside the others.
    const std::size_t room = change.waits ? most + 1 : most;
    if (!all && (shown >= room || !is_material(change, comparison))) {
      ++hidden;
      continue;
    }
    ++shown;
    const std::string_view sum = change.waits                              ? "waiting, "
                                 : is_thread_time(comparison, change.name) ? "thread time, "
                                                                           : "";
    section.line(signed_duration(change.delta_ns) + " " + std::string(sum) + std::string(name_of(change.kind)) + " " +
                 (all ? change.name : shorten_name(visible(change.name), longest_name)) + ": " + change_phrase(change));
  }
  section.more(hidden, "more change");
}

void print_unchanged(Page& page, const Comparison& comparison) {
  if (!comparison.unchanged.empty()) Section(page, "what did not").line(join(comparison.unchanged, ", "));
}

void print_comparability(Page& page, const Comparison& comparison, bool all) {
  const std::vector<DifferenceEntry>& differences = comparison.comparability.differences;
  Section section(page, "comparable");
  section.line(comparability_phrase(comparison.comparability));
  const std::size_t shown = all ? differences.size() : std::min(differences.size(), shown_differences);
  for (std::size_t i = 0; i < shown; ++i) section.line(difference_phrase(differences[i]));
  section.more(differences.size() - shown, "more difference");
}

/// Of what came, its title and where to read of it in the report of the abnormal run; of the rest the rule.
std::string fate_name(const Report& report, const FindingChange& fate) {
  if ((fate.fate != Fate::appeared && fate.fate != Fate::worse) || fate.within_noise.value_or(false)) return fate.rule;
  const auto named = [&](const Finding& finding, const std::string& place) {
    return fate.rule + ": " + flowing(finding.title) + " (" + place + ")";
  };
  for (const Finding& finding : report.findings) {
    const std::string place = "finding " + std::to_string(finding.rank) + " below";
    if (finding.rule == fate.rule) return named(finding, place);
    for (const Finding& symptom : finding.symptoms)
      if (symptom.rule == fate.rule) return named(symptom, "explained by " + place);
  }
  return fate.rule;
}

void print_fates(Page& page, const Report& report, bool all) {
  const Comparison& comparison = *report.comparison;
  Section section(page, "findings");
  const std::size_t shown =
      all ? comparison.finding_changes.size() : std::min(comparison.finding_changes.size(), shown_fates);
  for (std::size_t i = 0; i < shown; ++i) {
    const FindingChange& fate = comparison.finding_changes[i];
    std::string word{name_of(fate.fate)};
    std::replace(word.begin(), word.end(), '_', ' ');
    const std::string phrase = fate_phrase(fate);
    section.line(word + ": " + fate_name(report, fate) + (phrase.empty() ? "" : ", " + phrase));
  }
  section.more(comparison.finding_changes.size() - shown, "more finding");
}

void print_functions(Page& page, const Comparison& comparison, bool all, std::size_t most) {
  if (comparison.functions.empty()) return;
  Section section(page, "functions");
  const FunctionList functions = function_list(comparison, all, most);
  section.line(functions.heading);
  for (const std::string& line : functions.lines) section.line(line);
  section.more(functions.hidden, "more row");
}

}  // namespace

void print_verdict(Page& page, const Report& report) {
  const Comparison& comparison = *report.comparison;
  const auto [normal, abnormal] = side_names(report);
  page.field(product_phrase(report) + " ·", 0, 2,
             dotted({"comparison", normal + " (normal)", abnormal + " (abnormal)"}), Style::strong);
  page.line();
  const std::string cycle = cycle_phrase(comparison);
  page.field(verdict_word(comparison.verdict), 1, 4, words_of(" " + (cycle.empty() ? comparison.reason : cycle)),
             style_of_verdict(comparison.verdict));
  if (!cycle.empty()) page.field("", 0, 4, words_of(reason_phrase(comparison)));
  if (const std::string healthy = healthy_phrase(comparison.healthy); !healthy.empty())
    page.field("", 0, 4, words_of(healthy));
  if (const std::string& record = comparison.comparability.record; !record.empty())
    page.field("", 0, 4, words_of("To do: " + record + "."));
  if (const std::string edges = edges_phrase(comparison.cycle); !edges.empty()) page.field("", 0, 4, words_of(edges));
  if (const std::string tail = tail_phrase(comparison.cycle); !tail.empty())
    page.field("", 0, 4, words_of("Tail: " + tail));
  const bool neutral = comparison.verdict == Verdict::neutral;
  if (const std::string why = neutral ? hidden_phrase(comparison) : nature_phrase(comparison); !why.empty())
    page.field("", 0, 4, words_of(why));
  if (const std::string busy = utilization_phrase(comparison); !busy.empty()) page.field("", 0, 4, words_of(busy));
  page.line();
}

void print_comparison(Page& page, const Report& report, const TextOptions& options) {
  const Comparison& comparison = *report.comparison;
  const bool all = options.all;
  print_verdict(page, report);
  print_decomposition(page, comparison, all);
  print_changes(page, comparison, all, options.changes);
  print_sampled_changes(page, report, all);
  print_unchanged(page, comparison);
  print_fates(page, report, all);
  print_comparability(page, comparison, all);
  print_functions(page, comparison, all, options.changes);
}

}  // namespace kdiag::report
