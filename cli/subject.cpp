// SPDX-License-Identifier: Apache-2.0
#include "cli/subject.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <kdiag/catalogue.hpp>
#include <kdiag/tools.hpp>

#include "cli/validate_options.hpp"

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

bool is_rule_file(const std::string& path) {
  const bool named_so = path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".lua");
  std::error_code unknown;
  return named_so && std::filesystem::is_regular_file(path, unknown) && file_kind(path) == FileKind::rules;
}

bool reads_traces(Verb verb) {
  switch (verb) {
    case Verb::diagnose:
    case Verb::compare:
    case Verb::trend:
    case Verb::plan:
    case Verb::annotate:
    case Verb::query:
    case Verb::explain:
    case Verb::facts:
    case Verb::summarize:
    case Verb::fleet: return true;
    default: return false;
  }
}

}  // namespace

std::optional<Stop> take_rules_among_traces(Options& options) {
  if (!reads_traces(options.verb)) return std::nullopt;
  std::vector<std::string>& files = options.files;
  const auto rules =
      std::stable_partition(files.begin(), files.end(), [](const std::string& file) { return !is_rule_file(file); });
  if (rules == files.end()) return std::nullopt;
  if (options.rules.empty())
    return mistake("'" + *rules + "' is a rule file, and a trace is read here",
                   "Write --rules " + *rules + " TRACE, or kdiag rules check " + *rules + ".");
  options.rules.insert(options.rules.end(), rules, files.end());
  files.erase(rules, files.end());
  return std::nullopt;
}

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
