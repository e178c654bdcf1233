// SPDX-License-Identifier: Apache-2.0
#include "adapters/amd/rocprof/rows.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include <kdiag/note_ids.hpp>

#include "adapters/rows/kernel_rows.hpp"
#include "adapters/text/units.hpp"

namespace kdiag::adapters::rocprof {
namespace {

using namespace amd;

/// An agent by number: "4", or "Agent 4" as rocprofv3 writes it since 2025.
std::optional<std::int64_t> agent_number(std::string_view text) {
  const std::size_t blank = text.rfind(' ');
  return to_integer(Token{blank == std::string_view::npos ? text : text.substr(blank + 1)});
}

Number correlation_of(const Header& header, Rows::Fields fields) {
  // 0 is no id: it marks work whose call is not known.
  const Number id = header.integer(fields, Column::correlation);
  return id && *id > 0 ? id : std::nullopt;
}

std::optional<Thread> thread_of(const Header& header, Rows::Fields fields) {
  const Number process = header.integer(fields, Column::process);
  const Number thread = header.integer(fields, Column::thread);
  return process && thread ? std::optional(Thread{*process, *thread}) : std::nullopt;
}

/// Ranges of the program itself: "MARKER_CORE_API" of rocprofv3, "ROCTX_DOMAIN" of rocprofv2.
bool is_marker(std::string_view domain) { return domain.starts_with("MARKER") || domain.starts_with("ROCTX"); }

/// Whether a row says that it is of its table's kind, or says nothing of it. Of a table whose header is lost, as when
/// the file before it ends without a line end, the rows are no rows of the table before.
bool fits(std::string_view stated, TableKind kind) {
  switch (kind) {
    case TableKind::dispatches: return stated.empty() || stated.starts_with("KERNEL_");
    case TableKind::copies: return stated.empty() || stated.starts_with("MEMORY_COPY");
    case TableKind::calls:
      return stated.empty() || stated.find("API") != std::string_view::npos || stated.starts_with("OMPT") ||
             is_marker(stated);
    default: return true;
  }
}

}  // namespace

void Rows::add(const Header& header, TableKind kind, Fields fields) {
  if (!fits(header.cell(fields, Column::kind), kind)) return sink_.note(note_id::malformed_value, "kind");
  switch (kind) {
    case TableKind::dispatches: return add_dispatch(header, fields);
    case TableKind::counters: return add_counters(header, fields);
    case TableKind::calls: return add_call(header, fields);
    case TableKind::copies: return add_copy(header, fields);
    case TableKind::agents: return add_agent(header, fields);
    case TableKind::totals:
    case TableKind::none: return;
  }
}

std::optional<Times> Rows::times(const Header& header, Fields fields) {
  const Number start = header.time(fields, Column::begin, ns);
  const Number end = header.time(fields, Column::end, ns);
  return events_.times(start, end, "timestamp");
}

/// Kernels that ran as the program launched them.
void Rows::add_dispatch(const Header& header, Fields fields) {
  count_dispatch(header.integer(fields, Column::dispatch));
  if (!header.has(Column::begin, Column::end)) return add_kernel(header, fields, {}, {});
  if (const auto when = times(header, fields)) add_kernel(header, fields, when->start, when->dur);
}

void Rows::count_dispatch(Number number) {
  if (!number || *number < 0) return;
  first_ = dispatches_ == 0 ? *number : std::min(first_, *number);
  last_ = std::max(last_, *number);
  ++dispatches_;
}

/// Kernels that ran one at a time, perhaps several times: only how long each took is a fact of the program.
void Rows::add_counters(const Header& header, Fields fields) {
  std::optional<Times> when;
  if (header.has(Column::begin, Column::end)) {
    when = times(header, fields);
    if (!when) return;
  }
  if (header.has(Column::counter_name)) {  // one row per dispatch and counter
    const std::string_view counter = header.cell(fields, Column::counter_name);
    if (!counter.empty()) sink_.note(note_id::unknown_counter, counter);
    const auto process = header.integer(fields, Column::process);
    const auto dispatch = header.integer(fields, Column::dispatch);
    if (dispatch && !counted_.emplace(process.value_or(0), *dispatch).second) return;
  }
  add_kernel(header, fields, {}, when ? Number(when->dur) : std::nullopt);
}

void Rows::add_kernel(const Header& header, Fields fields, Number start, Number dur) {
  Dispatch kernel{.name = header.cell(fields, Column::kernel),
                  .device = agent_number(header.cell(fields, Column::agent)),
                  .queue = header.integer(fields, header.has(Column::stream) ? Column::stream : Column::queue),
                  .start = start,
                  .dur = dur,
                  .correlation = correlation_of(header, fields)};
  if (is_queue_packet(kernel.name)) return sink_.note(note_id::unknown_kind, kernel.name);
  if (kernel.name.empty() || !kernel.device)
    return sink_.note(note_id::malformed_value, kernel.name.empty() ? "kernel name" : "agent");
  // Grid sizes are in work-items. Tables that state only the product of the three dimensions have it in x.
  constexpr Column grid[] = {Column::grid_x, Column::grid_y, Column::grid_z};
  constexpr Column workgroup[] = {Column::workgroup_x, Column::workgroup_y, Column::workgroup_z};
  const bool flat = header.has(Column::grid, Column::workgroup);
  for (std::size_t i = 0; i < 3; ++i) {
    const Number whole = flat && i > 0 ? Number(1) : std::nullopt;
    const Number items = whole ? whole : header.integer(fields, flat ? Column::grid : grid[i]);
    const Number threads = whole ? whole : header.integer(fields, flat ? Column::workgroup : workgroup[i]);
    kernel.blocks[i] = blocks_of(items, threads);
    if (kernel.blocks[i]) kernel.threads[i] = threads;
  }
  kernel.shared_memory = header.integer(fields, Column::lds);
  kernel.vector_registers = header.integer(fields, Column::vgpr);
  kernel.accumulation_registers = header.integer(fields, Column::accum_vgpr);
  events_.add(kernel);
}

void Rows::add_call(const Header& header, Fields fields) {
  const auto when = times(header, fields);
  if (!when) return;
  const std::string_view function = header.cell(fields, Column::function);
  if (function.empty()) return sink_.note(note_id::malformed_value, "function");
  const auto thread = thread_of(header, fields);
  if (is_marker(header.cell(fields, Column::kind))) return events_.add(Range{function, *when, thread});
  events_.add(Call{function, *when, thread, correlation_of(header, fields)});
}

void Rows::add_copy(const Header& header, Fields fields) {
  const auto when = times(header, fields);
  if (!when) return;
  events_.add(Copy{.direction = header.cell(fields, Column::direction),
                   .source = agent_number(header.cell(fields, Column::source)),
                   .destination = agent_number(header.cell(fields, Column::destination)),
                   .queue = header.integer(fields, Column::stream),
                   .when = *when,
                   .correlation = correlation_of(header, fields)});
}

void Rows::add_agent(const Header& header, Fields fields) {
  if (header.cell(fields, Column::agent_type) != "GPU") return;
  const auto node = header.integer(fields, Column::node);
  if (!node) return sink_.note(note_id::malformed_value, "agent");
  const Row row = events_.device(*node);
  std::string_view name = header.cell(fields, Column::product);
  if (is_missing_word(name)) name = header.cell(fields, Column::name);
  if (!is_missing_word(name)) batch_.set(row, column("devices.name"), name);
  if (const auto units = header.integer(fields, Column::compute_units); units && *units > 0)
    batch_.set(row, column("devices.sms"), *units);
  if (const auto mhz = to_real(Token{header.cell(fields, Column::clock_max)}); mhz && *mhz > 0)
    batch_.set(row, column("devices.sm_clock_max"), *mhz * 1e6);
}

}  // namespace kdiag::adapters::rocprof
