// SPDX-License-Identifier: Apache-2.0
#include "tests/support/archives.hpp"

#include <archive.h>
#include <archive_entry.h>

#include "tests/catch.hpp"

namespace kdiag::tests {
namespace {

void choose_format(archive* writer, ArchiveKind kind) {
  if (kind == ArchiveKind::tar) archive_write_set_format_ustar(writer);
  else if (kind == ArchiveKind::pax) archive_write_set_format_pax(writer);
  else archive_write_set_format_zip(writer);
  if (kind == ArchiveKind::stored_zip) archive_write_set_options(writer, "zip:compression=store");
  if (kind == ArchiveKind::encrypted_zip) {
    archive_write_set_options(writer, "zip:encryption=zipcrypt");
    archive_write_set_passphrase(writer, "secret");
  }
}

}  // namespace

std::string make_archive(ArchiveKind kind, const std::vector<ArchiveFile>& files) {
  std::size_t room = 1 << 20;
  for (const ArchiveFile& file : files) room += file.content.size() + 4 * file.name.size() + 2048;
  std::string bytes(room, '\0');
  std::size_t used = 0;
  archive* writer = archive_write_new();
  choose_format(writer, kind);
  REQUIRE(archive_write_open_memory(writer, bytes.data(), bytes.size(), &used) == ARCHIVE_OK);
  for (const ArchiveFile& file : files) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, file.name.c_str());
    archive_entry_set_filetype(entry, file.link_to.empty() ? AE_IFREG : AE_IFLNK);
    if (!file.link_to.empty()) archive_entry_set_symlink(entry, file.link_to.c_str());
    archive_entry_set_perm(entry, 0644);
    archive_entry_set_size(entry, static_cast<la_int64_t>(file.content.size()));
    CHECK(archive_write_header(writer, entry) >= ARCHIVE_WARN);
    archive_write_data(writer, file.content.data(), file.content.size());
    archive_entry_free(entry);
  }
  archive_write_close(writer);
  archive_write_free(writer);
  bytes.resize(used);
  return bytes;
}

}  // namespace kdiag::tests
