// SPDX-License-Identifier: Apache-2.0
// Formatting of rule files: what it changes, and that it changes no meaning.
#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <kdiag/tools.hpp>

#include "dsl/expressions/expr_tokens.hpp"
#include "dsl/expressions/parse_expr.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

namespace kdiag::tests {
namespace {

std::string formatted(const std::string& name, const std::string& text) {
  const auto out = format_rules(name, text);
  return out ? *out : render(out.error());
}

Result<ExprPtr> parse(const std::string& text) {
  return parse_expression(whole_text(std::make_shared<const Source>(Source{"t", text})));
}

/// The expressions of the parser's golden files, which stand between lines `---`.
std::vector<std::string> expressions() {
  std::vector<std::string> out;
  for (const std::string& path : golden_files("expr", ".in")) {
    const std::string text = read_file(path);
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find("\n---\n", begin), text.size());
      out.push_back(text.substr(begin, end - begin));
      begin = end + 5;
    }
  }
  return out;
}

std::string indented(const std::string& text) {
  std::string out = "    ";
  for (const char c : text) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return out;
}

/// The expression with other blanks between its tokens; line breaks stay.
std::string disturbed(const std::string& text, std::mt19937& random) {
  const std::vector<Token> tokens = expr_tokens(text);
  std::string out = text.substr(0, tokens.empty() ? text.size() : tokens[0].range.end);
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    std::string gap = text.substr(tokens[i - 1].range.end, tokens[i].range.begin - tokens[i - 1].range.end);
    const bool comment = tokens[i].kind == TokenKind::comment || tokens[i - 1].kind == TokenKind::comment;
    if (!comment && gap.find('\n') == std::string::npos)
      gap = std::string(gap.empty() ? random() % 2 * (blanks_before(text, tokens, i) + random() % 3) : 1 + random() % 3,
                        ' ');
    out += gap + text.substr(tokens[i].range.begin, tokens[i].range.end - tokens[i].range.begin);
  }
  return tokens.empty() ? out : out + text.substr(tokens.back().range.end);
}

}  // namespace

TEST_CASE("formatting makes of each file what is written beside it", "[api][golden]") {
  check_golden_folder("format", ".out", formatted);
}

TEST_CASE("formatting twice is formatting once", "[api]") {
  for (const std::string& path : golden_files("format", ".out")) {
    CAPTURE(path);
    const std::string text = read_file(path);
    if (format_rules("t.yaml", text)) CHECK(formatted("t.yaml", text) == text);
  }
}

TEST_CASE("the rules that come with kdiag are formatted", "[api][rules]") {
  for (const char* name : {"rules/std/pack.yaml", "rules/clocks/throttled.yaml", "rules/clocks/tests/throttled.yaml",
                           "rules/utilization/pack.yaml", "examples/rules/loss_reads.yaml"}) {
    const std::string text = read_file(std::string(KDIAG_SOURCE_DIR) + "/" + name);
    CHECK(formatted(name, text) == text);
  }
}

TEST_CASE("no expression changes its meaning by its blanks being formatted", "[api]") {
  std::mt19937 random(1);
  std::size_t tried = 0;
  for (const std::string& text : expressions()) {
    CAPTURE(text);
    if (!parse(text) || text.find_first_of("\t\r") != std::string::npos) continue;
    const auto file = [](const std::string& expression) {
      return "kdiag: 1\nrules:\n- rule: t.t\n  title: T\n  when: |\n" + indented(expression) + "\n";
    };
    const auto wanted = format_rules("t.yaml", file(text));
    if (!wanted) {  // what is refused is no valid rule
      CHECK(wanted.error().front().id != "K140");
      continue;
    }
    for (int i = 0; i < 20; ++i) {
      const std::string other = disturbed(text, random);
      const auto tree = parse(other);
      if (!tree || !equal(**tree, **parse(text))) continue;  // a blank between a number and its unit
      CHECK(formatted("t.yaml", file(other)) == *wanted);
      ++tried;
    }
  }
  CHECK(tried > 100);
}

}  // namespace kdiag::tests
