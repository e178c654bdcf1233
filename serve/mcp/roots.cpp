// SPDX-License-Identifier: Apache-2.0
#include "serve/mcp/roots.hpp"

#include <algorithm>
#include <system_error>

#include "serve/mcp/inert.hpp"
#include "serve/mcp/tool_error.hpp"

namespace kdiag::serve::mcp {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t most_entries = 100'000;  // of a folder that is looked through (judgement)

/// `trace.json` of `trace.json#2`, unless a file has that name.
std::pair<std::string, std::string> file_and_run(const std::string& path) {
  const std::size_t mark = path.rfind('#');
  const bool numbered = mark != std::string::npos && mark + 1 < path.size() &&
                        path.find_first_not_of("0123456789", mark + 1) == std::string::npos;
  return numbered ? std::pair(path.substr(0, mark), path.substr(mark)) : std::pair(path, std::string());
}

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw ToolError("'" + inert(path) + "' " + why);
}

bool is_there(const fs::path& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

}  // namespace

Roots::Roots(const std::vector<std::string>& folders) {
  std::vector<std::string> all = folders;
  if (all.empty()) all.emplace_back(".");
  for (const std::string& folder : all) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    if (error || !fs::is_directory(real, error)) refuse(folder, "is no folder that can be read");
    given_.push_back(folder);
    real_.push_back(real);
  }
}

bool Roots::inside(const fs::path& real) const {
  return std::any_of(real_.begin(), real_.end(), [&](const fs::path& root) {
    return std::mismatch(root.begin(), root.end(), real.begin(), real.end()).first == root.end();
  });
}

bool Roots::holds(const std::string& path) const {
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  return !error && inside(real) && fs::is_regular_file(real, error);
}

std::string Roots::shown(const std::string& path) const {
  for (const fs::path& root : given_) {
    const fs::path below = fs::path(path).lexically_relative(root);
    if (!below.empty() && *below.begin() != "..") return below.string();
  }
  return path;
}

std::string Roots::without_roots(std::string message) const {
  for (const std::vector<fs::path>* roots : {&given_, &real_})
    for (const fs::path& root : *roots) {
      const std::string prefix = (root / "").string();
      if (!root.is_absolute() || root == root.root_path()) continue;
      for (std::size_t at = message.find(prefix); at != std::string::npos; at = message.find(prefix, at))
        message.erase(at, prefix.size());
    }
  return message;
}

/// What a folder holds is opened with it: each link in it has to stay inside.
void Roots::look_through(const fs::path& folder) const {
  std::error_code error;
  std::size_t entries = 0;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (++entries > most_entries) refuse(folder.string(), "holds too many files; name those that are meant");
    std::error_code unknown;
    if (at->is_symlink(unknown) && !holds(at->path().string()))
      refuse(shown(at->path().string()),
             "is a link to something else than a file below the folders that this server may read");
  }
  if (error) refuse(shown(folder.string()), "cannot be read: " + error.message());
}

std::string Roots::resolve(const std::string& path) const {
  if (path.empty()) throw ToolError("a path is empty");
  if (path.find('\0') != std::string::npos) refuse(path, "is no path");
  fs::path whole;
  std::string run;
  for (const auto& [file, number] : {std::pair(path, std::string()), file_and_run(path)}) {
    for (const fs::path& root : given_) {
      const fs::path candidate = fs::path(file).is_absolute() ? fs::path(file) : root / file;
      if (!whole.empty() || !is_there(candidate)) continue;
      whole = candidate;
      run = number;
    }
  }
  // Of what lies outside nothing is said, not even whether it is there.
  std::error_code error;
  const fs::path wanted =
      whole.empty() ? fs::weakly_canonical(fs::path(path).is_absolute() ? fs::path(path) : given_.front() / path, error)
                    : fs::canonical(whole, error);
  if (error || !inside(wanted))
    refuse(
        path,
        "is not below the folders that this server may read: start it with --root FOLDER, or name a file below them");
  if (whole.empty()) refuse(path, "does not exist; paths are relative to the folder of --root");
  // It is opened by its normal form, which leaves out `..` without a look at links.
  const fs::path opened = whole.lexically_normal();
  if (fs::canonical(opened, error) != wanted || error) refuse(path, "leads back out of a link; name the file itself");
  if (fs::is_directory(wanted, error)) look_through(opened);
  else if (!fs::is_regular_file(wanted, error)) refuse(path, "is neither a file nor a folder");
  const std::string normal = opened.string();
  return (normal == "-" ? "./-" : normal) + run;  // a file, not standard input
}

}  // namespace kdiag::serve::mcp
