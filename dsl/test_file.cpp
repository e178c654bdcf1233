// SPDX-License-Identifier: Apache-2.0
#include "dsl/test_file.hpp"

#include <string>

#include "base/diagnostic.hpp"
#include "dsl/file_diagnostics.hpp"
#include "dsl/node_reader.hpp"
#include "dsl/read_test.hpp"
#include "dsl/yaml_tree.hpp"

namespace kdiag {
namespace {

/// `kdiag_test: 1`, the edition of the language.
void check_test_edition(const YamlNode& root, NodeReader& reader) {
  const YamlNode* edition = root.find("kdiag_test");
  if (edition == nullptr)
    reader.error("K115", root.span, "this is no test file: it has no `kdiag_test: 1`", {},
                 "begin the file with a line `kdiag_test: 1`, the edition of the rule language");
  else if (reader.scalar(*edition, "kdiag_test") && edition->text.text != "1")
    reader.error("K115", edition->span, "edition '" + edition->text.text + "' of test files is not known", {},
                 "this version understands `kdiag_test: 1`");
}

/// Whether some line begins with the key of the top level.
bool has_key(std::string_view text, std::string_view key) {
  for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
    const bool begins_line = at == 0 || text[at - 1] == '\n' || text.substr(0, at) == "\xEF\xBB\xBF";
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
    reader.error("K115", {source, 0, 0}, "the test file is empty", {},
                 "begin the file with a line `kdiag_test: 1`, the edition of the rule language");
  } else if (!root.is(YamlNode::Kind::invalid) && reader.mapping(root, "a test file")) {
    check_test_edition(root, reader);
    reader.only_keys(root, "a test file", file_keys::test_file);
    if (const YamlNode* rules = root.find("rules")) file.rules = reader.texts(*rules, "rules");
    if (const YamlNode* tests = root.find("tests"); tests != nullptr && reader.sequence(*tests, "tests"))
      for (std::size_t i = 0; i < tests->items.size(); ++i)
        file.tests.push_back(read_test(tests->items[i], i + 1, {}, reader));
  }
  arrange(diagnostics, first, source);
  return file;
}

YamlPurpose purpose_of(std::string_view text) {
  if (has_key(text, "kdiag_test")) return YamlPurpose::tests;
  return has_key(text, "kdiag") ? YamlPurpose::rules : YamlPurpose::other;
}

}  // namespace kdiag
