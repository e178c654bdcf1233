// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/match_runs.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/facts/kernel_family.hpp"

namespace kdiag {
namespace {

/// What tells the rows of a table from one another, in any run.
struct TableKey {
  std::string_view table;
  std::initializer_list<std::string_view> columns;
};

// Single events have no key: which call of a kernel corresponds to which is not known.
const TableKey table_keys[] = {
    {"streams", {"device", "id"}},
    {"threads", {"rank", "name"}},
    {"steps", {"rank", "index"}},
    {"phases", {"step", "device", "kind"}},
    {"kernel_stats", {"rank", "device", "name"}},
    {"api_stats", {"rank", "device", "name"}},
    {"copy_stats", {"rank", "device", "name"}},
    {"op_stats", {"rank", "name"}},
};

/// The columns of a table's key; empty when it has none.
std::vector<ColumnId> key_columns(TableId table) {
  std::vector<ColumnId> out;
  for (const TableKey& key : table_keys)
    if (key.table == info(table).name)
      for (const std::string_view column : key.columns) out.push_back(find_column(key.table, column));
  return out;
}

/// Which devices of a run have work; of a run of which no work is known, which have samples: telemetry shows those
/// beside it, too.
std::vector<bool> devices_with_work(const FactStore& store) {
  std::vector<bool> out(store.rows(table("devices")));
  const auto mark = [&](ColumnId column) {
    for (const std::uint32_t device : store.indices(column))
      if (device != absent_index) out[device] = true;
  };
  for (const ColumnId column :
       {column("kernels.device"), column("copies.device"), column("memsets.device"), column("kernel_stats.device"),
        column("copy_stats.device"), column("phases.device"), column("functions.device")})
    mark(column);
  if (std::find(out.begin(), out.end(), true) == out.end()) mark(column("samples.device"));
  return out;
}

/// The only thing that is set; nothing when there are none or several.
std::optional<std::uint32_t> only(const std::vector<bool>& set) {
  if (std::count(set.begin(), set.end(), true) != 1) return {};
  return static_cast<std::uint32_t>(std::find(set.begin(), set.end(), true) - set.begin());
}

std::set<std::int32_t> rank_ids(const FactStore& store) {
  const auto ids = store.smalls(column("ranks.id"));
  return {ids.begin(), ids.end()};
}

/// The kernel names of a run, with their time.
std::map<std::uint32_t, std::int64_t> kernel_times(const FactStore& store, CancelFlag cancel) {
  std::map<std::uint32_t, std::int64_t> out;
  const auto names = store.indices(column("kernel_stats.name"));
  for (std::size_t row = 0; row < names.size(); ++row) {
    stop_if(cancel);
    if (names[row] == absent_index) continue;
    const std::int64_t total = store.integer(column("kernel_stats.total"), row);
    std::int64_t& time = out[names[row]];
    time = add_times(time, std::max<std::int64_t>(0, total));  // absent is the lowest of all
  }
  return out;
}

}  // namespace

RunMatch::RunMatch(const FactStore& run, const FactStore& baseline, CancelFlag cancel)
    : run_(run), baseline_(baseline), cancel_(cancel) {
  match_ranks();
  match_devices();
  match_kernels();
}

void RunMatch::match_ranks() {
  const TableId ranks = table("ranks");
  ranks_.resize(run_.rows(ranks));
  std::map<std::int32_t, std::uint32_t> by_id;
  for (std::uint32_t row = 0; row < baseline_.rows(ranks); ++row)
    by_id.emplace(baseline_.small(column("ranks.id"), row), row);
  for (std::uint32_t row = 0; row < ranks_.size(); ++row)
    if (const auto found = by_id.find(run_.small(column("ranks.id"), row)); found != by_id.end())
      ranks_[row] = {found->second, MatchBasis::key};
  if (ranks_.size() == 1 && baseline_.rows(ranks) == 1 && !ranks_[0]) ranks_[0] = {0, MatchBasis::only_one};
}

void RunMatch::match_devices() {
  const std::vector<bool> works = devices_with_work(run_);
  const std::vector<bool> worked = devices_with_work(baseline_);
  devices_.resize(works.size());
  // The rank of a device tells it from others only where there are several.
  const bool ranked = run_.rows(table("ranks")) > 1 || baseline_.rows(table("ranks")) > 1;
  const auto rank_of = [&](std::uint32_t device, bool of_run) {
    if (!ranked) return absent_index;
    const std::uint32_t rank = (of_run ? run_ : baseline_).index(column("devices.rank"), device);
    return of_run && rank != absent_index ? this->rank(rank).row : rank;
  };
  const auto no_counterpart_rank = [&](std::uint32_t device) {
    const std::uint32_t rank = run_.index(column("devices.rank"), device);
    return ranked && rank != absent_index && !this->rank(rank);
  };

  std::vector<bool> taken(worked.size());
  const auto match = [&](std::uint32_t device, std::uint32_t other, MatchBasis basis) {
    devices_[device] = {other, basis};
    taken[other] = true;
  };
  using DeviceKey = std::tuple<std::uint32_t, std::int64_t, bool>;
  std::map<DeviceKey, std::uint32_t> by_key;
  for (std::uint32_t other = 0; other < worked.size(); ++other)
    by_key.emplace(DeviceKey{rank_of(other, false), baseline_.integer(column("devices.id"), other), worked[other]},
                   other);
  for (std::uint32_t device = 0; device < works.size(); ++device) {
    if (no_counterpart_rank(device)) continue;
    const DeviceKey key{rank_of(device, true), run_.integer(column("devices.id"), device), works[device]};
    if (const auto found = by_key.find(key); found != by_key.end()) match(device, found->second, MatchBasis::key);
  }

  const auto only_here = only(works);
  const auto only_there = only(worked);
  if (only_here && only_there && !devices_[*only_here] && !taken[*only_there])
    match(*only_here, *only_there, MatchBasis::only_one);

  // The rest of each rank by place among the devices of one model, when both runs have equally many of them.
  using Model = std::pair<std::uint32_t, std::string_view>;
  std::map<Model, std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> rest;
  for (std::uint32_t device = 0; device < works.size(); ++device)
    if (works[device] && !devices_[device] && !no_counterpart_rank(device))
      rest[{rank_of(device, true), run_.text(column("devices.name"), device)}].first.push_back(device);
  for (std::uint32_t other = 0; other < worked.size(); ++other)
    if (worked[other] && !taken[other])
      rest[{rank_of(other, false), baseline_.text(column("devices.name"), other)}].second.push_back(other);
  for (const auto& [model, devices] : rest) {
    const auto& [here, there] = devices;
    // Without a model places tell nothing, but for the only one that is left of a rank.
    const bool last_of_rank = ranked && model.first != absent_index && here.size() == 1;
    if (here.size() != there.size() || (model.second.empty() && !last_of_rank)) continue;
    for (std::size_t place = 0; place < here.size(); ++place) match(here[place], there[place], MatchBasis::position);
  }
}

void RunMatch::match_kernels() {
  const auto here = kernel_times(run_, cancel_);
  const auto there = kernel_times(baseline_, cancel_);
  std::set<std::uint32_t> taken;
  for (const auto& [name, time] : here) {
    stop_if(cancel_);
    const std::uint32_t other = baseline_.strings.find(run_.strings[name]);
    if (other == absent_index || there.count(other) == 0) continue;
    kernels_[name] = {other, MatchBasis::key};
    taken.insert(other);
    matched_time_.by_name = add_times(matched_time_.by_name, time);
  }
  std::map<std::string, std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>>> families;
  for (const auto& [name, time] : here) {
    stop_if(cancel_);
    if (kernels_.count(name) == 0) families[kernel_family(run_.strings[name])].first.push_back(name);
  }
  for (const auto& [name, time] : there) {
    stop_if(cancel_);
    if (taken.count(name) == 0) families[kernel_family(baseline_.strings[name])].second.push_back(name);
  }
  for (const auto& [family, members] : families) {
    const auto& [ours, theirs] = members;
    const bool alone = ours.size() == 1 && theirs.size() == 1;
    if (alone) kernels_[ours.front()] = {theirs.front(), MatchBasis::family};
    std::int64_t& time = alone ? matched_time_.by_family : matched_time_.unmatched;
    for (const std::uint32_t name : ours) time = add_times(time, here.at(name));
  }
}

Counterpart RunMatch::kernel(std::uint32_t name) const {
  const auto found = kernels_.find(name);
  return found == kernels_.end() ? Counterpart{} : found->second;
}

bool RunMatch::has_key(TableId table) {
  const TableRole role = info(table).traits.role;
  const bool own_way = role == TableRole::run || role == TableRole::rank || role == TableRole::device;
  return own_way || !key_columns(table).empty();
}

/// Adds what a row says in a column, in terms of the baseline's rows and strings; false when the baseline has no such
/// thing.
bool RunMatch::add_to_key(Key& key, ColumnId column, std::uint32_t row, bool in_run) const {
  const FactStore& store = in_run ? run_ : baseline_;
  const ColumnInfo& about = info(column);
  switch (about.type) {
    case ColumnType::integer: key.push_back(static_cast<std::uint64_t>(store.integer(column, row))); return true;
    case ColumnType::small_integer:
      key.push_back(static_cast<std::uint64_t>(std::int64_t{store.small(column, row)}));
      return true;
    case ColumnType::string: {
      std::uint32_t text = store.index(column, row);
      if (in_run && text != absent_index) {
        text = about.traits.kernel_name ? kernel(text).row : baseline_.strings.find(run_.strings[text]);
        if (text == absent_index) return false;
      }
      key.push_back(text);
      return true;
    }
    case ColumnType::reference: {
      const TableId target = target_of(column);
      // Where neither run has several, it tells nothing apart, and one of them may not state it.
      if (run_.rows(target) <= 1 && baseline_.rows(target) <= 1) return true;
      std::uint32_t other = store.index(column, row);
      if (in_run && other != absent_index) {
        other = this->row(target, other).row;
        if (other == absent_index) return false;
      }
      key.push_back(other);
      return true;
    }
    default: return false;
  }
}

std::optional<RunMatch::Key> RunMatch::key_in_run(std::span<const ColumnId> columns, std::uint32_t row) const {
  Key key;
  for (const ColumnId column : columns)
    if (!add_to_key(key, column, row, true)) return {};
  return key;
}

std::optional<RunMatch::Key> RunMatch::key_in_baseline(std::span<const ColumnId> columns, std::uint32_t row) const {
  Key key;
  for (const ColumnId column : columns)
    if (!add_to_key(key, column, row, false)) return {};
  return key;
}

RunMatch::RowMatches RunMatch::match_by_key(TableId id, std::span<const ColumnId> columns) const {
  struct Rows {
    std::vector<std::uint32_t> here, there;
  };
  std::map<Key, Rows> by_key;
  for (std::uint32_t row = 0; row < baseline_.rows(id); ++row) {
    stop_if(cancel_);
    if (const auto key = key_in_baseline(columns, row)) by_key[*key].there.push_back(row);
  }
  for (std::uint32_t row = 0; row < run_.rows(id); ++row) {
    stop_if(cancel_);
    if (const auto key = key_in_run(columns, row)) by_key[*key].here.push_back(row);
  }
  RowMatches out(run_.rows(id));
  const bool kernels = id == table("kernel_stats");
  for (const auto& [key, rows] : by_key) {
    if (rows.here.size() != 1 || rows.there.size() != 1) continue;
    const std::uint32_t row = rows.here.front();
    out[row] = {rows.there.front(), MatchBasis::key};
    if (kernels) out[row].basis = kernel(run_.index(column("kernel_stats.name"), row)).basis;
  }
  return out;
}

Counterpart RunMatch::row(TableId id, std::uint32_t row) const {
  switch (info(id).traits.role) {
    case TableRole::device: return device(row);
    case TableRole::rank: return rank(row);
    case TableRole::run:
      return row == 0 && baseline_.rows(id) > 0 ? Counterpart{0, MatchBasis::only_one} : Counterpart{};
    default: break;
  }
  const std::vector<ColumnId> columns = key_columns(id);
  if (columns.empty()) return {};
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = rows_.find(id.index); known != rows_.end()) return at(known->second, row);
  }
  RowMatches made = match_by_key(id, columns);  // without the lock: keys refer to rows of other tables
  const std::scoped_lock lock(mutex_);
  return at(rows_.try_emplace(id.index, std::move(made)).first->second, row);
}

std::vector<std::size_t> pair_runs(std::span<const FactStore* const> runs,
                                   std::span<const FactStore* const> baselines) {
  std::vector<std::size_t> out;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    const auto ranks = rank_ids(*runs[run]);
    const auto shared = [&](std::size_t baseline) {
      const auto others = rank_ids(*baselines[baseline]);
      return std::count_if(ranks.begin(), ranks.end(), [&](std::int32_t id) { return others.count(id) > 0; });
    };
    std::size_t best = runs.size() == baselines.size() ? run : 0;
    for (std::size_t baseline = 0; baseline < baselines.size(); ++baseline)
      if (shared(baseline) > shared(best)) best = baseline;
    out.push_back(best);
  }
  return out;
}

}  // namespace kdiag
