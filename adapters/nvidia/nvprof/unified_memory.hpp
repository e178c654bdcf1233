// SPDX-License-Identifier: Apache-2.0
// What nvprof prints of managed memory, below its own line "Unified Memory profiling result:", as text or CSV:
//
//   Device "Tesla V100-SXM2-16GB (0)"
//      Count  Avg Size  Min Size  Max Size  Total Size  Total Time  Name
//         36  32.889KB  4.0000KB  60.000KB  1.156250MB  196.5440us  Host To Device
//         20         -         -         -           -  3.041344ms  Gpu page fault groups
//   Total CPU Page faults: 17
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/nvidia/nsys/stats_totals.hpp"

namespace kdiag::adapters::nvprof {

/// How the lines begin that close the block: "Total CPU Page faults: 17".
inline constexpr std::string_view closing_words = "Total CPU ";

class UnifiedMemory {
 public:
  /// What a line of the block is. open: more must follow; unknown: none that a whole block has.
  enum class Line : std::uint8_t { open, row, closing, unknown };

  /// Reads a line, and its cells. Migrations are copies of `totals`; kinds of rows without a place among the facts are
  /// noted (K639).
  Line read(std::string_view line, std::span<const std::string_view> cells, nsys::StatsTotals& totals, FactSink& sink);

  /// Writes the device that the block names, its page faults and what it reaches over the bus; of several those of all
  /// together, as a device without a name, since the other totals of nvprof do not say whose they are. Whether it names
  /// any.
  bool submit(Batch& batch) const;

 private:
  std::string_view cell(std::span<const std::string_view> cells, std::string_view name) const;
  void add_migration(std::string_view operation, std::span<const std::string_view> cells, nsys::StatsTotals& totals,
                     FactSink& sink);
  void add_faults(std::span<const std::string_view> cells);
  void add_mappings(std::span<const std::string_view> cells);

  std::vector<std::string> names_;  ///< of the columns; the last is the kind of row
  std::set<std::string> devices_;   ///< "Tesla T4 (0)"
  std::optional<std::int64_t> faults_, fault_time_, remote_bytes_;
};

}  // namespace kdiag::adapters::nvprof
