// SPDX-License-Identifier: Apache-2.0
#include "adapters/io/gzip_writer.hpp"

#include <cstdint>
#include <vector>

#include <isa-l/igzip_lib.h>

namespace kdiag::adapters {

struct GzipWriter::State {
  isal_zstream stream;
  std::vector<std::uint8_t> level = std::vector<std::uint8_t>(ISAL_DEF_LVL1_DEFAULT);
  std::vector<std::uint8_t> out = std::vector<std::uint8_t>(std::size_t{1} << 18);
};

GzipWriter::GzipWriter(const std::function<bool(std::string_view)>& output)
    : state_(std::make_unique<State>()), output_(output) {
  isal_deflate_init(&state_->stream);
  state_->stream.level = 1;
  state_->stream.level_buf = state_->level.data();
  state_->stream.level_buf_size = static_cast<std::uint32_t>(state_->level.size());
  state_->stream.gzip_flag = IGZIP_GZIP;
  state_->stream.flush = NO_FLUSH;
}

GzipWriter::~GzipWriter() = default;

bool GzipWriter::pack(std::string_view bytes, bool last) {
  constexpr std::size_t most = 1U << 30;  // the library counts in 32 bits
  for (; bytes.size() > most; bytes.remove_prefix(most))
    if (!pack(bytes.substr(0, most), false)) return false;
  isal_zstream& stream = state_->stream;
  // The interface has no const input, although the library only reads it.
  stream.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<std::uint32_t>(bytes.size());
  stream.end_of_stream = last ? 1 : 0;
  do {
    stream.next_out = state_->out.data();
    stream.avail_out = static_cast<std::uint32_t>(state_->out.size());
    if (isal_deflate(&stream) != COMP_OK) return false;
    const std::size_t made = state_->out.size() - stream.avail_out;
    if (made > 0 && !output_({reinterpret_cast<const char*>(state_->out.data()), made})) return false;
  } while (stream.avail_out == 0);
  return true;
}

}  // namespace kdiag::adapters
