// SPDX-License-Identifier: Apache-2.0
// Whether two trees of YAML say the same, with the same places.
#pragma once

#include "dsl/yaml_tree.hpp"
#include "tests/catch.hpp"

namespace kdiag {

inline void require_equal(const YamlNode& a, const YamlNode& b) {
  CAPTURE(a.span.offset, a.text.text);
  REQUIRE(a.kind == b.kind);
  REQUIRE(a.span.offset == b.span.offset);
  REQUIRE(a.span.length == b.span.length);
  REQUIRE(a.span.source == b.span.source);
  REQUIRE(a.items.size() == b.items.size());
  REQUIRE(a.members.size() == b.members.size());
  if (a.is(YamlNode::Kind::scalar)) {
    REQUIRE(a.style == b.style);
    REQUIRE(a.text.text == b.text.text);
    REQUIRE(a.text.source == b.text.source);
    REQUIRE(a.text.origin == b.text.origin);
    REQUIRE(a.text.whole.offset == b.text.whole.offset);
    REQUIRE(a.text.whole.length == b.text.whole.length);
  }
  for (std::size_t i = 0; i < a.items.size(); ++i) require_equal(a.items[i], b.items[i]);
  for (std::size_t i = 0; i < a.members.size(); ++i) {
    require_equal(a.members[i].key, b.members[i].key);
    require_equal(a.members[i].value, b.members[i].value);
  }
}

}  // namespace kdiag
