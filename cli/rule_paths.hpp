// SPDX-License-Identifier: Apache-2.0
// Which rule files are meant by files and folders on the command line.
#pragma once

#include <string>
#include <vector>

#include <kdiag/result.hpp>

namespace kdiag::cli {

/// What to say when there are none.
inline constexpr const char* no_rule_files =
    "no rule files were found: they begin with `kdiag: 1`, in folders their names end in .yaml or .yml, those of rules "
    "in "
    "Lua in .lua; `kdiag rules test` runs files of tests";

struct RulePaths {
  std::vector<std::string> files;
  std::vector<std::string> skipped;  ///< YAML files in folders that hold neither rules nor tests
  Diagnostics errors;                ///< K100: folders that cannot be read, or not to their end
};

/// What is looked for beside rule files in YAML.
struct WantedFiles {
  bool tests = false;  ///< files of tests
  bool lua = true;     ///< in folders: rules in Lua
};

/// The files as given, and for each folder its *.yaml, *.yml and *.lua files that hold rules, those of inner folders
/// included, by name. Hidden files and folders in it are passed over, and so is what is not wanted.
RulePaths rule_files(const std::vector<std::string>& paths, const WantedFiles& wanted = {});

}  // namespace kdiag::cli
