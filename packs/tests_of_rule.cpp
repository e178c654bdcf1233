// SPDX-License-Identifier: Apache-2.0
#include "packs/tests_of_rule.hpp"

#include <cassert>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include <kdiag/kdiag.hpp>

#include "dsl/pack_tree.hpp"
#include "dsl/rule_file.hpp"
#include "packs/packed_files.hpp"

namespace kdiag {
namespace {

/// Each file of tests by its name.
std::map<std::string, SourcePtr, std::less<>> unpack_tests() {
  std::map<std::string, SourcePtr, std::less<>> out;
  for (const SourcePtr& file : unpack_files(builtin_test_texts())) out.emplace(file->name, file);
  return out;
}

/// "builtin/clocks/tests/throttled.yaml" for "builtin/clocks/throttled.yaml".
std::string tests_name(const std::string& rule_file) {
  const std::size_t folder = rule_file.rfind('/') + 1;
  return rule_file.substr(0, folder) + "tests/" + rule_file.substr(folder);
}

/// The rule is read again, with its tests, as a user's rule file with a file of tests beside it is.
std::vector<RuleTest> read_tests(const Rule& rule) {
  static const auto* const files = new std::map(unpack_tests());  // constant; a process that ends need not tidy up
  const auto tests = files->find(tests_name(rule.span.source->name));
  if (tests == files->end()) return {};
  Diagnostics diagnostics;
  const PackSource alone{.pack = nullptr, .rules = {{rule.span.source, tests->second}}};
  RuleFile file = parse_rule_file(alone, diagnostics, version());
  assert(diagnostics.empty());  // as when kdiag was built
  return std::move(file.rules.front().tests);
}

}  // namespace

const std::vector<RuleTest>& tests_of(const Rule& rule) {
  if (!rule.tests_apart) return rule.tests;
  static auto* const mutex = new std::mutex;
  static auto* const known = new std::map<std::string, std::vector<RuleTest>>;
  const std::scoped_lock lock(*mutex);
  const auto [tests, added] = known->try_emplace(rule.id);
  if (added) tests->second = read_tests(rule);
  return tests->second;
}

}  // namespace kdiag
