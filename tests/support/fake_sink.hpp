// SPDX-License-Identifier: Apache-2.0
// A FactSink for tests of the readers: counts notes and events, keeps no facts.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/fact.hpp>

namespace kdiag::tests {

class FakeSink : public FactSink {
 public:
  explicit FakeSink(unsigned threads = 1) : threads_(threads) {}

  std::map<std::string, std::map<std::string, std::uint64_t>> notes;  ///< id -> detail -> count
  std::atomic<std::uint64_t> events{0};
  std::atomic<bool> cancel{false};  ///< what cancelled() answers

  /// How often an id was noted, over all details.
  std::uint64_t noted(const std::string& id) const {
    std::uint64_t sum = 0;
    const auto found = notes.find(id);
    if (found == notes.end()) return 0;
    for (const auto& [detail, count] : found->second) sum += count;
    return sum;
  }

  void run(RunInfo) override {}
  void submit(std::uint64_t, Batch) override {}
  void note(std::string_view id, std::string_view detail, std::uint64_t count) override {
    const std::lock_guard lock(mutex_);
    notes[std::string(id)][std::string(detail)] += count;
  }
  void count_events(std::uint64_t count) override { events += count; }
  bool cancelled() const override { return cancel; }
  unsigned threads() const override { return threads_; }

 private:
  unsigned threads_;
  std::mutex mutex_;
};

}  // namespace kdiag::tests
