// SPDX-License-Identifier: Apache-2.0
// The rows of a table in the order in which they stand on their lanes: the threads of host events, the streams of
// device work.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/facts/fact_store.hpp"

namespace kdiag {

class LaneOrder {
 public:
  /// Of every row of a table, in order of start; of a table without starts in the table's order, which is that of
  /// launch.
  LaneOrder(const FactStore& store, TableId table);

  /// The rows of a lane, in order.
  std::span<const std::uint32_t> rows(std::uint32_t lane) const {
    return std::span(rows_).subspan(begins_[lane], begins_[lane + 1] - begins_[lane]);
  }
  /// The lane on which a row stands, and where among its rows.
  std::uint32_t lane_of(std::uint32_t row) const { return lanes_[row]; }
  std::uint32_t place_of(std::uint32_t row) const { return places_[row] - begins_[lanes_[row]]; }
  std::size_t lanes() const { return begins_.size() - 1; }

 private:
  std::vector<std::uint32_t> rows_;    ///< lane by lane
  std::vector<std::uint32_t> begins_;  ///< by lane, and the end
  std::vector<std::uint32_t> lanes_;   ///< by row
  std::vector<std::uint32_t> places_;  ///< by row: its place in rows_
};

/// The column that tells the lanes of a table apart; of one without, the rows of a device follow one another.
ColumnId lane_column(std::string_view table);

}  // namespace kdiag
