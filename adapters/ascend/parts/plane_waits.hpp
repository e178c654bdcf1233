// SPDX-License-Identifier: Apache-2.0
// How long a collective waited for other ranks, by the rows of the planes that its parts run on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "adapters/ascend/parts/records.hpp"

namespace kdiag::adapters::ascend {

/// Each group of ranks has a row for its collectives and, behind it, one for each plane. On a plane, Notify_Wait is the
/// wait for a peer's Notify_Record. What follows an RDMASend is no such wait: the send returns at once, and the
/// notification comes when the data has arrived.
class PlaneWaits {
 public:
  /// A row that holds a collective.
  void add_group(const Key& row) { groups_.try_emplace(row); }
  /// A part of a collective; call for all of them after all groups.
  void add_part(const Span& part, std::string_view name);
  /// To be called once, after the last part and before the first `in`.
  void settle();
  /// For how long, during a collective, a plane waited while none moved data; nothing where no wait was recorded.
  std::optional<std::int64_t> in(const Span& collective) const;

 private:
  enum class Deed : std::uint8_t { wait, move, send };
  struct Part {
    std::int64_t start, end;
    Key plane;
    Deed deed;
  };
  std::map<Key, std::vector<Part>> groups_;  ///< parts by start, by the row of the group
};

}  // namespace kdiag::adapters::ascend
