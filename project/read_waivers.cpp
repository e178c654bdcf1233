// SPDX-License-Identifier: Apache-2.0
#include "project/read_waivers.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include <kdiag/error_ids.hpp>

#include "base/ascii.hpp"
#include "base/diagnostic.hpp"
#include "project/project_keys.hpp"
#include "project/source_place.hpp"

namespace kdiag {
namespace {

/// "v1:" and 16 hexadecimal digits, as reports write them.
bool is_fingerprint(std::string_view text) {
  return text.size() == 19 && text.starts_with("v1:") &&
         std::all_of(text.begin() + 3, text.end(), [](char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); });
}

std::optional<WrittenWaiver> read_waiver(const YamlNode& node, NodeReader& reader) {
  if (!reader.mapping(node, "a waiver")) return {};
  const std::size_t first = reader.count();
  reader.only_keys(node, "a waiver", project_keys::waiver);
  WrittenWaiver out;
  out.details.place = place_of(node.span);
  if (const YamlNode* rule = node.find("rule")) out.rule = {reader.text(*rule, "rule"), rule->span};
  for (const Reference& name : reader.texts_of(node, "fingerprint")) {
    if (!is_fingerprint(name.rule))
      reader.error(error_id::invalid_name, name.span, "'" + name.rule + "' is no fingerprint", {},
                   "reports have them: \"fingerprint\": \"v1:0123456789abcdef\" of --format json; `kdiag waive` "
                   "writes the entry");
    out.fingerprints.push_back(name.rule);
  }
  if (out.rule.rule.empty() && out.fingerprints.empty())
    reader.error(error_id::missing_key, node.span, "this waiver has neither `rule` nor `fingerprint`", {},
                 "a waiver says what it accepts: one of them, or both");
  out.when = reader.expression_of(node, "when");
  if (const YamlNode* reason = reader.required(node, "reason", "this waiver", node.span))
    out.details.reason = reader.text(*reason, "reason");
  out.details.owner = reader.text_of(node, "owner");
  if (const YamlNode* until = node.find("until")) {
    out.details.until = reader.text(*until, "until");
    if (!out.details.until.empty() && !is_date(out.details.until))
      reader.error(error_id::unknown_word, until->span, "'" + out.details.until + "' is no date", {},
                   "write the last day on which the waiver holds: 2026-12-31");
  }
  return reader.count() == first ? std::optional(std::move(out)) : std::nullopt;
}

/// K311 of a pattern that no rule has; the id that an old one has now.
std::string checked_rules(const Reference& written, const LoadedRules& rules, Diagnostics& diagnostics) {
  const std::string now(rules.id_now(written.rule));
  const auto fits = [&](const CheckedRule& checked) { return matches_rule(now, checked.rule->id); };
  if (now.empty() || std::any_of(rules.rules.begin(), rules.rules.end(), fits)) return now;
  std::vector<std::string_view> ids;
  for (const CheckedRule& checked : rules.rules) ids.push_back(checked.rule->id);
  diagnostics.push_back(make_error(error_id::unknown_rule, written.span, "no rule is '" + written.rule + "'",
                                   did_you_mean(written.rule, ids), "`kdiag rules list` names them"));
  return now;
}

}  // namespace

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto number = [text](std::size_t at, std::size_t digits) {
    int value = 0;
    for (const char c : text.substr(at, digits)) value = is_digit(c) && value >= 0 ? 10 * value + (c - '0') : -1;
    return value;
  };
  constexpr int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const int year = number(0, 4), month = number(5, 2), day = number(8, 2);
  if (year < 0 || month < 1 || month > 12) return false;
  const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
  return day >= 1 && day <= days[month - 1] + (leap && month == 2 ? 1 : 0);
}

std::vector<WrittenWaiver> read_waivers(const YamlNode& node, NodeReader& reader) {
  std::vector<WrittenWaiver> out;
  if (!reader.sequence(node, "waivers")) return out;
  for (const YamlNode& item : node.items)
    if (auto waiver = read_waiver(item, reader)) out.push_back(std::move(*waiver));
  return out;
}

LoadedWaivers check_waivers(const std::vector<WrittenWaiver>& written, const Shared<LoadedRules>& rules,
                            Diagnostics& diagnostics) {
  LoadedWaivers out;
  out.rules = rules;
  for (const WrittenWaiver& waiver : written) {
    Waiver checked{.rules = checked_rules(waiver.rule, *rules, diagnostics),
                   .fingerprints = waiver.fingerprints,
                   .condition = waiver.when.value_or(Expression{}),
                   .when = nullptr,
                   .details = waiver.details};
    if (waiver.when) checked.when = check_run_condition(checked.condition, "when", rules->comparing(), diagnostics);
    out.list.push_back(std::move(checked));
  }
  return out;
}

}  // namespace kdiag
