// SPDX-License-Identifier: Apache-2.0
// One script that judges one subject: what it asked, what it holds, what it said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/ruleset/script.hpp"
#include "lua/question.hpp"
#include "lua/sandbox.hpp"

namespace kdiag::lua {

/// Which run a script asks, or an object of its is of.
enum class Side : std::uint8_t { run, baseline };

/// What an expression is worth to a script.
struct Answer {
  Value value;
  Type type;
  Side side = Side::run;
  bool counted = false;  ///< its memory is, as long as the script runs
};

/// From this share of known rows on a script sees the rows of a table (language of rules, partial data).
inline constexpr double least_coverage = 0.9;
/// Most notes of a script, and of what it read, in an explanation (judgement).
inline constexpr std::size_t most_log_lines = 50;

class ScriptRun {
 public:
  ScriptRun(const ScriptScope& scope, Evaluator& evaluator, const LuaLimits& limits);

  static ScriptRun& of(lua_State* L) { return Sandbox::owner<ScriptRun>(L); }
  Sandbox& sandbox() { return sandbox_; }
  /// Of the baseline only when there is one.
  const RunContext& context(Side side) const {
    return side == Side::run ? evaluator_.run() : evaluator_.baseline()->run();
  }
  /// Whether the subject has a counterpart in a baseline run.
  bool has_baseline() const { return evaluator_.baseline() != nullptr; }
  const ScriptScope& scope() const { return scope_; }
  ScriptVerdict verdict() &&;

  // All that follows may throw, and belongs into Sandbox::attempt. What is wrong with an expression becomes the error
  // of the sandbox.

  /// What an expression is worth; null when it is wrong. Each text is checked and evaluated once.
  const Answer* ask(Side side, std::string_view expression);
  const Answer* ask(Side side, const Question& question);
  /// The answer, unless its value is unknown: that ends the script, and is null.
  const Answer* known(const Answer* answer);
  /// Whether a fact is recorded: a table, table.column or samples:series.
  const Answer* ask_presence(Side side, std::string_view fact);
  /// Ends the script, as inconclusive, when it cannot go through the rows of a table.
  bool rows_are_known(const Answer& table);

  /// Keeps a value that the script holds by a handle (intervals, a series, a table), and counts its memory until it is
  /// dropped.
  std::uint32_t keep(Answer object);
  void drop(std::uint32_t slot);
  const Answer& object(std::uint32_t slot) const { return *objects_[slot]; }

  /// Numbers for why values are not exactly known; 0 stands for no doubt.
  std::uint32_t add_doubts(const Causes& doubts);
  std::uint32_t join_doubts(std::uint32_t a, std::uint32_t b);
  Causes doubts(std::uint32_t number) const;

  /// What a script rests on, beyond the values of expressions.
  void note_column(ColumnId column);

  /// Counts what the script says; false, and the script has ended, when it is too much.
  bool charge_output(std::size_t bytes);
  void note(std::string_view text);

  ScriptFinding finding;
  bool fired = false;

 private:
  struct Asked {
    Expression expression;
    PlanPtr plan;
    Answer answer;
  };
  using AskedByText = std::map<std::string, std::unique_ptr<Asked>, std::less<>>;
  /// What was asked of both sides in one way: a text of one way can mean something else in another.
  struct AskedOfSides {
    AskedByText run, baseline;
    AskedByText& of(Side side) { return side == Side::run ? run : baseline; }
  };
  /// Counts a question that was not asked before; false, and the script has ended, when it is one too many.
  bool may_ask(std::size_t bytes);
  /// Keeps the answer in `known` under `key`; `shown` is what explanations call the question.
  const Answer* check_and_evaluate(Side side, std::unique_ptr<Asked> asked, AskedByText& known, std::string key,
                                   std::string_view shown);
  void set_error(const Diagnostics& diagnostics, std::string_view expression);

  const ScriptScope& scope_;
  Evaluator& evaluator_;
  LuaLimits limits_;
  AskedOfSides expressions_, questions_, presences_;
  std::size_t asked_ = 0;
  std::vector<std::unique_ptr<Answer>> objects_;
  std::vector<std::uint32_t> free_;
  std::vector<std::size_t> sizes_;
  std::vector<Causes> doubts_;
  Value basis_;
  std::uint64_t output_ = 0;
  std::vector<std::string> log_;
  std::size_t notes_ = 0;
  Sandbox sandbox_;  ///< last: closing it drops objects
};

}  // namespace kdiag::lua
