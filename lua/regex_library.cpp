// SPDX-License-Identifier: Apache-2.0
#include "lua/regex_library.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <type_traits>

#include <re2/re2.h>
#include <lua.hpp>

#include "base/regex.hpp"
#include "lua/sandbox.hpp"

namespace kdiag::lua {
namespace {

// A pattern takes about as long to compile as so many instructions for each of its characters, a text so many to look
// through (judgement: a few nanoseconds each).
constexpr std::uint64_t work_of_pattern = 1000;
constexpr std::size_t most_patterns = 32;
constexpr std::size_t bytes_of_part = 64;  // of a compiled pattern, forwards and backwards (judgement)
constexpr int most_groups = 10;

/// Patterns that a script has used, each compiled once. What RE2 remembers of searches, up to 1 MiB each, is not
/// counted.
class Patterns {
 public:
  const re2::RE2* find(std::string_view pattern, Sandbox& sandbox) {
    if (const auto known = known_.find(pattern); known != known_.end()) return &known->second->compiled();
    sandbox.charge(work_of_pattern * (1 + pattern.size()));
    std::string why;
    auto compiled = compile_regex(pattern, false, why);
    if (!compiled) {
      sandbox.set_error("invalid regular expression: " + why);
      return nullptr;
    }
    if (known_.size() == most_patterns) {
      known_.clear();
      sandbox.charge_memory(-bytes_);
      bytes_ = 0;
    }
    const auto parts = static_cast<std::size_t>(compiled->compiled().ProgramSize());
    const auto bytes = static_cast<std::int64_t>(2 * pattern.size() + parts * bytes_of_part);
    sandbox.charge_memory(bytes);
    bytes_ += bytes;
    if (sandbox.ended()) return nullptr;
    return &known_.emplace(pattern, std::move(compiled)).first->second->compiled();
  }

 private:
  std::int64_t bytes_ = 0;  ///< that were counted
  std::map<std::string, std::shared_ptr<const Regex>, std::less<>> known_;
};

/// Userdata that outlives the functions: their only upvalue.
Patterns& patterns(lua_State* L) { return **static_cast<Patterns**>(lua_touserdata(L, lua_upvalueindex(1))); }

int free_patterns(lua_State* L) {
  delete *static_cast<Patterns**>(lua_touserdata(L, 1));
  return 0;
}

std::string_view text_at(lua_State* L, int index) {
  std::size_t size = 0;
  const char* const text = luaL_checklstring(L, index, &size);
  return {text, size};
}

re2::StringPiece piece(std::string_view text) { return {text.data(), text.size()}; }

struct Found {
  bool any = false;
  int groups = 0;
  std::array<re2::StringPiece, most_groups + 1> parts;
};
static_assert(std::is_trivially_destructible_v<Found>);

/// Where RE2's automaton would grow too large it follows all states of the pattern for each character.
std::uint64_t work_of(const re2::RE2& regex, std::string_view text) {
  return 1 + text.size() * (1 + static_cast<std::uint64_t>(regex.ProgramSize()) / 50);
}

Found search(lua_State* L) {
  Sandbox& sandbox = Sandbox::of(L);
  sandbox.enter(L);
  const std::string_view text = text_at(L, 1);
  const std::string_view pattern = text_at(L, 2);
  Found found;
  Patterns& known = patterns(L);
  const bool good = sandbox.attempt([&] {
    const re2::RE2* const regex = known.find(pattern, sandbox);
    if (regex == nullptr) return;
    sandbox.charge(work_of(*regex, text));
    if (sandbox.ended()) return;
    found.groups = std::min(regex->NumberOfCapturingGroups(), most_groups);
    found.any = regex->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, found.parts.data(), found.groups + 1);
  });
  if (!good) sandbox.raise(L);
  return found;
}

/// re.test(text, pattern)
int test(lua_State* L) {
  lua_pushboolean(L, static_cast<int>(search(L).any));
  return 1;
}

/// re.match(text, pattern): the groups, or all that matched when the pattern has none; nil without a match.
int match(lua_State* L) {
  const Found found = search(L);
  if (!found.any) {
    lua_pushnil(L);
    return 1;
  }
  const int first = found.groups == 0 ? 0 : 1;
  for (int i = first; i <= found.groups; ++i) {
    const re2::StringPiece& part = found.parts[static_cast<std::size_t>(i)];
    if (part.data() == nullptr) lua_pushnil(L);
    else lua_pushlstring(L, part.data(), part.size());
  }
  return found.groups - first + 1;
}

/// re.replace(text, pattern, by): every match; \1 in `by` is a group.
int replace_all(lua_State* L) {
  Sandbox& sandbox = Sandbox::of(L);
  sandbox.enter(L);
  const std::string_view text = text_at(L, 1);
  const std::string_view pattern = text_at(L, 2);
  const std::string_view by = text_at(L, 3);
  Patterns& known = patterns(L);
  const bool good = sandbox.attempt([&] {
    const re2::RE2* const regex = known.find(pattern, sandbox);
    if (regex == nullptr) return;
    sandbox.charge(work_of(*regex, text) + (1 + text.size()) * (1 + by.size()));
    if (sandbox.ended()) return;
    // Matches do not overlap: no result is longer.
    const auto groups = static_cast<std::size_t>(std::count(by.begin(), by.end(), '\\'));
    if ((1 + text.size()) * (1 + by.size()) + groups * text.size() > 16 * longest_text)
      return sandbox.set_error("what re.replace gives could be longer than 16 MiB");
    std::string why;
    if (!regex->CheckRewriteString(piece(by), &why)) return sandbox.set_error("invalid replacement: " + why);
    std::string out(text);
    re2::RE2::GlobalReplace(&out, *regex, piece(by));
    sandbox.set_text(std::move(out));
  });
  return good ? sandbox.push_text(L) : sandbox.raise(L);
}

}  // namespace

void push_regex_library(lua_State* L) {
  auto** const holder = static_cast<Patterns**>(lua_newuserdatauv(L, sizeof(void*), 0));
  *holder = nullptr;
  lua_createtable(L, 0, 2);
  lua_pushcfunction(L, free_patterns);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  if (!Sandbox::of(L).attempt([&] { *holder = new Patterns; })) Sandbox::of(L).raise(L);
  lua_createtable(L, 0, 3);
  constexpr luaL_Reg functions[] = {{"test", test}, {"match", match}, {"replace", replace_all}};
  for (const luaL_Reg& function : functions) {
    lua_pushvalue(L, -2);
    lua_pushcclosure(L, function.func, 1);
    lua_setfield(L, -2, function.name);
  }
  lua_remove(L, -2);
}

}  // namespace kdiag::lua
