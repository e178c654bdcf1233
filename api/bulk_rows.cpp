// SPDX-License-Identifier: Apache-2.0
// Many rows at once: FactRows::add_columns.
#include <kdiag/error_ids.hpp>
#include <kdiag/facts_builder.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "api/fact_rows.hpp"
#include "engine/facts/absent_value.hpp"
#include "engine/facts/batch_data.hpp"

namespace kdiag {
namespace {

template <class T>
constexpr bool is_span = false;
template <class T>
constexpr bool is_span<std::span<const T>> = true;

/// The values of a column, one for each row, wherever they lie.
template <class T>
class Cells {
 public:
  Cells(std::span<const T> values, std::size_t stride)
      : first_(reinterpret_cast<const char*>(values.data())),
        step_(values.size() == 1 ? 0
              : stride == 0      ? sizeof(T)
                                 : stride) {}
  explicit Cells(const T& value) : first_(reinterpret_cast<const char*>(&value)), step_(0) {}

  T operator[](std::size_t row) const {
    if constexpr (std::is_same_v<T, bool>) return first_[row * step_] != 0;  // C gives any byte
    else if constexpr (std::is_trivially_copyable_v<T>) {
      T value;
      std::memcpy(static_cast<void*>(&value), first_ + row * step_, sizeof value);
      return value;
    }
  }

 private:
  const char* first_;
  std::size_t step_;
};

template <class Values>
auto cells_of(const Values& values, std::size_t stride) {
  if constexpr (is_span<Values>) return Cells<std::remove_const_t<typename Values::element_type>>(values, stride);
  else return Cells<Values>(values);
}

std::size_t size_of(const BulkColumn& column) {
  return std::visit(
      []<class Values>(const Values& values) -> std::size_t {
        if constexpr (is_span<Values>) return values.size();
        else return 1;
      },
      column.values);
}

/// How values are called that a column does not take.
template <class T>
constexpr std::string_view given_name() {
  if constexpr (std::is_same_v<T, bool>) return "true or false";
  else if constexpr (std::is_same_v<T, double>) return "numbers with a fraction";
  else if constexpr (std::is_same_v<T, std::string_view>) return "texts";
  else if constexpr (std::is_same_v<T, std::uint32_t>) return "numbers of rows or texts";
  else if constexpr (std::is_same_v<T, Row>) return "a row";
  else return "whole numbers";
}

}  // namespace

/// The rows of one call.
class BulkRows {
 public:
  BulkRows(FactRows& rows, TableId table, std::size_t count) : rows_(rows), table_(table), count_(count) {}

  Row add(std::span<const BulkColumn> columns, std::span<std::uint32_t> made) {
    std::vector<std::pair<ColumnId, const BulkColumn*>> known;
    for (const BulkColumn& column : columns)
      if (const auto id = rows_.find_in(table_, column.name);
          id && fits(*id, column) && (!is_key(*id) || is_readable_key(*id, column)))
        known.emplace_back(*id, &column);
    if (info(table_).traits.entity) ask(known);
    else append();
    for (const auto& [id, column] : known)
      if (!is_key(id)) fill(id, *column);
    data().count();
    // Last: they may be a column of the call as well.
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = i < count_ ? row_of(i) : absent_index;
    return count_ > 0 && row_of(0) != absent_index ? Row{table_, row_of(0)} : Row{};
  }

 private:
  using Columns = std::vector<std::pair<ColumnId, const BulkColumn*>>;

  Batch::Data& data() { return rows_.batch_.data(); }

  /// Where a row of the call is in its table.
  std::uint32_t row_of(std::size_t i) const {
    return by_key_.empty() ? first_ + static_cast<std::uint32_t>(i) : by_key_[i];
  }

  bool fits(ColumnId id, const BulkColumn& column) {
    const std::size_t size = size_of(column);
    const auto refuse = [&](std::size_t have, std::string_view what) {
      rows_.refuse(error_id::wrong_test_value, full_name(id) + " was given " + std::to_string(have) +
                                                   std::string(what) + std::to_string(count_) + " rows");
      return false;
    };
    if (size != count_ && size != 1) return refuse(size, " values for ");
    if (!column.valid.empty() && column.valid.size() != count_) return refuse(column.valid.size(), " marks for ");
    return true;
  }

