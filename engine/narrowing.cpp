// SPDX-License-Identifier: Apache-2.0
// Which rows of a table belong to a subject.
#include <algorithm>
#include <iterator>

#include "engine/derive/scope.hpp"
#include "engine/run_context.hpp"

namespace kdiag {
namespace {

/// The row-wise test that narrows a table, as a list of allowed values of one reference column.
class Filter {
 public:
  Filter(const FactStore& store, TableId table, std::string_view column, std::vector<bool> allowed)
      : values_(find_column(info(table).name, column).index == 0xFFFF
                    ? std::span<const std::uint32_t>{}
                    : store.indices(find_column(info(table).name, column))),
        allowed_(std::move(allowed)) {}
  bool applies() const { return !values_.empty(); }
  bool stated(std::uint32_t row) const { return values_[row] != absent_index; }
  bool keeps(std::uint32_t row) const {
    return stated(row) && values_[row] < allowed_.size() && allowed_[values_[row]];
  }

 private:
  std::span<const std::uint32_t> values_;
  std::vector<bool> allowed_;
};

std::vector<bool> only(std::size_t size, std::uint32_t row) {
  std::vector<bool> out(size);
  if (row < size) out[row] = true;
  return out;
}

std::vector<bool> rows_with(const FactStore& store, TableId table, ColumnId reference, std::uint32_t value) {
  std::vector<bool> out(store.rows(table));
  const auto values = store.indices(reference);
  for (std::size_t row = 0; row < out.size(); ++row) out[row] = values.empty() || values[row] == value;
  return out;
}

/// Which values of `comparisons.device` may be of a device: all but the labels of others ("GPU 6" of GPU 7). Labels are
/// text, since a report may name devices that its other tables do not; a device whose kind is not known is named by its
/// number.
std::vector<bool> not_of_others(const FactStore& store, std::uint32_t device) {
  std::vector<bool> out(store.strings.size(), true);
  const auto names = [&](std::string_view label, std::uint32_t row) {
    const std::int64_t id = store.integer(column("devices.id"), row);
    const std::string_view kind = store.text(column("devices.kind"), row);
    const std::size_t blank = label.rfind(' ');
    return id != absent_integer && blank != std::string_view::npos && label.substr(blank + 1) == std::to_string(id) &&
           (kind.empty() || label.substr(0, blank) == kind);
  };
  for (const std::uint32_t text : store.indices(column("comparisons.device"))) {
    if (text == absent_index || !out[text]) continue;
    const std::string_view label = store.strings[text];
    bool others = false;
    for (std::uint32_t row = 0; row < store.rows(table("devices")); ++row) others = others || names(label, row);
    out[text] = !others || names(label, device);
  }
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
    const std::size_t ranks = store_.rows(table("ranks"));
    if (find_column(name, "rank").index != 0xFFFF) filters.emplace_back(store_, id, "rank", only(ranks, subject.rank));
    else if (find_column(name, "thread").index != 0xFFFF)
      filters.emplace_back(store_, id, "thread",
                           rows_with(store_, table("threads"), column("threads.rank"), subject.rank));
    else if (find_column(name, "device").index != 0xFFFF)
      filters.emplace_back(store_, id, "device",
                           rows_with(store_, table("devices"), column("devices.rank"), subject.rank));
  };
  const auto by_device = [&] {
    const std::size_t devices = store_.rows(table("devices"));
    const ColumnId device = find_column(name, "device");
    if (name == "comparisons") {
      if (subject.device != absent_index)
        filters.emplace_back(store_, id, "device", not_of_others(store_, subject.device));
      return;
    }
    if (device.index != 0xFFFF && store_.has(device)) {
      filters.emplace_back(store_, id, "device", only(devices, subject.device));
      host_rows_without_device = name == "annotations" || name == "api_stats";
      return;
    }
    if (find_column(name, "thread").index != 0xFFFF) {
      const bool linked =
          subject.device < store_.device_threads.size() && !store_.device_threads[subject.device].empty();
      if (linked) {
        std::vector<bool> threads(store_.rows(table("threads")));
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
      if (find_column(name, "stream").index != 0xFFFF && name != "annotations")
        filters.emplace_back(store_, id, "stream", only(store_.rows(table("streams")), subject.row));
      else by_device();
      break;
    case SubjectKind::step:
      by_device();
      if (find_column(name, "step").index != 0xFFFF)
        filters.emplace_back(store_, id, "step", only(store_.rows(table("steps")), subject.step));
      break;
    case SubjectKind::thread:
      if (find_column(name, "thread").index != 0xFFFF)
        filters.emplace_back(store_, id, "thread", only(store_.rows(table("threads")), subject.row));
      else by_rank();
      break;
    default:
      if (subject.device != absent_index) by_device();
      else by_rank();
  }
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
  if (base)
    for (std::uint32_t row : *base) keep(row);
  else
    for (std::uint32_t row = 0; row < store_.rows(id); ++row) keep(row);
  if (!base && out.size() == store_.rows(id)) return nullptr;
  return std::make_shared<const std::vector<std::uint32_t>>(std::move(out));
}

}  // namespace kdiag
