// SPDX-License-Identifier: Apache-2.0
// Reads every fixture below tests/golden/adapters through detection and compares the facts with the file beside it.
// KDIAG_UPDATE=1 in the environment rewrites those files instead; look at the difference before you commit it.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "adapters/util/adapter_table.hpp"
#include "adapters/util/input.hpp"
#include "tests/catch.hpp"
#include "tests/support/collecting_sink.hpp"
#include "tests/support/dump_facts.hpp"

namespace fs = std::filesystem;
using namespace kdiag;

namespace {

std::vector<fs::path> fixtures() {
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(KDIAG_SOURCE_DIR) / "tests/golden/adapters"))
    if (entry.path().extension() == ".in") found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

/// The folder of a fixture is the adapter's id with `_` for `-`.
std::string adapter_of(const fs::path& fixture) {
  std::string id = fixture.parent_path().filename().string();
  std::replace(id.begin(), id.end(), '_', '-');
  return id;
}

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The facts of a fixture; for one that cannot be used, the first line of the error.
std::string facts_of(const fs::path& fixture) {
  auto input = adapters::open_input(fixture.string());
  if (!input) return "refused: " + input.error().front().title + '\n';
  const Adapter* winner = nullptr;
  int best = 0;
  int second = 0;
  for (const Adapter* adapter : adapters::adapter_table()) {
    const int score = adapter->sniff((*input)->head());
    CAPTURE(adapter->id, score);
    CHECK(score >= 0);
    CHECK(score <= 100);
    if (score > best) {
      second = best;
      best = score;
      winner = adapter;
    } else {
      second = std::max(second, score);
    }
  }
  REQUIRE(winner != nullptr);
  CHECK(best > second);
  CHECK(winner->id == adapter_of(fixture));
  test::CollectingSink sink{std::string(winner->id), 2};
  const Status status = winner->read(**input, sink);
  if (!status) return "refused " + status.error().front().id + ": " + status.error().front().title + '\n';
  return test::dump_input(sink);
}

}  // namespace

TEST_CASE("every fixture is recognised by its adapter and gives the expected facts", "[adapters][golden]") {
  for (const fs::path& fixture : fixtures()) {
    DYNAMIC_SECTION(fixture.parent_path().filename().string() << '/' << fixture.filename().string()) {
      const std::string facts = facts_of(fixture);
      fs::path expected = fixture;
      expected.replace_extension(".facts");
      if (std::getenv("KDIAG_UPDATE") != nullptr) std::ofstream(expected, std::ios::binary) << facts;
      CHECK(facts == slurp(expected));
    }
  }
}

TEST_CASE("every adapter describes itself", "[adapters]") {
  for (const Adapter* adapter : adapters::adapter_table()) {
    CAPTURE(adapter->id);
    CHECK_FALSE(adapter->title.empty());
    CHECK_FALSE(adapter->example.empty());
    CHECK_FALSE(adapter->record.empty());
    CHECK_FALSE(adapter->provides.empty());
    for (std::string_view what : adapter->provides) {
      CAPTURE(what);
      const std::size_t dot = what.find('.');
      if (what.starts_with("samples:")) CHECK(find_series(what.substr(8)) != nullptr);
      else if (dot == std::string_view::npos) CHECK(find_table(what).index != 0xFFFF);
      else CHECK(find_column(what.substr(0, dot), what.substr(dot + 1)).index != 0xFFFF);
    }
  }
}
