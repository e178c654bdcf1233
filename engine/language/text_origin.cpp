// SPDX-License-Identifier: Apache-2.0
#include "engine/language/text_origin.hpp"

#include <algorithm>

namespace kdiag {

TextOrigin::TextOrigin(std::size_t place, std::size_t count) {
  append({static_cast<std::uint32_t>(place), static_cast<std::uint32_t>(count)});
}

std::uint32_t TextOrigin::operator[](std::size_t i) const {
  const auto byte = static_cast<std::uint32_t>(i);
  if (byte < first_.count) return first_.place + byte;
  const auto behind = std::upper_bound(later_.begin(), later_.end(), byte,
                                       [](std::uint32_t wanted, const Later& run) { return wanted < run.begin; });
  const Later& run = *(behind - 1);
  return run.place + (byte - run.begin);
}

void TextOrigin::append(Run run) {
  if (run.count == 0) return;
  if (size_ == 0) {
    first_ = run;
  } else if (run.place != back() + 1) {
    later_.push_back({size_, run.place});
  } else if (later_.empty()) {
    first_.count += run.count;
  }
  size_ += run.count;
}

void TextOrigin::move(std::size_t by) {
  if (empty()) return;
  first_.place += static_cast<std::uint32_t>(by);
  for (Later& run : later_) run.place += static_cast<std::uint32_t>(by);
}

TextOrigin TextOrigin::part(std::size_t begin, std::size_t end) const {
  TextOrigin out;
  std::size_t at = 0;
  for (const Run& run : runs()) {
    const std::size_t from = std::max(begin, at), to = std::min<std::size_t>(end, at + run.count);
    if (from < to)
      out.append({static_cast<std::uint32_t>(run.place + (from - at)), static_cast<std::uint32_t>(to - from)});
    at += run.count;
  }
  return out;
}

std::vector<TextOrigin::Run> TextOrigin::runs() const {
  std::vector<Run> out;
  if (size_ == 0) return out;
  out.push_back(first_);
  for (std::size_t i = 0; i < later_.size(); ++i)
    out.push_back({later_[i].place, (i + 1 < later_.size() ? later_[i + 1].begin : size_) - later_[i].begin});
  return out;
}

}  // namespace kdiag
