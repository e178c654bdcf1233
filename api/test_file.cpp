// SPDX-License-Identifier: Apache-2.0
// Telling test files from rule files.
#include <kdiag/tools.hpp>

#include "dsl/rule_file.hpp"
#include "dsl/test_file.hpp"

namespace kdiag {

bool is_test_file(const std::string& path) {
  const auto source = read_rule_source(path);
  return source && purpose_of((*source)->text) == YamlPurpose::tests;
}

}  // namespace kdiag
