// SPDX-License-Identifier: Apache-2.0
// Messages in the wire format of Protocol Buffers, field by field and without a schema: who reads one knows the numbers
// of the fields that it wants. Lengths and numbers are what the input says: nothing here trusts them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <kdiag/adapter.hpp>

namespace kdiag::adapters {

/// One field of a message. A value that is of another kind than the field is not there.
class Field {
 public:
  std::uint32_t number = 0;

  std::optional<std::uint64_t> integer() const { return kind_ == Kind::integer ? std::optional(value_) : std::nullopt; }
  /// An int32, int64 or bool.
  std::optional<std::int64_t> signed_integer() const;
  /// A fixed64, a double, or their half-sized kin.
  std::optional<std::uint64_t> fixed() const;
  std::optional<double> real() const;
  /// A string or bytes; empty when it is cut off, as half a name is another name.
  std::string_view text() const { return cut_ ? std::string_view{} : bytes_; }
  /// A message: what there is of it when it is cut off.
  std::string_view message() const { return bytes_; }
  bool is_bytes() const { return kind_ == Kind::bytes; }
  /// The message around it ends before this field does.
  bool cut() const { return cut_; }

 private:
  friend class Fields;
  friend class FieldStream;
  enum class Kind : std::uint8_t { integer, fixed64, bytes, fixed32 };

  Kind kind_ = Kind::integer;
  bool cut_ = false;
  std::uint64_t value_ = 0;
  std::string_view bytes_;
};

/// The fields of a message in memory, in their order. Ends at the first one that is damaged; one that is cut off comes
/// last, with what there is of it.
///
///     for (const Field& field : Fields(message))
///       if (field.number == 2) name = field.text();
class Fields {
 public:
  explicit Fields(std::string_view message) : rest_(message) {}

  /// The next field, valid until the next call; nothing at the end.
  const Field* next();
  /// The walk ended before the message did.
  bool damaged() const { return damaged_; }

  class Iterator {
   public:
    explicit Iterator(Fields& fields) : fields_(fields), field_(fields.next()) {}
    const Field& operator*() const { return *field_; }
    Iterator& operator++() {
      field_ = fields_.next();
      return *this;
    }
    bool operator!=(std::nullptr_t) const { return field_ != nullptr; }

   private:
    Fields& fields_;
    const Field* field_;
  };
  Iterator begin() { return Iterator(*this); }
  std::nullptr_t end() const { return nullptr; }

 private:
  std::string_view rest_;
  Field field_;
  bool damaged_ = false;
};

/// The fields of a message that is too large to hold, from an input: one at a time.
class FieldStream {
 public:
  /// Fields of more than `largest` bytes are stepped over.
  FieldStream(Input& input, FactSink& sink, std::size_t largest) : input_(input), sink_(sink), largest_(largest) {}

  /// The next field of bytes (others are skipped), valid until the next call; nothing at the end. A field that the
  /// input cuts off comes last. Notes what was lost: K600, K607 and what Input::read says.
  const Field* next();

  std::uint64_t position() const { return position_; }

 private:
  std::optional<std::uint64_t> varint();
  bool skip(std::uint64_t bytes);
  /// Whether `wanted` bytes are in hand, behind at_.
  bool fill(std::size_t wanted);
  const Field* damaged();

  Input& input_;
  FactSink& sink_;
  std::size_t largest_;
  std::string buffer_;
  std::size_t at_ = 0;
  std::uint64_t position_ = 0;  ///< in the input, of at_
  bool ended_ = false;
  bool failed_ = false;  ///< the input said why it ended
  Field field_;
};

}  // namespace kdiag::adapters
