// SPDX-License-Identifier: Apache-2.0
#include "tests/robustness/mutation/containers.hpp"

#include <archive.h>
#include <archive_entry.h>

#include <cstdio>
#include <cstdlib>

namespace kdiag::mutation {
namespace {

bool is_archive(Container container) { return container >= Container::zip; }

void choose_format(archive* writer, Container container) {
  if (container == Container::zip) archive_write_set_format_zip(writer);
  else if (is_archive(container)) archive_write_set_format_ustar(writer);
  else archive_write_set_format_raw(writer);
  // Their times are left out, so that the same input gives the same bytes.
  if (container == Container::gzip || container == Container::tar_gzip) {
    archive_write_add_filter_gzip(writer);
    archive_write_set_filter_option(writer, "gzip", "timestamp", nullptr);
  } else if (container == Container::zstd) {
    archive_write_add_filter_zstd(writer);
  } else if (container == Container::xz) {
    archive_write_add_filter_xz(writer);
    archive_write_set_filter_option(writer, "xz", "compression-level", "0");
  }
  archive_write_set_bytes_in_last_block(writer, 1);
}

void add_member(archive* writer, const Member& member) {
  archive_entry* entry = archive_entry_new();
  archive_entry_set_pathname(entry, member.name.c_str());
  archive_entry_set_filetype(entry, AE_IFREG);
  archive_entry_set_perm(entry, 0644);
  archive_entry_set_size(entry, static_cast<la_int64_t>(member.content.size()));
  if (archive_write_header(writer, entry) < ARCHIVE_WARN) {
    std::fprintf(stderr, "cannot write an archive: %s\n", archive_error_string(writer));
    std::abort();
  }
  archive_write_data(writer, member.content.data(), member.content.size());
  archive_entry_free(entry);
}

la_ssize_t append(archive*, void* out, const void* data, std::size_t size) {
  static_cast<std::string*>(out)->append(static_cast<const char*>(data), size);
  return static_cast<la_ssize_t>(size);
}

}  // namespace

std::string_view name_of(Container container) {
  constexpr std::string_view names[] = {"none", "gzip", "zstd", "xz", "zip", "tar", "tar.gz"};
  return names[static_cast<std::size_t>(container)];
}

std::string packed(Container container, const std::vector<Member>& members) {
  if (container == Container::none) return members.front().content;
  std::string bytes;
  archive* writer = archive_write_new();
  choose_format(writer, container);
  archive_write_open2(writer, &bytes, nullptr, append, nullptr, nullptr);
  for (const Member& member : members) {
    add_member(writer, member);
    if (!is_archive(container)) break;
  }
  archive_write_close(writer);
  archive_write_free(writer);
  return bytes;
}

}  // namespace kdiag::mutation
