// SPDX-License-Identifier: Apache-2.0
#include "tests/support/random_script.hpp"

#include <iterator>
#include <string_view>

namespace kdiag::tests {
namespace {

using Choose = std::function<std::size_t(std::size_t)>;

constexpr std::string_view values[] = {
    "a",
    "b",
    "c",
    "t",
    "f",
    "q",
    "nil",
    "true",
    "0",
    "1",
    "-1",
    "1e9",
    "1 << 40",
    "0 / 0",
    "math.huge",
    "''",
    "'x'",
    "('xy'):rep(1000)",
    "{}",
    "{1, 2, 3}",
    "{x = 1}",
    "function() end",
    "kd",
    "kd.q(1, 'us')",
    "kd.q(2, 'KiB')",
    "kd.param",
    "string",
    "pairs",
    "pcall",
    "kd.intervals{{1, 9}}",
    "1e308",
    "-1e308",
    "1 << 62",
    "math.maxinteger",
    "math.mininteger",
    "{nil, nil, 3}",
    "{[1] = 1, [1 << 20] = 2, [1 << 61] = 3}",
    "with_holes(10)",
    "with_holes(3)",
    "{{1, 2}, {3, nil}, {0 / 0, 1e300}}",
    "{math.mininteger, math.maxinteger}",
    "{where = 'dur > 1us #', by = 'start'}",
    "{impact = kd.q(1e9, 'min'), evidence = {a = 0 / 0, b = t}}",
    "{title = '\\27[2J', message = q, gain = {0, q}}",
    "kd.column('kernels', 'dur')",
    "kd.spans('kernels')",
    "('\\128\\255\\27'):rep(100)",
    "setmetatable({}, {__index = t})",
    "setmetatable({}, {__len = function() return 1 << 50 end})",
    "setmetatable({}, {__tostring = function() return t end})",
    "setmetatable({}, {__eq = function() error(t) end, __lt = function() return true end})"};

constexpr std::string_view functions[] = {"tostring",
                                          "tonumber",
                                          "type",
                                          "pcall",
                                          "error",
                                          "assert",
                                          "select",
                                          "next",
                                          "pairs",
                                          "ipairs",
                                          "setmetatable",
                                          "table.sort",
                                          "table.concat",
                                          "table.insert",
                                          "table.remove",
                                          "table.unpack",
                                          "string.rep",
                                          "string.format",
                                          "string.byte",
                                          "string.char",
                                          "string.find",
                                          "string.sub",
                                          "string.upper",
                                          "math.floor",
                                          "math.max",
                                          "utf8.char",
                                          "utf8.codepoint",
                                          "utf8.len",
                                          "utf8.offset",
                                          "utf8.codes",
                                          "string.lower",
                                          "string.reverse",
                                          "math.tointeger",
                                          "math.fmod",
                                          "ipairs",
                                          "with_holes",
                                          "re.test",
                                          "re.match",
                                          "re.replace",
                                          "kd.eval",
                                          "kd.get",
                                          "kd.has",
                                          "kd.rows",
                                          "kd.column",
                                          "kd.spans",
                                          "kd.series",
                                          "kd.intervals",
                                          "kd.note",
                                          "kd.q",
                                          "kd.finding",
                                          "f",
                                          "t"};

constexpr std::string_view texts[] = {"'count(kernels)'",
                                      "'kernels'",
                                      "'dur'",
                                      "'api'",
                                      "'kernels.dur'",
                                      "'sm_clock'",
                                      "'sum(kernels, dur)'",
                                      "'%s%d'",
                                      "'(a|b)*c'",
                                      "'us'",
                                      "'series(\"sm_clock\")'",
                                      "'kernels where dur > 1us'",
                                      "'spans('",
                                      "'kernels #'",
                                      "'dur #'",
                                      "'dur) select (value = start'",
                                      "'x\") or series(\"y'",
                                      "'true\\nwhere false'",
                                      "'\\0'",
                                      "'1e308 * 100%'",
                                      "'kernels select (value = dur)'",
                                      "'all.kernels'"};

constexpr std::string_view operators[] = {
    "+", "-", "*", "/", "//", "%", "^", "..", "==", "~=", "<", "<=", "and", "or", "&", "|", "<<"};

template <std::size_t n>
std::string one_of(const std::string_view (&list)[n], const Choose& choose) {
  return std::string(list[choose(n)]);
}

std::string expression(const Choose& choose, int depth) {
  if (depth <= 0) return one_of(values, choose);
  switch (choose(7)) {
    case 0: return one_of(texts, choose);
    case 1:
      return "(" + expression(choose, depth - 1) + " " + one_of(operators, choose) + " " +
             expression(choose, depth - 1) + ")";
    case 2: return "#" + one_of(values, choose);
    case 3: return "t[" + expression(choose, depth - 1) + "]";
    case 4:
    case 5: {
      std::string out = one_of(functions, choose) + "(";
      const std::size_t arguments = choose(4);
      for (std::size_t i = 0; i < arguments; ++i) out += (i == 0 ? "" : ", ") + expression(choose, depth - 1);
      return out + ")";
    }
    default: return one_of(values, choose);
  }
}

std::string statement(const Choose& choose, int depth) {
  const auto value = [&] { return expression(choose, 2); };
  const std::string names[] = {"a", "b", "c", "f", "q"};
  const std::string name = names[choose(std::size(names))];
  const auto block = [&] { return depth > 0 ? statement(choose, depth - 1) : std::string("a = b"); };
  switch (choose(9)) {
    case 0: return name + " = " + value();
    case 1: return "t[" + value() + "] = " + value();
    case 2: return "for i = 1, " + value() + " do " + block() + " end";
    case 3: return "while " + value() + " do " + block() + " end";
    case 4: return "if " + value() + " then " + block() + " else " + block() + " end";
    case 5: return "pcall(function() " + block() + " end)";
    case 6: return "for k, v in pairs(" + value() + ") do " + block() + " end";
    case 7: return name + " = function(...) " + block() + " return " + value() + ", ... end";
    default: return "c = pcall(" + value() + ", " + value() + ")";
  }
}

}  // namespace

std::string random_script(const Choose& choose) {
  // Keys at powers of two lead the search for the end of a list to any length. Only whole numbers are keys: where texts
  // or tables are, too, the length of a table with holes depends on their hashes, which differ from state to state.
  std::string out =
      "local function with_holes(n) local t = {} n = (math.tointeger(n) or 5) % 12 "
      "for i = 1, 1 + (1 << n) do t[i] = i end for p = n, 62 do t[1 << p] = p t[(1 << p) + 1] = p end "
      "return t end\n";
  out += "local a, b, c, f, q, t = 1, 'b', nil, tostring, kd.q(3, 'ms'), {5, 4, x = 'y'}\n";
  const std::size_t statements = 1 + choose(8);
  for (std::size_t i = 0; i < statements; ++i) out += statement(choose, 3) + "\n";
  return out;
}

}  // namespace kdiag::tests
