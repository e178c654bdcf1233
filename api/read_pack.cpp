// SPDX-License-Identifier: Apache-2.0
// The files of a pack, from wherever it travels in.
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include <kdiag/packs.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/io/archive.hpp"
#include "api/limit_table.hpp"
#include "base/escape.hpp"
#include "base/names/folder_names.hpp"
#include "base/text_file.hpp"
#include "dsl/rule_file.hpp"
#include "ingest/reading.hpp"
#include "packs/find_rule_files.hpp"

namespace kdiag {
namespace {

namespace fs = std::filesystem;
using adapters::Archive;

class PackReader {
 public:
  PackReader(std::string name, CancelFlag cancel) : cancel_(cancel) { out_.name = std::move(name); }

  Result<PackFiles> read(const std::string& path) {
    std::error_code error;
    if (fs::is_directory(path, error)) add_folder(path, {});
    else if (const std::string name = fs::path(path).filename().string(); is_rule_file(name)) add_text(path, name);
    else add_archive(path);
    if (!mistakes_.empty()) return mistakes_;
    return found();
  }

 private:
  static bool is_rule_file(const std::string& name) {
    return name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".lua");
  }

  void refuse(const std::string& what, std::string help = "A pack is a folder with a pack.yaml.") {
    if (mistakes_.empty())
      mistakes_ = {load_error(refusal_id::no_pack, visible(out_.name) + ": " + what, std::move(help))};
  }

  bool add(std::string name, std::string text) {
    bytes_ += text.size();
    if (out_.files.size() == most_pack_files || bytes_ > most_pack_bytes)
      return refuse("more than a pack may hold", "At most 10,000 files and 64 MiB."), false;
    out_.files.emplace_back(std::move(name), std::move(text));
    return true;
  }

  void add_text(const std::string& path, std::string name) {
    std::string text;
    if (const int why = read_text_file(path, most_pack_bytes + 1, text, cancel_); why != 0)
      mistakes_.push_back(unreadable(path, std::strerror(why)));
    else add(std::move(name), std::move(text));
  }

  /// Without hidden files, in the order of their names. Links may lead anywhere.
  void add_folder(const fs::path& folder, const std::string& inside) {
    stop_if(cancel_);
    std::vector<std::string> names;
    if (const int why = add_folder_names(folder.string(), most_pack_files, names); why != 0)
      mistakes_.push_back(unreadable(folder.string(), std::strerror(why)));
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
      if (!mistakes_.empty()) return;
      if (name.starts_with('.')) continue;
      std::error_code unknown;
      const fs::file_type type = fs::symlink_status(folder / name, unknown).type();
      if (type == fs::file_type::directory) add_folder(folder / name, inside + name + "/");
      else if (type == fs::file_type::regular) add_text((folder / name).string(), inside + name);
      else refuse("'" + visible(inside + name) + "' is no file");
    }
  }

  void add_archive(const std::string& path) {
    Result<adapters::Opened> opened = adapters::open_input_or_archive(path);
    if (!opened) mistakes_ = opened.error();
    else if (!opened->archive) refuse("is neither a rule file nor a folder nor an archive");
    else add_members(*opened->archive);
  }

  void add_members(Archive& archive) {
    while (mistakes_.empty()) {
      stop_if(cancel_);
      const Result<std::optional<Archive::Member>> member = archive.next();
      if (!member) mistakes_ = member.error();
      if (!member || !*member) return;
      const std::string name = fs::path((*member)->name).lexically_normal().generic_string();
      if ((*member)->kind != Archive::Member::Kind::file)
        return refuse("'" + visible((*member)->name) + "' is a link, encrypted or no file");
      if (name.starts_with('/') || name.starts_with("..") || name.find('\\') != std::string::npos ||
          name.find('\0') != std::string::npos)
        return refuse("'" + visible((*member)->name) + "' leads out of the pack");
      if (fs::path(name).filename().string().starts_with('.')) continue;
      std::string text;
      const auto source = archive.open();
      if (const Status read = adapters::append_from(*source, text, most_pack_bytes + 1); !read)
        mistakes_ = read.error();
      else add(name, std::move(text));
    }
  }

  /// The pack among the files: below the folder of its pack.yaml, or one rule file.
  Result<PackFiles> found() {
    std::optional<std::string> root;
    for (const auto& [name, text] : out_.files)
      if (fs::path(name).filename() == pack_file_name && (!root || name.size() < root->size())) root = name;
    if (!root && out_.files.size() != 1) refuse("there is no pack.yaml in it");
    if (!mistakes_.empty()) return mistakes_;
    if (root) {
      const std::string folder = root->substr(0, root->size() - pack_file_name.size());
      std::erase_if(out_.files, [&](const auto& file) { return !file.first.starts_with(folder); });
      for (auto& file : out_.files) file.first.erase(0, folder.size());
    }
    std::sort(out_.files.begin(), out_.files.end());
    return std::move(out_);
  }

  PackFiles out_;
  Diagnostics mistakes_;
  std::size_t bytes_ = 0;
  CancelFlag cancel_;
};

}  // namespace

Result<PackFiles> read_pack(std::string_view path, const std::atomic<bool>* cancel) {
  try {
    return PackReader(std::string(path), cancel).read(std::string(path));
  } catch (const Interrupted&) {
    return load_error(refusal_id::interrupted, "reading the pack was interrupted");
  }
}

}  // namespace kdiag
