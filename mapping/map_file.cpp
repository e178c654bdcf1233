// SPDX-License-Identifier: Apache-2.0
#include "mapping/map_file.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "adapters/adapter_table.hpp"
#include "dsl/file_diagnostics.hpp"
#include "dsl/node_reader.hpp"
#include "dsl/yaml_tree.hpp"
#include "mapping/map_keys.hpp"
#include "mapping/map_rows.hpp"

namespace kdiag::mapping {
namespace {

using Kind = YamlNode::Kind;

constexpr std::string_view first_line = "begin the file with a line `kdiag_map: 1`, the edition of mapping files";

class FileReader {
 public:
  explicit FileReader(NodeReader& reader) : reader_(reader) {}

  LoadedMap read(const YamlNode& root) {
    if (!check_edition(root)) return std::move(out_);
    reader_.only_keys(root, "a mapping", map_keys::map_file);
    read_name(root);
    out_.producer = reader_.text_of(root, "producer");
    if (out_.producer.empty()) out_.producer = out_.name;
    read_format(root);
    out_.comment = reader_.text_of(root, "comment");
    if (const YamlNode* decimal = root.find("decimal"))
      out_.decimal_comma = reader_.choice<bool>(*decimal, "decimal", map_keys::decimal_words()).value_or(false);
    if (const YamlNode* clock = root.find("clock"))
      out_.clock = reader_.choice<ClockDomain>(*clock, "clock", map_keys::clock_words());
    out_.missing = names(root, "missing");
    if (const YamlNode* rows = reader_.required(root, "rows", "a mapping", root.span))
      read_map_rows(*rows, out_, reader_);
    read_match(root);
    check_clock(root);
    return std::move(out_);
  }

 private:
  /// False for a file of another kind: nothing else is said of it.
  bool check_edition(const YamlNode& root) {
    const YamlNode* edition = root.find("kdiag_map");
    if (edition == nullptr)
      reader_.error(error_id::edition, root.span, "this is no mapping: it has no `kdiag_map: 1`", {},
                    std::string(first_line));
    else if (reader_.scalar(*edition, "kdiag_map") && edition->text.text != "1")
      reader_.error(error_id::edition, edition->span,
                    "edition '" + edition->text.text + "' of mapping files is not known", {},
                    "this version understands `kdiag_map: 1`");
    return edition != nullptr;
  }

