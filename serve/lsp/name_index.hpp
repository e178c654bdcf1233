// SPDX-License-Identifier: Apache-2.0
// The names in the texts that an editor works on, found once for each text.
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <kdiag/editing.hpp>
#include <kdiag/file_reader.hpp>

namespace kdiag::serve {

/// Names of a text, shared with the index.
using Names = std::shared_ptr<const std::vector<NameUse>>;

/// A hover, a completion and an outline of the same text follow each other: they find its names once. Of each path one
/// text is known, the last that was asked for.
class NameIndex {
 public:
  /// `trees`: where YAML that was read before is kept; null: nowhere.
  explicit NameIndex(std::shared_ptr<KeptTrees> trees = nullptr) : trees_(std::move(trees)) {}

  /// As kdiag::names_in().
  Names names_in(const std::string& path, const std::string& text, const std::atomic<bool>& stop);
  /// The same; where nothing of the text is understood, as while its YAML is broken, the names of the last one of this
  /// path that was.
  Names last_names_in(const std::string& path, const std::string& text, const std::atomic<bool>& stop);

 private:
  struct Known {
    std::string text;
    Names names;  ///< of the text
    Names last;   ///< of the last text that had some
  };

  std::map<std::string, Known, std::less<>> by_path_;
  std::size_t bytes_ = 0;  ///< of the texts
  std::shared_ptr<KeptTrees> trees_;
};

}  // namespace kdiag::serve
