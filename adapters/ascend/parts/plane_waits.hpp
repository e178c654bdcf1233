// SPDX-License-Identifier: Apache-2.0
// How long a collective waited for other ranks, by the rows of the planes that its parts run on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "adapters/ascend/parts/records.hpp"
#include "base/intervals.hpp"

namespace kdiag::adapters::ascend {

/// Each group of ranks has a row for its collectives and, behind it, one for each plane. On a plane, Notify_Wait is the
/// wait for a peer's Notify_Record. What follows an RDMASend is no such wait: the send returns at once, and the
/// notification comes when the data has arrived.
class PlaneWaits {
 public:
  void add_collective(const Span& collective);
  /// A part of a collective; call for all of them after all collectives.
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
  struct Group {
    std::vector<std::int64_t> collectives;  ///< when each starts
    std::vector<Part> parts;                ///< until they are settled
    std::vector<std::int64_t> waits;        ///< when each starts
    std::vector<Interval> idle;             ///< a plane waited, and none moved data
    std::vector<std::int64_t> idle_until;   ///< sum of the lengths up to and with each

    void settle();
    std::int64_t idle_before(std::int64_t time) const;
  };
  std::map<Key, Group> groups_;  ///< by the row of the collectives
};

}  // namespace kdiag::adapters::ascend
