// SPDX-License-Identifier: Apache-2.0
// What editors ask of rule files while they are written: what is wrong, what stands at a place, what it is worth.
//
//     auto files = std::make_shared<const kdiag::FileReader>(kdiag::FileReader{
//         .read = [&](const std::string& path) { return unsaved(path); }, .over_file_system = true});
//     auto rules = kdiag::load_rules("throttle.yaml", {.files = files});
//     show(kdiag::mistakes_of(rules));
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <kdiag/diagnostic.hpp>
#include <kdiag/export.hpp>
#include <kdiag/file_reader.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/result.hpp>
#include <kdiag/tools.hpp>

namespace kdiag {

/// What a text is, which file_kind() says of a file. `path` tells Lua by its ending.
KDIAG_API FileKind kind_of_text(std::string_view path, std::string_view text);

/// What `kdiag rules check` says of rules that were loaded, or could not be: errors, warnings, mistakes in scripts and
/// tests, and notes for authors, in this order.
KDIAG_API Diagnostics mistakes_of(const Result<RuleSet>& rules);

// --- Names ----------------------------------------------------------------------------------------------------------

enum class NameKind : std::uint8_t { rule, let, param, define, argument, ladder };

/// Where a rule file names something of its own.
struct NameUse {
  NameKind kind = NameKind::rule;
  std::string name;
  std::string owner;  ///< the rule of a let or a parameter, the define of an argument; empty: all rules see it
  Span span;          ///< of the name alone, without `$`
  bool declares = false;
  std::string detail;  ///< of a declaration: its expression or type as written
  std::string doc;
};

/// Every place where a text names rules, lets, parameters, defines and ladders, in the order of the text, as far as the
/// text can be understood. A name that a table or a column of the rows at hand has, too, is taken for that. `trees`: of
/// keep_trees(), where nearly the same text was read before.
KDIAG_API std::vector<NameUse> names_in(std::string_view name, std::string_view text,
                                        const std::atomic<bool>* cancel = nullptr, KeptTrees* trees = nullptr);

// --- Words of expressions -------------------------------------------------------------------------------------------

enum class WordKind : std::uint8_t {
  keyword,
  function,
  table,
  column,
  let,
  param,
  define,
  argument,  ///< of a define
  number,
  text,
  regex,
  sign,  ///< an operator
};

/// A word, number, text or operator in an expression, for colouring.
struct ExpressionWord {
  WordKind kind = WordKind::keyword;
  Span span;
};

/// Those of every expression of a rule file that can be understood, in the order of the text; none of other files.
///
///     for (const kdiag::ExpressionWord& word : kdiag::words_in("a.yaml", text)) paint(word.span, word.kind);
KDIAG_API std::vector<ExpressionWord> words_in(std::string_view name, std::string_view text,
                                               const std::atomic<bool>* cancel = nullptr);

// --- Expressions ----------------------------------------------------------------------------------------------------

/// The smallest part of an expression at a place.
struct ExpressionAt {
  Span span;
  std::string text;      ///< on one line
  std::string rule;      ///< in which it stands; empty: a define
  std::string type;      ///< "time", "a table of kernels", "text"
  std::string unit;      ///< that its values are computed in: "ns"; empty: none
  bool of_rows = false;  ///< it has a value for each row of a table, not one
};

/// What it was worth for one subject of one run.
struct ExpressionValue {
  std::string run, subject;  ///< run: empty where there is one alone
  std::string value;         ///< "4.55 s", "unknown"
  std::vector<std::string> unknown_because;
};

/// Nothing where no expression of loaded rules stands there. `file` is called as it was when the rules were loaded;
/// `offset` is a byte of its text.
KDIAG_API std::optional<ExpressionAt> expression_at(const RuleSet& rules, std::string_view file, std::size_t offset);

/// Its values for the first subjects of the rule, at most `most`, as `kdiag explain` says them; none where it depends
/// on rows. Errors: K690 once `cancel` was set.
KDIAG_API Result<std::vector<ExpressionValue>> values_at(const Facts& facts, const RuleSet& rules,
                                                         std::string_view file, std::size_t offset, std::size_t most,
                                                         const std::atomic<bool>* cancel = nullptr);

}  // namespace kdiag
