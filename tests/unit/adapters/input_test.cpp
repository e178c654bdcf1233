// SPDX-License-Identifier: Apache-2.0
#include "adapters/io/input.hpp"
#include "adapters/io/archive.hpp"

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/catch.hpp"
#include "tests/support/fake_sink.hpp"

using namespace kdiag;
using namespace kdiag::adapters;
using kdiag::tests::FakeSink;
using namespace std::string_literals;

namespace {

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

std::string xz(const std::string& text) {
  std::string out(lzma_stream_buffer_bound(text.size()), '\0');
  std::size_t size = 0;
  lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                          reinterpret_cast<std::uint8_t*>(out.data()), &size, out.size());
  out.resize(size);
  return out;
}

/// Text that does not compress to nothing.
std::string lines(std::size_t size) {
  std::string text;
  for (std::uint64_t i = 1; text.size() < size; ++i)
    text += std::to_string(i * 2654435761U) + (i % 7 == 0 ? "\n" : ",");
  return text;
}

struct ReadBack {
  std::string text;
  std::vector<std::string> errors;
};

ReadBack read_all(Input& input, std::size_t piece = 10'000) {
  ReadBack back;
  std::string buffer(piece, '\0');
  for (int after_error = 0; after_error < 3;) {
    Result<std::size_t> got = input.read(buffer);
    if (!got) {
      for (const Diagnostic& error : got.error()) back.errors.push_back(error.id);
      ++after_error;
      continue;
    }
    if (*got == 0) return back;
    back.text.append(buffer, 0, *got);
  }
  back.errors.emplace_back("never ends");
  return back;
}

ReadBack read_bytes(const std::string& bytes, std::size_t piece = 10'000) {
  auto input = open_input("memory", bytes);
  if (input) return read_all(**input, piece);
  return {{}, {input.error().front().id}};
}

std::string error_of(const std::string& bytes) {
  auto input = open_input("trace.bin", bytes);
  REQUIRE_FALSE(input);
  REQUIRE(input.error().size() == 1);
  const Diagnostic& error = input.error().front();
  CHECK_FALSE(error.title.empty());
  CHECK_FALSE(error.help.empty());
  REQUIRE(error.labels.size() == 1);
  CHECK(error.labels.front().span.source->name == "trace.bin");
  return error.id;
}

/// A file that is removed again.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    const int descriptor = ::mkstemp(path_.data());
    REQUIRE(descriptor >= 0);
    ::close(descriptor);
    std::ofstream(path_, std::ios::binary) << content;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/kdiag-input-XXXXXX";
};

}  // namespace

