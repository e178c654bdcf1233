// SPDX-License-Identifier: Apache-2.0
// zip and tar through libarchive, over any byte source.
#include "adapters/util/archive.hpp"

#include <cstdint>
#include <cstdio>
#include <utility>

#include <archive.h>
#include <archive_entry.h>

#include "adapters/util/decoder.hpp"

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
    return static_cast<Feed*>(self)->next_piece(piece);
  }
  static la_int64_t seek(archive*, void* self, la_int64_t offset, int whence) {
    return static_cast<Feed*>(self)->move(offset, whence);
  }

  const Diagnostics& failure() const { return failure_; }
  std::uint64_t taken() const { return source_->taken(); }

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
};

class LibArchive final : public Archive {
 public:
  LibArchive(std::unique_ptr<ByteSource> source, std::string start)
      : random_(source->seek(0, SEEK_CUR) >= 0),
        feed_(std::move(source), std::move(start)),
        reader_(archive_read_new()) {
    archive_read_support_format_zip(reader_);
    archive_read_support_format_tar(reader_);
    archive_read_set_read_callback(reader_, Feed::read);
    if (random_) archive_read_set_seek_callback(reader_, Feed::seek);
    archive_read_set_callback_data(reader_, &feed_);
    usable_ = archive_read_open1(reader_) >= ARCHIVE_WARN;
  }
  ~LibArchive() override { archive_read_free(reader_); }
  LibArchive(const LibArchive&) = delete;
  LibArchive& operator=(const LibArchive&) = delete;

  Result<std::optional<Member>> next() override {
    while (usable_) {
      archive_entry* entry = nullptr;
      const int result = archive_read_next_header(reader_, &entry);
      if (result == ARCHIVE_EOF) return std::optional<Member>{};
      usable_ = result >= ARCHIVE_WARN;
      if (usable_ && archive_entry_filetype(entry) != AE_IFDIR) return std::optional<Member>{describe(entry)};
    }
    if (!feed_.failure().empty()) return feed_.failure();
    return input_error("K704", "the archive is damaged or cut off", "Copy the archive again and compare checksums.");
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
    unpacked_ += filled;
    if (is_bomb(unpacked_, taken())) member_failure_ = {bomb_error()};
    if (filled == 0 && !member_failure_.empty()) return member_failure_;
    return filled;
  }
  std::uint64_t taken() const { return feed_.taken(); }

 private:
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

  void fail() {
    member_failure_ = feed_.failure();
    if (member_failure_.empty())
      member_failure_.push_back(input_error("K601", "the archive is damaged or cut off here",
                                            "Copy the archive again and compare checksums."));
  }

  bool random_;
  Feed feed_;
  archive* reader_;
  bool usable_ = false;
  std::uint64_t unpacked_ = 0;  ///< of all members
  Diagnostics member_failure_;
};

class MemberSource final : public ByteSource {
 public:
  explicit MemberSource(LibArchive& archive) : archive_(archive) {}
  Result<std::size_t> read(std::span<char> buffer) override { return archive_.read(buffer); }
  std::uint64_t taken() const override { return archive_.taken(); }

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
