// SPDX-License-Identifier: Apache-2.0
// The wire format: fields of messages in memory and of messages that come piece by piece, whole, cut and damaged.
#include "adapters/io/protobuf.hpp"

#include <string>
#include <vector>

#include "adapters/io/decoder.hpp"
#include "adapters/io/input.hpp"
#include "tests/catch.hpp"
#include "tests/support/fake_sink.hpp"
#include "tests/support/wire_text.hpp"

using namespace kdiag;
using namespace kdiag::adapters;
using namespace std::string_view_literals;

namespace {

/// The numbers of the fields, and what Fields says of the rest.
std::string numbers(std::string_view message) {
  std::string out;
  Fields fields(message);
  for (const Field& field : fields) out += std::to_string(field.number) + (field.cut() ? "cut " : " ");
  return out + (fields.damaged() ? "damaged" : "whole");
}

/// Numbers and lengths of the fields of a message that comes from an input.
std::string streamed(const std::string& bytes, tests::FakeSink& sink, std::size_t largest = 1 << 20) {
  const auto input = open_input("stream", {bytes.data(), bytes.size()});
  REQUIRE(input);
  FieldStream stream(**input, sink, largest);
  std::string out;
  while (const Field* field = stream.next())
    out +=
        std::to_string(field->number) + ":" + std::to_string(field->message().size()) + (field->cut() ? "cut " : " ");
  return out;
}

}  // namespace

TEST_CASE("fields have values of their kind and none of another", "[adapters][protobuf]") {
  const std::string message = tests::wire_bytes("1: 300 2: -1 3: 0.5 4: 7i64 5: \"text\" 6: { 1: 2 }");
  Fields fields(message);
  std::vector<Field> all;
  for (const Field& field : fields) all.push_back(field);
  REQUIRE(all.size() == 6);
  CHECK_FALSE(fields.damaged());
  CHECK(all[0].integer() == 300);
  CHECK(all[1].signed_integer() == -1);
  CHECK(all[2].real() == 0.5);
  CHECK(all[3].fixed() == 7);
  CHECK(all[4].text() == "text");
  CHECK(numbers(all[5].message()) == "1 whole");
  CHECK_FALSE(all[2].integer());
  CHECK_FALSE(all[4].integer());
  CHECK_FALSE(all[0].real());
  CHECK(all[0].text().empty());
  CHECK_FALSE(all[0].is_bytes());
}

TEST_CASE("fields end where a message is cut or damaged", "[adapters][protobuf]") {
  CHECK(numbers("") == "whole");
  CHECK(numbers("\x08\x01") == "1 whole");
  CHECK(numbers("\x08\x01\x08") == "1 damaged");               // no value
  CHECK(numbers("\x08\x01\x12\x05gone") == "1 2cut damaged");  // five bytes promised, four there
  CHECK(numbers("\x12\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01x") == "2cut damaged");
  CHECK(numbers("\x08\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01") == "damaged");  // a number too long
  CHECK(numbers("\x0B\x01") == "damaged");                                              // a group
  CHECK(numbers("\x00\x01"sv) == "damaged");                                            // no number
  CHECK(numbers("\x09\x01\x02") == "damaged");                                          // eight bytes promised
  const std::string message = "\x12\x05gone";
  for (const Field& field : Fields(message)) {
    CHECK(field.text().empty());  // half a name is another name
    CHECK(field.message() == "gone");
  }
}

TEST_CASE("a stream delivers the fields of bytes, and notes what is lost", "[adapters][protobuf]") {
  tests::FakeSink sink;
  const std::string big(600'000, 'x');
  std::string message = tests::wire_bytes("1: \"abc\" 7: 5 8: 1i64 2: \"\"");
  message += std::string("\x1A\xC0\xCF\x24", 4) + big;  // field 3, more than a piece of the input
  CHECK(streamed(message, sink) == "1:3 2:0 3:600000 ");
  CHECK(sink.notes.empty());

  CHECK(streamed(message, sink, 1000) == "1:3 2:0 ");
  CHECK(sink.noted("K607") == 1);
  CHECK(sink.noted("K600") == 0);

  CHECK(streamed(message.substr(0, message.size() - 1), sink) == "1:3 2:0 3:599999cut ");
  CHECK(sink.noted("K600") == 1);
  CHECK(streamed(message.substr(0, message.size() - 1), sink, 1000) == "1:3 2:0 ");
  CHECK(sink.noted("K600") == 2);
  CHECK(streamed("\x0A\x01x\x0B", sink) == "1:1 ");
  CHECK(sink.noted("K600") == 3);
  // A length that nobody can hold is not believed.
  CHECK(streamed(std::string("\x0A\x01x\x0A\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"), sink) == "1:1 ");
  CHECK(sink.noted("K600") == 4);
}

TEST_CASE("streams inside of formats unpack up to a limit", "[adapters][protobuf]") {
  const std::string plain(100'000, 'x');
  for (const bool zlib : {true, false}) {
    CAPTURE(zlib);
    const std::string packed = zlib ? tests::zlib_packed(plain) : tests::zstd_packed(plain);
    const auto unpacked = [zlib](std::string_view bytes, std::size_t limit) {
      return unpack(zlib ? *zlib_decoder() : *zstd_decoder(), bytes, limit);
    };
    CHECK(unpacked(packed, 1 << 20) == plain);
    CHECK(unpacked(packed, plain.size() - 1) == std::nullopt);
    CHECK(unpacked(std::string_view(packed).substr(0, packed.size() / 2), 1 << 20) == std::nullopt);
    CHECK(unpacked("no such stream", 1 << 20) == std::nullopt);
    CHECK(unpacked("", 1 << 20) == std::nullopt);
    CHECK(unpacked(packed + "more", 1 << 20) == std::nullopt);
  }
}
