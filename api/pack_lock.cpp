// SPDX-License-Identifier: Apache-2.0
// The lock of a project: which packs it was agreed on.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>

#include <kdiag/packs.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/json/json.hpp"
#include "base/escape.hpp"
#include "base/json_writer.hpp"
#include "base/text_file.hpp"
#include "dsl/rule_file.hpp"
#include "engine/ruleset/rule_set.hpp"
#include "ingest/reading.hpp"

namespace kdiag {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view lock_schema = "kdiag.lock/1";
constexpr std::size_t most_lock_bytes = 1024 * 1024;  // judgement: thousands of packs

/// A path as it is seen from a folder, whatever the working directory.
std::string seen_from(const fs::path& folder, const std::string& path) {
  std::error_code error;
  const fs::path from = fs::weakly_canonical(folder.empty() ? fs::path(".") : folder, error);
  const fs::path to = fs::weakly_canonical(path, error);
  const fs::path out = to.lexically_relative(from);
  return out.empty() ? path : out.generic_string();
}

std::string described(const PackEntry& pack) {
  return visible(pack.name + (pack.version.empty() ? "" : "@" + pack.version));
}

Diagnostic mismatch(const PackLock& lock, std::string title, std::string note = {}) {
  Diagnostic error =
      load_error(refusal_id::lock_mismatch, std::move(title),
                 "`kdiag packs lock` pins what is there; `kdiag packs diff OLD NEW` shows what a version "
                 "changes.");
  error.note = note.empty() ? "the lock is " + visible(lock.file) : std::move(note);
  return error;
}

}  // namespace

const std::vector<PackEntry>& packs_of(const RuleSet& rules) { return rules.loaded().packs; }

PackLock lock_of(std::string_view project_file, const std::vector<PackEntry>& packs) {
  const fs::path folder = fs::path(project_file).parent_path();
  PackLock lock{.file = fs::path(project_file).replace_extension(".lock").string(), .packs = packs};
  for (PackEntry& pack : lock.packs) pack.path = seen_from(folder, pack.path);
  return lock;
}

std::string to_json(const PackLock& lock) {
  JsonWriter json;
  json.object([&] {
    json.member("schema", lock_schema);
    json.list("packs", lock.packs, [&](const PackEntry& pack) {
      json.object(Layout::line, [&] {
        json.member("name", pack.name);
        json.text_or_null("version", pack.version);
        json.member("path", pack.path);
        json.member("hash", pack.hash);
      });
    });
  });
  return json.take();
}

Result<PackLock> load_lock(std::string_view path, const std::atomic<bool>* cancel) {
  const std::string file(path);
  std::string text;
  try {
    if (const int why = read_text_file(file, most_lock_bytes, text, cancel); why != 0)
      return Diagnostics{unreadable(file, std::strerror(why), "lock")};
  } catch (const Interrupted&) {
    return load_error(refusal_id::interrupted, "loading the lock was interrupted");
  }
  const std::optional<adapters::JsonValue> document = adapters::parse_json(text);
  if (!document || (*document)["schema"].text != lock_schema)
    return load_error(refusal_id::no_lock, visible(file) + " is no lock of kdiag", "`kdiag packs lock` writes one.");
  PackLock lock{.file = file, .packs = {}};
  for (const adapters::JsonValue& pack : (*document)["packs"].items)
    lock.packs.push_back({pack["name"].text, pack["version"].text, pack["path"].text, pack["hash"].text});
  return lock;
}

Diagnostics lock_mistakes(const PackLock& lock, const std::vector<PackEntry>& packs, bool more) {
  const fs::path folder = fs::path(lock.file).parent_path();
  Diagnostics out;
  std::vector<bool> loaded(lock.packs.size());
  for (const PackEntry& pack : packs) {
    const std::string path = seen_from(folder, pack.path);
    const auto pinned =
        std::find_if(lock.packs.begin(), lock.packs.end(), [&](const PackEntry& one) { return one.path == path; });
    if (pinned == lock.packs.end()) {
      if (!more) out.push_back(mismatch(lock, described(pack) + " is not pinned: " + visible(path)));
      continue;
    }
    loaded[static_cast<std::size_t>(pinned - lock.packs.begin())] = true;
    if (pinned->hash == pack.hash && pinned->version == pack.version) continue;
    const bool other_version = pinned->version != pack.version;
    out.push_back(mismatch(lock,
                           described(pack) + " is not what was pinned" +
                               (other_version ? ", which is " + described(*pinned) : ": its files changed"),
                           visible(path) + ": pinned " + visible(pinned->hash) + ", found " + pack.hash));
  }
  for (std::size_t i = 0; i < loaded.size(); ++i)
    if (!loaded[i])
      out.push_back(mismatch(
          lock, described(lock.packs[i]) + " is pinned, and no rule file names it: " + visible(lock.packs[i].path)));
  return out;
}

}  // namespace kdiag
