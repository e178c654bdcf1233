// SPDX-License-Identifier: Apache-2.0
#include "mapping/match_map.hpp"

#include <algorithm>
#include <cstring>
#include <span>
#include <vector>

#include "base/glob.hpp"
#include "base/text.hpp"
#include "mapping/field_reader.hpp"
#include "mapping/json_path.hpp"
#include "mapping/records.hpp"

namespace kdiag::mapping {
namespace {

constexpr std::size_t most_records = 100;  // that are looked at for the header, or for a record that fits (judgement)

/// The head as an input of its own.
class HeadInput final : public Input {
 public:
  explicit HeadInput(const Head& head) : head_(head), rest_(head.bytes) {}
  std::string_view name() const override { return {}; }
  const Head& head() const override { return head_; }
  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t size = std::min(buffer.size(), rest_.size());
    std::memcpy(buffer.data(), rest_.data(), size);
    rest_.remove_prefix(size);
    return size;
  }

 private:
  const Head& head_;
  std::string_view rest_;
};

class NoSink final : public FactSink {
 public:
  void run(RunInfo) override {}
  void submit(std::uint64_t, Batch) override {}
  void note(std::string_view, std::string_view, std::uint64_t) override {}
  void count_events(std::uint64_t) override {}
  bool cancelled() const override { return false; }
  unsigned threads() const override { return 1; }
};

/// The last part of a path, without the ending of its compression.
std::string_view uncompressed_name(std::string_view path) {
  path = file_name(path);
  for (const std::string_view ending : {".gz", ".zst", ".xz"})
    if (path.ends_with(ending)) path.remove_suffix(ending.size());
  return path;
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), most); ++i) out += (i > 0 ? ", '" : "'") + names[i] + "'";
  return out + (names.size() > most ? ", ..." : "");
}

/// Looks for the line with the names of the columns.
std::string header_mismatch(const LoadedMap& map, FieldReader& records) {
  const std::vector<std::string>& needed = map.needed.empty() ? map.cells : map.needed;
  std::vector<std::string> missing = needed;  // of the line that comes closest
  std::string meant;
  for (std::size_t i = 0; i < most_records && records.next(); ++i) {
    const auto fields = records.fields();
    if (is_header(map, fields)) return {};
    std::vector<std::string> without;
    for (const std::string& name : needed)
      if (std::find(fields.begin(), fields.end(), name) == fields.end()) without.push_back(name);
    if (i > 0 && without.size() >= missing.size()) continue;
    missing = std::move(without);
    meant = did_you_mean(missing.front(), {fields.begin(), fields.end()});
  }
  const bool any = missing.size() < needed.size();
  return (any ? "it has no column " : "no line has the columns ") + listed(missing) +
         (meant.empty() ? "" : ", " + meant);
}

std::string width_mismatch(const LoadedMap& map, FieldReader& records) {
  const std::size_t columns = CellPlaces::unnamed(map).columns();
  if (!records.next()) return "it is empty";
  if (records.fields().size() >= columns) return {};
  return "it has " + std::to_string(records.fields().size()) + " columns, the mapping " + std::to_string(columns);
}

/// Whether a record has every cell of an entry.
bool complete(const LoadedMap& map, const MappedRows& rows, const adapters::JsonValue& record) {
  const auto there = [&](std::size_t cell) {
    return cell == MappedValue::no_cell || find_path(record, map.cells[cell]) != nullptr;
  };
  const auto read = [&](const MappedColumn& column) { return there(column.value.cell); };
  return std::all_of(rows.where.begin(), rows.where.end(),
                     [&](const MappedCondition& condition) { return there(condition.cell); }) &&
         std::all_of(rows.columns.begin(), rows.columns.end(), read) &&
         std::all_of(rows.series.begin(), rows.series.end(), read);
}

std::string json_mismatch(const LoadedMap& map, FieldReader& records) {
  bool any = false;
  for (std::size_t i = 0; i < most_records && records.next(); ++i) {
    const auto record = adapters::parse_json(records.record());
    if (!record || record->kind != adapters::JsonValue::Kind::object) continue;
    any = true;
    const bool fits = map.needed.empty()
                          ? std::any_of(map.rows.begin(), map.rows.end(),
                                        [&](const MappedRows& rows) { return complete(map, rows, *record); })
                          : std::all_of(map.needed.begin(), map.needed.end(),
                                        [&](const std::string& path) { return find_path(*record, path) != nullptr; });
    if (fits) return {};
  }
  if (!any) return "it holds no JSON lines";
  return "no record has " + listed(map.needed.empty() ? map.cells : map.needed);
}

}  // namespace

std::string mismatch(const LoadedMap& map, std::string_view name, const Head& head) {
  const std::string_view file = uncompressed_name(name);
  const bool named = map.files.empty() || std::any_of(map.files.begin(), map.files.end(), [&](const std::string& glob) {
                       return glob_matches(glob, file);
                     });
  if (!named) return "its name is none of " + listed(map.files);
  HeadInput input(head);
  NoSink sink;
  FieldReader records(map, input, sink);
  if (map.format == LoadedMap::Format::json_lines) return json_mismatch(map, records);
  return map.header == LoadedMap::Header::line ? header_mismatch(map, records) : width_mismatch(map, records);
}

}  // namespace kdiag::mapping
