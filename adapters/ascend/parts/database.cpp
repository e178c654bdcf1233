// SPDX-License-Identifier: Apache-2.0
#include "adapters/ascend/parts/database.hpp"

#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/ascend/parts/names.hpp"
#include "adapters/text/instants.hpp"

namespace kdiag::adapters::ascend {

Session::Session(const Database& opened, FactSink& facts)
    : database(opened), sink(facts), strings(opened, "STRING_IDS", "id", "value") {
  Query npus = database.select("NPU_INFO", {"id", "name"});
  while (npus.next())
    if (const auto id = npus.integer(0)) models_.try_emplace(*id, npus.text(1).value_or(""));
}

bool Session::begin_row() {
  sink.count_events(1);
  ++rows_;
  return !sink.cancelled();
}

void Session::submit() {
  if (rows_ > 0) sink.submit(0, std::exchange(batch, Batch()));
}

std::optional<Times> Session::times(Id start, Id end, std::string_view what) const {
  const Id first = in_range(start), last = in_range(end);
  if (first && last && *last >= *first) return Times{*first, *last - *first};
  sink.note(first && last ? note_id::negative_duration : note_id::malformed_value, what);
  return std::nullopt;
}

Row Session::device(std::int64_t number) {
  const Row row = batch.device(number);
  describe_device(batch, row);
  if (const auto model = models_.find(number); model != models_.end() && !model->second.empty())
    batch.set(row, column("devices.name"), model->second);
  return row;
}

Row Session::thread(std::int64_t global_tid) { return batch.thread(global_tid >> 32, global_tid & 0xFFFFFFFF); }

}  // namespace kdiag::adapters::ascend
