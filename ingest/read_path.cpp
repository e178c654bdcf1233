// SPDX-License-Identifier: Apache-2.0
#include "ingest/read_path.hpp"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <variant>

#include <kdiag/note_ids.hpp>
#include <kdiag/refusal_ids.hpp>

#include "adapters/io/archive.hpp"
#include "adapters/io/byte_source.hpp"
#include "adapters/io/input.hpp"
#include "base/similar_file.hpp"
#include "engine/facts/note_table.hpp"
#include "ingest/assemble.hpp"
#include "ingest/assign_ranks.hpp"
#include "ingest/collect_sink.hpp"
#include "ingest/load_ticker.hpp"
#include "ingest/skipped_members.hpp"
#include "ingest/walk_folder.hpp"

namespace kdiag {
namespace {

using adapters::Archive;
using adapters::Opened;

/// What the reading of an input of the call looks at.
void follow(LoadCall& call, adapters::ReadProgress& progress) {
  progress.budget = &call.unpacking;
  progress.cancel = call.options.cancel;
}

/// Collects the readings of a folder or archive.
class MemberReader {
 public:
  MemberReader(std::string name, std::string_view kind, LoadCall& call)
      : name_(std::move(name)), kind_(kind), call_(call) {}

  void read_folder() {
    const FolderContent content = walk_folder(name_);
    if (content.too_many) return stop_at_limit();
    for (const std::string& path : content.hidden) skipped_.add(hidden_reason, inner_name(path));
    for (const std::string& path : content.special) skipped_.add("no regular file", inner_name(path));
    for (const std::string& path : content.repeated) skipped_.add("another name of the same", inner_name(path));
    for (const std::string& path : content.unreadable) skipped_.add("not readable", inner_name(path));
    for (const auto& [folder, why] : content.failed)
      damage_.push_back(
          {load_error(note_id::read_failed, std::string("reading failed: ") + std::strerror(why) + ", in " + folder,
                      "Copy the folder to a local disk and try again."),
           {},
           {}});
    for (const std::string& path : content.files)
      if (!cancelled()) read_file(path);
  }

  /// `path`: the archive itself, or one in the folder.
  void read_archive(const std::string& path, Archive& archive) {
    for (std::size_t members = 0; !cancelled();) {
      const Result<std::optional<Archive::Member>> member = archive.next();
      if (!member) return end_early(path, member.error());
      if (!*member) return;
      if (++members > most_members) return stop_at_limit();
      read_member(path, **member, archive);
    }
  }

  std::vector<Reading> finish() && {
    if (!limit_.empty()) return one(failed_reading(name_, limit_));
    std::stable_sort(readings_.begin(), readings_.end(),
                     [](const Reading& a, const Reading& b) { return natural_less(a.entry.path, b.entry.path); });
    const auto first = std::find_if(readings_.begin(), readings_.end(),
                                    [](const Reading& reading) { return !reading.fragments.empty(); });
    if (first == readings_.end()) {
      if (Diagnostics errors = nothing_read(); !errors.empty())
        readings_.push_back(failed_reading(name_, std::move(errors)));
      return std::move(readings_);
    }
    std::vector<NoteEntry>& notes = first->entry.notes;
    for (NoteEntry& note : skipped_.notes()) notes.push_back(std::move(note));
    for (const Damage& damage : damage_) {
      const auto last = std::find_if(readings_.begin(), readings_.end(), [&](const Reading& reading) {
        return reading.entry.path == damage.last && !reading.fragments.empty();
      });
      (last == readings_.end() ? first : last)->entry.notes.push_back(note_of(damage));
    }
    return std::move(readings_);
  }

 private:
  /// Why an archive or a folder ended early.
  struct Damage {
    Diagnostic error;
    std::string archive;  ///< empty: a folder
    std::string last;     ///< the file that was read last before it; empty: none
  };

  static NoteEntry note_of(const Damage& damage) {
    const Diagnostic& error = damage.error;
    if (damage.archive.empty()) return make_note(error.id, error.title);
    return make_note(error.id, error.id == note_id::archive_damaged ? damage.archive  // the note says the rest
                                                                    : error.title + ", in " + damage.archive);
  }

  void end_early(const std::string& archive, const Diagnostics& errors) {
    const std::string last = readings_.empty() ? std::string() : readings_.back().entry.path;
    for (const Diagnostic& error : errors) damage_.push_back({error, archive, last});
  }

  static std::vector<Reading> one(Reading reading) {
    std::vector<Reading> readings;
    readings.push_back(std::move(reading));
    return readings;
  }

  bool cancelled() const { return is_set(call_.options.cancel); }

  void read_file(const std::string& path) {
    adapters::ReadProgress progress;
    follow(call_, progress);
    const LoadTicker ticker(call_.options, path, progress);
    Result<Opened> opened = adapters::open_input_or_archive(path, &progress);
    if (!opened) take(failed_reading(path, std::move(opened.error())));
    else if (opened->archive) read_archive(path, *opened->archive);
    else take(read_input(path, std::move(opened->input), call_));
  }

