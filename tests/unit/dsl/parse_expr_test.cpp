// SPDX-License-Identifier: Apache-2.0
// Expressions: what parses to what, and what each wrong one says.
#include "dsl/expressions/parse_expr.hpp"

#include <memory>
#include <string>

#include "engine/language/expr.hpp"
#include "tests/catch.hpp"
#include "tests/support/golden.hpp"

namespace kdiag {
namespace {

Result<ExprPtr> parse_text(const std::string& text) {
  return parse_expression(whole_text(std::make_shared<const Source>(Source{"expr", text})));
}

std::string canonical(const std::string& text) {
  const auto parsed = parse_text(text);
  return parsed ? dump(**parsed) : render(parsed.error());
}

/// Blocks of a golden input, separated by lines of `---`.
std::vector<std::string> blocks(const std::string& text) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  for (std::size_t at = text.find("---\n"); at != std::string::npos; at = text.find("---\n", begin)) {
    out.push_back(text.substr(begin, at - begin));
    begin = at + 4;
  }
  out.push_back(text.substr(begin));
  return out;
}

}  // namespace

TEST_CASE("expressions print as canonical text, or say what is wrong", "[dsl][expr][golden]") {
  tests::check_golden_folder("expr", ".ast", [](const std::string&, const std::string& text) {
    std::string out;
    for (const std::string& block : blocks(text)) {
      if (!out.empty()) out += "---\n";
      const auto parsed = parse_text(block);
      out += parsed ? dump(**parsed) + "\n" : render(parsed.error());
    }
    return out;
  });
}

TEST_CASE("parsing the canonical text gives the same tree", "[dsl][expr]") {
  for (const std::string& path : tests::golden_files("expr", ".in"))
    for (const std::string& block : blocks(tests::read_file(path))) {
      const auto parsed = parse_text(block);
      if (!parsed) continue;
      const std::string text = dump(**parsed);
      CAPTURE(block, text);
      const auto again = parse_text(text);
      REQUIRE(again);
      CHECK(equal(**parsed, **again));
      CHECK(dump(**again) == text);
    }
}

TEST_CASE("operators bind as the language says", "[dsl][expr]") {
  using Pair = std::pair<const char*, const char*>;
  const auto [text, explicit_text] = GENERATE(
      Pair{"a + b * c", "a + (b * c)"}, Pair{"a - b - c", "(a - b) - c"}, Pair{"a / b * c", "(a / b) * c"},
      Pair{"-a * b", "(-a) * b"}, Pair{"-a.b", "-(a.b)"}, Pair{"a & b - c", "a & (b - c)"},
      Pair{"a | b & c", "(a | b) & c"}, Pair{"not a == b", "not (a == b)"}, Pair{"a or b and c", "a or (b and c)"},
      Pair{"not a and b", "(not a) and b"}, Pair{"a == b | c", "a == (b | c)"},
      Pair{"t where a where b", "(t where a) where b"}, Pair{"t where a or b", "t where (a or b)"},
      Pair{"a + if b then c else d + e", "a + (if b then c else (d + e))"}, Pair{"s during x & y", "s during x"});
  CAPTURE(text);
  const auto first = parse_text(text);
  const auto second = parse_text(explicit_text);
  REQUIRE(second);
  if (std::string(text) == "s during x & y") {
    CHECK_FALSE(first);  // `during` takes one name, call or parenthesis
  } else {
    REQUIRE(first);
    CHECK(equal(**first, **second));
  }
}

