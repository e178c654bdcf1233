// SPDX-License-Identifier: Apache-2.0
#include "tests/support/collecting_sink.hpp"

#include "tests/catch.hpp"

namespace kdiag::tests {

std::uint64_t CollectingSink::noted(std::string_view id) const {
  std::uint64_t sum = 0;
  for (const auto& [note, count] : notes)
    if (note.first == id) sum += count;
  return sum;
}

void CollectingSink::run(RunInfo info) {
  Fragment fragment;
  fragment.info = std::move(info);
  fragment.adapter = adapter_;
  fragments.push_back(std::move(fragment));
}

void CollectingSink::submit(std::uint64_t sequence, Batch batch) {
  const std::lock_guard lock(mutex_);
  REQUIRE_FALSE(fragments.empty());  // batches belong to a run
  fragments.back().batches.emplace_back(sequence, std::move(batch));
}

void CollectingSink::note(std::string_view id, std::string_view detail, std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  notes[{std::string(id), std::string(detail)}] += count;
}

void CollectingSink::count_events(std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  events += count;
}

}  // namespace kdiag::tests
