// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/file_schema.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include <nlohmann/json.hpp>

#include <kdiag/tools.hpp>

#include "serve/rpc/json.hpp"

namespace kdiag::serve {
namespace {

const Json& whole_schema() {
  static const auto* const schema = new Json(Json::parse(rule_schema()));
  return *schema;
}

/// Schemas that hold at one place, references and choices resolved; of a list those of its items are among them.
class Schemas {
 public:
  Schemas(const std::vector<std::string>& top_keys, const Json& root) : top_keys_(&top_keys) { add(root); }

  /// Those of the values of a key.
  Schemas below(const std::string& key) const {
    Schemas out(*top_keys_);
    for (const Json* schema : found_) {
      const auto properties = schema->find("properties");
      const auto others = schema->find("additionalProperties");
      if (properties != schema->end() && properties->contains(key)) out.add(properties->at(key));
      else if (others != schema->end() && others->is_object()) out.add(*others);
    }
    return out;
  }

  const std::vector<const Json*>& all() const { return found_; }

 private:
  explicit Schemas(const std::vector<std::string>& top_keys) : top_keys_(&top_keys) {}

  void add(const Json& schema) {
    if (!schema.is_object() || !seen_.insert(&schema).second) return;
    found_.push_back(&schema);
    if (const auto reference = schema.find("$ref"); reference != schema.end())
      add(whole_schema().at(Json::json_pointer(reference->get<std::string>().substr(1))));
    if (const auto any = schema.find("anyOf"); any != schema.end())
      for (const Json& one : *any) add(one);
    if (const auto items = schema.find("items"); items != schema.end()) add(*items);
    if (schema.contains("if")) add(schema.at(holds(schema.at("if")) ? "then" : "else"));
  }

  bool holds(const Json& condition) const {
    return std::all_of(condition.at("required").begin(), condition.at("required").end(), [this](const Json& key) {
      return std::find(top_keys_->begin(), top_keys_->end(), key) != top_keys_->end();
    });
  }

  const std::vector<std::string>* top_keys_;
  std::vector<const Json*> found_;
  std::set<const Json*> seen_;
};

/// What a property means: it says so itself, or what it refers to does.
std::string meaning_of(const Json& property) {
  const auto doc = property.find("description");
  return doc != property.end() && doc->is_string() ? doc->get<std::string>() : std::string();
}

}  // namespace

SchemaPlace schema_place(const std::vector<std::string>& top_keys, const std::vector<std::string>& keys) {
  Schemas here(top_keys, whole_schema());
  for (const std::string& key : keys) here = here.below(key);
  SchemaPlace out;
  for (const Json* schema : here.all()) {
    if (const auto properties = schema->find("properties"); properties != schema->end())
      for (const auto& [key, property] : properties->items()) out.keys.emplace(key, meaning_of(property));
    if (const auto words = schema->find("enum"); words != schema->end())
      for (const Json& word : *words)
        if (word.is_string()) out.words.push_back(word.get<std::string>());
    const auto type = schema->find("type");
    out.other_values = out.other_values || schema->contains("pattern") || (type != schema->end() && *type != "object");
    if (type != schema->end() && *type == "boolean") out.words.insert(out.words.end(), {"false", "true"});
  }
  return out;
}

}  // namespace kdiag::serve
