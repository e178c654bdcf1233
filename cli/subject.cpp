// SPDX-License-Identifier: Apache-2.0
#include "cli/subject.hpp"

#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/catalogue.hpp>

namespace kdiag::cli {
namespace {

bool is_there(std::string_view trace) {
  const std::string path(trace.substr(0, trace.rfind('#')));
  return ::access(path.c_str(), F_OK) == 0;
}

/// Whether a word is a trace, or the name of one that is mistyped.
bool looks_like_trace(std::string_view word) {
  constexpr std::string_view endings[] = {".json", ".jsonl", ".csv", ".txt", ".log",    ".gz", ".zst",
                                          ".xz",   ".zip",   ".tar", ".db",  ".sqlite", ".md", ".xml"};
  const std::string_view name = word.substr(0, word.rfind('#'));
  return word == "-" || is_there(word) ||
         std::any_of(std::begin(endings), std::end(endings),
                     [name](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

void take_table_for_subject(Options& options) {
  if (options.verb != Verb::facts || options.files.empty()) return;
  std::vector<std::string>& files = options.files;
  const auto names_table = [](const std::string& word) { return find_table(word).valid(); };
  auto word = files.end() - 1;
  if (!writes_one_table(options)) {
    if (!names_table(*word) || is_there(*word)) return;
  } else if (!names_table(*word) || (files.size() == 1 && is_there(*word))) {
    // A mistyped name is one, too: who looks for the table says what was meant.
    if (files.size() > 1 && names_table(files.front()) && !is_there(files.front())) word = files.begin();
    else if (looks_like_trace(*word) || word->find('/') != std::string::npos) return;
  }
  options.subject = std::move(*word);
  files.erase(word);
}

void take_trace_for_subject(Options& options) {
  const bool query = options.verb == Verb::query;
  if ((!query && options.verb != Verb::explain) || options.subject.empty() || !is_there(options.subject)) return;
  const bool word = options.subject.find_first_of("./") == std::string::npos;
  const bool behind = !options.files.empty() && !looks_like_trace(options.files.back());
  if (word && !options.files.empty() && !behind) return;
  if (!query && !behind) return;
  options.files.insert(options.files.begin(), std::exchange(options.subject, {}));
  if (!behind) return;
  options.subject = std::move(options.files.back());
  options.files.pop_back();
}

}  // namespace kdiag::cli
