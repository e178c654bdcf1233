// SPDX-License-Identifier: Apache-2.0
// Values as bytes and back, of one machine and one version: no format for exchange. What a struct consists of is said
// once, for both directions, by a function `fields(archive, value)` in the namespace of the archive.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kdiag::bytes {

template <class T, class Named>
concept like = std::same_as<std::remove_const_t<T>, Named>;
template <class T>
concept number = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

template <class Archive, class First, class Second>
void fields(Archive& archive, std::pair<First, Second>& pair) {
  archive(pair.first, pair.second);
}
template <class Archive, class First, class Second>
void fields(Archive& archive, const std::pair<First, Second>& pair) {
  archive(pair.first, pair.second);
}

/// Appends values to a text.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  template <class... Values>
  void operator()(const Values&... values) {
    (write(values), ...);
  }
  /// A value of an enumeration whose last one is `last`.
  template <class Enum>
  void one_of(const Enum& value, Enum) {
    write(static_cast<std::uint8_t>(value));
  }

 private:
  template <number T>
  void write(const T& value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void write(bool value) { out_ += static_cast<char>(value); }
  void write(const std::string& text) {
    write(std::uint64_t{text.size()});
    out_ += text;
  }
  template <class T>
  void write(const std::vector<T>& values) {
    write(std::uint64_t{values.size()});
    if constexpr (number<T>) out_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    else
      for (const T& value : values) write(value);
  }
  template <class T>
  void write(const std::optional<T>& value) {
    write(value.has_value());
    if (value) write(*value);
  }
  template <class T>
  void write(const T& value) {
    fields(*this, value);
  }

  std::string& out_;
};

/// Takes values from bytes. What is not there is left as it is, and the reader has failed.
class Reader {
 public:
  explicit Reader(std::span<const char> bytes) : rest_(bytes) {}

  bool failed() const { return failed_; }
  void fail() { failed_ = true; }
  /// What was not read yet.
  std::span<const char> rest() const { return rest_; }
  /// Whether all was read, and nothing failed.
  bool complete() const { return !failed_ && rest_.empty(); }

  template <class... Values>
  void operator()(Values&... values) {
    (read(values), ...);
  }
  template <class Enum>
  void one_of(Enum& value, Enum last) {
    std::uint8_t word = 0;
    read(word);
    if (word > static_cast<std::uint8_t>(last)) fail();
    else value = static_cast<Enum>(word);
  }

 private:
  /// That many bytes; none where there are fewer.
  std::span<const char> take(std::uint64_t size) {
    if (failed_ || size > rest_.size()) {
      fail();
      return {};
    }
    const std::span<const char> taken = rest_.first(static_cast<std::size_t>(size));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }

  template <number T>
  void read(T& value) {
    const std::span<const char> from = take(sizeof value);
    if (!from.empty()) std::memcpy(&value, from.data(), sizeof value);
  }
  void read(bool& value) {
    std::uint8_t byte = 0;
    read(byte);
    value = byte != 0;
  }
  void read(std::string& text) {
    std::uint64_t size = 0;
    read(size);
    const std::span<const char> from = take(size);
    text.assign(from.begin(), from.end());
  }
  template <class T>
  void read(std::vector<T>& values) {
    std::uint64_t size = 0;
    read(size);
    if (size > rest_.size()) return fail();  // each takes a byte at least
    if constexpr (number<T>) {
      const std::span<const char> from = take(size * sizeof(T));
      values.resize(from.size() / sizeof(T));
      if (!from.empty()) std::memcpy(values.data(), from.data(), from.size());
    } else {
      for (std::uint64_t i = 0; i < size && !failed_; ++i) read(values.emplace_back());
    }
  }
  template <class T>
  void read(std::optional<T>& value) {
    bool there = false;
    read(there);
    if (there) read(value.emplace());
  }
  template <class T>
  void read(T& value) {
    fields(*this, value);
  }

  std::span<const char> rest_;
  bool failed_ = false;
};

}  // namespace kdiag::bytes
