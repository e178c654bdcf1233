// SPDX-License-Identifier: Apache-2.0
// The files that an editor has open, as they stand there.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <kdiag/file_reader.hpp>
#include <kdiag/kdiag.hpp>

#include "serve/lsp/text_lines.hpp"

namespace kdiag::serve {

struct Document {
  std::string uri, path;
  std::optional<std::int64_t> version;  ///< nothing where the editor counts none
  TextLines lines{std::string()};
  const std::string& text() const { return lines.text(); }
};

/// A part of a text and what it becomes.
struct TextChange {
  TextPosition begin, end;
  std::string text;
};

class Documents {
 public:
  void open(std::string uri, std::optional<std::int64_t> version, std::string text);
  void close(std::string_view uri);
  /// Null: it is not open.
  const Document* find(std::string_view uri) const;
  const Document* find_path(std::string_view path) const;
  const std::map<std::string, Document, std::less<>>& all() const { return by_uri_; }

  void replace(std::string_view uri, std::optional<std::int64_t> version, std::string text);
  void change(std::string_view uri, std::optional<std::int64_t> version, const TextChange& change, Encoding encoding);

  /// The texts of open files, and for a document that is a file those of the file system. It reads the documents
  /// whenever it is asked: they must outlive it.
  Shared<FileReader> reader_for(const Document& document) const;
  /// What was read of their texts.
  const std::shared_ptr<KeptTrees>& trees() const { return trees_; }

 private:
  std::map<std::string, Document, std::less<>> by_uri_;
  std::shared_ptr<KeptTrees> trees_ = keep_trees();
};

}  // namespace kdiag::serve
