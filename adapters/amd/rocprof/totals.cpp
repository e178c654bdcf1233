// SPDX-License-Identifier: Apache-2.0
#include "adapters/amd/rocprof/totals.hpp"

#include <algorithm>
#include <cstddef>

#include <kdiag/note_ids.hpp>

#include "adapters/amd/common/amd_events.hpp"
#include "adapters/names/copy_names.hpp"

namespace kdiag::adapters::rocprof {
namespace {

/// "MEMORY_COPY_HOST_TO_DEVICE" of rocprofv3, "H2D" of its first versions, "CopyHostToDevice" of v1, which calls those
/// of the HSA runtime "async-copy", whatever their direction.
bool is_copy(std::string_view name) {
  constexpr std::string_view names[] = {"H2D", "D2H", "D2D", "H2H", "async-copy"};
  return name.starts_with("MEMORY_COPY_") || name.starts_with("CopyHost") || name.starts_with("CopyDevice") ||
         std::find(std::begin(names), std::end(names), name) != std::end(names);
}

/// Whether a name stands for all records of a kind, as in rocprofv3's domain_stats: "KERNEL_DISPATCH", "HIP_API".
bool is_domain(std::string_view name) {
  constexpr std::string_view domains[] = {"KERNEL_DISPATCH", "MEMORY_COPY", "MEMORY_ALLOCATION", "SCRATCH_MEMORY"};
  return name.ends_with("_API") || std::find(std::begin(domains), std::end(domains), name) != std::end(domains);
}

/// What v1 counts among the copies though it is none: fills, and commands whose kind it does not know.
bool is_other_command(std::string_view name) { return name == "FillBuffer" || name == "Unknown command type"; }

/// Where the rows of a table of totals go, by what they are totals of.
struct TotalsColumns {
  TableId table;
  ColumnId name, calls, total, mean, min, max;
};
constexpr TotalsColumns columns_of_subject[] = {
    {table("kernel_stats"), column("kernel_stats.name"), column("kernel_stats.calls"), column("kernel_stats.total"),
     column("kernel_stats.mean"), column("kernel_stats.min"), column("kernel_stats.max")},
    {table("api_stats"), column("api_stats.name"), column("api_stats.calls"), column("api_stats.total"),
     column("api_stats.mean"), column("api_stats.min"), column("api_stats.max")},
    {table("copy_stats"), column("copy_stats.name"), column("copy_stats.calls"), column("copy_stats.total"),
     column("copy_stats.mean"), column("copy_stats.min"), column("copy_stats.max")},
};

}  // namespace

void Totals::add(const Header& header, std::span<const std::string_view> fields) {
  const std::string_view name = amd::without_descriptor_mark(header.cell(fields, Column::name));
  const auto calls = header.integer(fields, Column::calls);
  const auto total = header.time(fields, Column::total, ns);
  if (name.empty() || !calls || !total || *calls < 0 || *total < 0)
    return sink_.note(note_id::malformed_value, "totals");
  if (is_domain(name)) return sink_.note(note_id::unknown_kind, name);  // the same time again
  shares_.add(*total, header.cell(fields, Column::share));
  if (amd::is_queue_packet(name)) return sink_.note(note_id::unknown_kind, name);
  if (is_other_command(name)) return sink_.note(note_id::unused_report, name);
  const Subject subject = is_copy(name) ? Subject::copies : amd::is_call_name(name) ? Subject::calls : Subject::kernels;
  const std::string_view kind = subject == Subject::copies ? parse_copy_name(name).kind : std::string_view{};
  const auto bytes = static_cast<std::int64_t>(sizeof(Total) + name.size());
  sink_.keeps(1, bytes);
  kept_bytes_ += bytes;
  rows_.push_back({.subject = subject,
                   .name = std::string(kind.empty() ? name : kind),
                   .calls = *calls,
                   .total = *total,
                   .mean = header.time(fields, Column::mean, ns),
                   .min = header.time(fields, Column::min, ns),
                   .max = header.time(fields, Column::max, ns)});
}

bool Totals::repeats() const {
  return std::any_of(rows_.begin(), rows_.end(), [this](const Total& row) {
    return names_.contains({row.subject, row.name});
  });
}

void Totals::submit(const Total& row, Batch& batch) {
  const TotalsColumns& columns = columns_of_subject[static_cast<std::size_t>(row.subject)];
  const Row out = batch.add(columns.table);
  batch.set(out, columns.name, row.name);
  batch.set(out, columns.calls, row.calls);
  batch.set(out, columns.total, row.total);
  if (row.mean) batch.set(out, columns.mean, *row.mean);
  if (row.min) batch.set(out, columns.min, *row.min);
  if (row.max) batch.set(out, columns.max, *row.max);
  if (row.subject == Subject::kernels) batch.set(out, column("kernel_stats.class"), classes_(row.name));
}

void Totals::end_table(Batch& batch) {
  const bool of_kernels =
      std::any_of(rows_.begin(), rows_.end(), [](const Total& row) { return row.subject == Subject::kernels; });
  for (const Total& row : rows_) submit(row, batch);
  if (const std::int64_t rest = shares_.not_listed(); of_kernels && rest > 0) {
    const Row row = batch.add(table("kernel_stats"));
    batch.set(row, column("kernel_stats.class"), "other");
    batch.set(row, column("kernel_stats.total"), rest);
    sink_.note(note_id::rows_not_listed);
  }
  for (Total& row : rows_) names_.emplace(row.subject, std::move(row.name));
  sink_.keeps(-static_cast<std::int64_t>(rows_.size()), -std::exchange(kept_bytes_, 0));
  rows_.clear();
  shares_ = {};
}

}  // namespace kdiag::adapters::rocprof
