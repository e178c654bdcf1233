// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/completion.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <kdiag/editing.hpp>

#include "serve/lsp/column_texts.hpp"
#include "serve/lsp/file_schema.hpp"
#include "serve/lsp/names.hpp"
#include "serve/lsp/to_json.hpp"
#include "serve/lsp/yaml_place.hpp"

namespace kdiag::serve {
namespace {

enum ItemKind {
  function_item = 3,
  field_item = 5,
  variable_item = 6,
  class_item = 7,
  property_item = 10,
  value_item = 12,
  word_item = 20,
  constant_item = 21
};

/// What is offered, each thing once.
class Items {
 public:
  /// They replace the text from a byte up to the cursor.
  void replace(Json range) { range_ = std::move(range); }
  void add(const std::string& word, ItemKind kind, const std::string& detail = {}, const std::string& doc = {}) {
    Json& item = by_word_[word];
    if (!item.is_null()) return;
    item = {{"label", word}, {"kind", static_cast<int>(kind)}, {"textEdit", {{"range", range_}, {"newText", word}}}};
    if (!detail.empty()) item["detail"] = detail;
    if (!doc.empty()) item["documentation"] = doc;
  }
  Json take() && {
    Json out = Json::array();
    for (auto& [word, item] : by_word_) out.push_back(std::move(item));
    return out;
  }

 private:
  Json range_;
  std::map<std::string, Json> by_word_;
};

/// The line up to the cursor.
struct Line {
  std::string_view before;
  std::size_t number = 0;
  std::size_t word_begin = 0;  ///< of the word that ends at the cursor
};

Line line_at(const Document& document, std::size_t offset) {
  Line out;
  out.number = document.lines.position_of(offset, Encoding::utf8).line;
  const std::size_t begin = document.lines.line_begin(out.number);
  out.before = std::string_view(document.text()).substr(begin, offset - begin);
  out.word_begin = out.before.size();
  while (out.word_begin > 0 && is_word(out.before[out.word_begin - 1])) --out.word_begin;
  return out;
}

/// Whether the line begins with a key that names rules.
bool names_rules(const Line& line) {
  const std::size_t begin = line.before.find_first_not_of(" -");
  if (begin == std::string_view::npos) return false;
  const std::string_view text = line.before.substr(begin);
  for (const std::string_view key : {"explains:", "symptom_of:", "unless:", "override:"})
    if (text.starts_with(key)) return true;
  return false;
}

/// The rule around a byte: the last one that is declared before it.
std::string rule_around(const std::vector<NameUse>& names, std::size_t offset) {
  std::string out;
  for (const NameUse& name : names)
    if (name.declares && name.kind == NameKind::rule && name.span.offset <= offset) out = name.name;
  return out;
}

void add_names(Session& session, const Document& document, std::size_t offset, bool params, Items& items,
               const std::atomic<bool>& stop) {
  const Names names = session.names.last_names_in(document.path, document.text(), stop);
  const std::string rule = rule_around(*names, offset);
  for (const NameUse& name : *names) {
    if (!name.declares || (!name.owner.empty() && name.owner != rule)) continue;
    if (params && name.kind == NameKind::param) items.add(name.name, constant_item, name.detail, name.doc);
    if (!params && (name.kind == NameKind::let || name.kind == NameKind::define))
      items.add(name.name, variable_item, name.detail, name.doc);
  }
}

void add_rules(const RuleSet& rules, Items& items) {
  for (const RuleEntry& rule : list_rules(rules)) items.add(rule.id, class_item, rule.pack, rule.summary);
}

void add_words(const RuleSet& rules, const Line& line, Items& items) {
  for (const std::string& word : complete_query(rules, line.before, line.before.size()).words) {
    const bool calls = word.ends_with('(');
    std::string doc = query_help(rules, calls ? word.substr(0, word.size() - 1) : word);
    if (doc.starts_with("nothing is called")) doc.clear();
    const std::string first = doc.substr(0, doc.find('\n'));
    items.add(word, calls ? function_item : field_item, first, doc);
  }
}

/// What the file can have at the place of the word: keys of a mapping, or words of a value. Whether nothing else can
/// stand there.
bool add_places(const Document& document, const Line& line, Items& items) {
  const YamlPlace place = yaml_place(document.lines, line.number, line.word_begin);
  const SchemaPlace fits = schema_place(top_keys(document.lines), place.keys);
  if (place.at_key) {
    for (const auto& [key, doc] : fits.keys) items.add(key, property_item, {}, doc);
    return !fits.keys.empty();
  }
  const bool first = line.before.substr(0, line.word_begin).ends_with(": ");  // of the value
  if (!first) return false;
  for (const std::string& word : fits.words) items.add(word, word_item);
  return !fits.words.empty() && !fits.other_values;
}

void add_expression(Session& session, const Document& document, std::size_t offset, const Line& line, Items& items,
                    const std::atomic<bool>& stop) {
  const char sign = line.word_begin > 0 ? line.before[line.word_begin - 1] : ' ';
  if (sign != '.') add_names(session, document, offset, sign == '$', items, stop);
  if (sign != '$') add_words(session.rules_of(document), line, items);
}

/// The words that a column can have, and names that it has in the bound trace.
void add_texts(Session& session, const ComparedColumn& column, Items& items, const std::atomic<bool>& stop) {
  for (const std::string& word : words_of(column)) items.add(word, word_item, column.name);
  load_bound(session.trace, stop);
  if (!session.trace.facts) return;
  for (const std::string& text : texts_of(*session.trace.facts, column, stop)) items.add(text, value_item, column.name);
}

}  // namespace

Json complete(Session& session, const Json& params, const std::atomic<bool>& stop) {
  const Document& document = session.document_of(params);
  const std::size_t offset = session.offset_in(document, params);
  Line line = line_at(document, offset);
  Items items;
  const bool rules_wanted = names_rules(line);
  if (rules_wanted)  // ids have dots and dashes
    while (line.word_begin > 0 && (is_word(line.before[line.word_begin - 1]) ||
                                   line.before[line.word_begin - 1] == '.' || line.before[line.word_begin - 1] == '-'))
      --line.word_begin;
  const auto column = compared_column(line.before);
  if (column) line.word_begin = line.before.rfind('"') + 1;  // names have blanks and signs
  const std::size_t word = line.before.size() - line.word_begin;
  items.replace(range_of(document.lines, offset - word, word, session.encoding));
  if (rules_wanted) add_rules(session.rules_of(document), items);
  else if (column) add_texts(session, *column, items, stop);
  else if (!add_places(document, line, items)) add_expression(session, document, offset, line, items, stop);
  return std::move(items).take();
}

}  // namespace kdiag::serve
