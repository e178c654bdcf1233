// SPDX-License-Identifier: Apache-2.0
// A Lua state that cannot hurt its host: memory, instructions and time are counted, and whatever ends a script ends it
// for good.
//
// Lua errors leave C functions by longjmp (with Debian's liblua5.4) or as a C++ exception of Lua's own (with
// liblua5.4-c++). So that both are safe, a C function that Lua calls holds no object with a destructor where it calls
// Lua, and does all work that may throw inside `attempt`, where it does not call Lua.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/error_ids.hpp>
#include <kdiag/kdiag.hpp>

#include "base/interrupt.hpp"
#include "engine/eval/eval.hpp"

struct lua_State;
struct lua_Debug;

namespace kdiag::lua {

/// The longest text that a script can make. One instruction on such a text costs no more than many on short ones.
inline constexpr std::size_t longest_text = 1024 * 1024;
/// The most values that one call can put on the stack (judgement).
inline constexpr std::int64_t most_values = 250;

/// How a script was ended by its host; no pcall of the script holds it.
enum class End : std::uint8_t { none, inconclusive, failed, interrupted };

/// The begin of a text, cut between two characters.
std::string_view begin_of(std::string_view text, std::size_t most_bytes);

class Sandbox {
 public:
  /// `owner` is what C functions find behind `of(L)`. The script ends soon after `cancel` is true. Without memory for a
  /// state every `run` fails.
  Sandbox(const LuaLimits& limits, void* owner, CancelFlag cancel = nullptr);
  ~Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;

  static Sandbox& of(lua_State* L);
  template <class Owner>
  static Owner& owner(lua_State* L) {
    return *static_cast<Owner*>(of(L).owner_);
  }

  /// Runs a C function in protected mode with `argument` as its light userdata; false when it did not end well, and
  /// `end` and `reason` say how. Clears the stack.
  bool run(int (*body)(lua_State*), void* argument);

  End end() const { return end_; }
  bool ended() const { return end_ != End::none; }
  const std::string& reason() const { return reason_; }  ///< of a failed script: "K750: ..."
  const Causes& causes() const { return causes_; }       ///< of an inconclusive one

  // --- For C functions ------------------------------------------------------------------------------------------
  /// Counts work as so many instructions.
  void charge(std::uint64_t work) noexcept;
  std::uint64_t memory_limit() const { return limits_.memory_bytes; }
  /// Counts memory outside of Lua, which may be given back by a negative number; collects garbage when it is short.
  void charge_memory(std::int64_t bytes);
  /// Collects garbage when fewer bytes than these are free. The buffers of Lua's library do not: they would end a
  /// script that has room.
  void make_room(std::uint64_t bytes);
  /// Ends the script. The first end counts.
  void fail(std::string_view id, std::string_view what) noexcept;
  void give_up(Causes causes) noexcept;
  void interrupt() noexcept;
  /// Called first by each C function: leaves it when the script has ended.
  void enter(lua_State* L);
  /// Leaves a C function, with the error that `attempt` or `set_error` left or for good. Returns never.
  int raise(lua_State* L);
  void set_error(std::string text) { error_ = std::move(text); }
  /// A text that C++ made for Lua: it is kept here until it is pushed, since no C function may hold it.
  void set_text(std::string text) { text_ = std::move(text); }
  int push_text(lua_State* L);  ///< returns 1, the number of results

  /// Runs C++ that may throw and calls no Lua function; false: `raise`.
  template <class Work>
  bool attempt(const Work& work) noexcept {
    error_.clear();
    try {
      work();
    } catch (const Interrupted&) {
      interrupt();
    } catch (const BudgetExceeded& budget) {
      fail(error_id::budget_exceeded, budget.reason);
    } catch (const std::bad_alloc&) {
      fail_memory();
    } catch (const std::exception& error) {
      fail(error_id::script_failed, error.what());
    }
    return !ended() && error_.empty();
  }

  /// Time in which the clock of the script stands: while expressions are evaluated, whose work is counted.
  class Pause {
   public:
    explicit Pause(Sandbox& sandbox) : sandbox_(sandbox), begun_(Clock::now()) {}
    ~Pause() { sandbox_.deadline_ += Clock::now() - begun_; }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    using Clock = std::chrono::steady_clock;
    Sandbox& sandbox_;
    Clock::time_point begun_;
  };

  /// A memory error that a script's pcall caught: it cannot go on.
  void fail_memory() noexcept;

 private:
  /// Sets how the script ended; from now on the first instruction of whatever catches its error raises it again.
  void set_end(End end) noexcept;
  /// As fail, with a text that may not fit into the memory that is left.
  template <class Text>
  void fail_with(std::string_view id, const Text& text) noexcept;
  /// Where the script was when it was ended by its budget.
  void add_place(const char* file, int line) noexcept;
  std::uint64_t free_memory() const noexcept;
  /// Ends the script when its time is over.
  void look_at_clock() noexcept;
  void count_each(int instructions) noexcept;
  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t new_size);
  static void on_count(lua_State* L, lua_Debug* event);
  [[noreturn]] void stop(lua_State* L);
  void take_error(int status);

  LuaLimits limits_;
  void* owner_;
  CancelFlag cancel_;
  lua_State* state_ = nullptr;
  int step_ = 1;  ///< instructions between two counts
  std::uint64_t work_ = 0;
  std::uint64_t memory_ = 0;
  std::chrono::steady_clock::time_point deadline_;
  End end_ = End::none;
  std::string reason_, error_, text_;
  Causes causes_;
};

}  // namespace kdiag::lua
