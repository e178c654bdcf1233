// SPDX-License-Identifier: Apache-2.0
// Which rows of a table belong to a subject.
#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <span>

#include "engine/derive/rows/scope.hpp"
#include "engine/eval/run_context.hpp"
#include "engine/facts/device_labels.hpp"

namespace kdiag {
namespace {

/// The row-wise test that narrows a table: which rows of another one a reference column may name, one or several.
class Filter {
 public:
  Filter(const FactStore& store, TableId table, std::string_view column, std::vector<bool> allowed)
      : Filter(store, table, column) {
    allowed_ = std::move(allowed);
  }
  Filter(const FactStore& store, TableId table, std::string_view column, std::uint32_t only)
      : Filter(store, table, column) {
    only_ = only;
  }
  bool applies() const { return !values_.empty(); }
  bool stated(std::uint32_t row) const { return values_[row] != absent_index; }
  bool keeps(std::uint32_t row) const {
    if (only_) return values_[row] == *only_;
    return stated(row) && values_[row] < allowed_.size() && allowed_[values_[row]];
  }
  ColumnId column() const { return column_; }
  /// The only row that the column may name.
  const std::optional<std::uint32_t>& only() const { return only_; }

 private:
  Filter(const FactStore& store, TableId table, std::string_view column)
      : column_(find_column(info(table).name, column)) {
    if (column_.valid()) values_ = store.indices(column_);
  }

