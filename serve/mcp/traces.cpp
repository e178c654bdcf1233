// SPDX-License-Identifier: Apache-2.0
#include "serve/mcp/traces.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include <kdiag/fleet.hpp>
#include <kdiag/refusal_ids.hpp>

#include "serve/mcp/tool_error.hpp"

namespace kdiag::serve::mcp {
namespace fs = std::filesystem;
namespace {

// One beside the other: a run and the one before its last change (judgement). A third is being loaded at most.
constexpr std::size_t most_kept = 2;

void add_state(std::string& key, const std::string& path) {
  struct stat state {};
  if (::stat(path.c_str(), &state) != 0) return;
  for (const long long number :
       {static_cast<long long>(state.st_ino), static_cast<long long>(state.st_size),
        static_cast<long long>(state.st_mtim.tv_sec), static_cast<long long>(state.st_mtim.tv_nsec)})
    key += ' ' + std::to_string(number);
}

/// What changes when the file, or one in the folder, does.
void add_states(std::string& key, const std::string& path) {
  key += path + '\0';
  std::error_code error;
  const std::string file = fs::exists(path, error) ? path : path.substr(0, path.rfind('#'));
  add_state(key, file);
  if (!fs::is_directory(file, error)) return;
  std::vector<std::string> inside;
  for (fs::recursive_directory_iterator at(file, error), end; !error && at != end; at.increment(error))
    inside.push_back(at->path().string());
  std::sort(inside.begin(), inside.end());
  for (const std::string& one : inside) {
    key += one + '\0';
    add_state(key, one);
  }
}

void add_scope(std::string& key, const ScopeOptions& scope) {
  const auto number = [&](const std::optional<std::int64_t>& value) {
    key += value ? std::to_string(*value) + ',' : ",";
  };
  number(scope.rank);
  number(scope.device);
  number(scope.steps ? std::optional(scope.steps->first) : std::nullopt);
  number(scope.steps ? std::optional(scope.steps->second) : std::nullopt);
}

template <class T>
T or_throw(Result<T> result) {
  if (!result) throw ToolError(result.error());
  return std::move(*result);
}

}  // namespace

Traces::Traces(const Roots& roots, const LoadOptions& options) : roots_(roots), options_(options) {
  options_.limits.bytes /= most_kept + 1;
}

std::vector<std::string> Traces::resolved(const std::vector<std::string>& paths, std::string& key) const {
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    out.push_back(roots_.resolve(path));
    add_states(key, out.back());
  }
  key += '\n';
  return out;
}

LoadedTraces Traces::kept_or(const std::string& key, const Load& load, const std::atomic<bool>& stop,
                             LoadProgress* progress) {
  const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.key == key; });
  if (found != kept_.end()) {
    std::rotate(kept_.begin(), found, found + 1);
    return kept_.front().traces;
  }
  LoadOptions options = options_;
  options.cancel = &stop;
  options.progress = progress;
  LoadedTraces traces = load(options);
  kept_.push_front({key, traces});
  if (kept_.size() > most_kept) kept_.pop_back();
  return traces;
}

LoadedTraces Traces::load(const std::vector<std::string>& paths, const std::vector<std::string>& baseline,
                          const ScopeOptions& scope, const std::atomic<bool>& stop, LoadProgress* progress) {
  std::string key = "traces\n";
  const std::vector<std::string> judged = resolved(paths, key), before = resolved(baseline, key);
  add_scope(key, scope);
  return kept_or(
      key,
      [&](LoadOptions options) {
        options.scope = scope;
        LoadedTraces out{or_throw(load_traces(judged, options)), {}, {}};
        // Of a baseline the same time is meant; which device and rank corresponds the comparison finds out.
        options.scope.rank.reset();
        options.scope.device.reset();
        if (!before.empty()) out.baseline = or_throw(load_traces(before, options));
        return out;
      },
      stop, progress);
}

LoadedTraces Traces::load_pair(const std::vector<std::string>& normal, const std::vector<std::string>& abnormal,
                               const std::atomic<bool>& stop, LoadProgress* progress) {
  std::string key = "pair\n";
  const std::vector<std::string> before = resolved(normal, key), now = resolved(abnormal, key);
  return kept_or(
      key,
      [&](const LoadOptions& options) {
        Sides sides = or_throw(load_sides(before, now, options));
        return LoadedTraces{std::move(sides.abnormal), std::move(sides.normal), {}};
      },
      stop, progress);
}

LoadedTraces Traces::load_ranks(const std::vector<std::string>& paths, const std::atomic<bool>& stop,
                                LoadProgress* progress) {
  std::string key = "ranks\n";
  const std::vector<std::string> ranks = resolved(paths, key);
  return kept_or(
      key,
      [&](const LoadOptions& options) {
        Fleet fleet = or_throw(load_fleet(ranks, {.load = options}));
        LoadedTraces out{std::move(fleet.facts), {}, {}};
        for (const std::string& copy : fleet.copies)
          out.left_out.push_back(roots_.without_roots(copy + ": the same bytes as another summary"));
        for (const std::string& why : fleet.unreadable) out.left_out.push_back(roots_.without_roots(why));
        return out;
      },
      stop, progress);
}

}  // namespace kdiag::serve::mcp
