// SPDX-License-Identifier: Apache-2.0
#include "engine/facts/fact_builder.hpp"

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>
#include <mutex>
#include <numeric>
#include <type_traits>

#include "base/intervals.hpp"
#include "base/parallel.hpp"
#include "engine/facts/absent_value.hpp"
#include "engine/facts/batch_data.hpp"

namespace kdiag {
namespace {

/// Where the rows and strings of one batch end up.
struct Placement {
  Batch* batch = nullptr;
  Batch::Data* data = nullptr;  ///< the batch's
  const Fragment* fragment = nullptr;
  std::vector<std::uint32_t> strings = {};
  std::vector<std::vector<std::uint32_t>> entities = {};  // by table: local row -> row
  std::vector<std::uint32_t> base = {};                   // by table: first row of an appended table
};

constexpr std::uint16_t entity_order[] = {table("runs").index,    table("ranks").index,   table("devices").index,
                                          table("streams").index, table("threads").index, table("frames").index};

// Rows, of about 5 MB: pages of fewer would only be taken again (judgement).
constexpr std::size_t worth_releasing = 50'000;

/// What a statistic of a comparison can be; both ends are possible.
struct StatisticRange {
  ColumnId column;
  double low, high;
};
constexpr double no_limit = std::numeric_limits<double>::infinity();
constexpr StatisticRange statistic_ranges[] = {
    {column("comparisons.p_beta"), 0, 1},
    {column("comparisons.u_beta"), 0, 1},
    {column("comparisons.p_mu"), 0, 1},
    {column("comparisons.u_mu"), 0, 1},
    {column("comparisons.q"), 0, 1},
    {column("comparisons.q_mu"), 0, 1},
    {column("comparisons.effect"), -1, 1},
    {column("comparisons.effect_mu"), -1, 1},
    {column("comparisons.beta_normal"), 0, no_limit},  // shares of functions that overlap can be above 1
    {column("comparisons.beta_abnormal"), 0, no_limit},
    {column("comparisons.cycles_normal"), 0, no_limit},
    {column("comparisons.cycles_abnormal"), 0, no_limit},
};

StatisticRange range_of(ColumnId id) {
  const auto* known = std::find_if(std::begin(statistic_ranges), std::end(statistic_ranges),
                                   [id](const StatisticRange& range) { return range.column == id; });
  return known == std::end(statistic_ranges) ? StatisticRange{id, -no_limit, no_limit} : *known;
}

/// Gives freed pages back. The pieces of columns that batches held are small blocks of the heap, the columns made of
/// them large ones of their own: without this both would count at the peak. One thread at a time: where another
/// allocator stands in for that of glibc, the first call sets glibc's up, which is not safe in two threads at once.
void release_free_memory() {
#ifdef __GLIBC__
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  ::malloc_trim(0);
#endif
}

class Builder {
 public:
  explicit Builder(const BuildOptions& options)
      : cancel_(options.cancel), threads_(options.threads), releases_(options.pages == HeapPages::release) {}

  FactStore build(std::vector<Fragment>& fragments) {
    for (Fragment& fragment : fragments) {
      fragment_rank(fragment);  // has its row even when nothing else refers to it
      std::sort(fragment.batches.begin(), fragment.batches.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
      for (auto& [sequence, batch] : fragment.batches) {
        stop_if(cancel_);
        place(fragment, batch);
      }
    }
    for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t)
      if (declared_[t]) store_.resize(TableId{t}, rows_[t]);
    const std::size_t rows = std::accumulate(std::begin(rows_), std::end(rows_), std::size_t{0});
    const unsigned threads = rows < rows_worth_a_thread ? 1 : threads_;
    parallel_for(catalogue_columns.size(), threads,
                 [this](std::size_t c) { merge(ColumnId{static_cast<std::uint16_t>(c)}); });
    if (releases_ && rows > worth_releasing) release_free_memory();
    store_.impossible_times = impossible_times_;
    store_.impossible_statistics = impossible_statistics_;
    for (const Placement& placement : placements_) assign_ranks(placement);
    parallel_for(placements_.size(), threads, [this](std::size_t i) { *placements_[i].batch = {}; });
    return std::move(store_);
  }

 private:
  void place(const Fragment& fragment, Batch& batch) {
    Batch::Data& data = batch.data();
    Placement placement{.batch = &batch, .data = &data, .fragment = &fragment};
    placement.strings = store_.strings.intern_all(data.strings);
    placement.entities.resize(catalogue_tables.size());
    placement.base.resize(catalogue_tables.size());
    for (std::uint16_t t : entity_order) place_entities(placement, t);
    for (std::uint16_t t = 0; t < catalogue_tables.size(); ++t) {
      if (data.declared[t]) declared_[t] = true;
      if (catalogue_tables[t].traits.entity) continue;
      placement.base[t] = rows_[t];
      rows_[t] += data.rows[t];
    }
    placements_.push_back(std::move(placement));
  }

