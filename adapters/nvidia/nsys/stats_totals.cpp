// SPDX-License-Identifier: Apache-2.0
#include "adapters/nvidia/nsys/stats_totals.hpp"

#include <algorithm>
#include <limits>

#include <kdiag/note_ids.hpp>

#include "adapters/names/api_names.hpp"
#include "adapters/names/device_names.hpp"
#include "adapters/names/kernel_class.hpp"
#include "adapters/nvidia/nsys/copy_kinds.hpp"
#include "base/intervals.hpp"

namespace kdiag::adapters::nsys {
namespace {

struct StatsColumns {
  TableId table;
  ColumnId name, calls, total, min, max, mean;
};
constexpr StatsColumns columns_of_subject[] = {
    {table("kernel_stats"), column("kernel_stats.name"), column("kernel_stats.calls"), column("kernel_stats.total"),
     column("kernel_stats.min"), column("kernel_stats.max"), column("kernel_stats.mean")},
    {table("api_stats"), column("api_stats.name"), column("api_stats.calls"), column("api_stats.total"),
     column("api_stats.min"), column("api_stats.max"), column("api_stats.mean")},
    {table("copy_stats"), column("copy_stats.name"), column("copy_stats.calls"), column("copy_stats.total"),
     column("copy_stats.min"), column("copy_stats.max"), column("copy_stats.mean")},
};

/// How often: every report calls it differently.
std::optional<std::int64_t> count_of(const StatsReport& report, std::span<const std::string_view> row) {
  for (Cell cell : {Cell::instances, Cell::calls, Cell::count})
    if (report.has(cell)) return report.integer(row, cell);
  return std::nullopt;
}

}  // namespace

bool is_cuda_call(const StatsReport& report, std::span<const std::string_view> row) {
  return !maker_of_call(base_call_name(report.text(row, Cell::name))).vendor.empty();
}

void StatsTotals::add(const StatsReport& report, std::span<const std::string_view> row) {
  const std::string_view name = report.text(row, report.has(Cell::operation) ? Cell::operation : Cell::name);
  if (!name.empty()) add_share(report, row);  // a row without a name is missing in the whole, too
  switch (report.kind()) {
    case ReportKind::kernel_sum: return add_to(Subject::kernels, name, report, row);
    case ReportKind::api_sum: return add_to(Subject::calls, base_call_name(name), report, row);
    case ReportKind::copy_sum: return add_operation(name, report, row);
    case ReportKind::memory_faults:
      if (const auto faults = report.integer(row, Cell::gpu_faults))
        page_faults_ = add_times(page_faults_.value_or(0), *faults);
      return;
    case ReportKind::copy_sizes: return add_size(name, report, row);
    case ReportKind::work_sum: {
      const std::string_view category = report.text(row, Cell::category);
      if (category.ends_with("KERNEL")) return add_to(Subject::kernels, name, report, row);
      if (category.ends_with("API")) return add_to(Subject::calls, base_call_name(name), report, row);
      return add_operation(name, report, row);
    }
    default: return;
  }
}

void StatsTotals::add_operation(std::string_view name, const StatsReport& report,
                                std::span<const std::string_view> row) {
  if (!is_copy_label(name)) return sink_->note(note_id::unused_report, name);
  add_to(Subject::copies, copy_label(copy_of_labels(name), name), report, row);
}

void StatsTotals::add_to(Subject subject, std::string_view name, const StatsReport& report,
                         std::span<const std::string_view> row) {
  Table& table = tables_[static_cast<std::size_t>(subject)];
  if (!table.stated_by) table.stated_by = report.kind();
  if (table.stated_by != report.kind()) return sink_->note(note_id::repeated_report_row);
  const auto calls = count_of(report, row);
  const auto total = report.time(row, Cell::total);
  if (name.empty() || !calls || !total || *calls < 0) return sink_->note(note_id::malformed_value, "totals");
  if (*total < 0) return sink_->note(note_id::negative_duration);
  const auto [found, added] = table.places.try_emplace(std::string(name), table.rows.size());
  if (added) table.rows.emplace_back(name, Totals());
  Totals& totals = table.rows[found->second].second;
  totals.calls = add_times(totals.calls, *calls);
  totals.total = add_times(totals.total, *total);
  if (const auto min = report.time(row, Cell::shortest))
    totals.shortest = std::min(totals.shortest.value_or(*min), *min);
  if (const auto max = report.time(row, Cell::longest)) totals.longest = std::max(totals.longest.value_or(*max), *max);
}

void StatsTotals::add_size(std::string_view name, const StatsReport& report, std::span<const std::string_view> row) {
  const auto bytes = report.total_bytes(row);
  if (!is_copy_label(name)) return sink_->note(note_id::unused_report, name);
  if (!bytes) return sink_->note(note_id::unused_report, "sizes of copies that are 0 or have no unit");
  std::int64_t& sum = bytes_[copy_label(copy_of_labels(name), name)];
  sum += std::min(*bytes, std::numeric_limits<std::int64_t>::max() - sum);
}

void StatsTotals::add_share(const StatsReport& report, std::span<const std::string_view> row) {
  const bool lists_kernels = report.kind() == ReportKind::kernel_sum || report.kind() == ReportKind::work_sum;
  const auto& stated_by = tables_[static_cast<std::size_t>(Subject::kernels)].stated_by;
  if (!lists_kernels || !report.has(Cell::share) || stated_by.value_or(report.kind()) != report.kind()) return;
  if (const auto total = report.time(row, Cell::total)) shares_.add(*total, report.text(row, Cell::share));
}

/// What is not listed may be kernels, copies and fills: as part of the kernels, it makes no share of one too large.
void StatsTotals::submit_rest(Batch& batch) const {
  const std::int64_t rest = shares_.not_listed();
  if (rest == 0 || tables_[static_cast<std::size_t>(Subject::kernels)].rows.empty()) return;
  const Row row = batch.add(table("kernel_stats"));
  batch.set(row, column("kernel_stats.class"), "other");
  batch.set(row, column("kernel_stats.total"), rest);
  sink_->note(note_id::rows_not_listed);
}

bool StatsTotals::of_device() const {
  const auto rows = [this](Subject subject) { return tables_[static_cast<std::size_t>(subject)].rows.size(); };
  return rows(Subject::kernels) + rows(Subject::copies) > 0;
}

std::int64_t StatsTotals::calls_of_device() const {
  std::int64_t calls = 0;
  for (const Subject subject : {Subject::kernels, Subject::copies})
    for (const auto& [name, totals] : tables_[static_cast<std::size_t>(subject)].rows)
      calls = add_times(calls, totals.calls);
  return calls;
}

void StatsTotals::submit(Batch& batch) const {
  const auto& places_of_copies = tables_[static_cast<std::size_t>(Subject::copies)].places;
  for (std::size_t subject = 0; subject < subjects; ++subject) {
    const StatsColumns& columns = columns_of_subject[subject];
    for (const auto& [name, totals] : tables_[subject].rows) {
      const Row row = batch.add(columns.table);
      batch.set(row, columns.name, name);
      batch.set(row, columns.calls, totals.calls);
      batch.set(row, columns.total, totals.total);
      if (totals.shortest) batch.set(row, columns.min, *totals.shortest);
      if (totals.longest) batch.set(row, columns.max, *totals.longest);
      if (totals.calls > 0) batch.set(row, columns.mean, (totals.total + totals.calls / 2) / totals.calls);
      if (columns.table == table("copy_stats"))
        if (const auto bytes = bytes_.find(name); bytes != bytes_.end())
          batch.set(row, column("copy_stats.bytes"), bytes->second);
      if (columns.table == table("kernel_stats")) batch.set(row, column("kernel_stats.class"), kernel_class(name));
    }
  }
  for (const auto& [name, bytes] : bytes_)
    if (!places_of_copies.contains(name)) sink_->note(note_id::unused_report, "sizes of copies without their times");
  submit_rest(batch);
}

}  // namespace kdiag::adapters::nsys
