// SPDX-License-Identifier: Apache-2.0
// Ten columns of a trace: what the reference and the event reader both extract, so that they can be compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace kdiag::bench {

/// Numbers strings in order of first appearance and keeps them.
class Interner {
 public:
  std::uint32_t operator()(std::string_view text) {
    const auto found = ids_.find(text);
    if (found != ids_.end()) return found->second;
    const auto id = static_cast<std::uint32_t>(ids_.size());
    ids_.emplace(kept_.emplace_back(text), id);
    return id;
  }

 private:
  std::deque<std::string> kept_;
  std::unordered_map<std::string_view, std::uint32_t> ids_;
};

struct Row {
  static constexpr std::int64_t absent = INT64_MIN;
  std::uint32_t ph = 0, cat = 0, name = 0;
  std::int64_t ts = absent, dur = absent, pid = absent, tid = absent, device = absent, stream = absent,
               correlation = absent;
};

struct Columns {
  Interner strings;
  std::vector<std::uint32_t> ph, cat, name;
  std::vector<std::int64_t> ts, dur, pid, tid, device, stream, correlation;

  void add(const Row& row) {
    ph.push_back(row.ph);
    cat.push_back(row.cat);
    name.push_back(row.name);
    ts.push_back(row.ts);
    dur.push_back(row.dur);
    pid.push_back(row.pid);
    tid.push_back(row.tid);
    device.push_back(row.device);
    stream.push_back(row.stream);
    correlation.push_back(row.correlation);
  }
};

}  // namespace kdiag::bench
