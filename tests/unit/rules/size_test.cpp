// SPDX-License-Identifier: Apache-2.0
// A built-in rule reads like a paragraph: how long it, its expressions and its sentences may be, and the expressions of
// the names that it uses.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dsl/rule_file.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

namespace kdiag {
namespace {

namespace fs = std::filesystem;

// Judgement: what fits on a screen, and what can be read without going back.
constexpr std::size_t most_lines = 60, most_lines_at_median = 40, most_of_expression = 200, most_of_sentence = 160,
                      most_defaults = 60;

std::vector<fs::path> rule_files() {
  std::vector<fs::path> out;
  for (const auto& pack : fs::directory_iterator(std::string(KDIAG_SOURCE_DIR) + "/rules"))
    if (pack.is_directory())
      for (const auto& file : fs::directory_iterator(pack))
        if (file.path().extension() == ".yaml") out.push_back(file.path());
  std::sort(out.begin(), out.end());
  return out;
}

/// Bytes of an expression, without comments, and with one blank where there are several.
std::size_t length_of(const std::string& text) {
  std::size_t length = 0;
  bool blank = true, comment = false, quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted && !comment;
    if (c == '#' && !quoted) comment = true;
    if (c == '\n') comment = false;
    const bool is_blank = c == ' ' || c == '\n';
    if (!comment && !(is_blank && blank)) ++length;
    if (!comment) blank = is_blank;
  }
  return length;
}

std::vector<Expression> expressions_of(const Rule& rule) {
  std::vector<Expression> out;
  const auto add = [&](const std::optional<Expression>& expression) {
    if (expression) out.push_back(*expression);
  };
  for (const auto* one :
       {&rule.applies, &rule.when, &rule.impact, &rule.gain, &rule.confidence, &rule.location, &rule.verify})
    add(*one);
  for (const auto* list : {&rule.let, &rule.evidence})
    for (const NamedExpression& named : *list) out.push_back(named.value);
  for (const SeverityTier& tier : rule.severity) out.push_back(tier.condition);
  for (const Exception& exception : rule.except) out.push_back(exception.when);
  for (const Recommendation& advice : rule.recommend) {
    add(advice.condition);
    add(advice.verify);
  }
  for (const Sentence& sentence : rule.message) add(sentence.condition);
  return out;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("a built-in rule is no program", "[rules]") {
  std::vector<std::size_t> lines;
  std::size_t defaults = 0, defines = 0;
  for (const fs::path& file : rule_files()) {
    const std::string text = tests::read_file(file.string());
    defaults += count_of(text, "default(");
    CAPTURE(file.string());
    Diagnostics diagnostics;
    const RuleFile read = parse_rule_file(std::make_shared<const Source>(Source{file.string(), text}), diagnostics);
    REQUIRE(diagnostics.empty());
    for (const Define& define : read.defines) {
      CAPTURE(define.name);
      CHECK(length_of(define.value.text.text) <= most_of_expression);
    }
    defines += read.defines.size();
    if (file.filename() == "pack.yaml") continue;
    lines.push_back(count_of(text, "\n"));
    CHECK(lines.back() <= most_lines);
    for (const Rule& rule : read.rules) {
      for (const Expression& expression : expressions_of(rule)) {
        CAPTURE(expression.text.text);
        CHECK(length_of(expression.text.text) <= most_of_expression);
      }
      for (const Sentence& sentence : rule.message) {
        CAPTURE(sentence.text.text.text);
        CHECK(length_of(sentence.text.text.text) <= most_of_sentence);
      }
    }
  }
  REQUIRE_FALSE(lines.empty());
  std::sort(lines.begin(), lines.end());
  CHECK(lines[lines.size() / 2] <= most_lines_at_median);
  CHECK(defaults <= most_defaults);
  CHECK(defines > 0);
}

}  // namespace kdiag