TEST_CASE("Plain bytes come back as they are, whatever the buffer", "[adapters][input]") {
  const std::string text = lines(200'000);
  const auto piece = GENERATE(std::size_t{1000}, std::size_t{65'536}, std::size_t{1'000'000});
  const ReadBack back = read_bytes(text, piece);
  CHECK(back.text == text);
  CHECK(back.errors.empty());
}

TEST_CASE("Compressed inputs are unwrapped by content", "[adapters][input]") {
  const std::string text = lines(700'000);
  const std::string half = text.substr(0, 300'000);
  const std::string rest = text.substr(300'000);
  const std::string skippable("\x50\x2A\x4D\x18\x03\0\0\0abc"s);
  const auto [name, bytes] = GENERATE_COPY(table<std::string, std::string>({
      {"gzip", gzip(text)},
      {"gzip of two members", gzip(half) + gzip(rest)},
      {"gzip of many members", gzip(half) + gzip("") + gzip(rest.substr(0, 1)) + gzip(rest.substr(1))},
      {"gzip padded with zeros", gzip(text) + std::string(1000, '\0')},
      {"zstd", zstd(text)},
      {"zstd of two frames", zstd(half) + zstd(rest)},
      {"zstd behind a skippable frame", skippable + zstd(text)},
      {"xz", xz(text)},
      {"xz of two streams", xz(half) + xz(rest)},
      {"gzip in zstd", zstd(gzip(text))},
      {"four deep", gzip(zstd(xz(gzip(text))))},
  }));
  CAPTURE(name);
  for (const std::size_t piece : {std::size_t{997}, std::size_t{1'000'000}}) {
    const ReadBack back = read_bytes(bytes, piece);
    CHECK(back.text == text);
    CHECK(back.errors.empty());
  }
}

TEST_CASE("UTF-16 with a byte-order mark is read as UTF-8", "[adapters][input]") {
  const auto utf16 = [](std::u16string_view text, bool big_endian) {
    std::string bytes;
    for (const char16_t unit : text)
      for (const int shift : {big_endian ? 8 : 0, big_endian ? 0 : 8}) bytes += static_cast<char>(unit >> shift & 0xFF);
    return bytes;
  };
  const bool big_endian = GENERATE(false, true);
  const auto piece = GENERATE(std::size_t{1}, std::size_t{1000});
  const auto read = [&](std::u16string_view text) { return read_bytes(utf16(text, big_endian), piece); };
  CHECK(read(u"\uFEFFa, 97 %\r\n41\u00B0C \u2026 \U0001F600\n").text == "a, 97 %\r\n41\u00B0C \u2026 \U0001F600\n");
  SECTION("a half of a pair is replaced") {
    CHECK(read(std::u16string{0xFEFF, 'a', 0xD800, 'b', 0xDC00, 'c'}).text == "a\uFFFDb\uFFFDc");
  }
  SECTION("a cut is said") {
    const std::string bytes = utf16(u"\uFEFFabc", big_endian);
    const ReadBack back = read_bytes(bytes.substr(0, bytes.size() - 1), piece);
    CHECK(back.text == "ab");
    CHECK(back.errors == std::vector<std::string>{"K601"});
  }
  SECTION("compressed") { CHECK(read_bytes(gzip(utf16(u"\uFEFFabc", big_endian)), piece).text == "abc"); }
}

TEST_CASE("A compressed stream that is cut off delivers what it holds, then says so once", "[adapters][input]") {
  const std::string text = lines(700'000);
  const std::string whole = GENERATE_COPY(gzip(text), zstd(text), xz(text), gzip(text) + gzip(text));
  for (const std::size_t left : {whole.size() - 1, whole.size() / 3}) {
    const ReadBack back = read_bytes(whole.substr(0, left));
    CHECK(back.errors == std::vector<std::string>{"K601"});
    CHECK_FALSE(back.text.empty());
    CHECK((text + text).starts_with(back.text));
  }
}

TEST_CASE("Damage in a compressed stream is found", "[adapters][input]") {
  const std::string text = lines(700'000);
  SECTION("in the middle") {
    std::string bytes = GENERATE_COPY(gzip(text), zstd(text), xz(text));
    for (std::size_t i = 0; i < 8; ++i) bytes[bytes.size() / 2 + i] = static_cast<char>(~bytes[bytes.size() / 2 + i]);
    CHECK(read_bytes(bytes).errors == std::vector<std::string>{"K601"});
  }
  SECTION("in gzip's checksum") {
    std::string bytes = gzip(text);
    bytes[bytes.size() - 6] = static_cast<char>(~bytes[bytes.size() - 6]);
    const ReadBack back = read_bytes(bytes);
    CHECK(back.errors == std::vector<std::string>{"K601"});
    CHECK(back.text == text);
  }
  SECTION("in a window that takes gigabytes") { CHECK(error_of("\x28\xB5\x2F\xFD\x00\xA8\x01\x00\x00"s) == "K766"); }
  SECTION("from the first byte on") {
    CHECK(error_of("\x1F\x8B\x08\xFF\xFF\xFF garbage") == "K601");
    CHECK(error_of("\x1F\x8B\x08") == "K601");
    CHECK(error_of("\x28\xB5\x2F\xFD") == "K601");
    CHECK(error_of("\xFD"
                   "7zXZ\0"s) == "K601");
  }
}

TEST_CASE("Bytes behind a compressed stream are reported, not lost in silence", "[adapters][input]") {
  const std::string text = lines(1000);
  const std::string bytes = GENERATE_COPY(gzip(text), zstd(text)) + "trailing";
  const ReadBack back = read_bytes(bytes);
  CHECK(back.text == text);
  CHECK(back.errors == std::vector<std::string>{"K608"});
}

TEST_CASE("What is no trace is refused with advice", "[adapters][input]") {
  CHECK(error_of("") == "K613");
  CHECK(error_of(gzip("")) == "K613");
  CHECK(error_of("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n") == "K614");
  CHECK(error_of("NVIDIA Tegra Profiler Report 2025@5@2@266-255236693005v0.\n") == "K615");
  CHECK(error_of("NVR\0\x10\0\0\0"s) == "K773");
  CHECK(error_of("\x7F"
                 "ELF\x02\x01\x01") == "K774");
  CHECK(error_of("PERFILE2h\0\0\0"s) == "K774");
  CHECK(error_of("PK\x03\x04 and more") == "K616");
  CHECK(error_of(std::string(257, 'x') + "ustar\0"s) == "K616");
  CHECK(error_of(gzip(std::string(257, 'x') + "ustar\0"s)) == "K616");
  CHECK(error_of("BZh91AY&SY") == "K616");
  CHECK(error_of("PAR1 and more") == "K616");
  CHECK(error_of("\x80\x04\x95 and more") == "K616");
  CHECK(error_of("i\0n\0d\0e\0x\0,\0 \0n\0"s) == "K617");
  CHECK(error_of("\0i\0n\0d\0e\0x\0,\0 \0n"s) == "K617");
  CHECK(error_of(gzip(gzip(gzip(gzip(gzip("{}")))))) == "K709");
}

TEST_CASE("A file that cannot be opened says why", "[adapters][input]") {
  const auto id_of = [](const std::string& path) {
    auto input = open_input(path);
    REQUIRE_FALSE(input);
    CHECK(input.error().front().labels.front().span.source->name == path);
    return input.error().front().id;
  };
  CHECK(id_of("/nonexistent/trace.json") == "K610");
  CHECK(id_of("/tmp") == "K612");
  TemporaryFile file("{}");
  ::chmod(file.path().c_str(), 0);
  if (::geteuid() != 0) CHECK(id_of(file.path()) == "K611");
}

TEST_CASE("A file is read with its progress", "[adapters][input]") {
  const std::string text = lines(300'000);
  const std::string bytes = gzip(text);
  TemporaryFile file(bytes);
  ReadProgress progress;
  auto input = open_input(file.path(), &progress);
  REQUIRE(input);
  CHECK((*input)->name() == file.path());
  CHECK(progress.total == bytes.size());
  CHECK(read_all(**input).text == text);
  CHECK(progress.bytes == bytes.size());
}

TEST_CASE("The head shows the beginning of the content", "[adapters][input]") {
  const auto open = [](const std::string& bytes) {
    auto input = open_input("memory", bytes);
    REQUIRE(input);
    return std::move(*input);
  };
  SECTION("of a short input") {
    const std::string text = "Kernel | Latency\n";
    const auto input = open(text);
    CHECK(input->head().bytes == text);
    CHECK(input->head().complete);
    CHECK(input->head().json == 0);
    CHECK(input->head().keys.empty());
  }
  SECTION("of a long one, up to 64 KiB") {
    const auto input = open(gzip(lines(200'000)));
    CHECK(input->head().bytes.size() == 64 * 1024);
    CHECK_FALSE(input->head().complete);
  }
  SECTION("without its byte-order mark, which is not content either") {
    const auto input = open("\xEF\xBB\xBF [1]");
    CHECK(input->head().bytes == " [1]");
    CHECK(input->head().json == '[');
    CHECK(read_all(*input).text == " [1]");
  }
  SECTION("further when the events of a JSON object are not in sight") {
    const std::string before = "{\"a\": \"" + std::string(100'000, 'x') + "\", ";
    const auto input = open(before + "\"traceEvents\": [" + std::string(2'000'000, ' ') + "]}");
    CHECK(input->head().keys == std::vector<std::string_view>{"a", "traceEvents"});
    CHECK(input->head().bytes.size() == 1024 * 1024);
    CHECK_FALSE(input->head().complete);
  }
}

TEST_CASE("The head lists the top-level keys of the first JSON object", "[adapters][input]") {
  using Keys = std::vector<std::string_view>;
  const auto keys_of = [](std::string_view text, Keys expected) {
    CAPTURE(text);
    auto input = open_input("memory", text);
    REQUIRE(input);
    CHECK((*input)->head().keys == expected);
  };
  keys_of(R"( {"a": 1, "b": {"c": 2}, "d": ["e", {"f": 1}], "g" : "h"})", {"a", "b", "d", "g"});
  keys_of(R"([{"ph": "X", "name": "}{\"\\"}, {"other": 1}])", {"ph", "name"});
  keys_of(R"({"a": "\\\"b\": ", "c")", {"a"});
  keys_of(R"({"a": 1}{"b": 2})", {"a"});
  keys_of(R"({"a": "unfinished)", {"a"});
  keys_of("{}}}", {});
  keys_of("[1, 2]", {});
  keys_of("text {\"a\": 1}", {});
}

TEST_CASE("Read errors become notes", "[adapters][input]") {
  FakeSink sink;
  const std::string bytes = gzip(lines(200'000));
  auto input = open_input("memory", std::string_view(bytes).substr(0, bytes.size() / 2));
  REQUIRE(input);
  std::string buffer(1 << 20, '\0');
  std::size_t bytes_read = 0;
  for (;;) {
    auto got = (*input)->read(buffer);
    if (!got) {
      note_read_errors(got.error(), bytes_read, sink);
      break;
    }
    REQUIRE(*got != 0);
    bytes_read += *got;
  }
  CHECK(sink.notes["K601"].count("the gzip stream is cut off, after byte " + std::to_string(bytes_read)) == 1);
}

TEST_CASE("a stream that needs more memory than it is given is no damaged one", "[adapters][input][hostile]") {
  const std::string text = lines(5000);
  const std::string bytes = xz(text);
  UnpackBudget little(0, 1U << 20U), enough(0, 64U << 20U);
  const auto refused = open_input_or_archive("a", bytes, &little);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().front().id == "K766");
  CHECK(refused.error().front().help.find("1 MiB here (--max-memory)") != std::string::npos);
  CHECK(open_input_or_archive("a", bytes, &enough));
}
