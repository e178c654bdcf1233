// SPDX-License-Identifier: Apache-2.0
#include "engine/run_context.hpp"

#include <algorithm>
#include <cmath>

#include "engine/derive/scope.hpp"

namespace kdiag {
namespace {

TableId table_of_kind(SubjectKind kind) { return find_table(std::string(name_of(kind)) + "s"); }

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

}  // namespace

bool contains(const Subject& outer, const Subject& inner) {
  if (outer == inner || outer.kind == SubjectKind::run) return true;
  switch (outer.kind) {
    case SubjectKind::rank:
      return inner.rank == outer.rank && outer.rank != absent_index && inner.kind != SubjectKind::run;
    case SubjectKind::device:
      return inner.device == outer.device && (inner.kind == SubjectKind::stream || inner.kind == SubjectKind::step);
    default: return false;
  }
}

RunContext::RunContext(const FactStore& store) : store_(store) {
  for (std::size_t row = 0; row < store.rows(table("notes")); ++row)
    if (store.text(column("notes.severity"), row) == "data-loss") ++data_loss_notes_;
  double most = 0;
  for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t)
    most = std::max(most, static_cast<double>(store.rows(TableId{t})));
  visit_limit_ = static_cast<std::uint64_t>(std::max(50e6, 64 * most * (1 + std::log2(most + 1))));
}

Subject RunContext::subject_of(SubjectKind kind, std::uint32_t row) const {
  Subject subject{.kind = kind, .row = row};
  switch (kind) {
    case SubjectKind::run: break;
    case SubjectKind::rank: subject.rank = row; break;
    case SubjectKind::device:
      subject.device = row;
      subject.rank = store_.index(column("devices.rank"), row);
      break;
    case SubjectKind::stream:
      subject.device = store_.index(column("streams.device"), row);
      if (subject.device != absent_index) subject.rank = store_.index(column("devices.rank"), subject.device);
      break;
    case SubjectKind::step:
      subject.step = row;
      subject.rank = store_.index(column("steps.rank"), row);
      break;
    case SubjectKind::thread: subject.rank = store_.index(column("threads.rank"), row); break;
  }
  return subject;
}

