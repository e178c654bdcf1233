// SPDX-License-Identifier: Apache-2.0
// How long a collective waited for other ranks, and for which, by the rows of the planes that its parts run on.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include <kdiag/fact.hpp>

#include "adapters/ascend/parts/records.hpp"
#include "base/intervals.hpp"

namespace kdiag::adapters::ascend {

/// Each group of ranks has a row for its collectives and, behind it, one for each plane. On a plane, Notify_Wait is the
/// wait for a peer's Notify_Record. What follows an RDMASend is no such wait: the send returns at once, and the
/// notification comes when the data has arrived.
class PlaneWaits {
 public:
  void add_collective(const Span& collective);
  /// A part of a collective; call for all of them after all collectives. `peer`: the other rank of it, where the input
  /// states one, else negative.
  void add_part(const Span& part, std::string_view name, std::int64_t peer);
  /// To be called once, after the last part and before the first `in`.
  void settle();

  struct Wait {
    std::int64_t dur = 0;              ///< a plane waited, and none moved data
    std::optional<std::int64_t> peer;  ///< whom a plane waited for longest by far, for most of it
  };
  /// What a collective waited; nothing where no wait was recorded.
  std::optional<Wait> in(const Span& collective) const;

 private:
  enum class Deed : std::uint8_t { wait, move, send };
  struct Part {
    std::int64_t start, end;
    Key plane;
    std::int64_t peer;
    Deed deed;
  };
  struct Longest {
    std::int64_t dur = 0, peer = -1;
    std::int64_t next = 0;  ///< longest wait for another peer
  };
  static void note(Longest& longest, std::int64_t dur, std::int64_t peer);
  struct Group {
    std::vector<std::int64_t> collectives;  ///< when each starts
    std::vector<Part> parts;                ///< until they are settled
    std::vector<std::int64_t> waits;        ///< when each starts
    std::vector<Longest> longest;           ///< wait of each collective, by that which began last before it
    std::vector<Interval> idle;             ///< a plane waited, and none moved data
    std::vector<std::int64_t> idle_until;   ///< sum of the lengths up to and with each

    void settle();
    std::int64_t idle_before(std::int64_t time) const;
    Longest longest_in(std::int64_t collective) const;
  };
  std::map<Key, Group> groups_;  ///< by the row of the collectives
};

/// The other rank of a part of a collective as CANN numbers it; negative where it has none.
std::int64_t peer_of(std::int64_t stated);
void set_wait(Batch& batch, Row comm, const PlaneWaits::Wait& wait);

}  // namespace kdiag::adapters::ascend
