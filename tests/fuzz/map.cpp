// SPDX-License-Identifier: Apache-2.0
// Fuzzes mappings, and what they make of an input: the bytes up to the first NUL are the mapping, the rest is the
// input.
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <kdiag/kdiag.hpp>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\0'), size);
  const auto map = kdiag::load_map_text("fuzz.yaml", text.substr(0, end));
  if (!map) {
    (void)kdiag::render(map.error());
    return 0;
  }
  const std::string_view input = text.substr(std::min(end + 1, size));
  kdiag::LoadOptions options;
  options.threads = 1;
  options.maps.push_back(*map);
  (void)kdiag::load_trace("fuzz.csv", {input.data(), input.size()}, options);
  return 0;
}
