// SPDX-License-Identifier: Apache-2.0
#include "adapters/ascend/parts/records.hpp"

#include <optional>

#include <kdiag/note_ids.hpp>

#include "adapters/ascend/parts/plane_waits.hpp"

namespace kdiag::adapters::ascend {
namespace {

Key row_of(const TraceEvent& event) {
  const std::int64_t process = to_integer(event.pid).value_or(0);
  return {process, to_integer(event.tid).value_or(process)};
}

}  // namespace

Kept Records::kept() const {
  Kept out;
  out.add_bytes(texts.bytes());
  out.add(ops);
  out.add(tasks);
  out.add(ranges);
  out.add(clocks);
  return out;
}

void Records::append(const Records& later) {
  std::vector<std::uint32_t> text_of;
  for (const std::string& text : later.texts.texts()) text_of.push_back(texts(text));
  const auto renamed = [&text_of](std::uint32_t text) { return text == no_text ? no_text : text_of[text]; };
  const auto earlier_collectives = static_cast<std::uint32_t>(collectives.size());
  for (Op op : later.ops) {
    for (std::uint32_t* text : {&op.span.name, &op.shapes, &op.stack}) *text = renamed(*text);
    ops.push_back(op);
  }
  for (Collective collective : later.collectives) {
    for (std::uint32_t* text : {&collective.dtype, &collective.algorithm}) *text = renamed(*text);
    collectives.push_back(collective);
  }
  for (Task task : later.tasks) {
    for (std::uint32_t* text : {&task.span.name, &task.type}) *text = renamed(*text);
    if (task.collective != no_text) task.collective += earlier_collectives;
    tasks.push_back(task);
  }
  for (Span range : later.ranges) {
    range.name = renamed(range.name);
    ranges.push_back(range);
  }
  clocks.insert(clocks.end(), later.clocks.begin(), later.clocks.end());
  for (const auto& [id, arrow] : later.op_arrows) op_arrows.try_emplace(text_of[id], arrow);
  for (const auto& [id, arrow] : later.call_arrows) call_arrows.try_emplace(text_of[id], arrow);
  for (const auto& [place, id] : later.op_arrow_ends) op_arrow_ends.try_emplace(place, text_of[id]);
  for (const auto& [place, id] : later.call_arrow_ends) call_arrow_ends.try_emplace(place, text_of[id]);
  process_names.insert(later.process_names.begin(), later.process_names.end());
  process_labels.insert(later.process_labels.begin(), later.process_labels.end());
  thread_names.insert(later.thread_names.begin(), later.thread_names.end());
}

void Records::add(const TraceEvent& event) {
  const std::string_view phase = unquoted(event.ph);
  if (phase == "X") return add_range(event);
  if (phase == "M") return add_metadata(event);
  if (phase == "C") return add_counter(event);
  if (phase == "s" || phase == "f") return add_arrow(event, phase == "s");
  if (phase == "t" || phase == "i" || phase == "I" || (phase.empty() && event.name.text.empty())) return;
  sink_->note(note_id::unknown_kind, decode(event.ph, scratch_));
}

void Records::add_range(const TraceEvent& event) {
  const auto start = event.start_ns();
  const auto dur = event.dur_ns();
  if (!start || !dur) return sink_->note(note_id::malformed_value, start ? "dur" : "ts");
  if (*dur < 0) return sink_->note(note_id::negative_duration);
  const std::string_view category = unquoted(event.cat);
  if (category == "python_function") return;  // operators state their call stack themselves
  const Span span{*start, *dur, row_of(event), text(event.name)};
  if (category == "cpu_op") return add_op(event, span);
  if (category == "user_annotation" || category == "enqueue" || category == "dequeue") ranges.push_back(span);
  else add_task(event, span);
}

void Records::add_op(const TraceEvent& event, const Span& span) {
  Op op{.span = span};
  if (const auto number = to_integer(event.arg("Sequence number")); number && *number >= 0) {
    op.sequence = *number;
    op.forward_thread = to_integer(event.arg("Fwd thread id")).value_or(0);
  }
  if (const Token dims = event.arg("Input Dims"); dims.text.find_first_of("0123456789") != std::string_view::npos)
    op.shapes = text(dims);
  if (const Token stack = event.arg("Call stack"); !stack.is_missing()) op.stack = text(stack);
  ops.push_back(op);
}

void Records::add_task(const TraceEvent& event, const Span& span) {
  Task task{.span = span};
  task.summary = step_trace_of(unquoted(event.cat));
  task.connection = to_integer(event.arg("connection_id")).value_or(absent_integer);
  if (const Token type = event.arg("Task Type"); !type.is_missing()) task.type = text(type);
  if (const auto peer = to_integer(event.arg("dst rank"))) task.peer = peer_of(*peer);
  if (const Token dtype = event.arg("data_type"); !dtype.is_missing()) {
    task.collective = static_cast<std::uint32_t>(collectives.size());
    Collective& collective = collectives.emplace_back();
    collective.count = to_integer(event.arg("count")).value_or(absent_integer);
    collective.dtype = text(dtype);
    if (const Token algorithm = event.arg("alg_type"); !algorithm.is_missing()) collective.algorithm = text(algorithm);
  }
  tasks.push_back(task);
}

/// `async_npu` leads from an operator to its task, `HostToDevice` from a call.
void Records::add_arrow(const TraceEvent& event, bool begin) {
  const std::string_view category = unquoted(event.cat);
  const bool from_op = category == "async_npu";
  const auto time = event.start_ns();
  if ((!from_op && category != "HostToDevice") || !time || event.id.is_missing()) return;
  const std::uint32_t id = texts(decode(event.id, scratch_));
  if (begin) (from_op ? op_arrows : call_arrows).try_emplace(id, Arrow{row_of(event), *time});
  else (from_op ? op_arrow_ends : call_arrow_ends).try_emplace({row_of(event), *time}, id);
}

void Records::add_counter(const TraceEvent& event) {
  const Token megahertz = event.arg("MHz");
  if (megahertz.text.empty()) return sink_->note(note_id::unknown_counter, decode(event.name, scratch_));
  const auto time = event.start_ns();
  const auto value = to_real(megahertz);
  if (!time || !value) return sink_->note(note_id::malformed_value, "AI Core Freq");
  clocks.push_back({*time, *value * 1e6, row_of(event).first});
}

void Records::add_metadata(const TraceEvent& event) {
  const std::string_view what = unquoted(event.name);
  const Token value = event.arg(what == "process_labels" ? "labels" : "name");
  if (value.is_missing()) return;
  const std::string stated(decode(value, scratch_));
  const Key row = row_of(event);
  if (what == "process_name") process_names.try_emplace(row.first, stated);
  if (what == "process_labels") process_labels.try_emplace(row.first, stated);
  if (what == "thread_name") thread_names.try_emplace(row, stated);
}

std::uint32_t Records::text(Token token) {
  const std::string_view decoded = decode(token, scratch_);
  return decoded.empty() || token.text == "null" ? no_text : texts(decoded);
}

}  // namespace kdiag::adapters::ascend
