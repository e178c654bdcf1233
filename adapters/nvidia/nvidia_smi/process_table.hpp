// SPDX-License-Identifier: Apache-2.0
// The scrolling table of `nvidia-smi pmon`: one row per process and tick. The shares in it are of one process, and
// their sum is no utilization of the GPU; what it can tell is that processes compete for one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <kdiag/fact.hpp>

namespace kdiag::adapters {

class ProcessTable {
 public:
  /// A header line; it comes again on every page.
  void start_table(std::string_view header);
  /// The GPU of a row; nothing when the line is no row.
  std::optional<std::int64_t> add(std::string_view line);
  /// Notes the GPUs on which several processes ran at a time (K667). Call it once, at the end.
  void finish(FactSink& sink);

 private:
  using Pids = std::set<std::string, std::less<>>;
  /// Processes of a GPU. A tick ends where a process comes again; which of two that follow each other ran at the same
  /// time is certain only when both come again.
  struct Busy {
    Pids seen, running;  ///< in the current tick
    Pids before;         ///< running in the tick before
    std::size_t most = 0;

    void end_tick();
  };

  std::optional<std::size_t> gpu_, pid_, sm_;
  std::size_t columns_ = 0;
  std::map<std::int64_t, Busy> busy_;
};

}  // namespace kdiag::adapters
