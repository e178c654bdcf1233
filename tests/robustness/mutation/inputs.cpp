// SPDX-License-Identifier: Apache-2.0
#include "tests/robustness/mutation/inputs.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string_view>

#include "tests/robustness/mutation/mutate.hpp"

namespace kdiag::mutation {
namespace {

namespace fs = std::filesystem;

std::string read_whole(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_packed(std::string_view bytes) {
  return bytes.starts_with("\x1F\x8B") || bytes.starts_with("\x28\xB5\x2F\xFD") ||
         bytes.starts_with(
             "\xFD"
             "7zXZ");
}

Structure structure_of(std::string_view bytes) {
  if (bytes.starts_with("SQLite format 3")) return Structure::database;
  return bytes.find('\0') == std::string_view::npos ? Structure::text : Structure::wire;
}

/// One JSON document a line.
bool is_json_lines(std::string_view text) {
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || end == 0 || end + 1 >= text.size()) return false;
  const std::size_t last = text.find_last_not_of("\r\n", end);
  return text.starts_with('{') && text[last] == '}' && text[end + 1] == '{';
}

/// Whether a text of JSON ends where a document does: another may follow, or nothing.
bool ends_with_document(std::string_view text) {
  bool quoted = false;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\') ++i;
    else if (text[i] == '"') quoted = !quoted;
    else if (!quoted && (text[i] == '{' || text[i] == '[')) ++depth;
    else if (!quoted && (text[i] == '}' || text[i] == ']') && depth > 0) --depth;
  }
  const std::size_t last = text.find_last_not_of(" \t\r\n");
  return !quoted && depth == 0 && last != std::string_view::npos && (text[last] == '}' || text[last] == ']');
}

bool is_utf16(std::string_view bytes) { return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"); }

/// Whether a text of UTF-16 units ends with a line.
bool ends_with_wide_line(std::string_view text) {
  using namespace std::string_view_literals;
  return text.size() % 2 == 0 && text.ends_with(text.starts_with("\xFF\xFE") ? "\n\0"sv : "\0\n"sv);
}

}  // namespace

bool ends_with_record(std::string_view whole, std::size_t size, Structure structure) {
  if (structure == Structure::database) return false;
  if (is_utf16(whole)) return ends_with_wide_line(whole.substr(0, size));
  if (structure == Structure::wire) return is_message(whole.substr(0, size));
  const std::size_t start = whole.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (start == std::string_view::npos) return true;
  const std::string_view text = whole.substr(start);
  const std::string_view kept = whole.substr(0, size);
  if (text.starts_with('[') && kept.find('{') != std::string_view::npos)
    return kept[std::max(kept.find_last_not_of(" \t\r\n,"), start)] == '}' || ends_with_document(kept);
  if (text.starts_with('<')) return false;
  if (text.starts_with('{') && !is_json_lines(text)) return ends_with_document(kept);
  const auto is_line_end = [](char c) { return c == '\n' || c == '\r'; };
  const std::size_t last = kept.find_last_not_of(" \t");  // blanks at the beginning of a line are no record
  return last == std::string_view::npos || is_line_end(kept[last]) || (size < whole.size() && is_line_end(whole[size]));
}

std::vector<Format> read_formats(const std::string& folder) {
  std::vector<Format> formats;
  std::set<fs::path> folders;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.is_directory()) folders.insert(entry.path());
  for (const fs::path& path : folders) {
    Format format{path.filename().string(), {}};
    std::set<fs::path> files;
    for (const auto& entry : fs::directory_iterator(path))
      if (entry.path().extension() == ".in") files.insert(entry.path());
    for (const fs::path& file : files) {
      WholeInput input{format.name + "/" + file.stem().string(), read_whole(file)};
      if (is_packed(input.bytes) || input.bytes.empty()) continue;
      input.structure = structure_of(input.bytes);
      format.inputs.push_back(std::move(input));
    }
    if (!format.inputs.empty()) formats.push_back(std::move(format));
  }
  return formats;
}

}  // namespace kdiag::mutation
