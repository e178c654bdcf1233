// SPDX-License-Identifier: Apache-2.0
#include "adapters/pytorch/averages/recording.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <tuple>

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

// From which part of the device's total on ranges are worth telling from kernels that are not listed, and how many more
// rows of kernels than are listed, and at least, the rest would have to be; judgement.
constexpr double many_ranges = 0.3;
constexpr double times_listed = 5;
constexpr double least_rows = 20;

constexpr Value Totals::*orders[] = {&Totals::device_total, &Totals::device_self};  // that people sort tables by

/// Whether a name can be one that a person gave a range: words of its own, without what kernels' names have.
bool may_be_range(std::string_view name) {
  return (kernel_class(name) == "other" || name.find(' ') != std::string_view::npos) &&
         name.find_first_of("<(:") == std::string_view::npos && name.find("kernel") == std::string_view::npos;
}

/// Whether rows of that name are of different kernels: no shapes and stacks tell rows of one apart, so that their whole
/// names do.
bool others_of_a_cut_name(Subject subject, std::string_view name) {
  return subject == Subject::kernel && name.ends_with("...");
}

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

bool Table::same_recording(const Table& other) const {
  const bool stated = complete() && other.complete() && !derived && !other.derived;
  if (stated) return host_total == other.host_total && device_total == other.device_total;
  return has_rows_of(other);  // totals that were made of rounded shares tell no two runs apart
}

bool Table::has_rows_of(const Table& other) const {
  constexpr std::size_t least = 3;    // judgement
  constexpr double half = 0.5;        // judgement: tables that row_limit cut list the same longest rows
  constexpr double nearly_all = 0.9;  // judgement: of two runs hardly any time is the same
  using Times = std::tuple<std::string_view, std::optional<std::int64_t>, std::optional<std::int64_t>>;
  const auto times_of = [](const Row& row) { return Times(row.name, row.totals.host_self, row.totals.device_self); };
  std::set<Times> times;
  std::set<std::string_view> names;
  for (const Row& row : other.rows) {
    times.insert(times_of(row));
    names.insert(row.name);
  }
  const auto time_of = [](const Row& row) {
    return static_cast<double>(std::max<std::int64_t>(row.totals.host_self.value_or(0), 0)) +
           static_cast<double>(std::max<std::int64_t>(row.totals.device_self.value_or(0), 0));
  };
  std::size_t rows_alike = 0;
  double all = 0, common = 0, alike = 0;  // of the time of this table
  for (const Row& row : rows) {
    const double time = time_of(row);
    all += time;
    if (time > 0 && names.contains(row.name)) common += time;
    if (time <= 0 || !times.contains(times_of(row))) continue;
    alike += time;
    ++rows_alike;
  }
  return rows_alike >= least && alike >= nearly_all * common && common >= half * all;
}

void Table::derive_totals() {
  derived = !complete();
  if (!host_total) host_total = host_shares.whole();
  if (!device_total && !device.empty()) device_total = device_shares.whole();
}

void Recording::add(Table table) {
  if (device_.empty()) device_ = table.device;
  if (table.host_total && (!table.derived || !host_total_)) host_total_ = table.host_total;
  if (table.device_total && (!table.derived || !device_total_)) device_total_ = table.device_total;
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
      const std::size_t first = added ? i : entries_[place->second].table;
      if (first != i) sink_->note(note_id::repeated_report_row, "table");
      else if (added || others_of_a_cut_name(subject, row.name)) entries_.push_back({subject, row.name, row.totals, i});
      else add_to(entries_[place->second].totals, row.totals);
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
  find_ranges_of_their_own();
  find_ranges_beyond_total();
  const bool doubtful = ranges_among_kernels();
  for (const Entry& entry : entries_)
    if (doubtful && entry.subject == Subject::kernel) sink_->note(note_id::unused_report, "kernels and ranges");
    else write(batch, entry);
  write_device(batch);
  write_totals(batch);
  if (device_missing()) sink_->note(note_id::no_device_work);
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
  if (host_total_) batch.set(run, column("runs.host_time"), host_time());
  if (device_total_ && has_self_times()) batch.set(run, column("runs.device_time"), Number(device_work()).rounded());
}

/// How long the host took. The total adds up what threads do at once, and autograd's backward passes have one of their
/// own beside a device. Steps last as long as all of that together: two threads take at most twice as long.
std::int64_t Recording::host_time() const {
  const std::int64_t all = *host_total_ - profilers_own();
  if (!device_total_) return all;
  std::int64_t steps = 0;
  for (const Entry& entry : entries_)
    if (entry.subject == Subject::other && entry.name.starts_with("ProfilerStep"))
      steps = std::max(steps, entry.totals.host_total.value_or(0));
  return steps >= all / 2 ? std::min(all, steps) : all;
}

/// What the profiler itself took of the host's time: its buffers, which no program has without it.
std::int64_t Recording::profilers_own() const {
  std::int64_t sum = 0;
  for (const Entry& entry : entries_)
    if (entry.subject == Subject::other && is_profilers_own(entry.name)) sum += entry.totals.host_self.value_or(0);
  return std::clamp<std::int64_t>(sum, 0, std::max<std::int64_t>(0, *host_total_));
}

double Recording::listed_work() const {
  return time_of({Subject::kernel, Subject::copy, Subject::fill}, &Totals::device_self);
}

/// The device's total without the ranges that it counts.
double Recording::device_work() const { return static_cast<double>(device_total_.value_or(0)) - ranges_in_total(); }

