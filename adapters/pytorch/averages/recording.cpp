// SPDX-License-Identifier: Apache-2.0
#include "adapters/pytorch/averages/recording.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <kdiag/note_ids.hpp>

#include "adapters/names/api_names.hpp"
#include "adapters/names/copy_names.hpp"
#include "adapters/names/device_names.hpp"
#include "adapters/names/kernel_class.hpp"
#include "base/number.hpp"
#include "base/text.hpp"

namespace kdiag::adapters::averages {
namespace {

using Value = std::optional<std::int64_t>;

constexpr double rounding = 0.01;  // of sums of times with three decimals; judgement

void add_to(Value& sum, Value value) {
  std::int64_t out = 0;
  if (!sum || !value || __builtin_add_overflow(*sum, *value, &out)) sum.reset();
  else sum = out;
}

void add_to(Totals& sum, const Totals& row) {
  add_to(sum.calls, row.calls);
  add_to(sum.host_self, row.host_self);
  add_to(sum.host_total, row.host_total);
  add_to(sum.device_self, row.device_self);
  add_to(sum.device_total, row.device_total);
}

struct StatsColumns {
  TableId table;
  ColumnId name, calls, total, mean;
};
constexpr StatsColumns kernels{table("kernel_stats"), column("kernel_stats.name"), column("kernel_stats.calls"),
                               column("kernel_stats.total"), column("kernel_stats.mean")};
constexpr StatsColumns copies{table("copy_stats"), column("copy_stats.name"), column("copy_stats.calls"),
                              column("copy_stats.total"), column("copy_stats.mean")};
constexpr StatsColumns calls{table("api_stats"), column("api_stats.name"), column("api_stats.calls"),
                             column("api_stats.total"), column("api_stats.mean")};

Row add_stats(Batch& batch, const StatsColumns& columns, std::string_view name, Value count, Value total) {
  const Row row = batch.add(columns.table);
  batch.set(row, columns.name, name);
  if (count) batch.set(row, columns.calls, *count);
  if (total) batch.set(row, columns.total, *total);
  if (count && total && *count > 0) batch.set(row, columns.mean, (*total + *count / 2) / *count);
  return row;
}

void add_op(Batch& batch, std::string_view name, const Totals& totals) {
  const Row row = batch.add(table("op_stats"));
  batch.set(row, column("op_stats.name"), name);
  const auto set = [&](ColumnId column, Value value) {
    if (value) batch.set(row, column, *value);
  };
  set(column("op_stats.calls"), totals.calls);
  set(column("op_stats.host_self"), totals.host_self);
  set(column("op_stats.host_total"), totals.host_total);
  set(column("op_stats.device_self"), totals.device_self);
  set(column("op_stats.device_total"), totals.device_total);
}

}  // namespace

void Recording::add(Table table) {
  if (device_.empty()) device_ = table.device;
  host_total_ = table.host_total;
  device_total_ = table.device_total;
  tables_.push_back(std::move(table));
}

/// Rows of the host say which rows of the device are ranges; those that row_limit left out of one table may be in
/// another.
void Recording::classify() {
  std::set<std::string, std::less<>> on_host;
  for (const Table& table : tables_)
    for (const Table::Row& row : table.rows)
      if (row.totals.host_total.value_or(0) > 0) on_host.insert(row.name);
  for (std::size_t i = 0; i < tables_.size(); ++i)
    for (Table::Row& row : tables_[i].rows) {
      const Subject subject = subject_of(row.name, row.totals, on_host.contains(row.name));
      const auto [place, added] = places_.try_emplace({subject, row.name}, entries_.size());
      if (added) entries_.push_back({subject, std::move(row.name), row.totals, i});
      else if (Entry& entry = entries_[place->second]; entry.table == i) add_to(entry.totals, row.totals);
      else sink_->note(note_id::repeated_report_row, "table");
    }
}

void Recording::submit(std::string label) {
  classify();
  RunInfo run;
  run.producer = "torch.profiler";
  run.label = std::move(label);
  sink_->run(std::move(run));
  Batch batch;
  batch.declare(table("op_stats"));
  const bool doubtful = ranges_among_kernels();
  for (const Entry& entry : entries_)
    if (doubtful && entry.subject == Subject::kernel) sink_->note(note_id::unused_report, "kernels and ranges");
    else write(batch, entry);
  write_device(batch);
  write_totals(batch);
  if (host_rows_missing()) sink_->note(note_id::host_totals_not_printed);
  write_rest(batch);
  sink_->submit(0, std::move(batch));
}

void Recording::write(Batch& batch, const Entry& entry) {
  const Totals& totals = entry.totals;
  switch (entry.subject) {
    case Subject::kernel: {
      const Row row = add_stats(batch, kernels, entry.name, totals.calls, totals.device_self);
      return batch.set(row, column("kernel_stats.class"), kernel_class(entry.name));
    }
    case Subject::copy:
      add_stats(batch, copies, copy_label(parse_copy_name(entry.name), entry.name), totals.calls, totals.device_self);
      return;
    case Subject::call: add_stats(batch, calls, base_call_name(entry.name), totals.calls, totals.host_total); return;
    case Subject::op: return add_op(batch, entry.name, totals);
    case Subject::fill: return sink_->note(note_id::unused_report, "fills of memory");
    case Subject::device_range: return sink_->note(note_id::unused_report, "ranges on the device");
    case Subject::other: return sink_->note(note_id::unused_report, "steps, and the profiler's own work");
  }
}

/// The device that the columns name. CUDA may be HIP: the calls tell.
void Recording::write_device(Batch& batch) const {
  if (device_.empty()) return;
  DeviceMaker maker = maker_of_category(lower(device_) + "_");
  for (const Entry& entry : entries_)
    if (maker.vendor.empty() && entry.subject == Subject::call) maker = maker_of_call(entry.name);
  if (maker.kind.empty() && device_ == "CUDA") maker.kind = "GPU";
  const Row device = batch.device(0);
  if (!maker.kind.empty()) batch.set(device, column("devices.kind"), maker.kind);
  if (!maker.vendor.empty()) batch.set(device, column("devices.vendor"), maker.vendor);
}

/// What stands below the table. Before 2020 times of the device held those inside them, too, and their sum says
/// nothing.
void Recording::write_totals(Batch& batch) const {
  const Row run = batch.run();
  if (host_total_) batch.set(run, column("runs.host_time"), *host_total_);
  if (device_total_ && has_self_times())
    batch.set(run, column("runs.device_time"), *device_total_ - Number(ranges_in_total()).rounded());
}

double Recording::listed_work() const {
  return time_of({Subject::kernel, Subject::copy, Subject::fill}, &Totals::device_self);
}

/// What the device's total has of ranges, which some versions count among its work: nothing unless both together are
/// the total. Beside operators alone, a range may as well stand for kernels that are not listed.
double Recording::ranges_in_total() const {
  const auto total = static_cast<double>(device_total_.value_or(0));
  const double listed = listed_work();
  const double ranges = time_of({Subject::device_range}, &Totals::device_self);
  const bool counted =
      listed > 0 && listed < total * (1 - rounding) && std::abs(listed + ranges - total) <= total * rounding;
  return counted ? ranges : 0;
}

bool Recording::has_self_times() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const Entry& entry) { return entry.totals.device_self.has_value(); });
}

