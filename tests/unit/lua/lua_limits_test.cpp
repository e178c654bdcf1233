// SPDX-License-Identifier: Apache-2.0
// The limits of a script hold to one percent: what needs a known amount passes with 1 % more than it and fails with 1 %
// less.
#include <cstdint>
#include <string>

#include <kdiag/kdiag.hpp>

#include "lua/quantity.hpp"
#include "lua/script_run.hpp"
#include "tests/catch.hpp"
#include "tests/support/lua_rules.hpp"

using namespace kdiag;
using namespace kdiag::tests;
using Catch::Matchers::StartsWith;

namespace {

RuleOptions no_clock() {
  RuleOptions options;
  options.lua_limits.instructions = 1'000'000'000'000;
  options.lua_limits.memory_bytes = std::uint64_t{1} << 40;
  options.lua_limits.wall_ms = 0;
  return options;
}

std::string with_instructions(const std::string& body, std::uint64_t limit) {
  RuleOptions options = no_clock();
  options.lua_limits.instructions = limit;
  return outcome_of(body, "", options);
}

std::string with_memory(const std::string& body, std::uint64_t limit) {
  RuleOptions options = no_clock();
  options.lua_limits.memory_bytes = limit;
  return outcome_of(body, "", options);
}

void holds_to_one_percent(const std::string& body, std::uint64_t bytes) {
  constexpr std::uint64_t empty_state = 40 * 1024;  // the library, about
  const std::uint64_t needed = bytes + empty_state;
  CAPTURE(body, needed);
  CHECK(with_memory(body, needed / 100 * 101) == "clear");
  CHECK_THAT(with_memory(body, needed / 100 * 99), StartsWith("failed K751: it used more than"));
}

// Sizes of Lua 5.4 on machines of 64 bits.
constexpr std::uint64_t slot = 16, table_header = 56, text_header = 25, userdata_header = 32;

}  // namespace

TEST_CASE("the limit of instructions is exact to one percent", "[lua]") {
  const std::string loop = "for i = 1, 1000000 do end";  // one for each turn
  CHECK(with_instructions(loop, 1'010'000) == "clear");
  CHECK_THAT(with_instructions(loop, 990'000), StartsWith("failed K751: it took more than 990,000 instructions"));
  const std::string sum = "local x = 0 for i = 1, 50000 do x = x + i end";  // two
  CHECK(with_instructions(sum, 101'000) == "clear");
  CHECK_THAT(with_instructions(sum, 99'000), StartsWith("failed K751: it took more than 99,000 instructions"));
}

TEST_CASE("the limit of memory is exact to one percent for texts", "[lua]") {
  holds_to_one_percent("local t = {} for i = 1, 2048 do t[i] = ('x'):rep(9996) .. (i + 1000) end",
                       2048 * (10'000 + text_header + slot));
}

TEST_CASE("the limit of memory is exact to one percent for tables", "[lua]") {
  holds_to_one_percent("local t = {} for i = 1, 1 << 18 do t[i] = {} end", (1U << 18U) * (table_header + slot));
}

TEST_CASE("the limit of memory is exact to one percent for quantities", "[lua]") {
  holds_to_one_percent("local t = {} for i = 1, 1 << 17 do t[i] = kd.q(i, 'us') end",
                       (1U << 17U) * (userdata_header + sizeof(lua::Quantity) + slot));
}

TEST_CASE("the limit of memory is exact to one percent for intervals", "[lua]") {
  constexpr std::uint64_t handle = 32, spans = 1000, sets = 1024;
  holds_to_one_percent(
      "local list = {} for i = 1, 1000 do list[i] = {2 * i, 2 * i + 1} end "
      "local t = {} for i = 1, 1024 do t[i] = kd.intervals(list) end",
      sets * (userdata_header + handle + sizeof(lua::Answer) + spans * sizeof(Interval) + slot) +
          spans * (table_header + 2 * slot + slot));
}

TEST_CASE("the limit of memory is exact to one percent for what expressions give", "[lua]") {
  constexpr std::uint64_t rows = 999'999;
  const std::string facts = "kernels: [{name: k, start: 0us+10us*999999, dur: 5us, device: 0}]";
  const std::string body = "local c = kd.column('kernels', 'dur') assert(#c == 999999)";
  RuleOptions options = no_clock();
  options.lua_limits.memory_bytes = rows * sizeof(std::int64_t) / 100 * 103;
  CHECK(outcome_of(body, facts, options) == "clear");
  options.lua_limits.memory_bytes = rows * sizeof(std::int64_t) / 100 * 99;
  CHECK_THAT(outcome_of(body, facts, options), StartsWith("failed K751: it used more than"));
}
