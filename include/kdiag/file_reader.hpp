// SPDX-License-Identifier: Apache-2.0
// Rule files that a host keeps elsewhere than in the file system: in an archive, a database, its own memory; or that it
// has a newer text of, as an editor does.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <kdiag/export.hpp>

namespace kdiag {

struct KeptTrees;  // internal

/// A place for what was read of texts, for a host that loads nearly the same ones again and again, as an editor does:
/// of a file of a thousand lines that changed in one of them a rule is parsed. Holds what texts of 1
/// MiB take, some 30 MB at most. One load uses it at a time.
KDIAG_API std::shared_ptr<KeptTrees> keep_trees();

/// How a host reads files that rules name.
///
/// Example:
///     auto files = std::make_shared<const kdiag::FileReader>(kdiag::FileReader{
///         .read = [&](const std::string& path) { return archive.text_of(path); }});
///     auto rules = kdiag::load_rules("site/rules.yaml", {.files = files});
struct FileReader {
  /// The text of a file; nothing when there is none of that path. Paths are those that the host gave, and joined to
  /// their folders those that the files name: "site/common.yaml". Called by the thread that loads the rules, and only
  /// while it does. An exception is K100, with what it says, except std::bad_alloc. Without a function there are no
  /// files.
  std::function<std::optional<std::string>(const std::string& path)> read = {};
  /// What `read` has nothing of lies in the file system, and paths mean what they mean there.
  bool over_file_system = false;
  /// Of keep_trees(); null: every text is parsed from the beginning.
  std::shared_ptr<KeptTrees> trees = nullptr;
};

}  // namespace kdiag
