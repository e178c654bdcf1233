// SPDX-License-Identifier: Apache-2.0
// What a tool answers: text for a model and the same as data, each within the tokens that the caller gives.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "serve/rpc/json.hpp"

namespace kdiag::serve::mcp {

// Measured on 60 recordings of tools (docs/agents.md): a head and the first finding take 960 (median), all findings
// 4,000 (nine of ten).
inline constexpr std::size_t usual_tokens = 4000;
inline constexpr std::size_t least_tokens = 1000;
inline constexpr std::size_t most_tokens = 100'000;

/// Tokens that a text costs at most (judgement): one for each three ASCII bytes, of which tokenizers make about four a
/// token in prose and three in names and numbers, and one for each other byte.
std::size_t tokens_of(std::string_view text);

class Answer {
 public:
  explicit Answer(std::size_t tokens);
  ~Answer();
  Answer(Answer&&) noexcept;

  /// Says what is said in any case, and is short.
  void say(const std::string& line);
  /// A member of the data that is there in any case, and small.
  void set(std::string_view member, Json value);
  /// Adds an item to a list of the data, and its text. False where there is no room for both: nothing is added then.
  bool add(std::string_view list, const Json& item, const std::string& text);
  /// Makes sure that a list is there, if empty.
  void list(std::string_view name);
  /// Counts what had no room, of things called `what`; `next`: arguments that ask for it, as people read them.
  void leave_out(std::string_view what, std::size_t count, const std::string& next);
  /// The handle with which the call can be repeated for what is missing. Throws ToolError where nothing had room, since
  /// the next call would say as little.
  void go_on_at(std::string cursor);
  /// Both, of a list of so many whose item at a place had no room: the cursor is "findings:5".
  void stop_at(std::string_view list, std::size_t place, std::size_t size, const std::string& next = {});
  /// Says that there are more of what the head of an answer shows only the first of, and their cursor.
  void say_more(std::string_view list, std::size_t count, std::size_t first);

  /// The result of a call. Nothing is left behind. Throws ToolError where what is said in any case is too long.
  Json result() &&;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace kdiag::serve::mcp
