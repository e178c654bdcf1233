// SPDX-License-Identifier: Apache-2.0
// Columns that are filled where the input states nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "engine/facts/absent_value.hpp"
#include "engine/facts/fact_store.hpp"

namespace kdiag::work {

/// Made with its first value. T: double, std::int64_t, std::int32_t, or std::uint32_t for texts. What the input states
/// stays. Keep no spans of the column meanwhile.
template <class T>
class FilledColumn {
 public:
  FilledColumn(FactStore& store, ColumnId id) : store_(store), id_(id), stated_(store.has(id)) {}

  /// Whether the row had no value.
  bool set(std::size_t row, T value) {
    if (values_ == nullptr) values_ = &values();
    T& at = (*values_)[row];
    if (!is_absent(at)) return false;
    at = value;
    return true;
  }
  /// Whether the input states some of them.
  bool stated() const { return stated_; }

 private:
  std::vector<T>& values() {
    const std::string provider(stated_ ? store_.provider(id_) : "derived");
    if constexpr (std::is_same_v<T, double>) return store_.mutable_reals(id_, provider);
    else if constexpr (std::is_same_v<T, std::int64_t>) return store_.mutable_integers(id_, provider);
    else if constexpr (std::is_same_v<T, std::int32_t>) return store_.mutable_smalls(id_, provider);
    else return store_.mutable_indices(id_, provider);
  }

  FactStore& store_;
  ColumnId id_;
  bool stated_;
  std::vector<T>* values_ = nullptr;
};

/// Amounts, and how each of them is known.
template <class T>
class KnownColumn {
 public:
  /// Marks what the input states as such.
  KnownColumn(FactStore& store, ColumnId id, ColumnId how) : store_(store), amounts_(store, id), how_(store, how) {
    if (!amounts_.stated()) return;
    const std::vector<T>& stated = std::get<std::vector<T>>(store.data(id));
    for (std::size_t row = 0; row < stated.size(); ++row)
      if (!is_absent(stated[row])) how_.set(row, word("stated"));
  }
  /// `how`: one of work_sources.
  void set(std::size_t row, T amount, std::string_view how) {
    if (amounts_.set(row, amount)) how_.set(row, word(how));
  }

 private:
  std::uint32_t word(std::string_view how) {
    if (how != last_) {
      last_ = how;
      last_id_ = store_.strings.intern(std::string(how));
    }
    return last_id_;
  }

  FactStore& store_;
  FilledColumn<T> amounts_;
  FilledColumn<std::uint32_t> how_;
  std::string_view last_;
  std::uint32_t last_id_ = absent_index;
};

}  // namespace kdiag::work