  void read_name(const YamlNode& root) {
    const YamlNode* name = reader_.required(root, "name", "a mapping", root.span);
    if (name == nullptr || !reader_.scalar(*name, "name")) return;
    out_.name = name->text.text;
    const bool good = !out_.name.empty() && std::all_of(out_.name.begin(), out_.name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
    if (!good)
      reader_.error(error_id::invalid_name, name->span, "'" + out_.name + "' is no name of a format", {},
                    "names of formats are lower-case letters, digits and hyphens: trainer-log");
    const auto adapters = adapters::adapter_table();
    if (std::any_of(adapters.begin(), adapters.end(), [&](const Adapter* known) { return known->id == out_.name; }))
      reader_.error(error_id::taken_name, name->span, "kdiag reads a format called '" + out_.name + "' already", {},
                    "reports could not tell the two apart");
  }

  void read_format(const YamlNode& root) {
    const YamlNode* format = reader_.required(root, "format", "a mapping", root.span);
    if (format != nullptr)
      out_.format = reader_.choice<LoadedMap::Format>(*format, "format", map_keys::format_words())
                        .value_or(LoadedMap::Format::csv);
    if (out_.format == LoadedMap::Format::json_lines) {
      for (const std::string_view key : {"separator", "header"})
        if (const YamlNode* other = root.find(key))
          reader_.error(error_id::contradicting_mapping, other->span,
                        in_backticks(key) + " belongs to csv, and this is jsonl");
      return;
    }
    if (const YamlNode* separator = root.find("separator")) read_separator(*separator);
    if (const YamlNode* header = root.find("header")) read_header(*header);
  }

  void read_separator(const YamlNode& node) {
    if (!reader_.scalar(node, "separator")) return;
    const std::string& text = node.text.text;
    if (text == "tab" || text == "\t") out_.separator = '\t';
    else if (text == "blanks" || text == " ") out_.separator = LoadedMap::blanks;
    else if (text.size() == 1) out_.separator = text.front();
    else
      reader_.error(error_id::unknown_word, node.span, "`separator` cannot be '" + text + "'",
                    did_you_mean(text, {"tab", "blanks"}), "it is one character, tab or blanks");
  }

  void read_header(const YamlNode& node) {
    if (node.is(Kind::sequence)) {
      out_.header = LoadedMap::Header::listed;
      for (Reference& name : reader_.texts(node, "header")) out_.listed.push_back(std::move(name.rule));
    } else if (const auto line = reader_.boolean(node, "header"); line && !*line) {
      out_.header = LoadedMap::Header::numbers;
    }
  }

  /// Behind the rows, so that the columns are known that they read.
  void read_match(const YamlNode& root) {
    const YamlNode* match = root.find("match");
    if (match != nullptr && reader_.mapping(*match, "match")) {
      reader_.only_keys(*match, "match", map_keys::match);
      out_.files = names(*match, "files");
      out_.needed = names(*match, "columns");
      if (const YamlNode* columns = match->find("columns"); columns != nullptr && nameless())
        reader_.error(error_id::contradicting_mapping, columns->span,
                      "`match.columns` needs columns that have names in the input");
    }
    if (nameless() && out_.files.empty())
      reader_.error(error_id::missing_key, match != nullptr ? match->span : root.find("header")->span,
                    "a mapping without a header line has no `match.files`", {},
                    "nothing else tells which inputs it is for: match: {files: [\"*.log\"]}");
  }

  bool nameless() const { return out_.format == LoadedMap::Format::csv && out_.header != LoadedMap::Header::line; }

  /// Times of the calendar and numbers are of one clock only where the mapping says so.
  void check_clock(const YamlNode& root) {
    bool calendar = false;
    bool numbers = false;
    for (const MappedRows& rows : out_.rows)
      for (const MappedColumn& about : rows.columns)
        if (about.name == "start" || about.name == "end" || about.name == "time")
          (about.value.form == CellForm::datetime ? calendar : numbers) = true;
    const YamlNode* clock = root.find("clock");
    if (calendar && numbers && !out_.clock)
      reader_.error(error_id::contradicting_mapping, root.find("rows")->span,
                    "some instants are times of the calendar, others are numbers", {},
                    "`clock: unix` says that the numbers count from 1970 UTC, `clock: local` from 1970 of the zone");
    if (calendar && out_.clock == ClockDomain::device)
      reader_.error(error_id::contradicting_mapping, clock->span,
                    "times of the calendar are not of the device's clock");
  }

  std::vector<std::string> names(const YamlNode& mapping, std::string_view key) {
    std::vector<std::string> out;
    for (Reference& name : reader_.texts_of(mapping, key)) out.push_back(std::move(name.rule));
    return out;
  }

  NodeReader& reader_;
  LoadedMap out_;
};

}  // namespace

LoadedMap parse_map(const SourcePtr& source, Diagnostics& diagnostics, CancelFlag cancel) {
  const std::size_t first = diagnostics.size();
  const YamlNode root = parse_yaml(source, diagnostics, cancel);
  NodeReader reader(diagnostics, cancel);
  LoadedMap map;
  if (root.is(Kind::null))
    reader.error(error_id::edition, {source, 0, 0}, "the mapping is empty", {}, std::string(first_line));
  else if (!root.is(Kind::invalid) && reader.mapping(root, "a mapping")) map = FileReader(reader).read(root);
  arrange(diagnostics, first, {&source, 1});
  return map;
}

}  // namespace kdiag::mapping
