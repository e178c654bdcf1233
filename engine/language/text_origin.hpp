// SPDX-License-Identifier: Apache-2.0
// Where the bytes of a text that was taken out of a file stand in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kdiag {

/// A list of places in a file, one for each byte of a text and one for its end. Most texts stand in their file as they
/// are, so it is kept as runs of places that follow each other: one run takes no memory of its own.
class TextOrigin {
 public:
  /// Places that follow each other.
  struct Run {
    std::uint32_t place = 0;  ///< the first
    std::uint32_t count = 0;
    bool operator==(const Run&) const = default;
  };

  TextOrigin() = default;
  TextOrigin(std::size_t place, std::size_t count);

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// The place of byte `i` of the text; i < size().
  std::uint32_t operator[](std::size_t i) const;
  std::uint32_t front() const { return first_.place; }
  std::uint32_t back() const { return (*this)[size_ - 1]; }

  void push_back(std::size_t place) { append({static_cast<std::uint32_t>(place), 1}); }
  void append(Run run);
  /// Adds to every place.
  void move(std::size_t by);
  /// The places [begin, end).
  TextOrigin part(std::size_t begin, std::size_t end) const;
  std::vector<Run> runs() const;

  bool operator==(const TextOrigin&) const = default;

 private:
  struct Later {
    std::uint32_t begin = 0;  ///< byte of the text
    std::uint32_t place = 0;
    bool operator==(const Later&) const = default;
  };

  Run first_;
  std::uint32_t size_ = 0;
  std::vector<Later> later_;  ///< the runs behind the first; each ends where the next one begins
};

}  // namespace kdiag
