// SPDX-License-Identifier: Apache-2.0
// Puts an input together: source, decoders, refusals, head.
#include "adapters/io/input.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include <kdiag/refusal_ids.hpp>

#include "adapters/io/archive.hpp"
#include "adapters/io/byte_source.hpp"
#include "adapters/io/decoder.hpp"
#include "adapters/io/head_json.hpp"
#include "adapters/io/refusal.hpp"
#include "adapters/io/sqlite.hpp"
#include "adapters/io/temporary_file.hpp"
#include "base/utf8.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t head_bytes = 64 * 1024;        // enough to recognise every format by content
constexpr std::size_t max_head_bytes = 1024 * 1024;  // "traceEvents" starts tens of KiB into some traces

Diagnostics with_label(Diagnostics errors, std::string_view name) {
  const SourcePtr source = std::make_shared<const Source>(Source{std::string(name), {}});
  for (Diagnostic& error : errors)
    if (error.labels.empty()) error.labels.push_back(Label{Span{source, 0, 0}, {}});
  return errors;
}

/// The file that holds a database, whether it has to be removed, and what is in it.
struct DatabaseFile {
  std::string path;
  std::unique_ptr<TemporaryFile> temporary;
  std::vector<std::string> tables;
  Diagnostics errors;  ///< why it ends early
};

