// SPDX-License-Identifier: Apache-2.0
// Some hundreds of scripts put together at random, of pieces that each were once a way out of some sandbox: all end,
// and twice in the same way. tests/fuzz/lua.cpp does this for as long as one likes.
#include <cstdlib>
#include <random>
#include <string>

#include "tests/catch.hpp"
#include "tests/support/lua_rules.hpp"
#include "tests/support/random_script.hpp"
#include "tests/support/sanitizers.hpp"

using namespace kdiag;

// An error of Lua jumps over frames that this sanitizer then keeps for ever: with each script all calls become slower.
constexpr std::uint64_t usual_scripts = tests::thread_sanitizer ? 20 : 400;

TEST_CASE("scripts made at random end, twice in the same way", "[lua]") {
  RuleOptions options;
  options.lua_limits.instructions = 100'000;
  options.lua_limits.memory_bytes = 4 * 1024 * 1024;
  options.lua_limits.wall_ms = 0;
  const std::string facts = "kernels: [{name: k, start: 0us+100us*5, dur: 5us, device: 0}]";
  const char* const wanted = std::getenv("KDIAG_SCRIPTS");  // more of them by hand: KDIAG_SCRIPTS=10000
  const std::uint64_t scripts = wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : usual_scripts;
  for (std::uint64_t seed = 0; seed < scripts; ++seed) {
    std::mt19937_64 random(seed);
    const std::string body = tests::random_script([&](std::size_t n) { return random() % n; });
    CAPTURE(seed, body);
    RuleOptions alone = options;
    alone.builtin = false;
    if (!load_rules_text("t.lua", tests::lua_rule(body), alone)) continue;  // some are no Lua
    const std::string first = tests::outcome_of(body, facts, options);
    CHECK(first == tests::outcome_of(body, facts, options));
  }
}
