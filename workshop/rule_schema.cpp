// SPDX-License-Identifier: Apache-2.0
// The JSON Schema of rule files, test files, mappings and project files, from the table of their keys and the
// catalogue.
#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

#include <kdiag/catalogue.hpp>
#include <kdiag/tools.hpp>

#include "base/json_writer.hpp"
#include "dsl/file_keys.hpp"
#include "mapping/map_keys.hpp"
#include "project/project_keys.hpp"
#include "workshop/schema_shapes.hpp"

namespace kdiag {
namespace {

using schema::write_any;
using schema::write_bounds;
using schema::write_list_of;
using schema::write_ref;
using schema::write_ref_object;
using schema::write_shape;
using schema::write_words;

constexpr std::string_view scalar_types[] = {"string", "number", "boolean"};

/// Keys of one's own begin with `x-`.
void close_object(JsonWriter& json) {
  json.object("patternProperties", Layout::line, [&] { json.member("^x-", true); });
  json.member("additionalProperties", false);
}

void write_group(JsonWriter& json, const KeyGroup& group) {
  json.object(group.name, [&] {
    json.member("type", "object");
    json.array("required", Layout::line, [&] {
      for (const FileKey& key : group.keys)
        if (key.required) json.value(key.name);
    });
    const std::vector<std::string_view> names = names_of(group);
    if (std::find(names.begin(), names.end(), "script") != names.end())  // the condition of a rule
      json.array("oneOf", Layout::line, [&] {
        for (const std::string_view key : {"when", "script"})
          json.object(Layout::line,
                      [&] { write_words(json, "required", std::initializer_list<std::string_view>{key}); });
      });
    json.object("properties", [&] {
      for (const FileKey& key : group.keys)
        json.object(key.name, Layout::line, [&] {
          json.member("description", key.doc);
          write_shape(json, key);
        });
    });
    close_object(json);
  });
}

void write_shared(JsonWriter& json, const FileKey& severity) {
  json.object("text", Layout::line, [&] { write_words(json, "type", scalar_types); });
  json.object("texts", Layout::line, [&] {
    write_any(
        json, [&] { write_ref(json, "text"); }, [&] { write_list_of(json, "text"); });
  });
  json.object("expression", Layout::line, [&] {
    json.member("description", "An expression of the rule language.");
    constexpr std::string_view types[] = {"string", "number", "boolean", "array"};
    write_words(json, "type", types);
  });
  json.object("range", Layout::line, [&] {
    write_list_of(json, "expression");
    json.member("minItems", 2);
    json.member("maxItems", 2);
  });
  json.object("rule_id", Layout::line, [&] {
    json.member("type", "string");
    json.member("pattern", "^[a-z][a-z0-9]*(-[a-z0-9]+)*\\.[a-z][a-z0-9]*(-[a-z0-9]+)*$");
  });
  json.object("severity", Layout::line, [&] {
    write_any(
        json, [&] { write_words(json, "enum", severity.words()); },
        [&] {
          json.member("type", "array");
          json.object("items", Layout::line, [&] {
            write_any(
                json, [&] { write_bounds(json, severity); }, [&] { write_ref(json, severity.group->name); });
          });
        },
        [&] { write_ref(json, severity.group->name); });
  });
}

void write_facts(JsonWriter& json) {
  json.object("facts", [&] {
    json.member("type", "object");
    json.object("properties", [&] {
      for (const TableInfo& table : catalogue_tables)
        json.object(table.name, [&] {
          json.member("description", table.doc);
          json.array("anyOf", Layout::lines, [&] {
            json.object(Layout::line, [&] { json.member("const", "absent"); });
            json.object([&] {
              json.member("type", "array");
              json.object("items", [&] {
                json.member("type", "object");
                json.object("properties", [&] {
                  const ColumnRange range = columns_of(find_table(table.name));
                  for (const ColumnInfo& column : catalogue_columns.subspan(range.first, range.count))
                    if (!column.traits.transient)
                      json.object(column.name, Layout::line, [&] {
                        json.member("description", column.doc);
                        write_ref(json, "text");
                      });
                });
                json.member("additionalProperties", false);
              });
            });
          });
        });
    });
    json.member("additionalProperties", false);
  });
}

/// What a file is that has the key, and what one is that has not.
void write_choice(JsonWriter& json, std::string_view key, const std::function<void()>& then,
                  const std::function<void()>& otherwise) {
  json.object("if", Layout::line, [&] { json.array("required", Layout::line, [&] { json.value(key); }); });
  json.object("then", then);
  json.object("else", otherwise);
}

/// The keys of a file with one rule: those of the rule, and of the file those that a rule has not.
std::vector<FileKey> one_rule_keys() {
  std::vector<FileKey> out(file_keys::rule.keys.begin(), file_keys::rule.keys.end());
  const std::vector<std::string_view> of_rule = names_of(file_keys::rule);
  for (const FileKey& key : file_keys::rule_file.keys)
    if (key.name != "rules" && std::find(of_rule.begin(), of_rule.end(), key.name) == of_rule.end()) out.push_back(key);
  return out;
}

}  // namespace

std::string rule_schema() {
  using namespace file_keys;
  const std::vector<FileKey> keys_of_one = one_rule_keys();
  const KeyGroup one_rule{"one_rule_file", keys_of_one};
  JsonWriter json;
  json.object([&] {
    json.member("$schema", "https://json-schema.org/draft/2020-12/schema");
    json.member("title", "kdiag rule files, test files, mappings and project files");
    json.member("description", "Made by `kdiag rules schema` of kdiag " + std::string(version()) + ".");
    json.member("type", "object");
    const auto group = [&](const KeyGroup& named) { return [&json, &named] { write_ref(json, named.name); }; };
    const auto of_tests = [&] { write_choice(json, "rule", group(rule_tests), group(test_file)); };
    const auto of_rules = [&] { write_choice(json, "rule", group(one_rule), group(rule_file)); };
    const auto of_maps = [&] { write_choice(json, "kdiag_map", group(mapping::map_keys::map_file), of_rules); };
    const auto of_projects = [&] { write_choice(json, "kdiag_project", group(project_keys::project_file), of_maps); };
    write_choice(json, "kdiag_test", of_tests, of_projects);
    json.object("$defs", [&] {
      for (const KeyGroup* group : {&rule_file,
                                    &one_rule,
                                    &pack,
                                    &define,
                                    &ladder,
                                    &ladder_use,
                                    &formula_param,
                                    &rule,
                                    &sentence,
                                    &param,
                                    &one_off,
                                    &recommend,
                                    &except,
                                    &override_rule,
                                    &set,
                                    &append,
                                    &rule_test,
                                    &rule_tests,
                                    &test_file,
                                    &test,
                                    &expect,
                                    &finding,
                                    &outcome,
                                    &inconclusive,
                                    &eval,
                                    &mapping::map_keys::map_file,
                                    &mapping::map_keys::match,
                                    &mapping::map_keys::rows,
                                    &mapping::map_keys::value,
                                    &project_keys::project_file,
                                    &project_keys::output,
                                    &project_keys::project_case,
                                    &project_keys::waiver})
        write_group(json, *group);
      for (const FileKey& key : set.keys)
        if (key.shape == KeyShape::severity) write_shared(json, key);
      write_facts(json);
    });
  });
  return json.take();
}

}  // namespace kdiag