/// Delivers the bytes that were read for the head again, then the rest of the source.
class SourceInput final : public Input {
 public:
  SourceInput(std::string_view name, std::unique_ptr<ByteSource> source, std::string start, DatabaseFile file = {})
      : name_(name), file_(std::move(file)), source_(std::move(source)), start_(std::move(start)) {
    fill_start(head_bytes);
    if (start_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();  // no content
    describe();
    const bool json_object = head_.json == '{';
    if (json_object && !head_.complete && !head_.has_key("traceEvents")) {
      fill_start(max_head_bytes);
      describe();
    }
  }

  std::string_view name() const override { return name_; }
  const Head& head() const override { return head_; }
  std::string_view file() const override { return file_.path; }
  const Diagnostics& file_errors() const override { return file_.errors; }

  Result<std::size_t> read(std::span<char> buffer) override {
    if (at_ == start_.size()) return read_source(buffer);
    const std::size_t again = std::min(buffer.size(), start_.size() - at_);
    std::copy_n(start_.data() + at_, again, buffer.data());
    at_ += again;
    if (again == buffer.size()) return again;
    // A failure behind these bytes comes back from the source at the next call.
    Result<std::size_t> more = source_->read(buffer.subspan(again));
    return again + (more ? *more : 0);
  }

 private:
  void fill_start(std::size_t size) {
    const std::size_t wanted = size - std::min(size, start_.size());
    const std::size_t before = start_.size();
    const Status read = append_from(*source_, start_, wanted);
    head_.complete = !read || start_.size() - before < wanted;
  }

  void describe() {
    head_.bytes = std::string_view(start_).substr(at_);
    head_.json = json_start(head_.bytes);
    head_.keys = head_.json == 0 ? std::vector<std::string_view>{} : top_level_keys(head_.bytes);
    head_.tables = file_.tables;
  }

  Result<std::size_t> read_source(std::span<char> buffer) {
    if (failed_) return std::size_t{0};
    Result<std::size_t> got = source_->read(buffer);
    if (got) return got;
    failed_ = true;
    return with_label(std::move(got.error()), name_);
  }

  std::string name_;
  DatabaseFile file_;
  std::unique_ptr<ByteSource> source_;
  std::string start_;
  std::size_t at_ = 0;
  Head head_;
  bool failed_ = false;
};

bool is_regular_file(const std::string& path) {
  std::error_code none;
  return path != "-" && std::filesystem::is_regular_file(path, none);
}

/// A database is read where it lies when `plain_file` names a file; what is compressed or a pipe is copied to one.
Result<Opened> open_database(std::string_view name, std::unique_ptr<ByteSource> source, std::string start,
                             const std::string& plain_file) {
  DatabaseFile file{plain_file, nullptr, {}, {}};
  if (plain_file.empty()) {
    Result<std::unique_ptr<TemporaryFile>> copy = TemporaryFile::copy(start, *source);
    if (!copy) return with_label(std::move(copy.error()), name);
    file.temporary = std::move(*copy);
    file.path = file.temporary->path();
    file.errors = with_label(file.temporary->failure(), name);
    Result<std::unique_ptr<ByteSource>> reopened = open_file(file.path, nullptr);
    if (!reopened) return with_label(std::move(reopened.error()), name);
    source = std::move(*reopened);
    start.clear();
  }
  Result<Database> database = Database::open(file.path);
  if (!database) return with_label(file.errors.empty() ? std::move(database.error()) : std::move(file.errors), name);
  file.tables = database->tables();
  return Opened{std::make_unique<SourceInput>(name, std::move(source), std::move(start), std::move(file)), nullptr};
}

/// Unwraps what is compressed until plain bytes show, and looks at them. `plain_file`: the path of the source, if it is
/// a regular file.
Result<Opened> open_source(std::string_view name, std::unique_ptr<ByteSource> source, bool archives,
                           std::string plain_file = {}) {
  const auto error = [name](Diagnostic diagnostic) { return with_label({std::move(diagnostic)}, name); };
  std::string start;
  for (int nesting = 0;; ++nesting) {
    const Status read = append_from(*source, start, refusal_bytes);
    if (!read) return with_label(read.error(), name);
    std::unique_ptr<Decoder> decoder = decoder_for(start, source->budget().decoder_bytes());
    if (!decoder) break;
    if (nesting == most_layers)
      return error(input_error(refusal_id::too_many_layers,
                               "this is compressed more than " + std::to_string(most_layers) + " times",
                               "Unwrap it by hand and pass what is inside."));
    source = decoded_source(std::move(decoder), std::move(source), std::exchange(start, {}));
    plain_file.clear();
  }
  if (start.empty())
    return error(input_error(refusal_id::empty, "this input is empty",
                             "Record again, and wait until the profiler has written its file."));
  if (archives && is_archive(start)) return Opened{nullptr, open_archive(std::move(source), std::move(start))};
  if (std::optional<Diagnostic> refused = refusal(start)) return error(*std::move(refused));
  if (start.starts_with(sqlite_magic)) return open_database(name, std::move(source), std::move(start), plain_file);
  return Opened{std::make_unique<SourceInput>(name, std::move(source), std::move(start)), nullptr};
}

Result<Opened> open_path(const std::string& path, ReadProgress* progress, bool archives) {
  Result<std::unique_ptr<ByteSource>> source = open_file(path, progress);
  if (!source) return with_label(std::move(source.error()), path);
  return open_source(path, std::move(*source), archives, is_regular_file(path) ? path : std::string());
}

Result<std::unique_ptr<Input>> only_input(Result<Opened> opened) {
  if (!opened) return std::move(opened.error());
  return std::move(opened->input);
}

}  // namespace

Result<std::unique_ptr<Input>> open_input(const std::string& path, ReadProgress* progress) {
  return only_input(open_path(path, progress, false));
}

Result<std::unique_ptr<Input>> open_input(std::string_view name, std::span<const char> bytes) {
  return only_input(open_source(name, memory_source(bytes), false));
}

Result<Opened> open_input_or_archive(const std::string& path, ReadProgress* progress) {
  return open_path(path, progress, true);
}

Result<Opened> open_input_or_archive(std::string_view name, std::span<const char> bytes, UnpackBudget* budget) {
  return open_source(name, memory_source(bytes, budget), true);
}

Result<Opened> open_input_or_archive(std::string_view name, std::unique_ptr<ByteSource> source) {
  return open_source(name, std::move(source), true);
}

Result<std::unique_ptr<Input>> open_member(std::string_view name, Archive& archive) {
  return only_input(open_source(name, archive.open(), false));
}

void note_read_errors(const Diagnostics& errors, std::uint64_t bytes, FactSink& sink) {
  for (const Diagnostic& error : errors) sink.note(error.id, error.title + ", after byte " + std::to_string(bytes));
}

}  // namespace kdiag::adapters
