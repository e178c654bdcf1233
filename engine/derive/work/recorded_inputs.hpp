// SPDX-License-Identifier: Apache-2.0
// The inputs of an operator as its record states them: sizes, element types, strides, and values of what is no tensor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "engine/derive/work/amount.hpp"
#include "engine/derive/work/element_type.hpp"

namespace kdiag::work {

struct Input {
  bool tensor = false;
  std::vector<std::int64_t> sizes = {};
  std::vector<std::int64_t> strides = {};  ///< empty where they were not recorded
  const ElementType* type = nullptr;       ///< null where it was not recorded
  std::string_view text = {};              ///< the value of what is no tensor
  bool list = false;                       ///< of tensors, whose element types no record states
  /// Sizes of the tensors of a list; none where it was too long to be recorded.
  std::vector<std::vector<std::int64_t>> members = {};

  std::size_t rank() const { return sizes.size(); }
  Amount elements() const;
  /// Bytes that reading all of it moves: an expanded dimension (stride 0) is there once.
  Amount bytes() const;
};

/// Texts are columns of `ops`, lists as JSON or Python prints them: `[[8, 16], [16, 4], []]`, `["float", "float", ""]`.
/// Any of them may be empty. They must outlive this.
struct RecordedTexts {
  std::string_view shapes, types, strides, arguments;
  friend bool operator==(const RecordedTexts&, const RecordedTexts&) = default;
};

class RecordedInputs {
 public:
  explicit RecordedInputs(const RecordedTexts& texts);

  std::size_t size() const { return inputs_.size(); }
  /// The first so many of them, fewer where there are not as many.
  std::span<const Input> first(std::size_t count) const {
    return std::span(inputs_).first(std::min(count, inputs_.size()));
  }
  /// One that is no tensor beyond the last.
  const Input& operator[](std::size_t place) const;

  /// Values of inputs that are no tensors; nothing where they were not recorded or are something else.
  std::optional<bool> flag(std::size_t place) const;
  std::optional<std::int64_t> integer(std::size_t place) const;
  std::optional<std::vector<std::int64_t>> integers(std::size_t place) const;
  std::optional<std::vector<bool>> flags(std::size_t place) const;

 private:
  std::vector<Input> inputs_;
};

}  // namespace kdiag::work
