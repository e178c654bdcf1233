// SPDX-License-Identifier: Apache-2.0
// Texts that are parsed by pieces which are known from before: as if they were parsed from the beginning.
#include "dsl/kept_trees.hpp"

#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/support/golden.hpp"
#include "tests/unit/dsl/same_tree.hpp"

namespace kdiag {
namespace {

/// How many pieces were parsed.
std::size_t require_same(const std::string& text, KeptTrees& kept) {
  const auto source = std::make_shared<const Source>(Source{"t.yaml", text});
  Diagnostics whole_said, said;
  const YamlNode whole = parse_yaml(source, whole_said);
  const std::size_t before = kept.pieces.size();
  const YamlNode tree = parse_yaml(source, said, nullptr, kept);
  INFO(text);
  require_equal(whole, tree);
  REQUIRE(render(whole_said) == render(said));
  return kept.pieces.size() - before;
}

std::vector<std::string> texts_of_rules() {
  std::vector<std::string> out;
  for (const char* folder : {"rules", "examples", "tests/golden/rules", "tests/golden/errors", "tests/cli"})
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(KDIAG_SOURCE_DIR) + "/" + folder))
      if (entry.is_regular_file() && (entry.path().extension() == ".yaml" || entry.path().extension() == ".in"))
        out.push_back(tests::read_file(entry.path().string()));
  return out;
}

constexpr const char* edited_pack =
    "# A pack.\nkdiag: 1\npack: {name: team}\nrules:  # two\n- rule: a.b\n  title: 'It''s'\n  when: |\n    x > 1\n\n"
    "- # the other\n  rule: a.c\n  let:\n    x: \"a\\tb\"\n  tests:\n  - {name: t, facts: {}}\n# the end\n"
    "overrides:\n- {rule: a.b, enabled: false}\nx-more: >\n  one\n  two\n";

}  // namespace

TEST_CASE("a text by pieces is the same as the whole", "[dsl][yaml]") {
  std::size_t texts = 0, pieces = 0;
  for (const std::string& text : texts_of_rules()) {
    if (++texts % 6 != 0) continue;  // a sixth of them says as much
    KeptTrees kept;
    pieces += require_same(text, kept);
    REQUIRE(require_same(text, kept) == 0);
  }
  CHECK(texts > 300);
  KeptTrees kept;
  CHECK(pieces > texts / 4);
  for (const char* text : {"",
                           "\n",
                           "a",
                           "- a\n- b\n",
                           "a: 1\na: 2\n",
                           "a: \"x\nb: y\"\n",
                           "a: 'x\n- y'\n",
                           "a:\n- b\n  - c\n",
                           "a: []\n- b\n",
                           "a:\n  - b\n- c\n",
                           "a: 1\n---\nb: 2\n",
                           "\xEF\xBB\xBF"
                           "a: 1\n",
                           "a: {b\n",
                           "a:\n- b\nc\n",
                           "a: &x 1\nb: *x\n",
                           "a: |+\n  b\n\n\nc: 1",
                           "a:\r\n- b: 1\r\n- c: 2\r\nd: 3\r\n",
                           "a:\n-\n  b: 1\n-\n",
                           "a: b\n# c\n\n",
                           "a:\n# x\n- b\n",
                           "a: ]\nb: [\n",
                           "a b\nc: 1\n",
                           "a: x\n  y\nb: 1\n",
                           "\ta: 1\n",
                           "a:\n\t- b\n"}) {
    require_same(text, kept);
    require_same(text, kept);
  }
}

TEST_CASE("of a text that changed the pieces are parsed that did", "[dsl][yaml]") {
  KeptTrees kept;
  std::string text = edited_pack;
  CHECK(require_same(text, kept) == 8);
  text.replace(text.find("x > 1"), 5, "x > 2");
  CHECK(require_same(text, kept) == 1);
  text.insert(0, "# longer\n");
  CHECK(require_same(text, kept) == 0);
}

TEST_CASE("texts that are edited at random are those of the whole", "[dsl][yaml][hostile]") {
  const std::vector<std::string> scraps = {"\n", "- ", ": ",  "'",        "\"",          "{", "}",
                                           "  ", "#",  "|\n", "rules:\n", "- rule: x\n", "\t"};
  std::mt19937 chance(7);
  const auto below = [&](std::size_t most) { return chance() % most; };
  KeptTrees kept;
  std::string text = edited_pack;
  for (int edit = 0; edit < 500; ++edit) {
    if (edit % 12 == 0) text = edited_pack;
    const std::size_t at = below(text.size() + 1);
    const std::size_t length = std::min(below(4) == 0 ? below(40) : below(2), text.size() - at);
    text.replace(at, length, below(3) == 0 ? std::string() : scraps[below(scraps.size())]);
    require_same(text, kept);
  }
}

}  // namespace kdiag
