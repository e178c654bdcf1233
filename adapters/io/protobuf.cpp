// SPDX-License-Identifier: Apache-2.0
// The wire format through protozero, whose exceptions end here.
#include "adapters/io/protobuf.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <kdiag/note_ids.hpp>

#include <protozero/pbf_reader.hpp>

#include "adapters/io/input.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t message_piece_bytes = 256 * 1024;
constexpr std::size_t most_varint_bytes = 10;

std::string_view as_text(protozero::data_view view) { return {view.data(), view.size()}; }

}  // namespace

std::optional<std::int64_t> Field::signed_integer() const {
  return kind_ == Kind::integer ? std::optional(static_cast<std::int64_t>(value_)) : std::nullopt;
}

std::optional<std::uint64_t> Field::fixed() const {
  return kind_ == Kind::fixed64 || kind_ == Kind::fixed32 ? std::optional(value_) : std::nullopt;
}

std::optional<double> Field::real() const {
  if (kind_ == Kind::fixed64) return std::bit_cast<double>(value_);
  if (kind_ == Kind::fixed32) return std::bit_cast<float>(static_cast<std::uint32_t>(value_));
  return std::nullopt;
}

const Field* Fields::next() {
  if (damaged_ || rest_.empty()) return nullptr;
  field_ = {};
  protozero::pbf_reader reader(rest_.data(), rest_.size());
  try {
    reader.next();
    field_.number = reader.tag();
    switch (reader.wire_type()) {
      case protozero::pbf_wire_type::varint:
        field_.kind_ = Field::Kind::integer;
        field_.value_ = reader.get_uint64();
        break;
      case protozero::pbf_wire_type::fixed64:
        field_.kind_ = Field::Kind::fixed64;
        field_.value_ = reader.get_fixed64();
        break;
      case protozero::pbf_wire_type::fixed32:
        field_.kind_ = Field::Kind::fixed32;
        field_.value_ = reader.get_fixed32();
        break;
      case protozero::pbf_wire_type::length_delimited: {
        field_.kind_ = Field::Kind::bytes;
        const char* begin = reader.data().data();
        const char* const end = rest_.data() + rest_.size();
        const std::uint64_t length = protozero::decode_varint(&begin, end);
        const auto there = static_cast<std::size_t>(end - begin);
        field_.cut_ = length > there;
        field_.bytes_ = {begin, field_.cut_ ? there : static_cast<std::size_t>(length)};
        damaged_ = field_.cut_;
        rest_.remove_prefix(static_cast<std::size_t>(begin - rest_.data()) + field_.bytes_.size());
        return &field_;
      }
      default: damaged_ = true; return nullptr;
    }
    rest_ = as_text(reader.data());
    return &field_;
  } catch (const protozero::exception&) {
    damaged_ = true;
    return nullptr;
  }
}

bool FieldStream::fill(std::size_t wanted) {
  if (buffer_.size() - at_ >= wanted) return true;
  buffer_.erase(0, std::exchange(at_, 0));
  // The buffer grows with what comes, not with what a length promises.
  while (buffer_.size() < wanted && !ended_) {
    const std::size_t before = buffer_.size();
    buffer_.resize(before + message_piece_bytes);
    const Result<std::size_t> got = input_.read(std::span(buffer_).subspan(before));
    buffer_.resize(before + (got ? *got : 0));
    ended_ = !got || *got == 0;
    if (!got) {
      failed_ = true;
      note_read_errors(got.error(), position_ + buffer_.size(), sink_);
    }
  }
  return buffer_.size() >= wanted;
}

std::optional<std::uint64_t> FieldStream::varint() {
  fill(most_varint_bytes);
  const char* at = buffer_.data() + at_;
  const char* const begin = at;
  try {
    const std::uint64_t value = protozero::decode_varint(&at, buffer_.data() + buffer_.size());
    at_ += static_cast<std::size_t>(at - begin);
    position_ += static_cast<std::size_t>(at - begin);
    return value;
  } catch (const protozero::exception&) {
    return std::nullopt;
  }
}

bool FieldStream::skip(std::uint64_t bytes) {
  while (bytes > 0 && fill(1)) {
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(bytes, buffer_.size() - at_));
    at_ += step;
    position_ += step;
    bytes -= step;
  }
  return bytes == 0;
}

const Field* FieldStream::damaged() {
  if (!failed_) sink_.note(note_id::input_cut, "at byte " + std::to_string(position_));
  ended_ = true;
  at_ = buffer_.size();
  return nullptr;
}

const Field* FieldStream::next() {
  while (fill(1)) {
    const auto tag = varint();
    if (!tag || *tag > 0xFFFFFFFFU || *tag >> 3U == 0) return damaged();
    switch (static_cast<protozero::pbf_wire_type>(*tag & 7U)) {
      case protozero::pbf_wire_type::varint:
        if (!varint()) return damaged();
        continue;
      case protozero::pbf_wire_type::fixed64:
        if (!skip(8)) return damaged();
        continue;
      case protozero::pbf_wire_type::fixed32:
        if (!skip(4)) return damaged();
        continue;
      case protozero::pbf_wire_type::length_delimited: break;
      default: return damaged();
    }
    const auto length = varint();
    if (!length) return damaged();
    if (*length > largest_) {
      sink_.note(note_id::record_too_large, "byte " + std::to_string(position_));
      if (!skip(*length)) return damaged();
      continue;
    }
    field_ = {};
    field_.number = static_cast<std::uint32_t>(*tag >> 3U);
    field_.kind_ = Field::Kind::bytes;
    field_.cut_ = !fill(static_cast<std::size_t>(*length));
    field_.bytes_ = std::string_view(buffer_).substr(at_, static_cast<std::size_t>(*length));
    at_ += field_.bytes_.size();
    position_ += field_.bytes_.size();
    if (field_.cut_ && !failed_) sink_.note(note_id::input_cut, "at byte " + std::to_string(position_));
    return &field_;
  }
  return nullptr;
}

}  // namespace kdiag::adapters
