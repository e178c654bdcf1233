// SPDX-License-Identifier: Apache-2.0
// YAML: what is refused, and where the bytes of scalars come from.
#include "dsl/yaml_tree.hpp"

#include <atomic>
#include <memory>
#include <string>

#include "dsl/expressions/parse_expr.hpp"
#include "dsl/rule_file.hpp"
#include "tests/catch.hpp"

namespace kdiag {
namespace {

struct Parsed {
  SourcePtr source;
  YamlNode root;
  Diagnostics diagnostics;
  std::string first_id() const { return diagnostics.empty() ? std::string() : diagnostics.front().id; }
};

Parsed parse_tree(std::string text) {
  Parsed out;
  out.source = std::make_shared<const Source>(Source{"t.yaml", std::move(text)});
  out.root = parse_yaml(out.source, out.diagnostics);
  return out;
}

std::string repeat(const std::string& part, int n) {
  std::string out;
  for (int i = 0; i < n; ++i) out += part;
  return out;
}

}  // namespace

TEST_CASE("the tree keeps order, kinds and texts", "[dsl][yaml]") {
  const Parsed parsed = parse_tree("b: 1\na: [x, 'y y', {c: ~}]\nd:\n- e: |\n    f\n    g\n");
  REQUIRE(parsed.diagnostics.empty());
  REQUIRE(parsed.root.is(YamlNode::Kind::mapping));
  CHECK(parsed.root.members[0].key.text.text == "b");
  CHECK(parsed.root.find("a")->items[1].text.text == "y y");
  CHECK(parsed.root.find("a")->items[2].find("c")->is(YamlNode::Kind::null));
  CHECK(parsed.root.find("d")->items[0].find("e")->text.text == "f\ng\n");
  CHECK(parsed.root.find("missing") == nullptr);
}

TEST_CASE("an offending byte is found in every style of scalar", "[dsl][yaml][position]") {
  // Each text holds one `@@`; its value ends up at `when`.
  const std::string text =
      GENERATE("when: a + @@\n", "when: a +\n  @@ b\n", "when: 'a + @@'\n", "when: 'it''s @@'\n", "when: \"a + @@\"\n",
               "when: \"a\\t\\u00e9\\\"@@\"\n", "when: 'a\n\n  b @@'\n", "when: \"a \\\n  b @@\"\n",
               "when: |\n  a\n  + @@\n", "when: |-\n  a + @@\n\n", "when: |+\n  a @@\n\n\nb: 1\n",
               "when: |2\n    a\n  + @@\n", "when: |\n\n   a\n     b @@\n\n   c\n", "when: >\n  a\n  b @@\n",
               "when: >-\n  a\n  b\n\n  c @@\n", "when: >\n  a\n    b\n    c\n  d @@\n", "when: | # comment\n  a @@\n",
               "# \xC3\xA9\nwhen: \"\xC3\xA9 @@\"\n", "{when: a @@, b: c}\n", "{when: 'a\n b @@'}\n",
               "when:\n  a\n  @@\n", "- 1\n- when: a @@\n", "when: >\n\n  a\n\n\n  b @@\n\n\n", "when: !\n  a @@\n");
  const bool windows = GENERATE(false, true);
  const bool mark = GENERATE(false, true);
  std::string file;
  for (char c : text) file += windows && c == '\n' ? "\r\n" : std::string(1, c);
  if (mark) file.insert(0, "\xEF\xBB\xBF");
  CAPTURE(file);
  const Parsed parsed = parse_tree(file);
  REQUIRE(parsed.diagnostics.empty());
  const YamlNode* node =
      parsed.root.is(YamlNode::Kind::sequence) ? parsed.root.items.back().find("when") : parsed.root.find("when");
  REQUIRE(node != nullptr);
  const std::size_t at = node->text.text.find("@@");
  REQUIRE(at != std::string::npos);
  const Span span = node->text.span({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 2)});
  if (text.find("when: !") != std::string::npos) {  // the tag hides the scalar's place
    CHECK(span.offset == file.find('!'));
  } else {
    CHECK(span.offset == file.find("@@"));
    CHECK(span.length == 2);
  }
  CHECK(node->span.offset + node->span.length <= file.size());
}

