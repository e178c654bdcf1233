// SPDX-License-Identifier: Apache-2.0
// Telling rule files, test files and other YAML apart.
#include <kdiag/editing.hpp>
#include <kdiag/tools.hpp>

#include "dsl/rule_file.hpp"
#include "dsl/test_file.hpp"
#include "packs/rule_scripts.hpp"

namespace kdiag {

FileKind kind_of_text(std::string_view path, std::string_view text) {
  if (is_lua_rule(path)) return states_rule(text) ? FileKind::rules : FileKind::other;
  switch (purpose_of(text)) {
    case YamlPurpose::rules: return FileKind::rules;
    case YamlPurpose::tests: return FileKind::tests;
    case YamlPurpose::other: return FileKind::other;
  }
  return FileKind::other;
}

FileKind file_kind(const std::string& path) {
  const auto source = read_rule_source(path);
  return source ? kind_of_text(path, (*source)->text) : FileKind::rules;
}

}  // namespace kdiag