  void append() {
    Batch::Data& into = data();
    first_ = into.rows[table_.index];
    if (count_ > absent_index - first_) {
      rows_.refuse(error_id::impossible_fact, in_quotes(info(table_).name) + " cannot have so many rows");
      count_ = 0;
    }
    rows_.batch_.declare(table_);
    into.rows[table_.index] += static_cast<std::uint32_t>(count_);
  }

  // --- Values -----------------------------------------------------------------------------------------------------

  /// Tells the first row in which something is wrong with a column, and how many more there are.
  struct Faults {
    std::size_t count = 0, first = 0;
    void add(std::size_t row) {
      if (count++ == 0) first = row;
    }
  };
  void tell(const Faults& faults, std::string_view id, const std::string& before, std::string_view after,
            std::string help = {}) {
    if (faults.count == 0) return;
    std::string title = before + "row " + std::to_string(faults.first) + std::string(after);
    if (faults.count > 1) title += ", and " + std::to_string(faults.count - 1) + " more";
    rows_.refuse(id, std::move(title), std::move(help));
  }

  /// Stores what `convert` makes of the values; where it gives what is absent the row keeps what it has.
  template <class T, class Source, class Convert>
  void store(ColumnId id, const BulkColumn& column, const Source& cells, Convert convert) {
    ColumnData& stored = data().columns[id.index];
    auto* values = std::get_if<std::vector<T>>(&stored);
    const bool is_new = values == nullptr;
    if (is_new) values = &stored.emplace<std::vector<T>>();
    const std::size_t before = values->size();
    if (before < data().rows[table_.index]) values->resize(data().rows[table_.index], absent_value<T>());
    bool any = false;
    for (std::size_t i = 0; i < count_; ++i) {
      if (!column.valid.empty() && column.valid[i] == 0) continue;
      const std::uint32_t row = row_of(i);
      if (row == absent_index) continue;
      const T value = convert(cells[i], i);
      if (is_absent(value)) continue;
      (*values)[row] = value;
      any = true;
    }
    if (any) return;
    if (is_new) stored = {};  // what no row has is not there
    else values->resize(before);
  }

  void fill(ColumnId id, const BulkColumn& column) {
    std::visit([&](const auto& values) { fill(id, column, cells_of(values, column.stride)); }, column.values);
  }

  template <class T>
  void fill(ColumnId id, const BulkColumn& column, const Cells<T>& cells) {
    constexpr bool whole = std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::int32_t>;
    const ColumnType type = info(id).type;
    if constexpr (whole) {
      if (type == ColumnType::integer) return fill_integers(id, column, cells);
      if (type == ColumnType::small_integer) return fill_smalls(id, column, cells);
    }
    if constexpr (whole || std::is_same_v<T, double>) {
      if (type == ColumnType::real) return fill_reals(id, column, cells);
    }
    if constexpr (std::is_same_v<T, bool>) {
      if (type == ColumnType::boolean)
        return store<std::uint32_t>(id, column, cells, [](bool value, std::size_t) { return std::uint32_t{value}; });
    }
    if constexpr (std::is_same_v<T, std::string_view>) {
      if (type == ColumnType::string) return fill_texts(id, column, cells);
    }
    if constexpr (std::is_same_v<T, std::uint32_t>) {
      if (type == ColumnType::string) return fill_places(id, column, cells);
      if (type == ColumnType::reference) return fill_references(id, column, cells);
    }
    if constexpr (std::is_same_v<T, Row>) {
      if (type == ColumnType::reference && !rows_.is_target(id, cells[0])) return;
      if (type == ColumnType::reference) return fill_references(id, column, Cells<std::uint32_t>(cells[0].index));
    }
    refuse_type<T>(id);
  }

  template <class T>
  void refuse_type(ColumnId id) {
    rows_.refuse(error_id::wrong_test_value, full_name(id) + " holds " + std::string(type_name(info(id).type)) +
                                                 ", and " + std::string(given_name<T>()) + " were given");
  }

  template <class T>
  void fill_integers(ColumnId id, const BulkColumn& column, const Cells<T>& cells) {
    Faults negative;
    const bool duration = is_duration(id);
    store<std::int64_t>(id, column, cells, [&](T value, std::size_t i) -> std::int64_t {
      if (is_absent(value)) return absent_integer;
      if (!duration || value >= 0) return value;
      negative.add(i);
      return absent_integer;
    });
    tell(negative, error_id::wrong_test_value, full_name(id) + " is a duration, and ", " has a negative one");
  }

