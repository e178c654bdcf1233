// SPDX-License-Identifier: Apache-2.0
// The words of a column are those that the catalogue lists.
#include <algorithm>
#include <string>

#include <kdiag/catalogue.hpp>

#include "tests/catch.hpp"

using namespace kdiag;

TEST_CASE("the words of a column stand in its description", "[engine][catalogue]") {
  std::size_t columns = 0;
  for (std::uint16_t c = 0; c < catalogue_columns.size(); ++c) {
    const ColumnInfo& about = catalogue_columns[c];
    const auto words = about.traits.words;
    columns += !words.empty();
    // "Memory it writes." and "As kernels.class." and "likewise" point at another column; of series and blames the
    // catalogue has tables.
    if (about.name == "dst" || about.doc.starts_with("As kernels.") || about.doc.ends_with("likewise.") ||
        about.name == "series" || about.name == "blame")
      continue;
    CAPTURE(about.table, about.name);
    for (const std::string_view word : words) CHECK(about.doc.find(word) != std::string_view::npos);
    if (!words.empty()) {
      const auto listed = static_cast<std::size_t>(std::count(about.doc.begin(), about.doc.end(), ',')) + 1;
      CHECK(listed <= words.size() + 1);
    }
  }
  CHECK(columns == 27);
}