  void place_entities(Placement& placement, std::uint16_t t) {
    std::vector<std::uint32_t>& map = placement.entities[t];
    for (EntityKey key : placement.data->entity_keys[t]) {
      if (t == table("frames").index) {
        const auto strings = static_cast<std::uint64_t>(key.first);
        key.first = static_cast<std::int64_t>((std::uint64_t{placement.strings[strings >> 32U]} << 32U) |
                                              placement.strings[strings & 0xFFFFFFFFU]);
        if (key.owner != absent_index) key.owner = map[key.owner];
      } else if (t == table("streams").index) {
        key.owner = placement.entities[table("devices").index][key.owner];
      } else if (t == table("devices").index || t == table("threads").index) {
        key.owner = key.owner == absent_index ? fragment_rank(*placement.fragment)
                                              : placement.entities[table("ranks").index][key.owner];
      }
      map.push_back(entity(t, key));
    }
  }

  std::uint32_t entity(std::uint16_t t, const EntityKey& key) {
    auto [found, added] = entities_.try_emplace(key, rows_[t]);
    if (added) ++rows_[t];
    declared_[t] = true;
    return found->second;
  }

  std::uint32_t fragment_rank(const Fragment& fragment) {
    if (!fragment.info.rank) return absent_index;
    return entity(table("ranks").index, {.table = table("ranks").index, .first = *fragment.info.rank});
  }

  /// Makes a column of what the batches have of it. Each column by itself: threads share them out.
  void merge(ColumnId id) {
    const ColumnInfo& about = info(id);
    const TableId owner = table_of(id);
    std::string_view provider;
    stop_if(cancel_);
    for (Placement& placement : placements_) {
      ColumnData values = std::move(placement.data->columns[id.index]);
      placement.data->columns[id.index] = {};
      if (values.index() == 0) continue;
      provider = placement.fragment->adapter;
      std::visit([&](auto& column) { append(id, about, owner, placement, column, provider); }, values);
    }
    if (!releases_ || merged_bytes_ <= release_after) return;
    merged_bytes_ = 0;
    release_free_memory();
  }

  template <class Values>
  void append(ColumnId id, const ColumnInfo& about, TableId owner, const Placement& placement, Values& values,
              std::string_view provider) {
    if constexpr (!std::is_same_v<Values, std::monostate>) {
      using T = typename Values::value_type;
      const bool entity_table = info(owner).traits.entity;
      if (!entity_table && is_all(owner, values)) {
        values.resize(rows_[owner.index], absent_value<T>());
        merge_values(
            id, about, placement, values, [&values](std::size_t row, T value) { values[row] = value; },
            [&values](std::size_t row) { values[row] = absent_value<T>(); });
        store_.replace(id, std::move(values), provider);
        return;
      }
      Values* into = nullptr;
      if constexpr (std::is_same_v<T, std::int64_t>) into = &store_.mutable_integers(id, provider);
      else if constexpr (std::is_same_v<T, std::int32_t>) into = &store_.mutable_smalls(id, provider);
      else if constexpr (std::is_same_v<T, double>) into = &store_.mutable_reals(id, provider);
      else into = &store_.mutable_indices(id, provider);
      merged_bytes_ += values.size() * sizeof(T);
      const auto leave_out = [](std::size_t) {};
      if (!entity_table) {
        T* const to = into->data() + placement.base[owner.index];
        merge_values(
            id, about, placement, values, [to](std::size_t row, T value) { to[row] = value; }, leave_out);
        return;
      }
      const auto keep = [&, entities = std::span(placement.entities[owner.index])](std::size_t row, T value) {
        T& have = (*into)[entities[row]];
        if (is_absent(have)) have = value;
      };
      merge_values(id, about, placement, values, keep, leave_out);
    }
  }

  /// Whether a column of a single batch can be that of the store: a window that is looked at again and again need not
  /// be copied twice. What is much larger than its values is copied: the store stays.
  template <class Values>
  bool is_all(TableId owner, const Values& values) const {
    return placements_.size() == 1 && values.capacity() >= rows_[owner.index] &&
           values.capacity() - values.size() <= values.size() / 4;
  }

  // Gives the values of a column that are there to `keep`, as those of the store, and to `drop` the rows of those that
  // cannot be: a loop for each type, as columns of many rows are most of what is built.

  template <class Keep, class Drop>
  void merge_values(ColumnId id, const ColumnInfo& about, const Placement& placement,
                    const std::vector<std::uint32_t>& values, Keep keep, Drop) {
    std::span<const std::uint32_t> moved;  // to where texts and rows by key move
    std::uint32_t by = 0;                  // by how much other rows do
    if (about.type == ColumnType::string) moved = placement.strings;
    else if (about.type == ColumnType::reference) {
      const TableId target = target_of(id);
      if (info(target).traits.entity) moved = placement.entities[target.index];
      else by = placement.base[target.index];
    }
    const bool moves = about.type == ColumnType::string || !moved.empty();
    std::size_t row = 0;
    for (const std::uint32_t value : values) {
      if (value != absent_index) keep(row, moves ? moved[value] : value + by);
      ++row;
    }
  }

