// SPDX-License-Identifier: Apache-2.0
// zip and tar through libarchive, over any byte source.
#include "adapters/io/archive.hpp"

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <new>
#include <utility>

#include <kdiag/note_ids.hpp>

#include <archive.h>
#include <archive_entry.h>

#include "adapters/io/decoder.hpp"

namespace kdiag::adapters {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t archive_piece_bytes = 256 * 1024;
constexpr std::size_t longest_name = 4096;  // judgement: PATH_MAX; a hostile header can state megabytes

/// Hands the bytes of a source to libarchive.
class Feed {
 public:
  Feed(std::unique_ptr<ByteSource> source, std::string start) : source_(std::move(source)), piece_(std::move(start)) {}

  static la_ssize_t read(archive*, void* self, const void** piece) {
    Feed& feed = *static_cast<Feed*>(self);
    try {
      return feed.next_piece(piece);
    } catch (const std::bad_alloc&) {  // libarchive is C: nothing is thrown through it
      feed.out_of_memory_ = true;
      return -1;
    }
  }
  static la_int64_t seek(archive*, void* self, la_int64_t offset, int whence) {
    return static_cast<Feed*>(self)->move(offset, whence);
  }

  const Diagnostics& failure() const { return failure_; }
  bool out_of_memory() const { return out_of_memory_; }
  bool at_end() const { return at_end_; }
  std::uint64_t taken() const { return source_->taken(); }
  UnpackBudget& budget() { return source_->budget(); }

 private:
  la_ssize_t next_piece(const void** piece) {
    if (fresh_) fresh_ = false;  // the first piece was read to recognise the archive
    else {
      piece_.clear();
      if (Status status = append_from(*source_, piece_, archive_piece_bytes); !status) {
        failure_ = status.error();
        return -1;
      }
    }
    at_end_ = piece_.empty();
    position_ += static_cast<std::int64_t>(piece_.size());
    *piece = piece_.data();
    return static_cast<la_ssize_t>(piece_.size());
  }

  la_int64_t move(std::int64_t offset, int whence) {
    // The source stands behind what was read to recognise the archive, which libarchive may not have seen.
    if (whence == SEEK_CUR) {
      offset += position_;
      whence = SEEK_SET;
    }
    const std::int64_t to = source_->seek(offset, whence);
    if (to < 0) return ARCHIVE_FAILED;
    fresh_ = false;
    return position_ = to;
  }

  std::unique_ptr<ByteSource> source_;
  std::string piece_;
  bool fresh_ = true;
  std::int64_t position_ = 0;  ///< behind the bytes that libarchive has
  Diagnostics failure_;
  bool out_of_memory_ = false;
  bool at_end_ = false;  ///< libarchive asked for more than there is
};

class LibArchive final : public Archive {
 public:
  LibArchive(std::unique_ptr<ByteSource> source, std::string start)
      : random_(source->seek(0, SEEK_CUR) >= 0),
        feed_(std::move(source), std::move(start)),
        reader_(archive_read_new()) {
    if (reader_ == nullptr) throw std::bad_alloc();
    archive_read_support_format_zip(reader_);
    archive_read_support_format_tar(reader_);
    archive_read_set_read_callback(reader_, Feed::read);
    if (random_) archive_read_set_seek_callback(reader_, Feed::seek);
    archive_read_set_callback_data(reader_, &feed_);
    usable_ = archive_read_open1(reader_) >= ARCHIVE_WARN;
    if (!usable_ && (feed_.out_of_memory() || archive_errno(reader_) == ENOMEM)) {
      archive_read_free(reader_);
      throw std::bad_alloc();
    }
  }
  ~LibArchive() override { archive_read_free(reader_); }
  LibArchive(const LibArchive&) = delete;
  LibArchive& operator=(const LibArchive&) = delete;

  Result<std::optional<Member>> next() override {
    if (budget().exceeded()) return budget().error();
    while (usable_) {
      const la_int64_t behind_member = skip_member();
      if (!usable_) break;
      archive_entry* entry = nullptr;
      const int result = archive_read_next_header(reader_, &entry);
      usable_ = result >= ARCHIVE_WARN && !(result == ARCHIVE_EOF && lacks_end_mark(behind_member));
      if (usable_ && result == ARCHIVE_EOF) return std::optional<Member>{};
      in_member_ = usable_;
      if (!usable_) throw_without_memory();
      if (usable_ && archive_entry_filetype(entry) != AE_IFDIR) return std::optional<Member>{describe(entry)};
    }
    if (!feed_.failure().empty()) return feed_.failure();
    return input_error(note_id::archive_damaged, "the archive is damaged or cut off",
                       "Copy the archive again and compare checksums.");
  }

