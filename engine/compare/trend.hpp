// SPDX-License-Identifier: Apache-2.0
// A history run by run: what is kept of each, and where it changed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/trend.hpp>

#include "base/interrupt.hpp"
#include "engine/facts/loaded_facts.hpp"

namespace kdiag {

/// Each run is measured beside the first that has cycles, by the same cycles; of the others only numbers are kept.
class TrendBuilder {
 public:
  TrendBuilder(std::string_view anchor, CancelFlag cancel) : anchor_(anchor), cancel_(cancel) {}

  /// Throws Interrupted.
  void add(std::string path, const std::shared_ptr<const LoadedFacts>& facts);
  /// Of a run that could not be loaded.
  void add_unreadable(std::string path, std::string reason);
  /// Throws Interrupted.
  Trend take();

 private:
  void leave_out(std::string path, std::string reason);

  struct Parts {
    std::vector<TrendPart> lines;  ///< of one run: after_ns
  };

  std::string anchor_;
  CancelFlag cancel_;
  std::shared_ptr<const LoadedFacts> first_;
  std::optional<std::int64_t> first_ns_;
  std::vector<Parts> parts_;  ///< by run
  Trend trend_;
};

}  // namespace kdiag
