// SPDX-License-Identifier: Apache-2.0
#include "engine/derive/work/recorded_inputs.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/parse_number.hpp"

namespace kdiag::work {
namespace {

// No operator has as many inputs or dimensions; what has is no record of one.
constexpr std::size_t most_items = 256;

std::string_view trimmed(std::string_view text) {
  const auto blank = [](char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; };
  while (!text.empty() && blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view unquoted_item(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// The items of "[a, [b, c], "d"]", without blanks around them; nothing where it is no such list.
std::optional<std::vector<std::string_view>> items_of(std::string_view text) {
  text = trimmed(text);
  if (text.size() < 2 || text.front() != '[' || text.back() != ']') return std::nullopt;
  text = text.substr(1, text.size() - 2);
  std::vector<std::string_view> items;
  if (trimmed(text).empty()) return items;
  std::size_t begin = 0;
  int depth = 0;
  char quote = 0;
  for (std::size_t at = 0; at <= text.size(); ++at) {
    const char c = at < text.size() ? text[at] : ',';
    if (at < text.size() && quote != 0) {
      if (c == '\\') ++at;
      else if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '[') {
      ++depth;
    } else if (c == ']') {
      if (--depth < 0) return std::nullopt;
    } else if (c == ',' && (depth == 0 || at == text.size())) {
      items.push_back(trimmed(text.substr(begin, at - begin)));
      begin = at + 1;
      if (items.size() > most_items) return std::nullopt;
    }
  }
  if (depth != 0 || quote != 0) return std::nullopt;
  return items;
}

std::optional<std::vector<std::int64_t>> numbers_of(std::string_view text) {
  const auto items = items_of(text);
  if (!items) return std::nullopt;
  std::vector<std::int64_t> numbers;
  for (const std::string_view item : *items) {
    const auto number = parse_number<std::int64_t>(item);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
  }
  return numbers;
}

/// Of a list of tensors; nothing where one of them is no list of sizes.
std::vector<std::vector<std::int64_t>> members_of(std::string_view text) {
  std::vector<std::vector<std::int64_t>> members;
  const auto items = items_of(text);
  if (!items) return {};
  for (const std::string_view item : *items) {
    auto sizes = numbers_of(item);
    if (!sizes || std::any_of(sizes->begin(), sizes->end(), [](auto size) { return size < 0; })) return {};
    members.push_back(*std::move(sizes));
  }
  return members;
}

std::optional<bool> flag_of(std::string_view text) {
  if (text == "True" || text == "true" || text == "1") return true;
  if (text == "False" || text == "false" || text == "0") return false;
  return std::nullopt;
}

}  // namespace

Amount Input::elements() const { return tensor ? product(sizes) : Amount(); }

Amount Input::bytes() const {
  if (!tensor || type == nullptr) return {};
  Amount out = type->bytes;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (strides.size() != sizes.size() || strides[i] != 0 || sizes[i] == 0) out = out * Amount(sizes[i]);
  return out;
}

RecordedInputs::RecordedInputs(const RecordedTexts& texts) {
  const auto shapes = items_of(texts.shapes);
  if (!shapes) return;
  const auto types = items_of(texts.types);
  const auto strides = items_of(texts.strides);
  const auto values = items_of(texts.arguments);
  const auto beside = [&](const auto& items, std::size_t i) {
    return items && items->size() == shapes->size() ? unquoted_item((*items)[i]) : std::string_view();
  };
  inputs_.resize(shapes->size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    Input& input = inputs_[i];
    input.type = find_element_type(beside(types, i));
    input.text = beside(values, i);
    input.list = beside(types, i) == "TensorList";
    if (input.list) input.members = members_of((*shapes)[i]);
    const auto sizes = numbers_of((*shapes)[i]);
    const bool possible = sizes && std::all_of(sizes->begin(), sizes->end(), [](auto size) { return size >= 0; });
    // "[]" is a tensor of one element, or something else that has no sizes: the type tells.
    input.tensor = possible && (!sizes->empty() || input.type != nullptr) && (types ? input.type != nullptr : true);
    if (!input.tensor) continue;
    input.sizes = *sizes;
    if (const auto steps = numbers_of(beside(strides, i))) input.strides = *steps;
  }
}

const Input& RecordedInputs::operator[](std::size_t place) const {
  static const Input none;
  return place < inputs_.size() ? inputs_[place] : none;
}

std::optional<bool> RecordedInputs::flag(std::size_t place) const { return flag_of((*this)[place].text); }

std::optional<std::int64_t> RecordedInputs::integer(std::size_t place) const {
  return parse_number<std::int64_t>((*this)[place].text);
}

std::optional<std::vector<std::int64_t>> RecordedInputs::integers(std::size_t place) const {
  return numbers_of((*this)[place].text);
}

std::optional<std::vector<bool>> RecordedInputs::flags(std::size_t place) const {
  const auto items = items_of((*this)[place].text);
  if (!items) return std::nullopt;
  std::vector<bool> flags;
  for (const std::string_view item : *items) {
    const auto value = flag_of(item);
    if (!value) return std::nullopt;
    flags.push_back(*value);
  }
  return flags;
}

}  // namespace kdiag::work