  ColumnId column_;
  std::span<const std::uint32_t> values_;
  std::vector<bool> allowed_;
  std::optional<std::uint32_t> only_;
};

std::vector<bool> rows_with(const FactStore& store, TableId table, ColumnId reference, std::uint32_t value) {
  std::vector<bool> out(store.rows(table));
  const auto values = store.indices(reference);
  for (std::size_t row = 0; row < out.size(); ++row) out[row] = values.empty() || values[row] == value;
  return out;
}

/// The rows of two ascending lists; a null list is all rows.
RowList both(const RowList& a, const RowList& b) {
  if (!a || !b) return a ? a : b;
  std::vector<std::uint32_t> out;
  std::set_intersection(a->begin(), a->end(), b->begin(), b->end(), std::back_inserter(out));
  return std::make_shared<const std::vector<std::uint32_t>>(std::move(out));
}

}  // namespace

RowList RunContext::scoped_rows(TableId id) const {
  if (!store_.scoped) return nullptr;
  const std::scoped_lock lock(mutex_);
  const auto [found, added] = scoped_.try_emplace(id.index);
  if (added) {
    std::vector<std::uint32_t> rows = rows_in_scope(store_, id);
    if (rows.size() != store_.rows(id))
      found->second = std::make_shared<const std::vector<std::uint32_t>>(std::move(rows));
  }
  return found->second;
}

const RowGroups& RunContext::rows_by(ColumnId reference) const {
  const std::scoped_lock lock(mutex_);
  return rows_by_
      .try_emplace(reference.index, store_.indices(reference), store_.rows(table_of(reference)),
                   store_.rows(target_of(reference)))
      .first->second;
}

/// All rows of `comparisons` but those that name another device ("GPU 6" of GPU 7). Names are texts, since a report may
/// name devices that its other tables do not.
RowList RunContext::comparison_rows(std::uint32_t device) const {
  const std::scoped_lock lock(mutex_);
  if (!comparisons_) {
    comparisons_.emplace();
    const DeviceLabels devices(store_);
    const auto labels = store_.indices(column("comparisons.device"));
    std::map<std::uint32_t, std::vector<std::uint32_t>> named;  // by label
    for (std::uint32_t row = 0; row < store_.rows(table("comparisons")); ++row) {
      const std::uint32_t label = row < labels.size() ? labels[row] : absent_index;
      const auto [known, added] = named.try_emplace(label);
      if (added && label != absent_index) known->second = devices.named(store_.strings[label]);
      if (known->second.empty()) comparisons_->of_none.push_back(row);
      for (const std::uint32_t of : known->second) comparisons_->of_device[of].push_back(row);
    }
  }
  const auto own = comparisons_->of_device.find(device);
  if (comparisons_->of_device.empty()) return nullptr;
  std::vector<std::uint32_t> out = comparisons_->of_none;
  if (own != comparisons_->of_device.end()) out.insert(out.end(), own->second.begin(), own->second.end());
  std::sort(out.begin(), out.end());
  return std::make_shared<const std::vector<std::uint32_t>>(std::move(out));
}

/// Rows of `changes` that name no other device and no other rank: those without either are of the whole run.
RowList RunContext::change_rows(const Subject& subject) const {
  const bool by_rank = subject.rank != absent_index;
  const ColumnId narrow = by_rank ? column("changes.rank") : column("changes.device");
  const std::uint32_t owner = by_rank ? subject.rank : subject.device;
  if (owner == absent_index) return nullptr;
  std::vector<std::uint32_t> out;
  const auto keep = [&](std::span<const std::uint32_t> rows) {
    for (const std::uint32_t row : rows) {
      const std::uint32_t device = store_.index(column("changes.device"), row);
      if (device == absent_index || subject.device == absent_index || device == subject.device) out.push_back(row);
    }
  };
  const RowGroups& groups = rows_by(narrow);
  keep(groups.of(owner));
  keep(groups.without_owner());
  std::sort(out.begin(), out.end());
  return std::make_shared<const std::vector<std::uint32_t>>(std::move(out));
}

/// Whether a device did nothing while threads launched work on others of the run: nothing of the host is its own then.
bool RunContext::is_without_work(const Subject& subject) const {
  const bool others_work = std::any_of(store_.device_threads.begin(), store_.device_threads.end(),
                                       [](const auto& threads) { return !threads.empty(); });
  if (!others_work) return false;
  const Subject device = subject_of(SubjectKind::device, subject.device);
  for (const TableId work : {table("kernels"), table("copies"), table("memsets")})
    if (const RowList own = rows(work, device); own ? !own->empty() : store_.rows(work) > 0) return false;
  return true;
}

RowList RunContext::rows(TableId id, const Subject& subject) const {
  RowList base = scoped_rows(id);
  if (subject.kind == SubjectKind::run) return base;
  if (subject.groups != nullptr) {
    if (id == subject.groups->spec().table) return subject.groups->own_rows(subject.group);
    if (subject.groups->narrows(id)) base = both(base, subject.groups->rows(id, subject.group));
  }
  const std::string_view name = info(id).name;
  std::vector<Filter> filters;
  bool host_rows_without_device = false;

  const auto by_rank = [&] {
    if (subject.rank == absent_index) return;
    if (find_column(name, "rank").valid()) filters.emplace_back(store_, id, "rank", subject.rank);
    else if (find_column(name, "thread").valid())
      filters.emplace_back(store_, id, "thread",
                           rows_with(store_, table("threads"), column("threads.rank"), subject.rank));
    else if (find_column(name, "device").valid())
      filters.emplace_back(store_, id, "device",
                           rows_with(store_, table("devices"), column("devices.rank"), subject.rank));
  };
  const auto by_device = [&] {
    const ColumnId device = find_column(name, "device");
    if (id == table("comparisons")) return;  // named by texts: see comparison_rows
    if (device.valid() && store_.has(device)) {
      filters.emplace_back(store_, id, "device", subject.device);
      host_rows_without_device = info(device).traits.absent_on_host;
      if (host_rows_without_device) by_rank();
      return;
    }
    if (find_column(name, "thread").valid()) {
      const bool linked =
          subject.device < store_.device_threads.size() && !store_.device_threads[subject.device].empty();
      if (linked || is_without_work(subject)) {
        std::vector<bool> threads(store_.rows(table("threads")));
        if (linked)
          for (std::uint32_t thread : store_.device_threads[subject.device]) threads[thread] = true;
        filters.emplace_back(store_, id, "thread", std::move(threads));
        return;
      }
    }
    by_rank();
  };

  std::optional<std::uint32_t> single;  // the subject's own row of its own kind of table
  if (id == table("devices") && subject.device != absent_index && subject.kind != SubjectKind::rank)
    single = subject.device;
  else if (id == table("ranks") && subject.rank != absent_index) single = subject.rank;
  else if (subject.kind == SubjectKind::stream && id == table("streams")) single = subject.row;
  else if (subject.kind == SubjectKind::step && id == table("steps")) single = subject.row;
  else if (subject.kind == SubjectKind::thread && id == table("threads")) single = subject.row;
  if (single) return std::make_shared<const std::vector<std::uint32_t>>(std::vector<std::uint32_t>{*single});

  switch (subject.kind) {
    case SubjectKind::run: break;
    case SubjectKind::rank: by_rank(); break;
    case SubjectKind::device: by_device(); break;
    case SubjectKind::stream:
      if (const ColumnId stream = find_column(name, "stream"); stream.valid() && !info(stream).traits.absent_on_host)
        filters.emplace_back(store_, id, "stream", subject.row);
      else by_device();
      break;
    case SubjectKind::step:
      by_device();
      if (find_column(name, "step").valid()) filters.emplace_back(store_, id, "step", subject.step);
      break;
    case SubjectKind::thread:
      if (find_column(name, "thread").valid()) filters.emplace_back(store_, id, "thread", subject.row);
      else by_rank();
      break;
    default:
      if (subject.device != absent_index) by_device();
      else by_rank();
  }
  const bool compared = id == table("comparisons") && subject.kind != SubjectKind::rank &&
                        subject.kind != SubjectKind::thread && subject.device != absent_index;
  if (compared) return both(base, comparison_rows(subject.device));
  if (id == table("changes")) return both(base, change_rows(subject));
  std::erase_if(filters, [](const Filter& filter) { return !filter.applies(); });
  if (filters.empty()) return base;

  const bool one_device = store_.rows(table("devices")) == 1;
  std::vector<std::uint32_t> out;
  const auto keep = [&](std::uint32_t row) {
    for (const Filter& filter : filters) {
      if (filter.keeps(row)) continue;
      const bool unstated = !filter.stated(row);
      if (unstated && (one_device || host_rows_without_device)) continue;
      return;
    }
    out.push_back(row);
  };
  const auto narrow =
      std::find_if(filters.begin(), filters.end(), [](const Filter& f) { return f.only().has_value(); });
  // Of many devices, steps or streams each has few rows: not all of the table is looked at for each.
  if (narrow != filters.end() && !one_device && !host_rows_without_device) {
    for (const std::uint32_t row : rows_by(narrow->column()).of(*narrow->only()))
      if (!base || std::binary_search(base->begin(), base->end(), row)) keep(row);
  } else if (base)
    for (std::uint32_t row : *base) keep(row);
  else
    for (std::uint32_t row = 0; row < store_.rows(id); ++row) keep(row);
  if (!base && out.size() == store_.rows(id)) return nullptr;
  return std::make_shared<const std::vector<std::uint32_t>>(std::move(out));
}

}  // namespace kdiag
