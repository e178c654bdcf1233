// SPDX-License-Identifier: Apache-2.0
#include "serve/lsp/documents.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "serve/lsp/file_uri.hpp"

namespace kdiag::serve {

void Documents::open(std::string uri, std::optional<std::int64_t> version, std::string text) {
  Document document{uri, path_of(uri), version, TextLines(std::move(text))};
  by_uri_.insert_or_assign(std::move(uri), std::move(document));
}

void Documents::close(std::string_view uri) {
  if (const auto found = by_uri_.find(uri); found != by_uri_.end()) by_uri_.erase(found);
}

const Document* Documents::find(std::string_view uri) const {
  const auto found = by_uri_.find(uri);
  return found == by_uri_.end() ? nullptr : &found->second;
}

const Document* Documents::find_path(std::string_view path) const {
  const auto found =
      std::find_if(by_uri_.begin(), by_uri_.end(), [path](const auto& entry) { return entry.second.path == path; });
  return found == by_uri_.end() ? nullptr : &found->second;
}

void Documents::replace(std::string_view uri, std::optional<std::int64_t> version, std::string text) {
  const auto found = by_uri_.find(uri);
  if (found == by_uri_.end()) return;
  found->second.version = version;
  found->second.lines = TextLines(std::move(text));
}

void Documents::change(std::string_view uri, std::optional<std::int64_t> version, const TextChange& change,
                       Encoding encoding) {
  const Document* document = find(uri);
  if (document == nullptr) return;
  const std::size_t begin = document->lines.offset_of(change.begin, encoding);
  const std::size_t end = std::max(begin, document->lines.offset_of(change.end, encoding));
  std::string text = document->text();
  text.replace(begin, end - begin, change.text);
  replace(uri, version, std::move(text));
}

Shared<FileReader> Documents::reader_for(const Document& document) const {
  const bool of_files = is_file(document.path);
  const auto read = [this, of_files](const std::string& path) -> std::optional<std::string> {
    const Document* open = find_path(of_files ? std::filesystem::path(path).lexically_normal().string() : path);
    if (open == nullptr) return std::nullopt;
    return open->text();
  };
  return std::make_shared<const FileReader>(FileReader{.read = read, .over_file_system = of_files, .trees = trees_});
}

}  // namespace kdiag::serve
