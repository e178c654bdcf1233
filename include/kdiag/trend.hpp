// SPDX-License-Identifier: Apache-2.0
// The history of one program over many runs: when its cycle changed, by how much, and in which part of its time.
//
//     const std::vector<std::string> runs = {"monday.jsonl", "tuesday.jsonl", ...};
//     const auto trend = kdiag::trend(runs);
//     if (trend && !trend->changes.empty()) std::cout << trend->runs[trend->changes.back().first].path << '\n';
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <kdiag/compare.hpp>
#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/result.hpp>

namespace kdiag {

struct TrendRun {
  std::string path;
  std::optional<std::int64_t> cycle_ns;  ///< its median
  std::int64_t cycles = 0;
  std::string left_out;     ///< why it is no part of the history; empty: it is
  bool unreadable = false;  ///< left out, since no facts came of it
};

/// A part of the cycle before and after a change: means over the runs of both levels.
struct TrendPart {
  std::string name;  ///< of a ledger line: compute, idle.host_sync, ...
  std::int64_t before_ns = 0, after_ns = 0;
};

struct TrendChange {
  std::size_t first = 0;                     ///< place among the runs of the first of the new level
  std::int64_t before_ns = 0, after_ns = 0;  ///< medians of the cycles of the runs of both levels
  double change = 0;                         ///< +0.05 is 5 % longer
  double p = 1;
  std::vector<TrendPart> parts;  ///< those that changed most first
};

struct Trend {
  Verdict verdict = Verdict::inconclusive;  ///< of the last change; neutral without one
  std::string reason;                       ///< in a sentence
  CycleBasis basis = CycleBasis::none;
  std::string name;  ///< as in CycleEntry
  std::vector<TrendRun> runs;
  std::vector<TrendChange> changes;  ///< in order
};

struct TrendOptions {
  LoadOptions load;
  std::string anchor;  ///< as in CompareOptions
};

/// Each path is one run, in order of time; a single folder stands for the files and folders in it, in the order of
/// their names. Runs are loaded one after the other. Changes are those that change_points of their median cycles finds
/// (docs/trend.md) and that are larger than 2 %. Errors: K610, K621 a folder cannot be read; cancelled.
KDIAG_API Result<Trend> trend(std::span<const std::string> paths, const TrendOptions& options = {});

/// As severity_of of a comparison, of the last change.
KDIAG_API std::optional<Severity> severity_of(const Trend& trend);

KDIAG_API std::string to_text(const Trend& trend);
/// GitHub flavoured Markdown, for the summary of a nightly workflow.
KDIAG_API std::string to_markdown(const Trend& trend);
/// One JSON document, schema "kdiag.trend/1", byte-stable.
KDIAG_API std::string to_json(const Trend& trend);

}  // namespace kdiag
