// SPDX-License-Identifier: Apache-2.0
// A FactSink for tests: keeps everything an adapter says, to be looked at afterwards.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/fact.hpp>

#include "engine/facts/fact_builder.hpp"

namespace kdiag::tests {

/// Collects the fragments of one input, its notes and counts. Thread-safe where FactSink is.
///
/// Example:
///     CollectingSink sink("kernel-table");
///     REQUIRE(adapter.read(*input, sink));
///     FactStore facts = build_facts({std::move(sink.fragments[0])});
class CollectingSink : public FactSink {
 public:
  explicit CollectingSink(std::string adapter, unsigned threads = 1)
      : adapter_(std::move(adapter)), threads_(threads) {}

  std::vector<Fragment> fragments;                                     ///< one per run
  std::map<std::pair<std::string, std::string>, std::uint64_t> notes;  ///< (id, detail) -> count
  std::uint64_t events = 0;
  bool cancel = false;  ///< what cancelled() answers

  /// How often an id was noted, over all details.
  std::uint64_t noted(std::string_view id) const;

  void run(RunInfo info) override;
  void submit(std::uint64_t sequence, Batch batch) override;
  void note(std::string_view id, std::string_view detail, std::uint64_t count) override;
  void count_events(std::uint64_t count) override;
  bool cancelled() const override { return cancel; }
  unsigned threads() const override { return threads_; }

 private:
  std::string adapter_;
  unsigned threads_;
  std::mutex mutex_;
};

}  // namespace kdiag::tests
