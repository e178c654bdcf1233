// SPDX-License-Identifier: Apache-2.0
// Telling rule files, test files and other YAML apart.
#include <kdiag/tools.hpp>

#include "dsl/rule_file.hpp"
#include "dsl/test_file.hpp"
#include "packs/rule_scripts.hpp"

namespace kdiag {

FileKind file_kind(const std::string& path) {
  const auto source = read_rule_source(path);
  if (!source) return FileKind::rules;
  if (is_lua_rule(path)) return states_rule((*source)->text) ? FileKind::rules : FileKind::other;
  switch (purpose_of((*source)->text)) {
    case YamlPurpose::rules: return FileKind::rules;
    case YamlPurpose::tests: return FileKind::tests;
    case YamlPurpose::other: return FileKind::other;
  }
  return FileKind::other;
}

}  // namespace kdiag
