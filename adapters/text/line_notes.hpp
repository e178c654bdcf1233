// SPDX-License-Identifier: Apache-2.0
// A sink that knows the line an adapter is at, so that what is said of records says where.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include <kdiag/fact.hpp>
#include <kdiag/note_ids.hpp>

#include "adapters/text/bad_records.hpp"

namespace kdiag::adapters {

/// Hands everything to another sink. Notes of records that were not used are counted by what is wrong with them, and
/// handed over by report() with the first line of each kind. Not thread-safe, unlike the sink behind it.
class LineNotes final : public FactSink {
 public:
  static constexpr std::uint64_t no_line = 0;

  explicit LineNotes(FactSink& sink) : sink_(sink) {}

  /// Notes to come are of this line; with no_line they are of none, and handed on as they are.
  void at(std::uint64_t line) { line_ = line; }
  void report() { std::exchange(records_, {}).report(sink_); }

  void run(RunInfo info) override { sink_.run(std::move(info)); }
  void submit(std::uint64_t sequence, Batch batch) override { sink_.submit(sequence, std::move(batch)); }
  void note(std::string_view id, std::string_view detail, std::uint64_t count) override {
    if (line_ == no_line || count != 1 || !is_of_a_record(id)) sink_.note(id, detail, count);
    else records_.add(id, detail, line_);
  }
  void count_events(std::uint64_t events) override { sink_.count_events(events); }
  bool cancelled() const override { return sink_.cancelled(); }
  unsigned threads() const override { return sink_.threads(); }
  void keeps(std::int64_t records, std::int64_t bytes) override { sink_.keeps(records, bytes); }
  void enter_thread() override { sink_.enter_thread(); }

 private:
  static bool is_of_a_record(std::string_view id) {
    constexpr std::string_view ids[] = {note_id::unreadable_record, note_id::malformed_value,
                                        note_id::negative_duration, note_id::no_log_row,
                                        note_id::utilization_out_of_range};
    return std::find(std::begin(ids), std::end(ids), id) != std::end(ids);
  }

  FactSink& sink_;
  BadRecords records_;
  std::uint64_t line_ = no_line;
};

}  // namespace kdiag::adapters
