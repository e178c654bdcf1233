// SPDX-License-Identifier: Apache-2.0
// One line on a terminal that says how far loading is.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include <kdiag/kdiag.hpp>

namespace kdiag::cli {

/// Shows bytes and rate on standard error, from the second second on, and erases the line when it is destroyed.
class Progress : public LoadProgress {
 public:
  void show(std::string_view name, std::uint64_t bytes, std::uint64_t total) override;
  Progress() = default;
  ~Progress() override;
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  const std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace kdiag::cli