TEST_CASE("literals keep their exact value", "[dsl][expr]") {
  const auto literal = [](const std::string& text) {
    const auto parsed = parse_text(text);
    INFO(text << (parsed ? "" : render(parsed.error())));
    REQUIRE(parsed);
    return std::get<NumberLiteral>((*parsed)->node);
  };
  CHECK(literal("9223372036854775807").value.integer() == 9223372036854775807);
  CHECK(literal("9.24ms").value.integer() == 9240000);
  CHECK(literal("9.24ms").value.exact());
  CHECK(literal("0.001us").value.integer() == 1);
  CHECK(literal("1min").value.integer() == 60'000'000'000);
  CHECK(literal("9223372036.854775807s").value.integer() == 9223372036854775807);
  CHECK(literal("1.5KiB").value.integer() == 1536);
  CHECK(literal("64KiB").dimension == dimensions::bytes);
  CHECK(literal("1.3KiB").value.real() == 1.3 * 1024);
  CHECK(literal("60%").value.real() == 0.6);
  CHECK(literal("9.18%").value.real() == 0.0918);
  CHECK(literal("60%").dimension.ratio);
  CHECK(literal("1410MHz").value.real() == 1.41e9);
  CHECK(literal("1410MHz").dimension == dimensions::frequency);
  CHECK(literal("3.35TB/s").value.real() == 3.35e12);
  CHECK(literal("3.35TB/s").dimension == dimensions::bandwidth);
  CHECK(literal("989TFLOP/s").dimension == dimensions::ops_rate);
  CHECK(literal("010").value.integer() == 10);
  CHECK_FALSE(literal("3.0").value.exact());
  CHECK_FALSE(literal("1e3").value.exact());
  CHECK(literal("85degC").dimension == dimensions::temperature);
}

TEST_CASE("every unit can be written and printed", "[dsl][expr]") {
  for (const UnitInfo& unit : all_units())
    for (const char* digits : {"0", "1", "3", "7", "1.5", "0.125", "123456789", "9.18"}) {
      const std::string text = digits + std::string(unit.name);
      CAPTURE(text);
      const auto parsed = parse_text(text);
      if (!parsed) {
        CHECK(parsed.error().front().id == "K221");  // a fraction of a nanosecond
        continue;
      }
      const auto again = parse_text(dump(**parsed));
      REQUIRE(again);
      CAPTURE(dump(**parsed));
      CHECK(equal(**parsed, **again));
    }
}

TEST_CASE("a rate is one unit, a quotient by a name is not", "[dsl][expr]") {
  CHECK(canonical("x > 4GB/s") == "x > 4GB/s");
  CHECK(canonical("10us/s") == "10us / s");
  CHECK(canonical("4GB/steps") == "4GB / steps");
}

TEST_CASE("white space and comments change nothing", "[dsl][expr]") {
  const auto plain = parse_text("count(kernels where dur < 4us and stream in [1, 2]) / 2 > 60%");
  const auto spaced =
      parse_text(" count ( kernels\n\twhere dur<4us # short ones\r\n and stream in[ 1 ,2 ] )/2>60% # end");
  REQUIRE(plain);
  REQUIRE(spaced);
  CHECK(equal(**plain, **spaced));
}

TEST_CASE("ranges of nodes cover their text with its parentheses", "[dsl][expr]") {
  const std::string text = "(a + b) * f(x, 2).y > 3";
  const auto parsed = parse_text(text);
  REQUIRE(parsed);
  const auto& compare = std::get<Compare>((*parsed)->node);
  const auto part = [&text](const ExprPtr& expr) {
    return text.substr(expr->range.begin, expr->range.end - expr->range.begin);
  };
  CHECK(part(*parsed) == text);
  CHECK(part(compare.left) == "(a + b) * f(x, 2).y");
  CHECK(part(std::get<Binary>(compare.left->node).left) == "a + b");
  CHECK(part(std::get<Binary>(compare.left->node).right) == "f(x, 2).y");
}

TEST_CASE("limits of expressions are clear errors, not crashes", "[dsl][expr][limits]") {
  const auto id_of = [](const std::string& text) {
    const auto parsed = parse_text(text);
    return parsed ? std::string() : parsed.error().front().id;
  };
  const auto repeat = [](const std::string& part, int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out += part;
    return out;
  };
  CHECK(id_of(repeat("(", 100) + "a" + repeat(")", 100)).empty());
  CHECK(id_of(repeat("(", 8000)) == "K121");
  CHECK(id_of(repeat("(", 100000)) == "K121");
  CHECK(id_of(repeat("not ", 4000) + "a") == "K121");
  CHECK(id_of(repeat("-", 16000) + "a") == "K121");
  CHECK(id_of("a" + repeat("+a", 8000)) == "K121");
  CHECK(id_of("a" + repeat(".a", 8000)) == "K121");
  CHECK(id_of(repeat("f(", 5000)) == "K121");
  CHECK(id_of(repeat("[", 5000)) == "K121");
  CHECK(id_of(repeat("if a then ", 1000)) == "K121");
  CHECK(id_of("t" + repeat(" where a", 1000)) == "K121");
  CHECK(id_of("a" + repeat(" or a", 3000)).empty());  // chains are flat
  CHECK(id_of("[1" + repeat(",1", 8000) + "]").empty());
  CHECK(id_of("1" + repeat(" ", 17000)) == "K121");
  CHECK(id_of("#" + repeat("(", 16000)) == "K120");
}

TEST_CASE("no text crashes the parser", "[dsl][expr][fuzz]") {
  const std::string tokens[] = {"a",
                                "1",
                                "4us",
                                "\"s\"",
                                "/x/",
                                "(",
                                ")",
                                "[",
                                "]",
                                ",",
                                ".",
                                "$p",
                                "+",
                                "-",
                                "*",
                                "/",
                                "&",
                                "|",
                                "==",
                                "=",
                                "<",
                                "=~",
                                "!~",
                                "!",
                                "and",
                                "or",
                                "not",
                                "in",
                                "if",
                                "then",
                                "else",
                                "where",
                                "group",
                                "by",
                                "select",
                                "during",
                                "as",
                                "true",
                                " ",
                                "\n",
                                "#",
                                "\"",
                                "\\",
                                "%",
                                "\xC3",
                                "\xC2\xB5",
                                std::string(1, '\0')};
  std::uint32_t state = 12345;
  const auto random = [&state](std::uint32_t n) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8U) % n;
  };
  int parsed_count = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    const std::uint32_t length = 1 + random(12);
    for (std::uint32_t i = 0; i < length; ++i) (text += tokens[random(std::size(tokens))]) += random(3) == 0 ? "" : " ";
    const auto parsed = parse_text(text);
    if (!parsed) {
      REQUIRE(parsed.error().size() == 1);
      REQUIRE_FALSE(render(parsed.error()).empty());
      const Span& span = parsed.error().front().labels.front().span;
      REQUIRE(span.offset + span.length <= text.size());
      continue;
    }
    ++parsed_count;
    const auto again = parse_text(dump(**parsed));
    CAPTURE(text, dump(**parsed));
    REQUIRE(again);
    REQUIRE(equal(**parsed, **again));
  }
  CHECK(parsed_count > 100);
}

}  // namespace kdiag
