// SPDX-License-Identifier: Apache-2.0
// JUnit XML, the form of results that continuous integration servers read: its attributes and counts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/escape.hpp"

namespace kdiag::report {

inline constexpr std::string_view xml_declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

inline std::string xml_attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + xml(flowing(value)) + "\"";
}
inline std::string xml_attribute(std::string_view name, std::size_t value) {
  return xml_attribute(name, std::to_string(value));
}

/// Of a suite, or of all of them.
struct JunitCounts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  JunitCounts& operator+=(const JunitCounts& other) {
    tests += other.tests;
    failures += other.failures;
    errors += other.errors;
    skipped += other.skipped;
    return *this;
  }
  std::string attributes() const {
    return xml_attribute("tests", tests) + xml_attribute("failures", failures) + xml_attribute("errors", errors) +
           xml_attribute("skipped", skipped);
  }
};

}  // namespace kdiag::report
