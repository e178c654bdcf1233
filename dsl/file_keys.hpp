// SPDX-License-Identifier: Apache-2.0
// The keys of rule files and test files: one table that the readers and the JSON Schema use.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace kdiag {

/// What stands behind a key.
enum class KeyShape : std::uint8_t {
  edition,     ///< 1
  text,        ///< a text
  texts,       ///< a list of texts, or one
  flag,        ///< true or false
  word,        ///< one of `words`
  subject,     ///< one of `words`, or an expression
  rule_id,     ///< area.name
  expression,  ///< an expression
  range,       ///< [low, high], two expressions
  value,       ///< a single value
  named,       ///< name: expression, ...
  values,      ///< name: value, ...
  params,      ///< name: type, or name: mapping of `group`
  sentences,   ///< a text, or a list of texts and mappings of `group`
  severity,    ///< a word, a mapping of `group`, or a list of word: condition and mappings of `group`
  bounds,      ///< word: expression, ...
  facts,       ///< table: list of rows
  run,         ///< the same, or a text: the path of a trace
  mapping,     ///< a mapping of `group`
  list,        ///< a list of mappings of `group`
  items,       ///< a list of mappings of `group` or texts
  outcome,     ///< a word of `words`, or a mapping of `group`
  outcomes,    ///< an id, a mapping of `group`, or a list of these
  header,      ///< true or false, or a list of texts
  conditions,  ///< name: text, or a list of texts
  cells,       ///< name: text, or a mapping of `group`
  settings,    ///< rule: {param: value}
};

struct KeyGroup;

struct FileKey {
  std::string_view name;
  KeyShape shape = KeyShape::text;
  std::string_view doc;
  bool required = false;
  const KeyGroup* group = nullptr;
  std::vector<std::string_view> (*words)() = nullptr;  ///< what a word can be
};

/// The keys of one kind of mapping.
struct KeyGroup {
  std::string_view name;  ///< "rule": how the schema calls it
  std::span<const FileKey> keys;
};

/// Their names.
std::vector<std::string_view> names_of(const KeyGroup& group);

namespace file_keys {
extern const KeyGroup rule_file, pack, define, ladder, ladder_use, sentence, rule, param, formula_param, one_off,
    recommend, except, override_rule, set, append, rule_test, rule_tests, test_file, test, expect, finding, outcome,
    inconclusive, eval;
}

}  // namespace kdiag
