// SPDX-License-Identifier: Apache-2.0
// Traces that calls ask for, kept so that the next call about them need not read them again.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <kdiag/compare.hpp>
#include <kdiag/kdiag.hpp>

#include "serve/mcp/roots.hpp"

namespace kdiag::serve::mcp {

/// What a comparison and a single recording have in common: the facts that are judged, and those they are compared
/// with.
struct LoadedTraces {
  Facts facts;
  std::optional<Facts> baseline;
  std::vector<std::string> left_out;  ///< of a fleet: files that have no part in it, and why
};

class Traces {
 public:
  /// `limits.bytes` is for all that is held at a time: what is kept, and what is being loaded.
  Traces(const Roots& roots, const LoadOptions& options);

  /// Paths are as callers name them. Throws ToolError when a path is refused or nothing can be read.
  LoadedTraces load(const std::vector<std::string>& paths, const std::vector<std::string>& baseline,
                    const ScopeOptions& scope, const std::atomic<bool>& stop, LoadProgress* progress);
  /// Both sides of a comparison, as load_sides reads them.
  LoadedTraces load_pair(const std::vector<std::string>& normal, const std::vector<std::string>& abnormal,
                         const std::atomic<bool>& stop, LoadProgress* progress);
  /// The ranks of a job, as load_fleet reads them.
  LoadedTraces load_ranks(const std::vector<std::string>& paths, const std::atomic<bool>& stop, LoadProgress* progress);

 private:
  struct Kept {
    std::string key;
    LoadedTraces traces;
  };
  using Load = std::function<LoadedTraces(const LoadOptions& options)>;

  LoadedTraces kept_or(const std::string& key, const Load& load, const std::atomic<bool>& stop, LoadProgress* progress);
  std::vector<std::string> resolved(const std::vector<std::string>& paths, std::string& key) const;

  const Roots& roots_;
  LoadOptions options_;
  std::deque<Kept> kept_;  ///< the last that was asked for first
};

}  // namespace kdiag::serve::mcp
