// SPDX-License-Identifier: Apache-2.0
// Telling test files from rule files.
#include <kdiag/tools.hpp>

#include "dsl/rule_file.hpp"

namespace kdiag {

bool is_test_file(const std::string& path) {
  constexpr std::string_view key = "kdiag_test:";
  const auto source = read_rule_source(path);
  if (!source) return false;
  const std::string& text = (*source)->text;
  return text.starts_with(key) || text.find("\n" + std::string(key)) != std::string::npos;
}

}  // namespace kdiag
