// SPDX-License-Identifier: Apache-2.0
// What stands behind a key of a rule file, as the JSON Schema says it.
#pragma once

#include <string_view>

#include "base/json_writer.hpp"
#include "dsl/file_keys.hpp"

namespace kdiag::schema {

void write_words(JsonWriter& json, std::string_view key, const auto& words) {
  json.array(key, Layout::line, [&] {
    for (const std::string_view word : words) json.value(word);
  });
}

/// A reference to a definition of the schema, as a member or as an object.
void write_ref(JsonWriter& json, std::string_view name);
void write_ref_object(JsonWriter& json, std::string_view name);

/// A list of what `name` says.
void write_list_of(JsonWriter& json, std::string_view name);

template <class... Options>
void write_any(JsonWriter& json, Options... options) {
  json.array("anyOf", Layout::line, [&] { (json.object(Layout::line, [&] { options(); }), ...); });
}

/// A mapping from words of a key to expressions.
void write_bounds(JsonWriter& json, const FileKey& key);

/// What the value of a key may be.
void write_shape(JsonWriter& json, const FileKey& key);

}  // namespace kdiag::schema
