// SPDX-License-Identifier: Apache-2.0
#include "dsl/test_file.hpp"

#include <string>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/utf8.hpp"
#include "dsl/edition.hpp"
#include "dsl/file_diagnostics.hpp"
#include "dsl/node_reader.hpp"
#include "dsl/read_test.hpp"
#include "dsl/rule_file.hpp"
#include "dsl/yaml_tree.hpp"

namespace kdiag {
namespace {

/// Whether some line begins with the key of the top level.
bool has_key(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const bool begins_line = at == 0 || text[at - 1] == '\n' || text.substr(0, at) == byte_order_mark;
    const std::size_t behind = text.find_first_not_of(" \t", at + key.size());
    if (begins_line && behind != std::string_view::npos && text[behind] == ':') return true;
  }
  return false;
}

}  // namespace

TestFile parse_test_file(const SourcePtr& source, Diagnostics& diagnostics, CancelFlag cancel) {
  TestFile file;
  file.source = source;
  const std::size_t first = diagnostics.size();
  const YamlNode root = parse_yaml(source, diagnostics, cancel);
  NodeReader reader(diagnostics, cancel);
  if (root.is(YamlNode::Kind::null)) {
    tell_empty(source, tests_edition, diagnostics);
  } else if (!root.is(YamlNode::Kind::invalid) && reader.mapping(root, "a test file")) {
    check_edition(root, tests_edition, diagnostics);
    if (const YamlNode* rule = root.find("rule"); rule != nullptr && is_rule_id(rule->text.text))
      reader.error(error_id::unknown_rule, rule->span, "there is no rule file of which these are the tests", {},
                   "tests/NAME.yaml holds the tests of the rule in NAME.yaml, beside the folder tests");
    else reader.only_keys(root, "a test file", file_keys::test_file);
    if (const YamlNode* rules = root.find("rules")) file.rules = reader.texts(*rules, "rules");
    if (const YamlNode* tests = root.find("tests"); tests != nullptr && reader.sequence(*tests, "tests"))
      for (std::size_t i = 0; i < tests->items.size(); ++i)
        file.tests.push_back(read_test(tests->items[i], i + 1, {}, reader));
  }
  arrange(diagnostics, first, {&source, 1});
  return file;
}

YamlPurpose purpose_of(std::string_view text) {
  if (has_key(text, "kdiag_test")) return YamlPurpose::tests;
  return has_key(text, "kdiag") ? YamlPurpose::rules : YamlPurpose::other;
}

bool is_of_one_rule(std::string_view text) { return has_key(text, "rule"); }

}  // namespace kdiag
