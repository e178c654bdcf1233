// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <vector>

#include "tests/robustness/mutation/mutate.hpp"

namespace kdiag::mutation {
namespace {

constexpr int deepest = 12;

struct Field {
  std::uint64_t key = 0;
  std::uint64_t number = 0;    ///< of a varint or fixed field
  std::string bytes;           ///< of a field with a length that is no message
  std::vector<Field> message;  ///< of one that reads as a message
};

bool take_varint(std::string_view& bytes, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 70 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    if (shift < 64) value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

void put_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7U) out += static_cast<char>(value | 0x80U);
  out += static_cast<char>(value);
}

std::size_t fixed_size(std::uint64_t key) { return (key & 7U) == 1 ? 8 : 4; }

/// The fields of a message; false where the bytes are none.
bool parse(std::string_view bytes, int depth, std::vector<Field>& fields) {
  while (!bytes.empty()) {
    Field field;
    if (!take_varint(bytes, field.key) || field.key >> 3U == 0) return false;
    const std::uint64_t type = field.key & 7U;
    if (type == 0) {
      if (!take_varint(bytes, field.number)) return false;
    } else if (type == 2) {
      std::uint64_t size = 0;
      if (!take_varint(bytes, size) || size > bytes.size()) return false;
      const std::string_view inside = bytes.substr(0, size);
      if (depth >= deepest || inside.empty() || !parse(inside, depth + 1, field.message)) {
        field.message.clear();
        field.bytes = inside;
      }
      bytes.remove_prefix(size);
    } else if (type == 1 || type == 5) {
      if (bytes.size() < fixed_size(field.key)) return false;
      for (std::size_t i = fixed_size(field.key); i-- > 0;)
        field.number = field.number << 8U | static_cast<unsigned char>(bytes[i]);
      bytes.remove_prefix(fixed_size(field.key));
    } else {
      return false;
    }
    fields.push_back(std::move(field));
  }
  return true;
}

/// `lie`: how many lengths are still to be written wrong.
void write(const std::vector<Field>& fields, std::string& out, Choices& choices, int& lie) {
  for (const Field& field : fields) {
    put_varint(out, field.key);
    const std::uint64_t type = field.key & 7U;
    if (type == 0) put_varint(out, field.number);
    else if (type != 2)
      for (std::size_t i = 0; i < fixed_size(field.key); ++i) out += static_cast<char>(field.number >> (8 * i));
    else {
      std::string inside = field.bytes;
      write(field.message, inside, choices, lie);
      std::uint64_t size = inside.size();
      if (lie > 0 && choices.once_in(10)) {
        --lie;
        size = choices.once_in(2) ? size + 1 + choices.below(64) : ~std::uint64_t{0} >> choices.below(64);
      }
      put_varint(out, size);
      out += inside;
    }
  }
}

void collect(std::vector<Field>& fields, std::vector<std::vector<Field>*>& all) {
  if (!fields.empty()) all.push_back(&fields);
  for (Field& field : fields) collect(field.message, all);
}

void change_field(Field& field, Choices& choices) {
  constexpr std::uint64_t numbers[] = {0,
                                       1,
                                       0x7F,
                                       0xFFFF'FFFF,
                                       0x7FFF'FFFF'FFFF'FFFF,
                                       0x8000'0000'0000'0000,
                                       ~std::uint64_t{0},
                                       0x7FF0'0000'0000'0000,
                                       0x7FF8'0000'0000'0001};
  switch (choices.below(4)) {
    case 0: field.number = choices.one_of(numbers); break;
    case 1: field.number ^= std::uint64_t{1} << choices.below(64); break;
    case 2: field.bytes = hostile_text(choices); break;
    default: field.key = (field.key & ~std::uint64_t{7}) | choices.below(6);
  }
}

}  // namespace

bool is_message(std::string_view bytes) {
  std::vector<Field> fields;
  return parse(bytes, 0, fields);
}

void mutate_wire(std::string& bytes, Choices& choices) {
  std::vector<Field> root;
  if (!parse(bytes, 0, root)) return mutate_bytes(bytes, choices);
  std::vector<std::vector<Field>*> all;
  collect(root, all);
  if (all.empty()) return mutate_bytes(bytes, choices);
  std::vector<Field>& fields = *all[choices.below(all.size())];
  const std::size_t at = choices.below(fields.size());
  const auto place = fields.begin() + static_cast<std::ptrdiff_t>(at);
  int lie = 0;
  switch (choices.below(6)) {
    case 0: fields.erase(place); break;
    case 1: fields.insert(place, 1 + choices.below(8), Field(*place)); break;
    case 2: std::swap(fields[at], fields[choices.below(fields.size())]); break;
    case 3: lie = 1; break;
    default: change_field(*place, choices);
  }
  std::string out;
  write(root, out, choices, lie);
  bytes = std::move(out);
}

}  // namespace kdiag::mutation