  template <class T>
  void fill_smalls(ColumnId id, const BulkColumn& column, const Cells<T>& cells) {
    Faults large;
    store<std::int32_t>(id, column, cells, [&](T value, std::size_t i) {
      if (is_absent(value)) return absent_small;
      if (is_small(value)) return static_cast<std::int32_t>(value);
      large.add(i);
      return absent_small;
    });
    tell_large(large, id);
  }
  static bool is_small(std::int64_t value) {
    return value > absent_small && value <= std::numeric_limits<std::int32_t>::max();
  }
  void tell_large(const Faults& large, ColumnId id) {
    tell(large, error_id::wrong_test_value, full_name(id) + " holds whole numbers of 32 bits, and ",
         " has a larger one");
  }

  template <class T>
  void fill_reals(ColumnId id, const BulkColumn& column, const Cells<T>& cells) {
    store<double>(id, column, cells, [](T value, std::size_t) {
      if constexpr (std::is_same_v<T, double>) return std::isfinite(value) ? value : absent_real;
      else return is_absent(value) ? absent_real : static_cast<double>(value);
    });
  }

  void fill_texts(ColumnId id, const BulkColumn& column, const Cells<std::string_view>& cells) {
    store<std::uint32_t>(id, column, cells, [&](std::string_view value, std::size_t) {
      return rows_.is_word(id, value) ? rows_.batch_.text(value).index : absent_index;
    });
  }

  void fill_places(ColumnId id, const BulkColumn& column, const Cells<std::uint32_t>& cells) {
    Faults beyond;
    std::vector<std::uint32_t> ids(column.texts.size());
    std::vector<bool> known(column.texts.size());  // texts that no row has may be any
    store<std::uint32_t>(id, column, cells, [&](std::uint32_t place, std::size_t i) {
      if (place == absent_index) return absent_index;
      if (place >= ids.size()) {
        beyond.add(i);
        return absent_index;
      }
      if (!known[place]) {
        known[place] = true;
        ids[place] =
            rows_.is_word(id, column.texts[place]) ? rows_.batch_.text(column.texts[place]).index : absent_index;
      }
      return ids[place];
    });
    tell_beyond(beyond, id, column);
  }
  void tell_beyond(const Faults& beyond, ColumnId id, const BulkColumn& column) {
    tell(beyond, error_id::wrong_test_value,
         full_name(id) + " was given " + std::to_string(column.texts.size()) + " texts, and ",
         " names one behind them");
  }

  void fill_references(ColumnId id, const BulkColumn& column, const Cells<std::uint32_t>& cells) {
    Faults beyond;
    const std::string_view target = info(id).target;
    const std::size_t there = rows_.batch_.rows(find_table(target));
    store<std::uint32_t>(id, column, cells, [&](std::uint32_t row, std::size_t i) {
      if (row != absent_index && row >= there) beyond.add(i);
      return row < there ? row : absent_index;
    });
    tell(beyond, error_id::impossible_fact,
         full_name(id) + " refers to " + std::string(target) + ", which has " + std::to_string(there) + " rows, and ",
         " names one behind them");
  }

  // --- Rows by key --------------------------------------------------------------------------------------------------

  /// Whether a column is part of a key: those are set by asking for the row.
  static bool is_key(ColumnId id) {
    constexpr ColumnId keys[] = {column("ranks.id"),     column("devices.id"),      column("devices.rank"),
                                 column("streams.id"),   column("streams.device"),  column("threads.process"),
                                 column("threads.id"),   column("threads.rank"),    column("frames.file"),
                                 column("frames.line"),  column("frames.function"), column("frames.how"),
                                 column("frames.parent")};
    return std::find(std::begin(keys), std::end(keys), id) != std::end(keys);
  }

  /// Whether the values of a part of a key are what it takes. A row that they could not find would be another one.
  bool is_readable_key(ColumnId id, const BulkColumn& column) {
    return std::visit([&](const auto& values) { return is_readable_key(id, column, cells_of(values, column.stride)); },
                      column.values);
  }
  template <class T>
  bool is_readable_key(ColumnId id, const BulkColumn& column, const Cells<T>& cells) {
    const ColumnType type = info(id).type;
    Faults faults;
    const auto look = [&](auto is_fault) {
      for (std::size_t i = 0; i < count_; ++i)
        if ((column.valid.empty() || column.valid[i] != 0) && is_fault(cells[i])) faults.add(i);
    };
    if constexpr (std::is_same_v<T, std::int64_t> || std::is_same_v<T, std::int32_t>) {
      if (type == ColumnType::integer) return true;
      if (type == ColumnType::small_integer) {
        look([](T value) { return !is_absent(value) && !is_small(value); });
        tell_large(faults, id);
        return faults.count == 0;
      }
    }
    if constexpr (std::is_same_v<T, std::string_view>) {
      if (type == ColumnType::string) return true;
    }
    if constexpr (std::is_same_v<T, std::uint32_t>) {
      if (type == ColumnType::string) {
        look([&](std::uint32_t place) { return place != absent_index && place >= column.texts.size(); });
        tell_beyond(faults, id, column);
        return faults.count == 0;
      }
    }
    // Of which table a row is, and whether it is there, is asked with the key.
    if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, Row>) {
      if (type == ColumnType::reference) return true;
    }
    refuse_type<T>(id);
    return false;
  }

