// SPDX-License-Identifier: Apache-2.0
// The wire format through protozero, whose exceptions end here.
#include "adapters/io/protobuf.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <kdiag/note_ids.hpp>

#include <protozero/exception.hpp>
#include <protozero/types.hpp>
#include <protozero/varint.hpp>

#include "adapters/io/input.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::size_t message_piece_bytes = 256 * 1024;
constexpr std::size_t most_varint_bytes = 10;

/// Takes a number of any length off the front; false for what is none.
bool take_varint(const char*& at, const char* end, std::uint64_t& value) {
  if (at != end && static_cast<signed char>(*at) >= 0) {  // of one byte, as most are
    value = static_cast<unsigned char>(*at++);
    return true;
  }
  try {
    value = protozero::decode_varint(&at, end);
    return true;
  } catch (const protozero::exception&) {
    return false;
  }
}

/// Takes a number of so many bytes, the lowest first.
bool take_fixed(const char*& at, const char* end, std::size_t bytes, std::uint64_t& value) {
  if (static_cast<std::size_t>(end - at) < bytes) return false;
  value = 0;
  for (std::size_t i = 0; i < bytes; ++i) value |= std::uint64_t{static_cast<unsigned char>(*at++)} << (8 * i);
  return true;
}

/// None is 0, and those of the format's own are not used.
bool is_field_number(std::uint32_t number) { return number != 0 && (number < 19000 || number > 19999); }

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
  const char* at = rest_.data();
  const char* const end = at + rest_.size();
  damaged_ = true;  // unless a field is there
  std::uint64_t key = 0;
  if (!take_varint(at, end, key)) return nullptr;
  field_ = {};
  field_.number = static_cast<std::uint32_t>(key) >> 3U;
  if (!is_field_number(field_.number)) return nullptr;
  switch (static_cast<protozero::pbf_wire_type>(key & 7U)) {
    case protozero::pbf_wire_type::varint:
      field_.kind_ = Field::Kind::integer;
      if (!take_varint(at, end, field_.value_)) return nullptr;
      break;
    case protozero::pbf_wire_type::fixed64:
      field_.kind_ = Field::Kind::fixed64;
      if (!take_fixed(at, end, 8, field_.value_)) return nullptr;
      break;
    case protozero::pbf_wire_type::fixed32:
      field_.kind_ = Field::Kind::fixed32;
      if (!take_fixed(at, end, 4, field_.value_)) return nullptr;
      break;
    case protozero::pbf_wire_type::length_delimited: {
      field_.kind_ = Field::Kind::bytes;
      std::uint64_t length = 0;
      if (!take_varint(at, end, length)) return nullptr;
      const auto there = static_cast<std::size_t>(end - at);
      field_.cut_ = length > there;
      field_.bytes_ = {at, field_.cut_ ? there : static_cast<std::size_t>(length)};
      at += field_.bytes_.size();
      break;
    }
    default: return nullptr;
  }
  damaged_ = field_.cut_;
  rest_ = {at, static_cast<std::size_t>(end - at)};
  return &field_;
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