  std::unique_ptr<ByteSource> open() override;

  /// As ByteSource::read, of the current member.
  Result<std::size_t> read(std::span<char> buffer) {
    std::size_t filled = 0;
    while (filled < buffer.size() && member_failure_.empty()) {
      const la_ssize_t got = archive_read_data(reader_, buffer.data() + filled, buffer.size() - filled);
      if (got == 0) break;
      if (got < 0) fail();
      else filled += static_cast<std::size_t>(got);
    }
    if (is_packed()) budget().unpack(filled);
    if (budget().exceeded()) member_failure_ = {budget().error()};
    if (filled == 0 && !member_failure_.empty()) return member_failure_;
    return filled;
  }
  std::uint64_t taken() const { return feed_.taken(); }
  UnpackBudget& budget() { return feed_.budget(); }

 private:
  /// A tar archive holds its members as they are.
  bool is_packed() const { return (archive_format(reader_) & ARCHIVE_FORMAT_BASE_MASK) != ARCHIVE_FORMAT_TAR; }

  /// Steps behind the bytes of the current member, and says where that is.
  la_int64_t skip_member() {
    if (std::exchange(in_member_, false) && archive_read_data_skip(reader_) < ARCHIVE_WARN) {
      throw_without_memory();
      usable_ = false;
    }
    return archive_filter_bytes(reader_, -1);
  }
  /// Blocks of zeros end a tar archive. One that was cut between two members lacks them, which libarchive takes for the
  /// end, too.
  bool lacks_end_mark(la_int64_t behind_member) {
    return !is_packed() && feed_.at_end() && archive_filter_bytes(reader_, -1) == behind_member;
  }

  Member describe(archive_entry* entry) {
    member_failure_.clear();
    Member member;
    const char* name = archive_entry_pathname(entry);
    if (name == nullptr) name = archive_entry_pathname_utf8(entry);  // not in the encoding of the program's locale
    member.name = name == nullptr ? "?" : std::string(name).substr(0, longest_name);
    if (archive_entry_hardlink(entry) != nullptr || archive_entry_filetype(entry) == AE_IFLNK)
      member.kind = Member::Kind::link;
    else if (archive_entry_is_data_encrypted(entry) != 0) member.kind = Member::Kind::encrypted;
    else if (archive_entry_filetype(entry) != AE_IFREG) member.kind = Member::Kind::special;
    return member;
  }

  /// What was damage, had there been memory.
  void throw_without_memory() const {
    if (feed_.out_of_memory() || archive_errno(reader_) == ENOMEM) throw std::bad_alloc();
  }

  void fail() {
    throw_without_memory();
    member_failure_ = feed_.failure();
    if (member_failure_.empty())
      member_failure_.push_back(input_error(note_id::stream_damaged, "the archive is damaged or cut off here",
                                            "Copy the archive again and compare checksums."));
  }

  bool random_;
  Feed feed_;
  archive* reader_;
  bool usable_ = false;
  bool in_member_ = false;
  Diagnostics member_failure_;
};

class MemberSource final : public ByteSource {
 public:
  explicit MemberSource(LibArchive& archive) : archive_(archive) {}
  Result<std::size_t> read(std::span<char> buffer) override { return archive_.read(buffer); }
  std::uint64_t taken() const override { return archive_.taken(); }
  UnpackBudget& budget() override { return archive_.budget(); }

 private:
  LibArchive& archive_;
};

std::unique_ptr<ByteSource> LibArchive::open() { return std::make_unique<MemberSource>(*this); }

}  // namespace

bool is_archive(std::string_view start) {
  if (start.starts_with("PK\x03\x04"sv) || start.starts_with("PK\x05\x06"sv)) return true;
  return start.size() > 262 && start.substr(257).starts_with("ustar"sv);
}

std::unique_ptr<Archive> open_archive(std::unique_ptr<ByteSource> source, std::string start) {
  return std::make_unique<LibArchive>(std::move(source), std::move(start));
}

}  // namespace kdiag::adapters
