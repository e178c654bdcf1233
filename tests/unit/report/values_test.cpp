// SPDX-License-Identifier: Apache-2.0
// The values of reports, whatever the input: nothing is infinite, negative or more than there is.
#include <kdiag/compare.hpp>
#include <kdiag/kdiag.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/support/fixtures.hpp"
#include "tests/support/report_checks.hpp"
#include "tests/support/shared_traces.hpp"

using namespace kdiag;
using namespace kdiag::tests;

namespace {

const RuleSet& all_rules() {
  static const RuleSet rules = [] {
    RuleOptions options;
    options.incubating = true;
    return *builtin_rules(options);
  }();
  return rules;
}

/// What cannot be in the reports of a file; of one with two runs in that of their comparison, too.
std::vector<std::string> mistakes_of(const std::string& path) {
  const auto facts = load_trace(path);
  if (!facts) return {};
  std::vector<std::string> found = check_values(diagnose(*facts, all_rules()), *facts);
  if (const auto sides = load_sides(path))
    if (const auto compared = compare(*sides, all_rules())) {
      const std::vector<std::string> more = check_values(*compared, sides->abnormal);
      found.insert(found.end(), more.begin(), more.end());
    }
  return found;
}

}  // namespace

TEST_CASE("the values of reports on all fixtures can be", "[report][hostile]") {
  for (const Fixture& fixture : adapter_fixtures()) {
    CAPTURE(fixture.name);
    CHECK(mistakes_of(fixture.path) == std::vector<std::string>{});
  }
}

TEST_CASE("the values of reports on all examples can be", "[report]") {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(KDIAG_SOURCE_DIR "/examples/traces")) {
    CAPTURE(entry.path());
    if (entry.is_regular_file()) CHECK(mistakes_of(entry.path().string()) == std::vector<std::string>{});
  }
}

TEST_CASE("the values of reports on all real traces can be", "[shared]") {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(shared_trace(""))) {
    CAPTURE(entry.path());
    if (entry.is_regular_file()) CHECK(mistakes_of(entry.path().string()) == std::vector<std::string>{});
  }
}