/// Ranges on the device, and the profiler's steps, which are ranges, too.
double Recording::ranges_and_steps() const {
  double sum = time_of({Subject::device_range}, &Totals::device_self);
  for (const Entry& entry : entries_)
    if (entry.subject == Subject::other && entry.name.starts_with("ProfilerStep"))
      sum += static_cast<double>(entry.totals.device_self.value_or(0));
  return sum;
}

/// What the device's total has of ranges, which versions before 2.5 count among its work: nothing where it is too small
/// for both; all of them where both together are the total, or where kernels that row_limit left out cannot be the
/// rest. Beside operators alone, a range may as well stand for kernels that are not listed.
double Recording::ranges_in_total() const {
  const auto total = static_cast<double>(device_total_.value_or(0));
  const double listed = listed_work();
  const double ranges = ranges_and_steps();
  const double of_operators = time_of({Subject::op}, &Totals::device_self);  // calls have that of what they start
  if (listed <= 0 || ranges <= 0 || total - ranges < std::max(listed, of_operators) * (1 - rounding)) return 0;
  if (std::abs(listed + ranges - total) <= total * rounding) return listed < total * (1 - rounding) ? ranges : 0;
  return ranges > many_ranges * total && too_many_rows_missing(total - listed) ? ranges : 0;
}

/// Whether time of the device that is not listed would have to be that of a great many kernels: rows come in order of
/// their time on the device, so that none of those left out has more than the last one listed.
bool Recording::too_many_rows_missing(double rest) const {
  const auto work = std::count_if(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return entry.subject == Subject::kernel || entry.subject == Subject::copy || entry.subject == Subject::fill;
  });
  const double rows = std::max(least_rows, times_listed * static_cast<double>(work));
  return std::any_of(tables_.begin(), tables_.end(), [&](const Table& table) {
    return std::any_of(std::begin(orders), std::end(orders), [&](Value Totals::*time) {
      const auto more = [time](const Table::Row& a, const Table::Row& b) { return a.totals.*time > b.totals.*time; };
      return std::is_sorted(table.rows.begin(), table.rows.end(), more) &&
             rest > rows * static_cast<double>((table.rows.back().totals.*time).value_or(0));
    });
  });
}

/// Ranges whose rows of the host row_limit left out, told from kernels by their time: no operator that is listed has as
/// much on the device, and what those that are not listed can have is less. Names of kernels are none of a range.
void Recording::find_ranges_of_their_own() {
  double of_operators = 0, most = 0;
  for (const Entry& entry : entries_) {
    if (entry.subject != Subject::op && entry.subject != Subject::call) continue;
    const auto time = static_cast<double>(entry.totals.device_self.value_or(0));
    of_operators += time;
    most = std::max(most, time);
  }
  const double left = static_cast<double>(device_total_.value_or(0)) * (1 + rounding) - of_operators;
  for (Entry& entry : entries_) {
    const auto time = static_cast<double>(entry.totals.device_self.value_or(0));
    if (entry.subject == Subject::kernel && device_total_ && most > 0 && time > most && time > left &&
        may_be_range(entry.name))
      entry.subject = Subject::device_range;
  }
}

/// Ranges among kernels that together are more than all that ran: those whose names may be one's, and that the total
/// has no room for beside rows that must be work.
void Recording::find_ranges_beyond_total() {
  if (!ranges_among_kernels()) return;
  const double total = static_cast<double>(*device_total_) * (1 + rounding);
  const auto time = [](const Entry& entry) { return static_cast<double>(entry.totals.device_self.value_or(0)); };
  const auto doubtful = [](const Entry& entry) { return entry.subject == Subject::kernel && may_be_range(entry.name); };
  double work = listed_work();
  for (const Entry& entry : entries_)
    if (doubtful(entry)) work -= time(entry);
  for (Entry& entry : entries_)
    if (doubtful(entry) && work + time(entry) > total) entry.subject = Subject::device_range;
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
  const double total = device_work();
  const double work = listed_work();
  const double of_operators = time_of({Subject::op, Subject::call}, &Totals::device_self);
  // More than all, beside copies: operators have those, too, and kernels were listed.
  return of_operators + work >= total * (1 - rounding) && (work == 0 || of_operators + work <= total * (1 + rounding));
}

/// Work of the device that row_limit left out may be kernels, copies and fills: as part of the kernels, it makes no
/// share of one too large.
void Recording::write_rest(Batch& batch) {
  if (!has_self_times() || !device_total_) return;
  const double total = device_work();
  const double work = listed_work();
  if (work >= total * (1 - rounding) || operators_have_the_rest()) return;
  if (work == 0) return sink_->note(note_id::rows_not_printed);
  const Row row = batch.add(kernels.table);
  batch.set(row, column("kernel_stats.class"), "other");
  batch.set(row, kernels.total, Number(total - work).rounded());
  sink_->note(note_id::rows_not_listed);
}

/// Whether calls started work, and the profiler recorded none: calls are recorded where the device's work should be.
bool Recording::device_missing() const {
  const bool launched = std::any_of(entries_.begin(), entries_.end(), [](const Entry& entry) {
    return entry.subject == Subject::call && is_launch_call(base_call_name(entry.name));
  });
  const bool worked = std::any_of(entries_.begin(), entries_.end(),
                                  [](const Entry& entry) { return entry.totals.device_self.value_or(0) > 0; });
  return launched && !worked && device_total_.value_or(0) == 0;
}

/// Whether some of what looks like kernels must be ranges, whose rows of the host row_limit left out: together they are
/// more than all that ran.
bool Recording::ranges_among_kernels() const {
  const double work = listed_work();
  return device_total_ && work > device_work() * (1 + rounding);
}

}  // namespace kdiag::adapters::averages
