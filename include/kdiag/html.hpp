// SPDX-License-Identifier: Apache-2.0
// The report as one page for a browser: findings, account of time, timeline, tables. docs/html-report.md
#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>

#include <kdiag/export.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/report.hpp>

namespace kdiag {

struct HtmlOptions {
  /// What was diagnosed: its timeline, steps and tables. Without them the page has what the report says alone.
  std::optional<Facts> facts = {};
  /// The normal side of a comparison, or the baseline.
  std::optional<Facts> baseline = {};
  /// The page is at most so long: what has no place is merged on the timeline, or left out, and the page says so.
  std::size_t most_bytes = 2'000'000;
  /// Set by another thread: the text is then empty, soon after.
  const std::atomic<bool>* cancel = nullptr;
};

/// The report as one HTML file that asks the network for nothing. Names from traces are text in it, never markup.
///
///     const auto facts = kdiag::load_trace("trace.json");
///     const std::string page = kdiag::to_html(kdiag::diagnose(*facts, *rules), {.facts = *facts});
KDIAG_API std::string to_html(const Report& report, const HtmlOptions& options = {});

}  // namespace kdiag
