// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/finding_phrases.hpp"

#include <kdiag/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "report/phrases/phrases.hpp"

namespace kdiag::report {
namespace {

// The time that a finding's share is a share of. The report names it only by kind, and walls differ between ranks:
// the one that agrees with impact and share is meant.
std::optional<std::int64_t> whole_of(const RunView& view, const Finding& finding) {
  if (!finding.impact_ns || !finding.impact_share || !(*finding.impact_share > 0)) return std::nullopt;
  const double whole = static_cast<double>(*finding.impact_ns) / *finding.impact_share;
  const auto agrees = [whole](std::optional<std::int64_t> candidate) {
    constexpr double tolerance = 1e-3;  // far below what three digits show
    return candidate && std::fabs(static_cast<double>(*candidate) - whole) <= whole * tolerance;
  };
  if (agrees(view.run->wall_ns)) return view.run->wall_ns;
  for (const LedgerEntry* entry : view.ledger)
    if (agrees(entry->wall_ns)) return entry->wall_ns;
  return std::nullopt;
}

bool of_device_time(const Finding& finding) { return finding.share_of == ShareOf::device_time; }

std::string share_phrase(const Finding& finding) {
  const double high = *finding.impact_share;
  if (!finding.impact_low_ns) return "up to " + format_share(high);
  const double low = high * static_cast<double>(*finding.impact_low_ns) /
                     static_cast<double>(std::max<std::int64_t>(*finding.impact_ns, 1));
  return format_share_range(low, high);
}

// Whether shares of what is not paid once are others than those of the wall.
bool stands_out(const Finding& finding) {
  constexpr double little = 0.9;  // with so much of the wall left they are nearly the same (judgement)
  if (!finding.without_one_off || finding.without_one_off->wall_ns <= 0 || !finding.impact_ns || !finding.impact_share)
    return false;
  if (!(*finding.impact_share > 0)) return false;
  const double whole = static_cast<double>(*finding.impact_ns) / *finding.impact_share;
  return static_cast<double>(finding.without_one_off->wall_ns) < little * whole;
}

// What of the impact comes again in a longer run; empty where that says nothing new.
std::string rest_phrase(const Finding& finding) {
  if (!finding.without_one_off || finding.paid_once || !finding.impact_ns || *finding.impact_ns == 0) return {};
  const auto [left, wall] = *finding.without_one_off;
  const std::int64_t once = *finding.impact_ns - left;
  std::string phrase = once > 0 ? ", of which " + format_duration(once) + " is paid once" : std::string();
  if (!stands_out(finding)) return phrase;
  return phrase + (once > 0 ? "; the rest is " : "; ") +
         format_share(static_cast<double>(left) / static_cast<double>(wall)) + " of the " + format_duration(wall) +
         " without one-off costs";
}

// How much faster the whole is without `gain`, or nothing when that is no sensible figure.
std::optional<double> speedup(std::int64_t whole, std::int64_t gain) {
  constexpr double highest = 100;  // beyond it the rest is noise (judgement)
  if (whole <= 0 || gain <= 0 || gain >= whole) return std::nullopt;
  const double factor = static_cast<double>(whole) / static_cast<double>(whole - gain);
  if (factor < 1.01 || factor > highest) return std::nullopt;
  return factor;
}

std::string bounds_phrase(const std::optional<std::string>& low, const std::optional<std::string>& high) {
  if (low && high) return *low == *high ? *high : *low + " to " + *high;
  if (high) return "up to " + *high;
  return "at least " + *low;
}

}  // namespace

std::string impact_share_phrase(const Finding& finding) {
  return finding.impact_ns && finding.impact_share ? share_phrase(finding) : std::string();
}

std::string subject_phrase(const RunView& view, const Finding& finding) {
  const SubjectEntry& subject = finding.subject;
  const bool whole = subject.kind == "run" || subject.kind == "device" || subject.kind == "rank";
  if (subject.label.empty() || subject.kind == "run" || (whole && view.run->devices.size() <= 1)) return {};
  return "on " + subject.label;
}

std::string also_phrase(const Finding& finding, std::size_t limit) {
  if (finding.also.empty()) return {};
  std::vector<std::string> parts;
  const std::size_t shown = std::min(limit, finding.also.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const AlsoEntry& also = finding.also[i];
    parts.push_back(also.subject.label + (also.impact_ns ? " (" + format_duration(*also.impact_ns) + ")" : ""));
  }
  std::string phrase = join(parts, ", ");
  if (shown < finding.also.size())
    phrase += " and " + format_count(static_cast<std::int64_t>(finding.also.size() - shown)) + " more";
  return phrase;
}

std::string lost_time_phrase(const RunView& view, const Finding& finding) {
  return (finding.impact_ns ? "costs " : "") + impact_phrase(view, finding);
}

std::string impact_phrase(const RunView& view, const Finding& finding) {
  if (!finding.impact_ns) return "impact unknown";
  std::string phrase = finding.impact_low_ns ? format_duration_range(*finding.impact_low_ns, *finding.impact_ns)
                                             : "up to " + format_duration(*finding.impact_ns);
  if (!finding.impact_share) return phrase;
  const std::string before =
      finding.baseline_share ? ", in the baseline run " + format_share(*finding.baseline_share) : std::string();
  const char* kind = of_device_time(finding) ? "device time" : "the wall";
  constexpr std::string_view up_to = "up to ";
  std::string share = share_phrase(finding);
  if (phrase.starts_with(up_to) && share.starts_with(up_to)) share.erase(0, up_to.size());  // it is said once
  if (const auto whole = whole_of(view, finding)) {
    phrase += " of " + format_duration(*whole) + (of_device_time(finding) ? " device time" : "");
    phrase += " (" + share + before + ")";
  } else {
    phrase += " (" + share + " of " + kind + before + ")";
  }
  constexpr std::int64_t parts = 100;  // less of the impact is nothing to say (judgement)
  if (finding.explained_ns > *finding.impact_ns / parts)
    phrase += ", and " + format_duration(finding.explained_ns) + " more that other findings explain";
  return phrase + rest_phrase(finding);
}

std::string gain_phrase(const RunView& view, const Finding& finding) {
  if (finding.paid_once) return "one-time cost";
  if (!finding.gain || (!finding.gain->low_ns && !finding.gain->high_ns)) return {};
  const GainEntry& gain = *finding.gain;
  if ((gain.high_ns ? *gain.high_ns : *gain.low_ns) == 0) return {};  // "saves 0 ns" says nothing
  constexpr std::int64_t little = 1000;  // less of what it costs is nothing to work for (judgement)
  if (gain.high_ns && finding.impact_ns && *gain.high_ns < *finding.impact_ns / little)
    return "fixing only this saves next to nothing";
  // What is paid once does not come again, so that a longer run is faster by what the rest is.
  const auto whole = of_device_time(finding)   ? std::nullopt
                     : finding.without_one_off ? std::optional(finding.without_one_off->wall_ns)
                                               : whole_of(view, finding);
  std::optional<double> low;
  std::optional<double> high;
  if (whole && gain.low_ns) low = speedup(*whole, *gain.low_ns);
  if (whole && gain.high_ns) high = speedup(*whole, *gain.high_ns);
  const auto text = [](std::optional<double> factor) {
    return factor ? std::optional(format_factor(*factor)) : std::nullopt;
  };
  if (gain.high_ns ? high.has_value() : low.has_value())
    return "fixing only this: " + bounds_phrase(text(low), text(high)) + " faster" +
           (stands_out(finding) ? ", one-off costs aside" : "");
  const auto time = [](std::optional<std::int64_t> ns) {
    return ns ? std::optional(format_duration(*ns)) : std::nullopt;
  };
  const auto sure =
      gain.low_ns && *gain.low_ns > 0 ? gain.low_ns : std::nullopt;  // "0 ns to" says no more than "up to"
  return "fixing only this saves " + bounds_phrase(time(sure), time(gain.high_ns));
}

std::string confidence_phrase(const ConfidenceEntry& confidence) {
  std::string phrase = "confidence " + format_number(std::round(confidence.value * 100) / 100);
  if (confidence.basis.empty()) return phrase;
  phrase += " (" + (confidence.basis == "judgement" ? "estimate" : confidence.basis);
  if (confidence.n)
    phrase += " on " + counted(static_cast<std::size_t>(std::max<std::int64_t>(*confidence.n, 0)), "trace");
  return phrase + ")";
}

std::string others_phrase(const Finding& finding, std::string_view table, std::size_t hidden) {
  std::size_t left_out = 0;
  for (const auto& [name, rows] : finding.left_out)
    if (name == table) left_out = rows;
  if (left_out == 0) return hidden == 0 ? std::string() : "and " + counted(hidden, "more row") + " with --all";
  std::string phrase = "and " + format_count(static_cast<std::int64_t>(hidden + left_out)) + " more";
  if (hidden > 0) phrase += ": " + std::to_string(hidden) + " with --all, the others by kdiag query";
  return phrase;
}

std::string location_phrase(const LocationEntry& location) {
  std::string phrase = location.file;
  if (!phrase.empty() && location.line) phrase += ":" + std::to_string(*location.line);
  if (!location.function.empty()) phrase += (phrase.empty() ? "" : " in ") + location.function;
  if (phrase.empty() || location.how.empty() || location.how == "line") return phrase;
  if (location.how == "function") return phrase + " (where the function begins)";
  return phrase + " (a " + location.how + ")";
}

}  // namespace kdiag::report
