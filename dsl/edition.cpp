// SPDX-License-Identifier: Apache-2.0
#include "dsl/edition.hpp"

#include <string>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "dsl/expect_kind.hpp"

namespace kdiag {
namespace {

/// How messages speak of a kind of file.
struct FileWords {
  std::string_view file, editions;
};

FileWords words_of(std::string_view edition) {
  if (edition == project_edition) return {"project file", "project files"};
  return edition == tests_edition ? FileWords{"test file", "test files"} : FileWords{"rule file", "the rule language"};
}

std::string begin_with(std::string_view wanted) {
  return "begin the file with a line `" + std::string(wanted) + ": 1`, the edition of the rule language";
}

}  // namespace

void check_edition(const YamlNode& root, std::string_view wanted, Diagnostics& diagnostics) {
  const FileWords words = words_of(wanted);
  const std::string key(wanted), file(words.file);
  const YamlNode* const edition = root.find(wanted);
  if (wanted == rules_edition && root.find(tests_edition) != nullptr) {
    diagnostics.push_back(make_error(error_id::edition, root.span, "this is a test file, not a rule file", {},
                                     "run it with `kdiag rules test`"));
  } else if (edition == nullptr) {
    diagnostics.push_back(make_error(error_id::edition, root.span,
                                     "this is no " + file + ": it has no `" + key + ": 1`", {}, begin_with(wanted)));
  } else if (expect_kind(*edition, YamlNode::Kind::scalar, wanted, diagnostics) && edition->text.text != "1") {
    diagnostics.push_back(
        make_error(error_id::edition, edition->span,
                   "edition '" + edition->text.text + "' of " + std::string(words.editions) + " is not known", {},
                   "this version understands `" + key + ": 1`"));
  }
}

void tell_empty(const SourcePtr& source, std::string_view wanted, Diagnostics& diagnostics) {
  diagnostics.push_back(make_error(error_id::edition, {source, 0, 0},
                                   "the " + std::string(words_of(wanted).file) + " is empty", {}, begin_with(wanted)));
}

}  // namespace kdiag
