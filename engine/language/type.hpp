// SPDX-License-Identifier: Apache-2.0
// Types of the rule language.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/catalogue.hpp>

#include "engine/language/dimension.hpp"

namespace kdiag {

enum class Kind : std::uint8_t {
  nothing,  ///< the type of an expression that had an error
  boolean,
  text,
  regex,
  number,  ///< with a dimension
  list,
  table,      ///< rows of a catalogue table, or of a derived one
  reference,  ///< a row of a catalogue table
  series,     ///< a step function over time, with the dimension of its values
  intervals,  ///< a set of time
  claim,      ///< a bounded duration or a set of time: what impact and gain take
};

struct Type;

/// Columns of a derived table: what `group by` and `select` name.
struct Schema {
  std::vector<std::pair<std::string, Type>> columns;
};

struct Type {
  Kind kind = Kind::nothing;
  Dimension dimension{};                 ///< number, series
  TableId table{};                       ///< table (unless derived), reference
  std::shared_ptr<const Schema> schema;  ///< derived tables
  bool mask = false;                     ///< series: the values are bit masks, with names

  bool is(Kind k) const { return kind == k; }
  bool numeric() const { return kind == Kind::number; }
  bool is_time() const { return kind == Kind::number && dimension.is_time(); }
};

namespace types {
inline Type boolean() { return {.kind = Kind::boolean}; }
inline Type text() { return {.kind = Kind::text}; }
inline Type regex() { return {.kind = Kind::regex}; }
inline Type number(Dimension d = {}) { return {.kind = Kind::number, .dimension = d}; }
inline Type table(TableId id) { return {.kind = Kind::table, .table = id}; }
inline Type reference(TableId id) { return {.kind = Kind::reference, .table = id}; }
inline Type series(Dimension d) { return {.kind = Kind::series, .dimension = d}; }
inline Type intervals() { return {.kind = Kind::intervals}; }
inline Type claim() { return {.kind = Kind::claim}; }
inline Type list() { return {.kind = Kind::list}; }
}  // namespace types

/// The type of a catalogue column's values.
Type type_of(const ColumnInfo& column);

/// The type that a parameter's `type:` names; nothing for an unknown word.
std::optional<Type> param_type(std::string_view name);

/// The type in words, for messages: "time", "data", "a table of kernels", "a row of ops", "text", "bool".
std::string describe(const Type& type);

}  // namespace kdiag
