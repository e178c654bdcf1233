// SPDX-License-Identifier: Apache-2.0
// Packs bytes as one gzip member.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

namespace kdiag::adapters {

class GzipWriter {
 public:
  /// `output` takes the packed bytes and returns false when it wants no more.
  explicit GzipWriter(const std::function<bool(std::string_view)>& output);
  ~GzipWriter();

  bool write(std::string_view bytes) { return pack(bytes, false); }
  /// The end of the member. Call it once, last.
  bool finish() { return pack({}, true); }

 private:
  bool pack(std::string_view bytes, bool last);

  struct State;
  std::unique_ptr<State> state_;
  const std::function<bool(std::string_view)>& output_;
};

}  // namespace kdiag::adapters
