// SPDX-License-Identifier: Apache-2.0
#include "ingest/fill_columns.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/facts/batch_data.hpp"
#include "engine/facts/fact_builder.hpp"

namespace kdiag {
namespace {

template <class T>
const std::vector<T>* values_of(const Batch& batch, ColumnId id) {
  return id.valid() ? std::get_if<std::vector<T>>(&batch.data().columns[id.index]) : nullptr;
}

bool has(const Fragment& fragment, ColumnId id) {
  return std::any_of(fragment.batches.begin(), fragment.batches.end(),
                     [id](const auto& entry) { return values_of<double>(entry.second, id) != nullptr; });
}

/// What tells the rows of a table apart in files of any tool.
class Rows {
 public:
  Rows(const Batch& batch, TableId id)
      : batch_(batch),
        names_(values_of<std::uint32_t>(batch, find_column(info(id).name, "name"))),
        starts_(values_of<std::int64_t>(batch, find_column(info(id).name, "start"))) {}

  std::uint32_t size() const {
    return names_ && starts_ ? static_cast<std::uint32_t>(std::min(names_->size(), starts_->size())) : 0;
  }
  std::optional<std::pair<std::string_view, std::int64_t>> key(std::uint32_t row) const {
    if ((*names_)[row] == absent_index || (*starts_)[row] == absent_integer) return std::nullopt;
    return std::pair(batch_.data().strings[(*names_)[row]], (*starts_)[row]);
  }

 private:
  const Batch& batch_;
  const std::vector<std::uint32_t>* names_;
  const std::vector<std::int64_t>* starts_;
};

/// The values of a column by name and start of their rows.
class Values {
 public:
  Values(const Fragment& fragment, TableId id, ColumnId column) {
    for (const auto& [sequence, batch] : fragment.batches) {
      const auto* values = values_of<double>(batch, column);
      if (values == nullptr) continue;
      const Rows rows(batch, id);
      for (std::uint32_t row = 0; row < rows.size() && row < values->size(); ++row)
        if (const auto key = rows.key(row); key && !std::isnan((*values)[row]))
          by_name_[key->first].emplace_back(key->second, (*values)[row]);
    }
    for (auto& [name, values] : by_name_) std::sort(values.begin(), values.end());
  }

  std::optional<double> at(std::string_view name, std::int64_t start) const {
    constexpr std::uint64_t rounding = 2000;  // ns: texts state tenths of a us
    const auto known = by_name_.find(name);
    if (known == by_name_.end()) return std::nullopt;
    const auto& values = known->second;
    const auto next = std::lower_bound(values.begin(), values.end(), std::pair(start, -HUGE_VAL));
    std::optional<double> found;
    std::uint64_t nearest = rounding + 1;
    for (auto candidate : {next == values.begin() ? next : std::prev(next), next}) {
      if (candidate == values.end() || distance(candidate->first, start) >= nearest) continue;
      nearest = distance(candidate->first, start);
      found = candidate->second;
    }
    return found;
  }

 private:
  /// Batches hold any numbers: what is no time is left out later.
  static std::uint64_t distance(std::int64_t a, std::int64_t b) {
    return static_cast<std::uint64_t>(std::max(a, b)) - static_cast<std::uint64_t>(std::min(a, b));
  }

  std::map<std::string_view, std::vector<std::pair<std::int64_t, double>>> by_name_;
};

}  // namespace

void fill_columns(Fragment& used, const Fragment& other, TableId id) {
  if (used.info.clock != other.info.clock) return;
  const ColumnRange range = columns_of(id);
  for (std::uint16_t c = range.first; c < range.first + range.count; ++c) {
    const ColumnId column{c};
    if (info(column).type != ColumnType::real || has(used, column) || !has(other, column)) continue;
    const Values values(other, id, column);
    for (auto& [sequence, batch] : used.batches) {
      const Rows rows(batch, id);
      for (std::uint32_t row = 0; row < rows.size(); ++row)
        if (const auto key = rows.key(row))
          if (const auto value = values.at(key->first, key->second)) batch.set(Row{id, row}, column, *value);
    }
  }
}

}  // namespace kdiag
