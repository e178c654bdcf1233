// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/fuzz/every_output.hpp"
#include "tests/fuzz/targets.hpp"

void kdiag::fuzz::map(Input input) {
  const std::string_view text = text_of(input);
  const std::size_t end = std::min(text.find('\0'), text.size());
  const auto loaded = kdiag::load_map_text("fuzz.yaml", text.substr(0, end));
  if (!loaded) {
    (void)kdiag::render(loaded.error());
    return;
  }
  const std::string_view records = text.substr(std::min(end + 1, text.size()));
  kdiag::LoadOptions options;
  options.threads = 1;
  options.maps.push_back(*loaded);
  judge(load_trace("fuzz.csv", {records.data(), records.size()}, options));
}
