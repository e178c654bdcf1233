// SPDX-License-Identifier: Apache-2.0
#include "report/sarif_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "base/escape.hpp"
#include "base/utf8.hpp"

namespace kdiag::report {
namespace {

/// GitHub's limits: characters of a description, and tags of a rule.
constexpr std::size_t most_characters = 1024, most_tags = 20;

std::string cut(const std::string& text) {
  if (count_code_points(text) <= most_characters) return text;
  return std::string(first_code_points(text, most_characters - 1)) + "\xe2\x80\xa6";
}

/// The first web address among references.
std::string address_of(const std::vector<std::string>& references) {
  for (const std::string& text : references)
    if (const std::string_view address = web_address(text); address.starts_with("https://"))
      return std::string(address);
  return {};
}

/// Paragraphs with a heading each, as Markdown and as text.
class Help {
 public:
  void add(std::string_view heading, const std::string& text) {
    if (text.empty()) return;
    markdown_ += (markdown_.empty() ? "" : "\n\n") + ("**" + std::string(heading) + "** ") + markdown(flowing(text));
    text_ += (text_.empty() ? "" : "\n\n") + std::string(heading) + " " + visible_lines(text);
  }
  void add_references(std::string_view heading, const std::vector<std::string>& list) {
    if (list.empty()) return;
    markdown_ += (markdown_.empty() ? "" : "\n\n") + ("**" + std::string(heading) + "**\n");
    text_ += (text_.empty() ? "" : "\n\n") + std::string(heading);
    for (const std::string& entry : list) {
      markdown_ += "\n- " + markdown_reference(flowing(entry));
      text_ += "\n- " + flowing(entry);
    }
  }
  void into(SarifRule& rule) && { rule.help = std::move(text_), rule.markdown = std::move(markdown_); }

 private:
  std::string text_, markdown_;
};

SarifRule rule_of(const AboutRule& about) {
  SarifRule out{.id = about.id,
                .summary = about.summary,
                .description = about.why,
                .help = {},
                .markdown = {},
                .address = address_of(about.references),
                .tags = about.tags};
  Help help;
  help.add("Why it matters.", about.why);
  help.add("How it decides.", about.how);
  help.add("When it is wrong.", about.false_positives);
  help.add_references("References.", about.references);
  std::move(help).into(out);
  return out;
}

}  // namespace

void write_sarif_text(JsonWriter& json, std::string_view name, std::string_view text) {
  json.object(name, Layout::line, [&] { json.member("text", text); });
}

void write_sarif_head(JsonWriter& json) {
  json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json");
  json.member("version", "2.1.0");
}

void write_sarif_rule(JsonWriter& json, SarifRule rule) {
  if (rule.summary.empty()) rule.summary = rule.id;
  if (rule.description.empty()) rule.description = rule.summary;
  if (rule.help.empty()) rule.help = rule.markdown = rule.description;
  json.object([&] {
    json.member("id", rule.id);
    write_sarif_text(json, "shortDescription", cut(sarif_message(flowing(rule.summary))));
    write_sarif_text(json, "fullDescription", cut(sarif_message(flowing(rule.description))));
    json.object("help", [&] {
      json.member("text", sarif_message(rule.help));
      json.member("markdown", rule.markdown);
    });
    if (!rule.address.empty()) json.member("helpUri", rule.address);
    if (rule.tags.empty()) return;
    std::set<std::string> tags(rule.tags.begin(), rule.tags.end());
    while (tags.size() > most_tags) tags.erase(std::prev(tags.end()));
    json.object("properties", Layout::line,
                [&] { json.list("tags", tags, [&](const std::string& tag) { json.value(tag); }); });
  });
}

void write_found_rules(JsonWriter& json, const Report& report) {
  std::set<std::string_view> ids;
  for (const Finding& finding : report.findings) ids.insert(finding.rule);
  for (const std::string_view id : ids) {
    const auto about =
        std::find_if(report.about.begin(), report.about.end(), [id](const AboutRule& one) { return one.id == id; });
    if (about == report.about.end()) write_sarif_rule(json, {.id = std::string(id)});
    else write_sarif_rule(json, rule_of(*about));
  }
}

void write_packs(JsonWriter& json, const Report& report) {
  if (report.packs.empty()) return;
  json.list("extensions", report.packs, [&](const PackEntry& pack) {
    json.object([&] {
      json.member("name", pack.name);
      if (!pack.version.empty()) json.member("version", pack.version);
      json.object("properties", Layout::line, [&] {
        json.member("hash", pack.hash);
        json.member("path", pack.path);
      });
    });
  });
}

}  // namespace kdiag::report
