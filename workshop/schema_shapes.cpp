// SPDX-License-Identifier: Apache-2.0
#include "workshop/schema_shapes.hpp"

#include <initializer_list>
#include <string>

namespace kdiag::schema {
namespace {

/// `kernels group by (class)`.
constexpr std::string_view subject_groups = "^\\s*[a-z_]+\\s+group\\s+by\\s*\\(.*\\)\\s*$";

/// name: what `name` says.
void write_map_of(JsonWriter& json, std::string_view name) {
  json.member("type", "object");
  json.key("additionalProperties");
  write_ref_object(json, name);
}

}  // namespace

void write_ref(JsonWriter& json, std::string_view name) { json.member("$ref", "#/$defs/" + std::string(name)); }

void write_ref_object(JsonWriter& json, std::string_view name) {
  json.object(Layout::line, [&] { write_ref(json, name); });
}

void write_list_of(JsonWriter& json, std::string_view name) {
  json.member("type", "array");
  json.key("items");
  write_ref_object(json, name);
}

void write_bounds(JsonWriter& json, const FileKey& key) {
  json.member("type", "object");
  json.object("properties", Layout::line, [&] {
    for (const std::string_view word : key.words()) {
      json.key(word);
      write_ref_object(json, "expression");
    }
  });
  json.member("additionalProperties", false);
}

void write_shape(JsonWriter& json, const FileKey& key) {
  const std::string_view group = key.group != nullptr ? key.group->name : std::string_view();
  switch (key.shape) {
    case KeyShape::edition: json.member("const", 1); break;
    case KeyShape::text: write_ref(json, "text"); break;
    case KeyShape::texts: write_ref(json, "texts"); break;
    case KeyShape::flag: json.member("type", "boolean"); break;
    case KeyShape::word: write_words(json, "enum", key.words()); break;
    case KeyShape::subject:
      write_any(
          json, [&] { write_words(json, "enum", key.words()); }, [&] { json.member("pattern", subject_groups); });
      break;
    case KeyShape::rule_id: write_ref(json, "rule_id"); break;
    case KeyShape::expression: write_ref(json, "expression"); break;
    case KeyShape::range: write_ref(json, "range"); break;
    case KeyShape::value: write_ref(json, "text"); break;
    case KeyShape::named: write_map_of(json, "expression"); break;
    case KeyShape::values: write_map_of(json, "expression"); break;
    case KeyShape::params:
      json.member("type", "object");
      json.object("additionalProperties", Layout::line, [&] {
        write_any(
            json, [&] { write_words(json, "enum", key.group->keys.front().words()); }, [&] { write_ref(json, group); });
      });
      break;
    case KeyShape::sentences:
      write_any(
          json, [&] { write_ref(json, "text"); },
          [&] {
            json.member("type", "array");
            json.object("items", Layout::line, [&] {
              write_any(
                  json, [&] { write_ref(json, group); }, [&] { write_ref(json, "text"); });
            });
          });
      break;
    case KeyShape::bounds: write_bounds(json, key); break;
    case KeyShape::severity: write_ref(json, "severity"); break;
    case KeyShape::facts: write_ref(json, "facts"); break;
    case KeyShape::run:
      write_any(
          json, [&] { write_ref(json, "facts"); }, [&] { write_ref(json, "text"); });
      break;
    case KeyShape::mapping: write_ref(json, group); break;
    case KeyShape::list: write_list_of(json, group); break;
    case KeyShape::items:
      json.member("type", "array");
      json.object("items", Layout::line, [&] {
        write_any(
            json, [&] { write_ref(json, group); }, [&] { write_ref(json, "text"); });
      });
      break;
    case KeyShape::outcome:
      write_any(
          json, [&] { write_words(json, "enum", key.words()); }, [&] { write_ref(json, group); });
      break;
    case KeyShape::outcomes: {
      const auto one = [&] {
        write_any(
            json, [&] { write_ref(json, group); }, [&] { write_ref(json, "rule_id"); });
      };
      write_any(
          json, [&] { write_ref(json, group); }, [&] { write_ref(json, "rule_id"); },
          [&] {
            json.member("type", "array");
            json.object("items", Layout::line, one);
          });
      break;
    }
    case KeyShape::header:
      write_any(
          json, [&] { json.member("type", "boolean"); }, [&] { write_list_of(json, "text"); });
      break;
    case KeyShape::settings:
      json.member("type", "object");
      json.object("additionalProperties", Layout::line, [&] { write_map_of(json, "expression"); });
      break;
    case KeyShape::conditions: write_map_of(json, "texts"); break;
    case KeyShape::cells:
      json.member("type", "object");
      json.object("additionalProperties", Layout::line, [&] {
        write_any(
            json, [&] { write_ref(json, "text"); }, [&] { write_ref(json, group); });
      });
      break;
  }
}

}  // namespace kdiag::schema
