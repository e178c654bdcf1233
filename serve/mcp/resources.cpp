// SPDX-License-Identifier: Apache-2.0
#include "serve/mcp/resources.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include <kdiag/tools.hpp>

#include <nlohmann/json.hpp>

#include "serve/rpc/request_error.hpp"

namespace kdiag::serve::mcp {
namespace {

constexpr std::size_t on_a_page = 50;  // of a listing (judgement)
constexpr std::string_view scheme = "kdiag://";

struct Resource {
  std::string path, name, about;
  std::function<std::string()> text;
};

/// Those that are few.
std::vector<Resource> fixed(const Workspace& workspace) {
  const RuleSet& rules = workspace.own_rules();
  std::vector<Resource> out = {
      {"rules", "Rules", "All rules in a line each", [&] { return rule_index(rules); }},
      {"facts", "Catalogue of facts", "Every table and column, with unit and meaning", [] { return catalogue_text(); }},
      {"formats", "Formats", "What kdiag reads and how to record it", [] { return formats_text(); }},
      {"limits", "Limits", "What inputs may cost, and what happens then", [] { return limits_text(); }},
      {"functions", "Functions", "Tables, functions and defines of expressions",
       [&] { return query_help(rules, {}); }}};
  for (const Page& page : workspace.options.pages)
    out.push_back({"pages/" + page.name, page.name, page.about, [text = page.text] { return text; }});
  return out;
}

Json listed(const std::string& path, const std::string& name, const std::string& about) {
  return {{"uri", std::string(scheme) + path}, {"name", name}, {"description", about}, {"mimeType", "text/markdown"}};
}

/// What a word of the language is; nothing when it is none.
std::optional<std::string> word(const RuleSet& rules, const std::string& name) {
  const std::vector<std::string> words = complete_query(rules, {}, 0).words;
  const bool known =
      std::any_of(words.begin(), words.end(), [&](const std::string& one) { return one == name || one == name + "("; });
  return known ? std::optional(query_help(rules, name)) : std::nullopt;
}

std::optional<std::string> text_of(const Workspace& workspace, const std::string& path) {
  for (const Resource& resource : fixed(workspace))
    if (resource.path == path) return resource.text();
  if (path.starts_with("rules/")) {
    Result<std::string> page = rule_page(workspace.own_rules(), path.substr(6));
    return page ? std::optional(std::move(*page)) : std::nullopt;
  }
  return path.starts_with("functions/") ? word(workspace.own_rules(), path.substr(10)) : std::nullopt;
}

}  // namespace

Json list_resources(const Workspace& workspace, const Json& params) {
  std::vector<Json> all;
  for (const Resource& resource : fixed(workspace)) all.push_back(listed(resource.path, resource.name, resource.about));
  for (const RuleEntry& rule : list_rules(workspace.own_rules()))
    all.push_back(listed("rules/" + rule.id, rule.id, rule.summary));
  std::size_t first = 0;
  if (params.is_object() && params.contains("cursor")) {
    const auto cursor = params.at("cursor").get<std::string>();
    const char* const end = cursor.data() + cursor.size();
    if (cursor.empty() || std::from_chars(cursor.data(), end, first).ptr != end || first >= all.size())
      throw RequestError(ErrorCode::invalid_params, "the cursor is none of resources/list");
  }
  const std::size_t last = std::min(all.size(), first + on_a_page);
  Json out = {{"resources", Json(std::vector<Json>(all.begin() + static_cast<std::ptrdiff_t>(first),
                                                   all.begin() + static_cast<std::ptrdiff_t>(last)))}};
  if (last < all.size()) out["nextCursor"] = std::to_string(last);
  return out;
}

Json list_templates() {
  return {{"resourceTemplates",
           {{{"uriTemplate", "kdiag://rules/{id}"},
             {"name", "rule"},
             {"description", "What a rule is about, how it decides, what it needs, what to do"},
             {"mimeType", "text/markdown"}},
            {{"uriTemplate", "kdiag://functions/{name}"},
             {"name", "function"},
             {"description", "What a table, function or define of expressions is"},
             {"mimeType", "text/markdown"}}}}};
}

Json read_resource(const Workspace& workspace, const std::string& uri) {
  if (!uri.starts_with(scheme)) return {};
  std::optional<std::string> text = text_of(workspace, uri.substr(scheme.size()));
  if (!text) return {};
  return {{"contents", Json::array({{{"uri", uri}, {"mimeType", "text/markdown"}, {"text", std::move(*text)}}})}};
}

}  // namespace kdiag::serve::mcp
