// SPDX-License-Identifier: Apache-2.0
#include "cli/replaced_input.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <kdiag/refusal_ids.hpp>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "cli/command.hpp"
#include "cli/rule_paths.hpp"
#include "cli/signals.hpp"

namespace kdiag::cli {
namespace {

/// A regular file that is there: only such a one is replaced.
class ExistingFile {
 public:
  explicit ExistingFile(const std::string& path)
      : exists_(!path.empty() && ::stat(path.c_str(), &about_) == 0 && S_ISREG(about_.st_mode)) {}
  explicit operator bool() const { return exists_; }

  /// Whether an input is this file: a path, perhaps with "#2" behind it, or "-".
  bool is(const std::string& input) const {
    struct stat other {};
    const bool found = input == "-" ? ::fstat(STDIN_FILENO, &other) == 0
                                    : ::stat(input.c_str(), &other) == 0 ||
                                          ::stat(input.substr(0, input.rfind('#')).c_str(), &other) == 0;
    return found && other.st_dev == about_.st_dev && other.st_ino == about_.st_ino;
  }

 private:
  struct stat about_ {};
  bool exists_;
};

/// What the command reads; of folders of traces, the folder.
std::vector<std::string> inputs_of(const Options& options) {
  std::vector<std::string> inputs;
  for (const auto* list : {&options.files, &options.baseline, &options.normal, &options.abnormal, &options.maps})
    inputs.insert(inputs.end(), list->begin(), list->end());
  for (const auto* list : {&options.files, &options.rules}) {
    const std::vector<std::string> rules = rule_files(*list, {.tests = true}).files;
    inputs.insert(inputs.end(), rules.begin(), rules.end());
  }
  if (!options.known.empty()) inputs.push_back(options.known);
  if (options.project) inputs.push_back(options.project->settings().file);
  return inputs;
}

/// Whether a file is a trace, or looks like one: reports of before may lie beside traces.
bool is_trace(const std::string& path) {
  const Result<Facts> read = load_trace(path, {.threads = 1, .limits = {.rows = 1}, .cancel = &interrupted});
  if (read) return true;
  const std::string& id = read.error().front().id;
  return id != refusal_id::unknown_format && id != refusal_id::format_not_read && id != refusal_id::empty;
}

/// The trace below a folder that is this file.
std::optional<std::string> trace_below(const std::string& folder, const ExistingFile& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  for (const fs::recursive_directory_iterator end; !error && at != end; at.increment(error))
    if (file.is(at->path().string()))
      return is_trace(at->path().string()) ? std::optional(at->path().string()) : std::nullopt;
  return std::nullopt;
}

std::optional<std::string> input_that_is(const std::string& output, const Options& options) {
  const ExistingFile file(output);
  if (!file) return std::nullopt;
  const std::vector<std::string> inputs = inputs_of(options);
  const auto same =
      std::find_if(inputs.begin(), inputs.end(), [&](const std::string& input) { return file.is(input); });
  if (same != inputs.end()) return *same;
  for (const auto* list : {&options.files, &options.baseline, &options.normal, &options.abnormal})
    for (const std::string& folder : *list)
      if (auto trace = trace_below(folder, file)) return trace;
  return std::nullopt;
}

}  // namespace

bool replaces_an_input(const Options& options) {
  for (const std::string& output : {options.output, options.export_to}) {
    const std::optional<std::string> input = input_that_is(output, options);
    if (!input) continue;
    Diagnostic error;
    error.id = refusal_id::command_failed;
    error.title = output + " would be replaced, and is read as " + (*input == "-" ? "standard input" : *input);
    error.help = "Write to another file.";
    complain(options, Diagnostics{error});
    return true;
  }
  return false;
}

}  // namespace kdiag::cli
