// SPDX-License-Identifier: Apache-2.0
#include "adapters/pytorch/kineto/chunk.hpp"

#include <string>

#include <kdiag/note_ids.hpp>

#include "adapters/pytorch/kineto/paddle.hpp"

namespace kdiag::adapters::kineto {

void Chunk::add(const Event& event) {
  const auto name = paddle::plain_name(event);
  if (!name) return add_plain(event);
  Event plain = event;
  const std::string text = '"' + std::string(*name) + '"';
  plain.name.text = text;
  of_paddle = true;
  add_plain(plain);
}

void Chunk::add_plain(const Event& event) {
  switch (kind_of(event)) {
    case EventKind::ignored: return;
    case EventKind::unknown:
      return sink_->note(note_id::unknown_kind, decode(event.cat.text.empty() ? event.ph : event.cat, scratch_));
    case EventKind::op: return add_op(event);
    case EventKind::call: return add_call(event);
    case EventKind::kernel: return add_kernel(event);
    case EventKind::copy: return add_copy(event);
    case EventKind::memset: return add_memset(event);
    case EventKind::host_range: return add_host_range(event);
    case EventKind::device_range: return add_device_range(event);
    case EventKind::loading: return add_range(event, "data_loading", Place::thread);
    case EventKind::exchange: return add_range(event, "communication", Place::thread);
    case EventKind::overhead: return add_range(event, "overhead", Place::none);
    case EventKind::window: return add_range(event, "window", Place::none);
    case EventKind::python_call: return add_python_call(event);
    case EventKind::allocation: return add_allocation(event);
    case EventKind::out_of_memory: return sink_->note(note_id::out_of_memory);
    case EventKind::counter: return add_counter(event);
    case EventKind::thread_name: return add_thread_name(event);
  }
}

void Chunk::close() { memory_ = {}; }

Kept Chunk::kept() const {
  Kept out;
  out.add_bytes(python_names.bytes());
  out.add_nodes(thread_names);
  out.add(python);
  // What these belong to is in the batch.
  out.add_beside(ops);
  out.add_beside(call_details);
  out.add_beside(shaped);
  out.add_beside(external_only);
  return out;
}

std::optional<Chunk::Times> Chunk::host_times(const Event& event) {
  const auto start = event.start_ns();
  const auto dur = event.dur_ns();
  if (!start || !dur) {
    sink_->note(note_id::malformed_value, decode(event.cat, scratch_));
    return std::nullopt;
  }
  if (*dur < 0) {
    sink_->note(note_id::negative_duration, decode(event.cat, scratch_));
    return std::nullopt;
  }
  return Times{*start, *dur};
}

std::optional<WorkId> Chunk::set_work_id(const Event& event, Row row, ColumnId correlation, ColumnId external,
                                         bool launch) {
  // 0 is no id: it marks work whose call is not known.
  const auto positive = [&event](std::string_view key) {
    const auto id = to_integer(event.arg(key));
    return id.value_or(0) > 0 ? id : std::nullopt;
  };
  auto number = positive("correlation");
  if (!number && of_paddle) number = positive("correlation id");
  const auto op = positive("External id");
  if (!number && op) {
    external_only.push_back({row, correlation, external, *op, launch});
    return WorkId{*op, true};
  }
  if (op) batch.set(row, external, *op);
  if (!number) return std::nullopt;
  correlated = true;
  batch.set(row, correlation, *number);
  return WorkId{*number, false};
}

void Chunk::set_start(Row row, ColumnId column, std::int64_t start) {
  batch.set(row, column, start);
  if (start == 0) zero_starts.emplace_back(row, column);
  else if (earliest == absent_integer || start < earliest) earliest = start;
}

std::uint32_t Chunk::thread_index(const Event& event) {
  if (last_thread_index_ && event.pid.text == last_process_ && event.tid.text == last_thread_)
    return *last_thread_index_;
  last_process_ = event.pid.text;
  last_thread_ = event.tid.text;
  const std::int64_t process = to_integer(event.pid).value_or(0);
  const Key key{process, named_integer(event.tid).value_or(process)};
  const auto [found, added] = thread_ids_.try_emplace(key, static_cast<std::uint32_t>(threads.size()));
  if (added) {
    threads.push_back(key);
    thread_rows_.emplace_back();
  }
  last_thread_index_ = found->second;
  return *last_thread_index_;
}

Row Chunk::thread(const Event& event) { return thread(thread_index(event)); }

Row Chunk::thread(std::uint32_t index) {
  Row& row = thread_rows_[index];
  if (row.index == absent_index) row = batch.thread(threads[index].first, threads[index].second);
  return row;
}

void Chunk::set_integer(Row row, ColumnId column, Token token) {
  if (const auto value = to_integer(token)) batch.set(row, column, *value);
}

}  // namespace kdiag::adapters::kineto