  void read_member(const std::string& archive_path, const Archive::Member& member, Archive& archive) {
    const std::string path = archive_path + "/" + std::string(without_root(member.name));
    switch (member.kind) {
      case Archive::Member::Kind::link: return skipped_.add("a link to another member", inner_name(path));
      case Archive::Member::Kind::encrypted: return skipped_.add("encrypted", inner_name(path));
      case Archive::Member::Kind::special: return skipped_.add("no regular file", inner_name(path));
      case Archive::Member::Kind::file: break;
    }
    if (is_hidden(member.name)) return skipped_.add(hidden_reason, inner_name(path));
    take(read_input(path, adapters::open_member(path, archive), call_));
  }

  /// A member's name as if it were below the archive: "./a" and "/a" are "a". It is only shown.
  static std::string_view without_root(std::string_view name) {
    while (name.starts_with('/') || name.starts_with("./")) name.remove_prefix(name.find('/') + 1);
    return name;
  }

  /// Whether a part of the name begins with a dot, or is the folder in which macOS keeps what only it understands.
  static bool is_hidden(std::string_view name) {
    for (std::size_t begin = 0; begin < name.size();) {
      const std::size_t end = std::min(name.find('/', begin), name.size());
      const std::string_view part = name.substr(begin, end - begin);
      if ((part.starts_with('.') && part != "." && part != "..") || part == "__MACOSX") return true;
      begin = end + 1;
    }
    return false;
  }

  void take(Reading reading) {
    if (skipped_.add(reading.errors, inner_name(reading.entry.path))) return;
    assign_rank_by_name(reading, inner_name(reading.entry.path));
    readings_.push_back(std::move(reading));
  }

  /// A path as seen from the folder or archive.
  std::string_view inner_name(std::string_view path) const {
    path.remove_prefix(std::min(name_.size(), path.size()));
    return path.substr(std::min(path.find_first_not_of('/'), path.size()));
  }

  void stop_at_limit() {
    limit_ = {load_error(refusal_id::too_many_files,
                         "this " + std::string(kind_) + " holds more than " + std::to_string(most_members) + " files",
                         "Name the folder of one recording, or the traces themselves.")};
  }

  Diagnostics nothing_read() const {
    Diagnostics errors;
    for (const Damage& damage : damage_) errors.push_back(damage.error);
    if (!errors.empty()) return errors;
    const std::string seen = skipped_.summary();
    if (seen.empty() && !readings_.empty()) return {};  // the errors of its files say it
    return {load_error(refusal_id::no_trace_inside, "this " + std::string(kind_) + " holds no trace that can be read",
                       seen.empty() ? "There is no file in it." : "Seen: " + seen + ".")};
  }

  std::string name_;
  std::string_view kind_;
  LoadCall& call_;
  std::vector<Reading> readings_;
  SkippedMembers skipped_;
  std::vector<Damage> damage_;
  Diagnostics limit_;
};

std::vector<Reading> read_opened(const std::string& path, Result<Opened> opened, LoadCall& call) {
  std::vector<Reading> readings;
  if (!opened) readings.push_back(failed_reading(path, std::move(opened.error())));
  else if (!opened->archive) readings.push_back(read_input(path, std::move(opened->input), call));
  else {
    MemberReader members(path, "archive", call);
    members.read_archive(path, *opened->archive);
    readings = std::move(members).finish();
  }
  return readings;
}

}  // namespace

std::vector<Reading> read_path(const std::string& path, LoadCall& call) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown)) {
    MemberReader members(path, "folder", call);
    members.read_folder();
    return std::move(members).finish();
  }
  adapters::ReadProgress progress;
  follow(call, progress);
  const LoadTicker ticker(call.options, path, progress);
  Result<Opened> opened = adapters::open_input_or_archive(path, &progress);
  if (!opened && opened.error().front().id == refusal_id::no_such_file)
    suggest_similar(path, opened.error().front());  // no such file
  return read_opened(path, std::move(opened), call);
}

std::vector<Reading> read_trace_input(const TraceInput& input, LoadCall& call) {
  const std::string& name = input.name();
  if (input.source().index() == 0) return read_path(name, call);
  if (const auto* bytes = std::get_if<TraceInput::Bytes>(&input.source()))
    return read_opened(name, adapters::open_input_or_archive(name, *bytes, &call.unpacking), call);
  adapters::ReadProgress progress;
  follow(call, progress);
  const LoadTicker ticker(call.options, name, progress);
  if (const int* descriptor = std::get_if<int>(&input.source())) {
    Result<std::unique_ptr<adapters::ByteSource>> source = adapters::open_descriptor(*descriptor, &progress);
    if (!source) return read_opened(name, std::move(source.error()), call);
    return read_opened(name, adapters::open_input_or_archive(name, std::move(*source)), call);
  }
  auto source = adapters::callback_source(std::get<ReadBytes>(input.source()), &progress);
  return read_opened(name, adapters::open_input_or_archive(name, std::move(source)), call);
}

}  // namespace kdiag
