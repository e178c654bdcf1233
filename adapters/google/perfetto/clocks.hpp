// SPDX-License-Identifier: Apache-2.0
// The clocks of a trace: packets state instants of any of them, snapshots say how they stand to each other.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kdiag::adapters::perfetto {

class Clocks {
 public:
  static constexpr std::uint32_t realtime = 1, boottime = 6;  ///< of BuiltinClock

  /// Takes a ClockSnapshot in, which a writer of that sequence wrote.
  void add(std::string_view snapshot, std::uint32_t sequence);

  /// The instant that a packet states, as ns of the trace's own clock. Nothing when no snapshot says what its clock
  /// is; a clock of the system that none mentions is taken for the trace's.
  std::optional<std::int64_t> at(std::uint32_t clock, std::uint32_t sequence, std::uint64_t stated);

  /// From the trace's own clock to ns since 1970, where a snapshot says it.
  std::optional<std::int64_t> to_unix() const { return to_unix_; }

 private:
  struct Point {
    std::int64_t clock, trace;  ///< the same instant, in ns of both
  };
  struct Clock {
    std::int64_t unit = 1;     ///< ns of a tick
    bool incremental = false;  ///< packets state what passed since the last one
    std::int64_t last = 0;
    std::vector<Point> points;  ///< by `clock`
  };

  /// User-defined clocks are those of their writer.
  static std::uint64_t key(std::uint32_t clock, std::uint32_t sequence);
  static std::optional<std::int64_t> convert(const Clock& clock, std::int64_t ns);

  std::unordered_map<std::uint64_t, Clock> clocks_;
  std::uint32_t trace_clock_ = boottime;
  std::optional<std::int64_t> to_unix_;
};

}  // namespace kdiag::adapters::perfetto