TEST_CASE("traps of YAML are diagnostics with a place", "[dsl][yaml]") {
  using Trap = std::pair<std::string, const char*>;
  const auto [text, id] = GENERATE(
      Trap{"a: 1\nb: 2\na: 3\n", "K103"}, Trap{"a: &x 1\n", "K104"}, Trap{"a: &x 1\nb: *x\n", "K104"},
      Trap{"a: *nothing\n", "K104"}, Trap{"&x a: 1\n", "K104"}, Trap{"a: &a [*a]\n", "K104"},
      Trap{"b: &b {c: 1}\na:\n  <<: *b\n", "K104"}, Trap{"<<: {a: 1}\n", "K104"},
      Trap{"when: !defined(a) and b\n", "K105"}, Trap{"a: !!str 1\n", "K105"}, Trap{"a: !<tag> {}\n", "K105"},
      Trap{"a: 1\n---\nb: 2\n", "K106"}, Trap{"a: 1\n---\nb: [\n", "K101"}, Trap{"a: %x\n", "K101"},
      Trap{"a: @x\n", "K101"}, Trap{"a: `x`\n", "K101"}, Trap{"a: \"x\" in y\n", "K101"}, Trap{"a: b: c\n", "K101"},
      Trap{"a: [1, 2\n", "K101"}, Trap{"a: {b: 1\n", "K101"}, Trap{"a: 'x\n", "K101"}, Trap{"\ta: 1\n", "K101"},
      Trap{"a: \"\\q\"\n", "K101"}, Trap{"? [a]\n: b\n", "K101"}, Trap{": b\n", "K101"}, Trap{"{a: 1}: b\n", "K101"},
      Trap{std::string("a: \0b\n", 6), "K102"}, Trap{"a: \x04\nb: 1\n", "K102"}, Trap{"a: \xFF\n", "K102"},
      Trap{"\xFF\xFE"
           "a\0",
           "K102"},
      Trap{"a: \xED\xA0\x80\n", "K102"}, Trap{repeat("- ", 600) + "a\n", "K107"},
      Trap{repeat("[", 100) + repeat("]", 100) + "\n", "K107"}, Trap{repeat("[", 100000), "K107"},
      Trap{repeat("{a: ", 5000), "K107"}, Trap{"a: " + repeat("x", 1100000), "K107"});
  CAPTURE(text.substr(0, 100));
  const Parsed parsed = parse_tree(text);
  REQUIRE(parsed.first_id() == id);
  for (const Diagnostic& diagnostic : parsed.diagnostics) {
    CHECK(diagnostic.labels.front().span.source == parsed.source);
    CHECK(diagnostic.labels.front().span.offset <= text.size());
  }
}

TEST_CASE("all traps of a file are reported at once", "[dsl][yaml]") {
  const Parsed parsed = parse_tree("a: 1\na: 2\nb: &x 1\nc: !t 2\nd: *x\n---\nz\n");
  std::string ids;
  for (const Diagnostic& diagnostic : parsed.diagnostics) ids += diagnostic.id + " ";
  CHECK(ids == "K103 K104 K105 K104 K106 ");
  CHECK(parsed.root.find("a")->text.text == "1");
}

TEST_CASE("reading a file ends when the host asks", "[dsl][yaml]") {
  const SourcePtr source = std::make_shared<const Source>(Source{"t.yaml", "kdiag: 1\nrules:\n- rule: a.b\n"});
  Diagnostics diagnostics;
  std::atomic<bool> cancel{false};
  const YamlNode root = parse_yaml(source, diagnostics, &cancel);
  cancel = true;
  CHECK_THROWS_AS(parse_yaml(source, diagnostics, &cancel), Interrupted);
  CHECK_THROWS_AS(read_rule_file(root, {&source, 1}, diagnostics, {}, &cancel), Interrupted);
  CHECK(diagnostics.empty());
}

TEST_CASE("an alias bomb costs nothing", "[dsl][yaml]") {
  std::string text = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 40; ++i) {
    const std::string last = std::to_string(i - 1);
    text +=
        "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [*a" + last + ", *a" + last + ", *a" + last + "]\n";
  }
  CHECK(parse_tree(text).first_id() == "K104");
}

TEST_CASE("empty documents and documents of comments are null", "[dsl][yaml]") {
  const std::string text =
      GENERATE(std::string(), std::string("\n\n"), std::string("# nothing\n"), std::string("\xEF\xBB\xBF"));
  const Parsed parsed = parse_tree(text);
  CHECK(parsed.diagnostics.empty());
  CHECK(parsed.root.is(YamlNode::Kind::null));
}

TEST_CASE("no text crashes the YAML reader", "[dsl][yaml][fuzz]") {
  const std::string tokens[] = {"a", ": ", "\n",       "\n  ", "- ",   "[",  "]",     "{",
                                "}", ",",  "|",        ">",    "|2\n", "'",  "\"",    "\\",
                                "#", " #", "&x ",      "*x",   "!t ",  "? ", "---\n", "...\n",
                                "%", "~",  "\xC3\xA9", "\r\n", "\t",   "<<", "0",     "\xEF\xBB\xBF"};
  std::uint32_t state = 4711;
  const auto random = [&state](std::uint32_t n) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8U) % n;
  };
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    const std::uint32_t length = 1 + random(16);
    for (std::uint32_t i = 0; i < length; ++i) text += tokens[random(std::size(tokens))];
    const Parsed parsed = parse_tree(text);
    if (parsed.root.is(YamlNode::Kind::invalid)) REQUIRE_FALSE(parsed.diagnostics.empty());
    for (const Diagnostic& diagnostic : parsed.diagnostics) {
      const Span& span = diagnostic.labels.front().span;
      CAPTURE(text, diagnostic.title);
      REQUIRE(span.offset <= text.size());
      REQUIRE_FALSE(render(diagnostic).empty());
    }
  }
}

}  // namespace kdiag
