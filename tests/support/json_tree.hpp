// SPDX-License-Identifier: Apache-2.0
// A strict JSON reader (RFC 8259) and a small JSON Schema checker: the judge of what the renderers write.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kdiag::tests {

struct JsonMember;

struct JsonTree {
  enum class Kind { null, boolean, number, string, array, object };
  Kind kind = Kind::null;
  std::string text;  ///< a string's bytes as written between its quotes, a number's or boolean's spelling
  std::vector<JsonMember> members;  ///< of an object in order; of an array, without names

  const JsonTree* find(std::string_view name) const;
  const JsonTree& at(std::string_view name) const;  ///< a null when there is none
};

struct JsonMember {
  std::string name;
  JsonTree value;
};

/// The document, or nothing when it is not exactly one well-formed JSON value: duplicate keys, ill-formed UTF-8 and
/// raw control characters count as errors too.
std::optional<JsonTree> parse_json(std::string_view text);

/// What in a document breaks a schema, one line each; empty when nothing does. Knows type, enum, const, required,
/// properties, patternProperties (beginnings of names), additionalProperties, items, minItems, maxItems, minimum,
/// anyOf, if/then/else and local $ref. Keys that the schema does not name are errors here: readers must put up with new
/// ones, but no writer may add one undocumented.
std::vector<std::string> schema_errors(const JsonTree& schema, const JsonTree& document);

}  // namespace kdiag::tests