std::optional<std::vector<Subject>> RunContext::subjects(SubjectKind kind) const {
  if (kind == SubjectKind::run) return std::vector<Subject>{Subject{}};
  const TableId id = table_of_kind(kind);
  if (!store_.present(id)) return {};
  std::vector<Subject> out;
  for (std::uint32_t row = 0; row < store_.rows(id); ++row) {
    Subject subject = subject_of(kind, row);
    if (kind != SubjectKind::step) {
      out.push_back(subject);
      continue;
    }
    // A step subject is one step on one device of its rank.
    for (std::uint32_t device = 0; device < store_.rows(table("devices")); ++device) {
      const std::uint32_t rank = store_.index(column("devices.rank"), device);
      if (subject.rank != absent_index && rank != absent_index && rank != subject.rank) continue;
      subject.device = device;
      out.push_back(subject);
    }
  }
  return out;
}

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
  const RowList base = scoped_rows(id);
  if (subject.kind == SubjectKind::run) return base;
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
    if (device.index != 0xFFFF && store_.has(device) && name != "comparisons") {
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

const Wall& RunContext::wall(const Subject& subject) const {
  return subject.kind == SubjectKind::run ? store_.wall() : store_.wall_of_rank(subject.rank);
}

std::optional<Interval> RunContext::window(const Subject& subject) const {
  const auto window = wall(subject).window;
  if (!window || subject.kind != SubjectKind::step) return window;
  const std::int64_t start = store_.integer(column("steps.start"), subject.step);
  const std::int64_t dur = store_.integer(column("steps.dur"), subject.step);
  if (start == absent_integer || dur == absent_integer) return {};
  return Interval{std::max(window->start, start), std::min(window->end, start + dur)};
}

std::optional<std::int64_t> RunContext::start() const {
  const auto& window = store_.wall().window;
  return window ? std::optional(window->start) : std::nullopt;
}

IntervalSet RunContext::parts(const Subject& subject) const {
  const auto cut = window(subject);
  return cut ? wall(subject).parts & IntervalSet(*cut) : IntervalSet();
}

std::optional<std::uint32_t> RunContext::implied_device() const {
  const std::size_t devices = store_.rows(table("devices"));
  if (devices == 1) return 0;
  std::vector<std::uint32_t> candidates;
  if (store_.scope.device || store_.scope.rank) {
    for (std::uint32_t device = 0; device < devices; ++device)
      if (device_in_scope(store_, device)) candidates.push_back(device);
  } else {
    std::vector<bool> works(devices);
    for (ColumnId column :
         {column("kernels.device"), column("copies.device"), column("memsets.device"), column("kernel_stats.device")})
      for (std::uint32_t device : store_.indices(column))
        if (device != absent_index) works[device] = true;
    for (std::uint32_t device = 0; device < devices; ++device)
      if (works[device]) candidates.push_back(device);
  }
  if (candidates.size() != 1) return {};
  return candidates.front();
}

std::string RunContext::label(RowRef row) const {
  if (row.row == absent_index) return {};
  const std::string_view name = info(row.table).name;
  const auto number = [&](std::string_view column_name) -> std::string {
    const ColumnId id = find_column(name, column_name);
    if (id.index == 0xFFFF) return {};
    const std::int64_t value =
        info(id).type == ColumnType::small_integer
            ? (store_.small(id, row.row) == absent_small ? absent_integer : store_.small(id, row.row))
            : store_.integer(id, row.row);
    return value == absent_integer ? std::string{} : std::to_string(value);
  };
  const auto prefixed = [](std::string_view prefix, const std::string& value) {
    return std::string(prefix) + (value.empty() ? "?" : " " + value);
  };
  if (name == "devices") {
    std::string kind{store_.text(column("devices.kind"), row.row)};
    if (kind.empty()) kind = "GPU";
    const std::uint32_t rank = store_.index(column("devices.rank"), row.row);
    const std::string own = prefixed(kind, number("id"));
    return rank == absent_index ? own : label({table("ranks"), rank}) + " " + own;
  }
  if (name == "ranks") return prefixed("rank", number("id"));
  if (name == "steps") return prefixed("step", number("index"));
  if (name == "streams") return prefixed("stream", number("id"));
  if (name == "threads") {
    const std::string_view text = store_.text(column("threads.name"), row.row);
    return text.empty() ? prefixed("thread", number("id")) : std::string(text);
  }
  if (name == "frames") {
    std::string out{store_.text(column("frames.file"), row.row)};
    if (const std::string line = number("line"); !line.empty()) out += ":" + line;
    const std::string_view function = store_.text(column("frames.function"), row.row);
    if (!function.empty()) out += (out.empty() ? "" : " ") + std::string(function);
    return out;
  }
  for (std::string_view candidate : {"name", "label", "series", "op", "kind"})
    if (const ColumnId id = find_column(name, candidate); id.index != 0xFFFF && info(id).type == ColumnType::string)
      if (const std::string_view text = store_.text(id, row.row); !text.empty()) return std::string(text);
  return std::string(name) + " row " + std::to_string(row.row);
}

std::string RunContext::label(const Subject& subject) const {
  switch (subject.kind) {
    case SubjectKind::run: {
      const std::string_view text = store_.text(column("runs.label"), 0);
      return text.empty() ? "run" : std::string(text);
    }
    case SubjectKind::step: {
      std::string out = label(RowRef{table("steps"), subject.row});
      if (subject.device != absent_index) out += " on " + label(RowRef{table("devices"), subject.device});
      return out;
    }
    case SubjectKind::stream:
      return (subject.device == absent_index ? "" : label(RowRef{table("devices"), subject.device}) + " ") +
             label(RowRef{table("streams"), subject.row});
    default: return label(RowRef{table_of_kind(subject.kind), subject.row});
  }
}

std::string RunContext::id(const Subject& subject) const {
  if (subject.kind == SubjectKind::run) return "run";
  const auto number = [&](ColumnId column, std::uint32_t row) -> std::string {
    if (row == absent_index) return "";
    const std::int64_t value =
        info(column).type == ColumnType::small_integer ? store_.small(column, row) : store_.integer(column, row);
    return value == absent_integer || value == absent_small ? "?" : std::to_string(value);
  };
  const auto join = [](const std::string& a, const std::string& b) { return a.empty() ? b : a + "/" + b; };
  const std::string rank = number(column("ranks.id"), subject.rank);
  switch (subject.kind) {
    case SubjectKind::rank: return rank;
    case SubjectKind::device: return join(rank, number(column("devices.id"), subject.device));
    case SubjectKind::stream:
      return join(join(rank, number(column("devices.id"), subject.device)), number(column("streams.id"), subject.row));
    case SubjectKind::step:
      return join(join(rank, number(column("devices.id"), subject.device)), number(column("steps.index"), subject.row));
    case SubjectKind::thread: return join(rank, number(column("threads.id"), subject.row));
    default: return "run";
  }
}

std::uint32_t RunContext::string_id(std::string_view text) const {
  if (const std::uint32_t id = store_.strings.find(text); id != absent_index) return id;
  const std::scoped_lock lock(mutex_);
  return store_.strings.size() + extra_.intern(text);
}

std::string_view RunContext::string(std::uint32_t id) const {
  if (id == absent_index) return {};
  if (id < store_.strings.size()) return store_.strings[id];
  const std::scoped_lock lock(mutex_);
  return extra_[id - store_.strings.size()];
}

}  // namespace kdiag
