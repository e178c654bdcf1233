// SPDX-License-Identifier: Apache-2.0
#include "lua/sandbox.hpp"

#include <algorithm>
#include <cstdlib>

#include <lua.hpp>

#include <kdiag/error_ids.hpp>
#include <kdiag/format.hpp>

#include "lua/c_locale.hpp"

namespace kdiag::lua {
namespace {

// How often instructions are counted: so that the limit holds to a small part of itself, and seldom enough to cost
// nothing.
constexpr std::uint64_t most_between_counts = 1000;
constexpr std::uint64_t counts_in_limit = 400;
// A single instruction on long texts (a comparison, a conversion to a number) can take as long as thousands of others,
// and cannot be charged: where there are such, the clock is looked at more often.
constexpr std::size_t long_text = 64 * 1024;
constexpr int between_looks_at_long_texts = 20;
constexpr std::size_t longest_error = 1000;                   // bytes of a message of Lua (judgement)
constexpr std::uint64_t longest_wall_ms = 1'000'000'000'000;  // 31 years: a time that clocks can hold
// Allocated bytes count as work, so that few instructions on long texts do not take long: 64 bytes take about as long
// as an instruction (judgement).
constexpr std::size_t bytes_per_instruction = 64;
// To collect garbage goes through all that a script holds: a script that lives at its limit would do so for ever
// (judgement: 50 ms for 64 MiB of small tables).
constexpr std::uint64_t bytes_collected_per_instruction = 16;

}  // namespace

std::string_view begin_of(std::string_view text, std::size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  while (most_bytes > 0 && (static_cast<unsigned char>(text[most_bytes]) & 0xC0U) == 0x80U) --most_bytes;
  return text.substr(0, most_bytes);
}

void Sandbox::set_end(End end) noexcept {
  end_ = end;
  if (state_ != nullptr) lua_sethook(state_, &Sandbox::on_count, LUA_MASKCOUNT, 1);
}

template <class Text>
void Sandbox::fail_with(std::string_view id, const Text& text) noexcept {
  if (ended()) return;
  set_end(End::failed);
  try {
    reason_ = std::string(id) + ": " + text();
  } catch (...) {
    reason_.clear();
  }
}

Sandbox::Sandbox(const LuaLimits& limits, void* owner, CancelFlag cancel)
    : limits_(limits), owner_(owner), cancel_(cancel) {
  limits_.wall_ms = std::min(limits_.wall_ms, longest_wall_ms);
  deadline_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(limits_.wall_ms);
  state_ = lua_newstate(&Sandbox::allocate, this);
  if (state_ == nullptr) {
    fail_memory();
    return;
  }
  *static_cast<Sandbox**>(lua_getextraspace(state_)) = this;
  step_ = static_cast<int>(std::clamp<std::uint64_t>(limits_.instructions / counts_in_limit, 1, most_between_counts));
  lua_sethook(state_, &Sandbox::on_count, LUA_MASKCOUNT, step_);
}

Sandbox::~Sandbox() {
  if (state_ != nullptr) lua_close(state_);  // no finaliser of a script runs: there are none
}

Sandbox& Sandbox::of(lua_State* L) { return **static_cast<Sandbox**>(lua_getextraspace(L)); }

void* Sandbox::allocate(void* self, void* block, std::size_t old_size, std::size_t new_size) {
  auto& sandbox = *static_cast<Sandbox*>(self);
  const std::size_t held = block == nullptr ? 0 : old_size;  // of a new block `old_size` says what it is for
  if (new_size == 0) {
    std::free(block);
    sandbox.memory_ -= held;
    return nullptr;
  }
  if (new_size > held) {
    const bool text = block == nullptr && old_size == LUA_TSTRING;
    if (text && new_size > longest_text + 64) return nullptr;
    if (new_size - held > sandbox.free_memory()) {
      sandbox.charge(sandbox.memory_ / bytes_collected_per_instruction);  // Lua collects, and asks again
      return nullptr;
    }
    if (text && new_size > long_text) sandbox.count_each(between_looks_at_long_texts);
    sandbox.charge((new_size - held) / bytes_per_instruction);
  }
  void* const out = std::realloc(block, new_size);
  if (out != nullptr) sandbox.memory_ += new_size - held;  // wraps around when it shrinks, and so is right
  return out;
}

void Sandbox::on_count(lua_State* L, lua_Debug* event) {
  Sandbox& sandbox = of(L);
  const bool went_on = !sandbox.ended();
  sandbox.charge(static_cast<std::uint64_t>(sandbox.step_));
  sandbox.look_at_clock();
  if (went_on && sandbox.end() == End::failed && lua_getinfo(L, "Sl", event) != 0 && event->currentline > 0)
    sandbox.add_place(event->short_src, event->currentline);
  if (is_set(sandbox.cancel_)) sandbox.interrupt();
  if (sandbox.ended()) sandbox.stop(L);
}

void Sandbox::charge(std::uint64_t work) noexcept {
  const std::uint64_t left = limits_.instructions - std::min(work_, limits_.instructions);
  const bool too_much = work > left || work_ > limits_.instructions;
  work_ = work > UINT64_MAX - work_ ? UINT64_MAX : work_ + work;
  if (too_much)
    fail_with(error_id::script_limit, [this] {
      return "it took more than " +
             format_count(static_cast<std::int64_t>(std::min<std::uint64_t>(limits_.instructions, INT64_MAX))) +
             " instructions";
    });
  else if (work >= most_between_counts) look_at_clock();
}

void Sandbox::look_at_clock() noexcept {
  if (limits_.wall_ms == 0 || ended() || std::chrono::steady_clock::now() <= deadline_) return;
  fail_with(error_id::script_time, [this] {
    return "it took more than " + format_duration(static_cast<std::int64_t>(limits_.wall_ms) * 1'000'000) +
           ", which need not happen again";
  });
}

void Sandbox::count_each(int instructions) noexcept {
  if (ended() || step_ <= instructions) return;
  step_ = instructions;
  lua_sethook(state_, &Sandbox::on_count, LUA_MASKCOUNT, step_);
}

void Sandbox::add_place(const char* file, int line) noexcept {
  try {
    reason_ += ", at " + std::string(file) + ":" + std::to_string(line);
  } catch (...) {
    reason_.clear();
  }
}

std::uint64_t Sandbox::free_memory() const noexcept {
  return limits_.memory_bytes - std::min(memory_, limits_.memory_bytes);
}

void Sandbox::make_room(std::uint64_t bytes) {
  if (bytes <= free_memory()) return;
  charge(memory_ / bytes_collected_per_instruction);
  lua_gc(state_, LUA_GCCOLLECT);
}

void Sandbox::charge_memory(std::int64_t bytes) {
  if (bytes > 0) make_room(static_cast<std::uint64_t>(bytes));
  if (bytes > 0 && static_cast<std::uint64_t>(bytes) > free_memory()) fail_memory();
  memory_ += static_cast<std::uint64_t>(bytes);  // wraps around when it is given back, and so is right
}

void Sandbox::fail(std::string_view id, std::string_view what) noexcept {
  fail_with(id, [what] { return std::string(what); });
}

void Sandbox::fail_memory() noexcept {
  fail_with(error_id::script_limit, [this] {
    const auto bytes = [](std::uint64_t n) {
      return format_value({.value = static_cast<std::int64_t>(n), .unit = "bytes", .since_start_ns = {}});
    };
    return "it used more than " + bytes(limits_.memory_bytes) + " of memory, or made a text longer than " +
           bytes(longest_text);
  });
}

void Sandbox::give_up(Causes causes) noexcept {
  if (ended()) return;
  set_end(End::inconclusive);
  causes_ = std::move(causes);
}

void Sandbox::interrupt() noexcept {
  if (!ended()) set_end(End::interrupted);
}

void Sandbox::enter(lua_State* L) {
  if (is_set(cancel_)) interrupt();
  if (ended()) stop(L);
}

void Sandbox::stop(lua_State* L) {
  lua_pushlightuserdata(L, this);  // needs no memory
  lua_error(L);
  std::abort();  // lua_error does not return
}

int Sandbox::raise(lua_State* L) {
  if (ended()) stop(L);
  luaL_where(L, 1);
  lua_pushlstring(L, error_.data(), error_.size());
  lua_concat(L, 2);
  return lua_error(L);
}

int Sandbox::push_text(lua_State* L) {
  lua_pushlstring(L, text_.data(), text_.size());
  return 1;
}

bool Sandbox::run(int (*body)(lua_State*), void* argument) {
  if (state_ == nullptr) return false;
  const CLocale locale;
  lua_pushcfunction(state_, body);  // neither this nor the next needs memory
  lua_pushlightuserdata(state_, argument);
  const int status = lua_pcall(state_, 1, 0, 0);
  if (status != LUA_OK) take_error(status);
  lua_settop(state_, 0);
  return !ended();
}

void Sandbox::take_error(int status) {
  if (status == LUA_ERRMEM) return fail_memory();
  // Only a string is shown: to convert anything else could run the script again.
  if (lua_type(state_, -1) != LUA_TSTRING) return fail(error_id::script_failed, "it raised an error that is no text");
  std::size_t size = 0;
  const char* const text = lua_tolstring(state_, -1, &size);
  fail(error_id::script_failed, begin_of({text, size}, longest_error));
}

}  // namespace kdiag::lua