  template <class Keep, class Drop>
  void merge_values(ColumnId, const ColumnInfo&, const Placement&, const std::vector<std::int32_t>& values, Keep keep,
                    Drop) {
    std::size_t row = 0;
    for (const std::int32_t value : values) {
      if (value != absent_small) keep(row, value);
      ++row;
    }
  }

  template <class Keep, class Drop>
  void merge_values(ColumnId id, const ColumnInfo& about, const Placement& placement,
                    const std::vector<std::int64_t>& values, Keep keep, Drop drop) {
    const std::int64_t shift = is_instant(about) ? placement.fragment->time_shift : 0;
    const bool is_time = about.unit == Unit::time;
    const StatisticRange range = range_of(id);
    std::size_t row = 0;
    for (std::int64_t value : values) {
      const std::size_t at = row++;
      if (value == absent_integer) continue;
      const bool fits = shift == 0 || !__builtin_add_overflow(value, shift, &value);
      const bool possible = !is_time || (fits && is_possible(about, value));
      if (!possible) ++impossible_times_;
      if (possible && is_within(range, value)) keep(at, value);
      else drop(at);
    }
  }

  template <class Keep, class Drop>
  void merge_values(ColumnId id, const ColumnInfo&, const Placement&, const std::vector<double>& values, Keep keep,
                    Drop drop) {
    const StatisticRange range = range_of(id);
    std::size_t row = 0;
    for (const double value : values) {
      if (!is_absent(value)) {
        if (is_within(range, value)) keep(row, value);
        else drop(row);
      }
      ++row;
    }
  }

  /// Whether a number can be; one that cannot is counted.
  template <class T>
  bool is_within(const StatisticRange& range, T value) {
    if (range.low == -no_limit && range.high == no_limit) return true;
    const auto number = static_cast<double>(value);
    if (number >= range.low && number <= range.high) return true;
    ++impossible_statistics_;
    return false;
  }

  /// A length is not below zero. Self times are what tools make of their own numbers: of children that overlap, less.
  static bool is_possible(const ColumnInfo& about, std::int64_t time) {
    return is_instant(time) && (time >= 0 || is_instant(about) || about.name.ends_with("_self"));
  }

  static bool is_absent(std::int64_t v) { return v == absent_integer; }
  static bool is_absent(std::int32_t v) { return v == absent_small; }
  static bool is_absent(double v) { return v != v; }
  static bool is_absent(std::uint32_t v) { return v == absent_index; }

  /// Entities and step rows whose adapter named no rank belong to the fragment's.
  void assign_ranks(const Placement& placement) {
    if (!placement.fragment->info.rank) return;
    const std::uint32_t rank = fragment_rank(*placement.fragment);
    store_.mutable_smalls(column("ranks.id"), placement.fragment->adapter)[rank] =
        static_cast<std::int32_t>(*placement.fragment->info.rank);
    auto claim = [&](ColumnId id, std::uint32_t row) {
      std::uint32_t& have = store_.mutable_indices(id, placement.fragment->adapter)[row];
      if (have == absent_index) have = rank;
    };
    for (std::uint32_t row : placement.entities[table("devices").index]) claim(column("devices.rank"), row);
    for (std::uint32_t row : placement.entities[table("threads").index]) claim(column("threads.rank"), row);
    constexpr ColumnId appended[] = {column("steps.rank"),     column("comms.rank"),      column("kernel_stats.rank"),
                                     column("api_stats.rank"), column("copy_stats.rank"), column("op_stats.rank")};
    for (ColumnId id : appended) {
      const std::uint16_t t = table_of(id).index;
      for (std::uint32_t row = 0; row < placement.data->rows[t]; ++row) claim(id, placement.base[t] + row);
    }
  }

  /// Giving memory back walks the heap: worth it for every so many bytes (judgement).
  static constexpr std::size_t release_after = 24U << 20U;

  CancelFlag cancel_;
  unsigned threads_;
  bool releases_;
  FactStore store_;
  std::atomic<std::size_t> merged_bytes_ = 0;
  std::atomic<std::size_t> impossible_times_ = 0, impossible_statistics_ = 0;
  std::vector<Placement> placements_;
  EntityIndex entities_;
  std::vector<std::uint32_t> rows_ = std::vector<std::uint32_t>(catalogue_tables.size());
  std::vector<bool> declared_ = std::vector<bool>(catalogue_tables.size());
};

}  // namespace

FactStore build_facts(std::vector<Fragment> fragments, const BuildOptions& options) {
  return Builder(options).build(fragments);
}

}  // namespace kdiag
