// SPDX-License-Identifier: Apache-2.0
#include "serve/mcp/arguments.hpp"

#include <algorithm>

#include <kdiag/diagnostic.hpp>

#include <nlohmann/json.hpp>

#include "serve/mcp/inert.hpp"
#include "serve/mcp/tool_error.hpp"

namespace kdiag::serve::mcp {
namespace {

constexpr std::size_t longest_argument = 64 * 1024;  // of a text: an expression, or the text of a rule file (judgement)
constexpr std::size_t most_texts = 1000;

std::string wanted(const Argument& argument) {
  switch (argument.kind) {
    case Argument::Kind::text: return "a text of at most 64 KiB";
    case Argument::Kind::texts: return "a list of 1 to 1000 texts";
    case Argument::Kind::number: break;
  }
  return "a whole number from " + std::to_string(argument.least) + " to " + std::to_string(argument.most);
}

bool is_text(const Json& value) {
  return value.is_string() && value.get_ref<const std::string&>().size() <= longest_argument;
}

bool fits(const Json& value, const Argument& argument) {
  switch (argument.kind) {
    case Argument::Kind::text: return is_text(value);
    case Argument::Kind::texts:
      return value.is_array() && !value.empty() && value.size() <= most_texts &&
             std::all_of(value.begin(), value.end(), is_text);
    case Argument::Kind::number: break;
  }
  if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX))
    return false;
  const auto number = value.get<std::int64_t>();
  return number >= argument.least && number <= argument.most;
}

}  // namespace

Json schema_of(std::span<const Argument> arguments) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Argument& argument : arguments) {
    Json one = {{"description", argument.what}};
    switch (argument.kind) {
      case Argument::Kind::text:
        one["type"] = "string";
        one["maxLength"] = longest_argument;
        break;
      case Argument::Kind::texts:
        one["type"] = "array";
        one["items"] = {{"type", "string"}, {"maxLength", longest_argument}};
        one["minItems"] = 1;
        one["maxItems"] = most_texts;
        break;
      case Argument::Kind::number:
        one["type"] = "integer";
        one["minimum"] = argument.least;
        one["maximum"] = argument.most;
        break;
    }
    properties[std::string(argument.name)] = std::move(one);
    if (argument.required) required.push_back(argument.name);
  }
  Json out = {{"type", "object"}, {"properties", std::move(properties)}, {"additionalProperties", false}};
  if (!required.empty()) out["required"] = std::move(required);
  return out;
}

Arguments::Arguments(const Json& given, std::span<const Argument> declared) : given_(given) {
  if (!given.is_object()) throw ToolError("the arguments of a tool are an object");
  std::vector<std::string_view> names;
  for (const Argument& argument : declared) names.push_back(argument.name);
  for (const auto& [name, value] : given.items()) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end())
      throw ToolError("there is no argument '" + inert(name) + "'; " + did_you_mean(name, names));
    const Argument& argument = declared[static_cast<std::size_t>(found - names.begin())];
    if (!fits(value, argument)) throw ToolError("'" + name + "' has to be " + wanted(argument));
  }
  for (const Argument& argument : declared)
    if (argument.required && !given.contains(std::string(argument.name)))
      throw ToolError("'" + std::string(argument.name) + "' is missing: " + std::string(argument.what));
}

std::string Arguments::text(std::string_view name) const {
  const auto found = given_.find(std::string(name));
  return found == given_.end() ? std::string() : found->get<std::string>();
}

std::vector<std::string> Arguments::texts(std::string_view name) const {
  const auto found = given_.find(std::string(name));
  return found == given_.end() ? std::vector<std::string>() : found->get<std::vector<std::string>>();
}

std::optional<std::int64_t> Arguments::number(std::string_view name) const {
  const auto found = given_.find(std::string(name));
  return found == given_.end() ? std::nullopt : std::optional(found->get<std::int64_t>());
}

}  // namespace kdiag::serve::mcp
