// SPDX-License-Identifier: Apache-2.0
#include "tests/support/wire_text.hpp"

#include <zlib.h>
#include <zstd.h>

#include <bit>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <sstream>

#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

namespace kdiag::tests {
namespace {

enum WireType : std::uint64_t { varint = 0, fixed64 = 1, bytes = 2 };

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>((value & 0x7FU) | 0x80U);
  out += static_cast<char>(value);
}

void put_fixed64(std::string& out, std::uint64_t value) {
  for (int i = 0; i < 8; ++i, value >>= 8U) out += static_cast<char>(value & 0xFFU);
}

class Assembler {
 public:
  explicit Assembler(std::string_view text) : text_(text) {}

  /// Fields up to a closing brace or the end.
  std::string message() {
    std::string out;
    for (skip(); at_ < text_.size() && text_[at_] != '}'; skip()) field(out);
    return out;
  }

 private:
  void skip() {
    while (at_ < text_.size() && (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '#'))
      if (text_[at_] != '#') ++at_;
      else at_ = std::min(text_.find('\n', at_), text_.size());
  }

  bool take(std::string_view token) {
    skip();
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void expect(std::string_view token) {
    INFO("before: " << text_.substr(at_, 40));
    REQUIRE(take(token));
  }

  std::string word() {
    skip();
    const std::size_t end = text_.find_first_not_of("-+.0123456789eix", at_);
    std::string found(text_.substr(at_, end - at_));
    at_ = std::min(end, text_.size());
    INFO("before: " << text_.substr(at_, 40));
    REQUIRE_FALSE(found.empty());
    return found;
  }

  std::string quoted() {
    const std::size_t end = text_.find('"', at_);
    REQUIRE(end != std::string_view::npos);
    std::string found(text_.substr(at_, end - at_));
    at_ = end + 1;
    return found;
  }

  void field(std::string& out) {
    const std::uint64_t number = std::stoull(word());
    expect(":");
    const auto put_bytes = [&](const std::string& value) {
      put_varint(out, number << 3U | bytes);
      put_varint(out, value.size());
      out += value;
    };
    if (take("\"")) return put_bytes(quoted());
    const bool zlib = take("zlib");
    const bool zstd = !zlib && take("zstd");
    if (take("{")) {
      const std::string inner = message();
      expect("}");
      return put_bytes(zlib ? zlib_packed(inner) : zstd ? zstd_packed(inner) : inner);
    }
    const std::string value = word();
    if (value.ends_with("i64")) {
      put_varint(out, number << 3U | fixed64);
      put_fixed64(out, std::stoull(value));
    } else if (value.find('.') != std::string::npos) {
      put_varint(out, number << 3U | fixed64);
      put_fixed64(out, std::bit_cast<std::uint64_t>(std::stod(value)));
    } else {
      put_varint(out, number << 3U | varint);
      put_varint(out, value.starts_with('-') ? static_cast<std::uint64_t>(std::stoll(value)) : std::stoull(value));
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

/// Stored, not compressed: the same bytes from every version of the library.
std::string deflated(std::string_view plain, int window_bits) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, Z_NO_COMPRESSION, Z_DEFLATED, window_bits, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(deflateBound(&stream, plain.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(plain.data()));
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

}  // namespace

std::string zlib_packed(std::string_view plain) { return deflated(plain, 15); }
std::string gzip_packed(std::string_view plain) { return deflated(plain, 15 + 16); }

std::string zstd_packed(std::string_view plain) {
  std::string out(ZSTD_compressBound(plain.size()), '\0');
  const std::size_t size = ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 1);
  REQUIRE(ZSTD_isError(size) == 0);
  out.resize(size);
  return out;
}

std::string wire_bytes(std::string_view text) { return Assembler(text).message(); }

std::string wire_file_bytes(const std::string& path) {
  const std::string text = read_file(path);
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  std::istringstream words(text);
  std::string first, of, name;
  std::size_t size = 0;
  if (text.starts_with("gzip of ")) {
    words >> first >> of >> name;
    return gzip_packed(wire_file_bytes(folder + name));
  }
  if (text.starts_with("first ")) {
    words >> first >> size >> of >> of >> name;
    return wire_file_bytes(folder + name).substr(0, size);
  }
  return wire_bytes(text);
}

}  // namespace kdiag::tests
