// SPDX-License-Identifier: Apache-2.0
#include "dsl/rule_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <optional>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/nul_in_path.hpp"
#include "base/text_file.hpp"
#include "dsl/edition.hpp"
#include "dsl/file_diagnostics.hpp"
#include "dsl/node_reader.hpp"
#include "dsl/pack_tree.hpp"
#include "dsl/read_rule.hpp"
#include "dsl/yaml_tree.hpp"

namespace kdiag {
namespace {

/// "0.3" or "0.3.1" as numbers; nothing for all else.
std::optional<std::array<int, 3>> version_of(std::string_view text) {
  std::array<int, 3> out{};
  std::size_t part = 0;
  bool digit = false;
  for (const char c : text) {
    if (c == '.' && digit && part + 1 < out.size()) {
      ++part;
      digit = false;
    } else if (c >= '0' && c <= '9') {
      out[part] = std::min(out[part] * 10 + (c - '0'), 1'000'000);
      digit = true;
    } else {
      return {};
    }
  }
  return digit && part >= 1 ? std::optional(out) : std::nullopt;
}

/// Whether a version lies in bounds such as ">=0.3" or ">=0.3, <2.0"; nothing when they are not written so.
std::optional<bool> admits(std::string_view bounds, std::string_view version) {
  bool good = true;
  while (true) {
    const std::size_t end = std::min(bounds.find(','), bounds.size());
    std::string_view bound = bounds.substr(0, end);
    bound.remove_prefix(std::min(bound.find_first_not_of(' '), bound.size()));
    bound = bound.substr(0, bound.find_last_not_of(' ') + 1);
    const bool least = bound.starts_with(">=");
    if (!least && !bound.starts_with("<")) return {};
    const auto limit = version_of(bound.substr(least ? 2 : 1));
    if (!limit) return {};
    good = good && (version_of(version) >= limit) == least;
    if (end == bounds.size()) return good;
    bounds.remove_prefix(end + 1);
  }
}

/// Whether the pack is for another kdiag than this one; K411 says so.
bool for_another_version(const YamlNode& root, std::string_view version, RuleFile& file, NodeReader& reader) {
  const YamlNode* pack = root.find("pack");
  const YamlNode* engine = pack != nullptr ? pack->find("engine") : nullptr;
  if (version.empty() || engine == nullptr || !engine->is(YamlNode::Kind::scalar)) return false;
  if (admits(engine->text.text, version).value_or(true)) return false;
  if (const YamlNode* name = pack->find("name"); name != nullptr && name->is(YamlNode::Kind::scalar))
    file.pack = name->text.text;
  file.engine = engine->text.text;
  reader.warning(error_id::other_engine, engine->span,
                 "pack '" + file.pack + "' needs kdiag " + file.engine + ": its rules were left out",
                 "this is " + std::string(version));
  return true;
}

void read_pack(const YamlNode& root, RuleFile& file, NodeReader& reader) {
  const YamlNode* pack = root.find("pack");
  if (pack == nullptr || !reader.mapping(*pack, "pack")) return;
  reader.only_keys(*pack, "`pack`", file_keys::pack);
  if (const YamlNode* name = reader.required(*pack, "name", "`pack`", pack->span))
    file.pack = reader.text(*name, "name"), file.pack_span = name->span;
  file.version = reader.text_of(*pack, "version");
  if (const YamlNode* compares = pack->find("compares"))
    file.compares = reader.boolean(*compares, "compares").value_or(false);
  const YamlNode* engine = pack->find("engine");
  if (engine == nullptr) return;
  file.engine = reader.text(*engine, "engine");
  if (engine->is(YamlNode::Kind::scalar) && !admits(file.engine, "0.0"))
    reader.error(error_id::unknown_word, engine->span, "`engine` cannot be '" + file.engine + "'", {},
                 "it names the versions of kdiag that can run the pack: \">=0.1\" or \">=0.1, <2.0\"");
}

std::vector<Define> read_defines(const YamlNode& node, NodeReader& reader) {
  std::vector<Define> out;
  if (!reader.sequence(node, "define")) return out;
  for (const YamlNode& item : node.items) {
    if (!reader.mapping(item, "define")) continue;
    const std::size_t first = reader.count();
    Define define;
    reader.only_keys(item, "a define", file_keys::define);
    const YamlNode* name = reader.required(item, "name", "this define", item.span);
    const YamlNode* expr = reader.required(item, "expr", "this define", name != nullptr ? name->span : item.span);
    if (name != nullptr) {
      define.name = reader.name(*name, "a define");
      define.name_span = name->span;
    }
    define.doc = reader.text_of(item, "doc");
    define.type = reader.text_of(item, "type");
    if (const YamlNode* params = item.find("params"))
      define.params = read_params(*params, reader, file_keys::formula_param);
    if (expr != nullptr) define.value = reader.expression(*expr, "expr");
    if (define.name.empty()) continue;
    reader.set_context(first, "define " + define.name);
    out.push_back(std::move(define));
  }
  return out;
}

void read_rules(const YamlNode& root, RuleFile& file, NodeReader& reader) {
  std::vector<Param> shared;
  if (const YamlNode* params = root.find("params")) shared = read_params(*params, reader);
  for (Param& param : shared) param.shared = true;
  const YamlNode* rules = root.find("rules");
  if (rules == nullptr || !reader.sequence(*rules, "rules")) return;
  for (const YamlNode& item : rules->items) {
    if (!reader.mapping(item, "a rule")) continue;
    Rule rule = read_rule(item, reader);
    // Without its `let` every name that it uses would be another error of the one mistake.
    if (const YamlNode* let = item.find("let"); let != nullptr && !let->is(YamlNode::Kind::mapping)) {
      file.withheld.push_back(rule.id);
      continue;
    }
    rule.pack = file.pack;
    rule.compares = file.compares;
    for (const Param& param : shared)  // parameters of the file belong to each of its rules that has none of that name
      if (std::none_of(rule.params.begin(), rule.params.end(),
                       [&param](const Param& own) { return own.name == param.name; }))
        rule.params.push_back(param);
    file.rules.push_back(std::move(rule));
  }
}

}  // namespace

Result<SourcePtr> read_rule_source(const std::string& path, std::string_view what, CancelFlag cancel) {
  const auto with_help = [](Diagnostic error, std::string_view help) {
    error.help = help;
    return error;
  };
  if (has_nul(path)) return with_help(unreadable(path, nul_in_path, what), nul_in_path_help);
  std::string text;
  if (const int why = read_text_file(path, most_yaml_bytes + 1, text, cancel); why != 0)
    return with_help(unreadable(path, std::strerror(why), what), why == EISDIR ? "Name the files of the folder." : "");
  return rule_source(path, std::move(text), what);
}

Result<SourcePtr> rule_source(const std::string& path, std::string text, std::string_view what) {
  if (text.size() > most_yaml_bytes)
    return unreadable(path, "it is larger than " + std::to_string(most_yaml_bytes / 1024) + " KiB", what);
  return SourcePtr(std::make_shared<const Source>(Source{path, std::move(text)}));
}

Diagnostic unreadable(const std::string& path, std::string_view why, std::string_view what) {
  return make_error(error_id::unreadable_file, {std::make_shared<const Source>(Source{path, {}}), 0, 0},
                    "cannot read the " + std::string(what) + ": " + std::string(why));
}

RuleFile parse_rule_file(const PackSource& source, Diagnostics& diagnostics, std::string_view version,
                         CancelFlag cancel, KeptTrees* kept) {
  const std::size_t first = diagnostics.size();
  const YamlNode root = pack_tree(source, diagnostics, cancel, kept);
  const std::vector<SourcePtr> sources = source.all();
  RuleFile file = read_rule_file(root, sources, diagnostics, version, cancel);
  arrange(diagnostics, first, sources);
  return file;
}

RuleFile parse_rule_file(const SourcePtr& source, Diagnostics& diagnostics, std::string_view version,
                         CancelFlag cancel) {
  return parse_rule_file(pack_of_text(source), diagnostics, version, cancel);
}

RuleFile read_rule_file(const YamlNode& root, std::span<const SourcePtr> sources, Diagnostics& diagnostics,
                        std::string_view version, CancelFlag cancel) {
  RuleFile file;
  file.source = sources.front();
  file.parts.assign(sources.begin() + 1, sources.end());
  NodeReader reader(diagnostics, cancel);
  if (root.is(YamlNode::Kind::null)) {
    tell_empty(file.source, rules_edition, diagnostics);
  } else if (!root.is(YamlNode::Kind::invalid) && reader.mapping(root, "a rule file") &&
             !for_another_version(root, version, file, reader)) {
    check_edition(root, rules_edition, diagnostics);
    reader.only_keys(root, "a rule file", file_keys::rule_file);
    read_pack(root, file, reader);
    file.imports = reader.texts_of(root, "import");
    if (const YamlNode* define = root.find("define")) file.defines = read_defines(*define, reader);
    if (const YamlNode* ladders = root.find("ladders")) file.ladders = read_ladders(*ladders, reader);
    read_rules(root, file, reader);
    if (const YamlNode* overrides = root.find("overrides");
        overrides != nullptr && reader.sequence(*overrides, "overrides"))
      for (const YamlNode& item : overrides->items)
        if (auto change = read_override(item, reader)) file.overrides.push_back(std::move(*change));
  }
  return file;
}

Rule read_rule_alone(const YamlNode& rule, Diagnostics& diagnostics) {
  NodeReader reader(diagnostics);
  return read_rule(rule, reader);
}

}  // namespace kdiag
