// SPDX-License-Identifier: Apache-2.0
#include "engine/ruleset/pack_settings.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "base/edit_distance.hpp"

namespace kdiag {
namespace {

using Files = std::vector<std::shared_ptr<const RuleFile>>;

/// Ids of rules have a dot, names of packs have none.
bool names_pack(const ParamSetting& setting) { return setting.rule.find('.') == std::string::npos; }

const Rule* rule_of(const Files& files, std::string_view id) {
  for (const auto& file : files)
    for (const Rule& rule : file->rules)
      if (rule.id == id) return &rule;
  return nullptr;
}

}  // namespace

std::vector<ParamSetting> written_out(std::vector<ParamSetting> settings, const Files& files,
                                      Diagnostics& diagnostics) {
  std::vector<ParamSetting> out;
  std::vector<std::string_view> packs;
  for (const auto& file : files)
    if (!file->pack.empty()) packs.push_back(file->pack);
  for (const ParamSetting& setting : settings) {
    if (!names_pack(setting)) continue;
    if (std::find(packs.begin(), packs.end(), setting.rule) == packs.end())
      diagnostics.push_back(make_error(error_id::unknown_rule, setting.place, "no rule or pack '" + setting.rule + "'",
                                       did_you_mean(setting.rule, packs),
                                       "--set rule.param=value, or pack.param=value for all rules of a pack"));
    for (const auto& file : files)
      for (const Rule& rule : file->rules)
        if (file->pack == setting.rule) {
          ParamSetting& own = out.emplace_back(setting);
          own.pack = std::exchange(own.rule, rule.id);
        }
  }
  std::erase_if(settings, names_pack);
  std::move(settings.begin(), settings.end(), std::back_inserter(out));
  return out;
}

void keep_known(std::vector<ParamSetting>& settings, const Files& files, Diagnostics& diagnostics) {
  struct OfPack {
    Span place;
    bool known = false;
    std::set<std::string_view> params;
  };
  std::map<std::pair<std::string, std::string>, OfPack> of_packs;
  std::erase_if(settings, [&](const ParamSetting& setting) {
    if (setting.pack.empty()) return false;
    OfPack& group = of_packs[{setting.pack, setting.param}];
    group.place = setting.place;
    const Rule* rule = rule_of(files, setting.rule);
    if (rule == nullptr) return true;
    const bool known = has_param(*rule, setting.param);
    group.known |= known;
    for (const Param& param : rule->params) group.params.insert(param.name);
    return !known;
  });
  for (const auto& [name, group] : of_packs)
    if (!group.known)
      diagnostics.push_back(make_error(error_id::unknown_param, group.place,
                                       "no rule of pack '" + name.first + "' has a parameter '" + name.second + "'",
                                       did_you_mean(name.second, {group.params.begin(), group.params.end()})));
}

}  // namespace kdiag
