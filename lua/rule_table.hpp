// SPDX-License-Identifier: Apache-2.0
// The table that a script returns, taken out of Lua.
#pragma once

#include <string>
#include <vector>

#include <kdiag/kdiag.hpp>

#include "base/interrupt.hpp"

namespace kdiag::lua {

struct TableMember;

/// Plain data of a table: a text (numbers and truth are texts, as in YAML), a list, or names in alphabetical order.
struct TableValue {
  enum class Kind : unsigned char { text, list, names, function } kind = Kind::text;
  bool number = false;  ///< of a text: it was one
  std::string text;
  std::vector<TableValue> items;
  std::vector<TableMember> members;
};

struct TableMember {
  std::string name;
  TableValue value;
};

/// Runs a script, but not its `detect`. The reason when that does not work: "K750: t.lua:3: ..." or another id. Throws
/// Interrupted soon after `cancel` was set.
struct ReadTable {
  TableValue table;
  std::string reason;  ///< empty: it worked
};
ReadTable read_table(const Source& source, const LuaLimits& limits, CancelFlag cancel);

}  // namespace kdiag::lua