  /// One value of a key, in the widest type; nothing where it is absent.
  template <class T>
  static std::optional<T> value_at(const Columns& columns, ColumnId id, std::size_t row) {
    const auto found =
        std::find_if(columns.begin(), columns.end(), [id](const auto& column) { return column.first == id; });
    if (found == columns.end()) return {};
    const BulkColumn& column = *found->second;
    if (!column.valid.empty() && column.valid[row] == 0) return {};
    return std::visit(
        [&](const auto& values) -> std::optional<T> {
          const auto value = cells_of(values, column.stride)[row];
          using Given = std::remove_const_t<decltype(value)>;
          if constexpr (std::is_same_v<T, Row>) {
            if constexpr (std::is_same_v<Given, Row>) return value;
            else if constexpr (std::is_same_v<Given, std::uint32_t>) {
              if (value != absent_index) return Row{find_table(info(id).target), value};
            }
          } else if constexpr (std::is_same_v<T, std::string_view> && std::is_same_v<Given, std::uint32_t>) {
            if (value < column.texts.size()) return column.texts[value];
          } else if constexpr (std::is_same_v<T, std::int64_t> && std::is_same_v<Given, std::int32_t>) {
            if (!is_absent(value)) return value;
          } else if constexpr (std::is_same_v<T, Given>) {
            if constexpr (std::is_same_v<T, std::int64_t>) {
              if (is_absent(value)) return {};
            }
            return value;
          }
          return {};
        },
        column.values);
  }

  void ask(const Columns& columns) {
    rows_.batch_.declare(table_);
    by_key_.reserve(count_);
    Faults nameless;
    for (std::size_t i = 0; i < count_; ++i) {
      const std::optional<Row> row = by_key(columns, i);
      if (!row) nameless.add(i);
      by_key_.push_back(row ? row->index : absent_index);
    }
    tell(nameless, error_id::impossible_fact, in_quotes(info(table_).name) + " are found by key, and ", " has none");
  }

  /// Nothing where a part of the key is missing.
  std::optional<Row> by_key(const Columns& columns, std::size_t i) {
    const auto number = [&](ColumnId id) { return value_at<std::int64_t>(columns, id, i); };
    const auto text = [&](ColumnId id) { return value_at<std::string_view>(columns, id, i).value_or(""); };
    const auto owner = [&](ColumnId id) { return value_at<Row>(columns, id, i).value_or(Row{}); };
    if (table_ == table("runs")) return rows_.batch_.run();
    if (table_ == table("frames"))
      return rows_.frame(text(column("frames.file")), number(column("frames.line")).value_or(0),
                         text(column("frames.function")), text(column("frames.how")), owner(column("frames.parent")));
    const auto id = number(find_column(info(table_).name, "id"));
    if (!id) return {};
    if (table_ == table("ranks")) return rows_.batch_.rank(*id);
    if (table_ == table("devices")) return rows_.device(*id, owner(column("devices.rank")));
    if (table_ == table("streams")) return rows_.stream(owner(column("streams.device")), *id);
    const auto process = number(column("threads.process"));
    if (!process) return {};
    return rows_.thread(*process, *id, owner(column("threads.rank")));
  }

  FactRows& rows_;
  const TableId table_;
  std::size_t count_;
  std::uint32_t first_ = 0;
  std::vector<std::uint32_t> by_key_;  ///< which row each is; empty: they follow one another
};

Row FactRows::add_columns(std::string_view name, std::size_t count, std::span<const BulkColumn> columns,
                          std::span<std::uint32_t> made) {
  const TableId id = find_known(name);
  if (id.valid()) return BulkRows(*this, id, count).add(columns, made);
  std::fill(made.begin(), made.end(), absent_index);
  return {};
}

}  // namespace kdiag
