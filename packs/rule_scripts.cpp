// SPDX-License-Identifier: Apache-2.0
#include "packs/rule_scripts.hpp"

#include <algorithm>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/ascii.hpp"
#include "base/diagnostic.hpp"
#include "lua/lua_rules.hpp"
#include "packs/rule_source.hpp"
#include "rules/builtin_packs.hpp"

namespace kdiag {
namespace {

namespace fs = std::filesystem;

/// Why a rule cannot name a script so; empty when it can. A pack brings its scripts along: they lie in its folder.
std::string_view wrong_path(const fs::path& path) {
  if (path.is_absolute()) return "it is no path below the folder of the pack";
  if (std::find(path.begin(), path.end(), "..") != path.end()) return "it leaves the folder of the pack";
  return path.extension() == ".lua" ? "" : "its name does not end in .lua";
}

/// The script that a rule of a built-in pack names, by a path beside the rule.
SourcePtr builtin_script(const Rule& rule, const fs::path& path) {
  const std::string name = (fs::path(rule.span.source->name).parent_path() / path).generic_string();
  for (const BuiltinText& script : builtin_scripts())
    if (script.name == name)
      return std::make_shared<const Source>(Source{std::string(script.name), std::string(script.text)});
  return {};
}

}  // namespace

bool is_lua_rule(std::string_view path) { return path.ends_with(".lua"); }

bool states_rule(std::string_view script) {
  const auto has_key = [script](std::string_view key) {
    for (std::size_t at = script.find(key); at != std::string_view::npos; at = script.find(key, at + 1)) {
      const std::size_t behind = script.find_first_not_of(" \t", at + key.size());
      if ((at == 0 || !is_word(script[at - 1])) && behind != std::string_view::npos && script[behind] == '=')
        return true;
    }
    return false;
  };
  return has_key("id") && has_key("title");
}

bool RuleScripts::allowed(const Span& place, std::string_view rule) {
  if (options_.lua && lua::available()) return true;
  Diagnostic error = lua::available() ? make_error(error_id::lua_off, place, "Lua rules are switched off", {},
                                                   "without --no-lua the rule runs, in a sandbox")
                                      : make_error(error_id::lua_off, place, "this build of kdiag has no Lua", {},
                                                   "build it with -DKDIAG_LUA=ON");
  if (!rule.empty()) error.context = "rule " + std::string(rule);
  diagnostics_.push_back(std::move(error));
  return false;
}

void RuleScripts::note(const Span& place, std::string_view rule) {
  Diagnostic note = make_diagnostic(Level::note, error_id::runs_lua, place, "this rule runs a Lua script", {},
                                    "it runs in a sandbox; --no-lua refuses it");
  note.context = "rule " + std::string(rule);
  style_.push_back(std::move(note));
}

RuleFile RuleScripts::read(const SourcePtr& source) {
  RuleFile file;
  file.source = source;
  if (!allowed({source, 0, 0}, {})) return file;
  auto rule = lua::read_rule_table(source, options_.lua_limits, diagnostics_, options_.cancel);
  if (!rule) return file;
  note(rule->span, rule->id);
  file.rules.push_back(std::move(*rule));
  return file;
}

std::shared_ptr<const Script> RuleScripts::script_of(const Rule& rule, bool builtin,
                                                     const std::optional<fs::path>& folder) {
  const Reference& named = *rule.script_path;
  const fs::path path = fs::path(named.rule).lexically_normal();
  const auto refuse = [&](std::string_view why, std::string help = {}) {
    Diagnostic error = make_error(error_id::script_unusable, named.span, "cannot use the script '" + named.rule + "'",
                                  std::string(why), std::move(help));
    error.context = "rule " + rule.id;
    diagnostics_.push_back(std::move(error));
    return nullptr;
  };
  if (const std::string_view why = wrong_path(path); !why.empty()) return refuse(why);
  if (builtin) {
    const SourcePtr source = builtin_script(rule, path);
    if (!source) return refuse("there is no such built-in script");
    return lua::trusted_script(source, options_.lua_limits);
  }
  if (!folder) return refuse("these rules are in no folder", "load them from a file");
  const std::string file = (*folder / path).lexically_normal().string();
  if (!options_.imports_outside && !lies_below(file, folder->string(), options_))
    return refuse("it leads out of the folder of the pack", "rules are read with --allow-imports-outside where it may");
  if (is_special(file, options_)) return refuse("it is no ordinary file");
  auto source = read_named_file(file, options_, "script");
  if (!source) return refuse(source.error().front().title, source.error().front().help);
  return lua::check_script(*source, options_.lua_limits, diagnostics_, options_.cancel);
}

void RuleScripts::attach(RuleFile& file, const std::optional<fs::path>& folder) {
  std::erase_if(file.rules, [&](Rule& rule) {
    if (!rule.script_path) return false;
    if (file.builtin && !(options_.lua && lua::available())) {
      file.withheld.push_back(rule.id);  // known, but not to be had
      return true;
    }
    if (allowed(rule.script_path->span, rule.id)) rule.script = script_of(rule, file.builtin, folder);
    if (rule.script && !file.builtin) note(rule.script_path->span, rule.id);
    return !rule.script;
  });
}

}  // namespace kdiag