double Recording::time_of(std::initializer_list<Subject> subjects, Value Totals::*time) const {
  double sum = 0;
  for (const Entry& entry : entries_)
    if (std::find(subjects.begin(), subjects.end(), entry.subject) != subjects.end())
      sum += static_cast<double>((entry.totals.*time).value_or(0));
  return sum;
}

bool Recording::host_rows_missing() const {
  const double listed = time_of({Subject::op, Subject::call, Subject::other}, &Totals::host_self);
  return host_total_ && listed < static_cast<double>(*host_total_) * (1 - rounding);
}

/// Whether the operators have all of the device's time that copies and fills do not: some versions list no kernels.
bool Recording::operators_have_the_rest() const {
  if (time_of({Subject::kernel}, &Totals::device_self) > 0) return false;
  const auto total = static_cast<double>(*device_total_);
  const double work = listed_work();
  const double of_operators = time_of({Subject::op, Subject::call}, &Totals::device_self);
  // More than all, beside copies: operators have those, too, and kernels were listed.
  return of_operators + work >= total * (1 - rounding) && (work == 0 || of_operators + work <= total * (1 + rounding));
}

/// Work of the device that row_limit left out may be kernels, copies and fills: as part of the kernels, it makes no
/// share of one too large.
void Recording::write_rest(Batch& batch) {
  if (!has_self_times() || !device_total_) return;
  const auto total = static_cast<double>(*device_total_);
  const double work = listed_work();
  if (ranges_in_total() > 0 || work >= total * (1 - rounding) || operators_have_the_rest()) return;
  if (work == 0) return sink_->note(note_id::rows_not_printed);
  const Row row = batch.add(kernels.table);
  batch.set(row, column("kernel_stats.class"), "other");
  batch.set(row, kernels.total, Number(total - work).rounded());
  sink_->note(note_id::rows_not_listed);
}

/// Whether some of what looks like kernels must be ranges, whose rows of the host row_limit left out: together they are
/// more than all that ran.
bool Recording::ranges_among_kernels() const {
  const double work = listed_work();
  return device_total_ && work > static_cast<double>(*device_total_) * (1 + rounding);
}

}  // namespace kdiag::adapters::averages
