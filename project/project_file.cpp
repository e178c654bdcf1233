// SPDX-License-Identifier: Apache-2.0
#include "project/project_file.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "dsl/edition.hpp"
#include "dsl/file_diagnostics.hpp"
#include "dsl/node_reader.hpp"
#include "dsl/rule_file.hpp"
#include "dsl/yaml_tree.hpp"
#include "project/project_keys.hpp"
#include "project/read_waivers.hpp"
#include "project/source_place.hpp"

namespace kdiag {
namespace {

using NodeKind = YamlNode::Kind;

/// A value on a line, as `kdiag config show` prints it.
std::string shown(const YamlNode& node) {
  if (node.is(NodeKind::scalar)) return node.text.text;
  std::string out;
  for (const YamlNode& item : node.items) out += (out.empty() ? "" : ", ") + shown(item);
  for (const YamlMember& member : node.members)
    out += (out.empty() ? "" : ", ") + member.key.text.text + ": " + shown(member.value);
  return node.is(NodeKind::sequence) ? "[" + out + "]" : node.is(NodeKind::mapping) ? "{" + out + "}" : out;
}

class ProjectReader {
 public:
  ProjectReader(SourcePtr source, std::string folder, NodeReader& reader)
      : folder_(std::move(folder)), reader_(reader) {
    out_.source = std::move(source);
    out_.settings.file = out_.source->name;
  }

  LoadedProject read(const YamlNode& root, Diagnostics& diagnostics) {
    check_edition(root, project_edition, diagnostics);
    if (root.find(project_edition) == nullptr) return std::move(out_);  // a file of another kind
    reader_.only_keys(root, "a project file", project_keys::project_file);
    for (const YamlMember& member : root.members)
      if (member.key.text.text != project_edition && !member.key.text.text.starts_with("x-"))
        out_.settings.values.push_back({member.key.text.text, shown(member.value), place_of(member.key.span)});
    read_settings(root);
    out_.select = patterns(root, "select");
    out_.ignore = patterns(root, "ignore");
    if (const YamlNode* params = root.find("params")) out_.params = read_params(*params);
    if (const YamlNode* cases = root.find("for"); cases != nullptr && reader_.sequence(*cases, "for"))
      for (const YamlNode& item : cases->items) read_case(item);
    if (const YamlNode* waivers = root.find("waivers")) out_.waivers = read_waivers(*waivers, reader_);
    return std::move(out_);
  }

 private:
  void read_settings(const YamlNode& root) {
    ProjectSettings& settings = out_.settings;
    settings.rules = paths(root, "rules");
    settings.maps = paths(root, "maps");
    settings.baseline = paths(root, "baseline");
    if (std::string known = reader_.text_of(root, "known"); !known.empty()) settings.known = path(known);
    settings.builtin = flag(root, "builtin");
    settings.incubating = flag(root, "incubating");
    settings.strict = flag(root, "strict");
    if (const YamlNode* fail_on = root.find("fail_on"))
      settings.fail_on = reader_.choice(*fail_on, "fail_on", project_keys::fail_words()).value_or(std::nullopt);
    for (const Reference& limit : reader_.texts_of(root, "fail_above")) settings.fail_above.push_back(limit.rule);
    const YamlNode* output = root.find("output");
    if (output == nullptr || !reader_.mapping(*output, "output")) return;
    reader_.only_keys(*output, "`output`", project_keys::output);
    settings.all = flag(*output, "all");
    if (const YamlNode* format = output->find("format")) {
      std::vector<std::pair<std::string_view, std::string_view>> words;
      for (const std::string_view word : project_keys::report_formats()) words.emplace_back(word, word);
      settings.format = reader_.choice<std::string_view>(*format, "format", words).value_or("");
    }
  }

  void read_case(const YamlNode& node) {
    if (!reader_.mapping(node, "an entry of `for`")) return;
    reader_.only_keys(node, "an entry of `for`", project_keys::project_case);
    ProjectCase found;
    found.input = reader_.text_of(node, "input");
    found.device = reader_.text_of(node, "device");
    if (found.input.empty() && found.device.empty())
      reader_.error(error_id::missing_key, node.span, "this entry of `for` has neither `input` nor `device`", {},
                    "what holds always stands at the top of the file");
    if (const YamlNode* baseline = node.find("baseline"); baseline != nullptr && !found.device.empty())
      reader_.error(error_id::unknown_key, baseline->span, "a baseline cannot depend on `device`", {},
                    "name the inputs: the baseline is read before their devices are known");
    if (const YamlNode* params = node.find("params")) found.params = read_params(*params);
    found.baseline = paths(node, "baseline");
    out_.cases.push_back(std::move(found));
  }

  /// Rules, or packs, with parameters.
  std::vector<Override> read_params(const YamlNode& node) {
    std::vector<Override> out;
    if (!reader_.mapping(node, "params")) return out;
    for (const YamlMember& rule : node.members) {
      Override change;
      change.target = {rule.key.text.text, rule.key.span};
      change.of_pack = !is_rule_id(change.target.rule);
      if (!reader_.mapping(rule.value, change.target.rule)) continue;
      for (const YamlMember& param : rule.value.members)
        if (auto text = reader_.source_text(param.value, param.key.text.text))
          change.params.push_back({param.key.text.text, param.key.span, {std::move(*text), param.value.span}});
      out.push_back(std::move(change));
    }
    return out;
  }

  std::vector<RulePattern> patterns(const YamlNode& root, std::string_view key) {
    std::vector<RulePattern> out;
    for (Reference& text : reader_.texts_of(root, key)) out.push_back({std::move(text.rule), std::move(text.span)});
    return out;
  }

  std::optional<bool> flag(const YamlNode& mapping, std::string_view key) {
    const YamlNode* node = mapping.find(key);
    return node != nullptr ? reader_.boolean(*node, key) : std::nullopt;
  }

  std::vector<std::string> paths(const YamlNode& mapping, std::string_view key) {
    std::vector<std::string> out;
    for (const Reference& text : reader_.texts_of(mapping, key)) out.push_back(path(text.rule));
    return out;
  }

  std::string path(const std::string& written) const {
    return (std::filesystem::path(folder_) / written).lexically_normal().string();
  }

  const std::string folder_;
  NodeReader& reader_;
  LoadedProject out_;
};

}  // namespace

LoadedProject parse_project(const SourcePtr& source, const std::string& folder, Diagnostics& diagnostics,
                            CancelFlag cancel) {
  const std::size_t first = diagnostics.size();
  const YamlNode root = parse_yaml(source, diagnostics, cancel);
  NodeReader reader(diagnostics, cancel);
  LoadedProject out;
  out.source = source;
  if (root.is(NodeKind::null)) tell_empty(source, project_edition, diagnostics);
  else if (!root.is(NodeKind::invalid) && reader.mapping(root, "a project file"))
    out = ProjectReader(source, folder, reader).read(root, diagnostics);
  arrange(diagnostics, first, {&source, 1});
  return out;
}

}  // namespace kdiag
