// SPDX-License-Identifier: Apache-2.0
#include "dsl/expect_kind.hpp"

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"

namespace kdiag {
namespace {

struct KindWords {
  std::string_view wanted, found;
};

KindWords words_of(YamlNode::Kind kind) {
  switch (kind) {
    case YamlNode::Kind::scalar: return {"a single value", "this is a single value"};
    case YamlNode::Kind::sequence: return {"a list", "this is a list"};
    case YamlNode::Kind::mapping: return {"a mapping (key: value)", "this is a mapping"};
    default: return {"nothing", "there is nothing here"};
  }
}

}  // namespace

std::string shown(std::string_view what) {
  const std::string text(what);
  return text.find(' ') == std::string::npos ? '`' + text + '`' : text;
}

void refuse_kind(const YamlNode& node, std::string_view wanted, std::string_view what, Diagnostics& diagnostics) {
  if (node.is(YamlNode::Kind::invalid)) return;
  diagnostics.push_back(make_error(error_id::wrong_kind_of_value, node.span,
                                   shown(what) + " must be " + std::string(wanted),
                                   std::string(words_of(node.kind).found)));
}

bool expect_kind(const YamlNode& node, YamlNode::Kind wanted, std::string_view what, Diagnostics& diagnostics) {
  if (!node.is(wanted)) refuse_kind(node, words_of(wanted).wanted, what, diagnostics);
  return node.is(wanted);
}

}  // namespace kdiag
