// SPDX-License-Identifier: Apache-2.0
#include "dsl/yaml_image.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/packed_text.hpp"
#include "dsl/pack_tree.hpp"
#include "packs/packed_files.hpp"
#include "tests/catch.hpp"
#include "tests/unit/dsl/same_tree.hpp"

namespace kdiag {
namespace {

void require_image_equals_text(const std::string& name, const std::string& text) {
  CAPTURE(name);
  const auto source = std::make_shared<const Source>(Source{name, text});
  Diagnostics diagnostics;
  const YamlNode root = parse_yaml(source, diagnostics);
  REQUIRE(diagnostics.empty());
  const std::vector<SourcePtr> sources{source};
  require_equal(tree_of_image(yaml_image(root, sources), sources), root);
}

TEST_CASE("a tree and its image are the same", "[dsl][yaml]") {
  require_image_equals_text("scalars",
                            "a: plain\n'b': 'it''s'\nc: \"tab\\t \\u00e9\"\nd: |\n  two\n   lines\n\ne: >\n  folded\n"
                            "  text\nf: über 日本\ng: ~\nh:\n");
  require_image_equals_text("nesting", "- [1, [], {a: {b: [c]}}]\n- {}\n- - - deep\n");
  require_image_equals_text("byte-order mark, CR LF",
                            "\xEF\xBB\xBF"
                            "a: 1\r\nb: |\r\n  x\r\n");
}

/// The keys of the rules of a pack's image.
std::vector<std::string> keys_of_rules(const std::string& text, ImageDetail detail) {
  const auto source = std::make_shared<const Source>(Source{"t", text});
  Diagnostics diagnostics;
  const std::vector<SourcePtr> sources{source};
  const YamlNode root = tree_of_image(yaml_image(parse_yaml(source, diagnostics), sources), sources, detail);
  REQUIRE(diagnostics.empty());
  std::vector<std::string> out;
  const std::map<RuleParts, std::string> words = {{RuleParts::whole, ""},
                                                  {RuleParts::decision, "decision"},
                                                  {RuleParts::compared, "compared"},
                                                  {RuleParts::outline, "outline"}};
  for (const YamlNode& rule : root.find("rules")->items) {
    std::string keys;
    for (const YamlMember& member : rule.members) keys += member.key.text.text + "=" + member.value.text.text + " ";
    out.push_back(keys + words.at(rule.parts));
  }
  return out;
}

TEST_CASE("what judging does not need, or not yet, can be passed over", "[dsl][yaml]") {
  const std::string pack =
      "rules:\n- rule: a\n  recommend:\n  - text: r\n  title: t\n  when: w\n- rule: b\n"
      "- rule: c\n  title: t\n  status: incubating\n  when: w\n  replaces: d\n";
  using Keys = std::vector<std::string>;
  CHECK(keys_of_rules(pack, ImageDetail::whole) ==
        Keys{"rule=a recommend= title=t when=w ", "rule=b ", "rule=c title=t status=incubating when=w replaces=d "});
  CHECK(keys_of_rules(pack, ImageDetail::decisions) ==
        Keys{"rule=a when=w decision", "rule=b ", "rule=c status=incubating replaces=d outline"});
  const std::string comparing = "pack: {name: p, compares: true}\n" + pack;
  CHECK(keys_of_rules(comparing, ImageDetail::decisions) == keys_of_rules(pack, ImageDetail::decisions));
  CHECK(keys_of_rules(pack, ImageDetail::without_comparing) == keys_of_rules(pack, ImageDetail::decisions));
  CHECK(keys_of_rules(comparing, ImageDetail::without_comparing) ==
        Keys{"rule=a compared", "rule=b ", "rule=c status=incubating replaces=d outline"});
}

TEST_CASE("the defines of a pack that compares can be passed over", "[dsl][yaml]") {
  const auto has_defines = [](const std::string& pack, ImageDetail detail) {
    const std::vector<SourcePtr> sources{
        std::make_shared<const Source>(Source{"t", pack + "define:\n- {name: d, expr: 1}\nrules: []\n"})};
    Diagnostics diagnostics;
    const std::string image = yaml_image(parse_yaml(sources.front(), diagnostics), sources);
    REQUIRE(diagnostics.empty());
    return tree_of_image(image, sources, detail).find("define") != nullptr;
  };
  CHECK(has_defines("pack: {name: p}\n", ImageDetail::least));
  CHECK_FALSE(has_defines("pack: {name: p, compares: true}\n", ImageDetail::least));
  CHECK(has_defines("pack: {name: p, compares: true}\n", ImageDetail::without_comparing));
}

TEST_CASE("of a rule's lets those on which its conditions rest are read before it fires", "[dsl][yaml]") {
  const std::string pack =
      "rules:\n- rule: a\n  let:\n    one: two + 1\n    shown: one\n    two: count(kernels)\n  when: one > 3\n"
      "  title: ${shown}\n- rule: b\n  script: b.lua\n  let:\n    any: 3\n";
  const std::vector<SourcePtr> sources{std::make_shared<const Source>(Source{"t", pack})};
  Diagnostics diagnostics;
  const std::string image = yaml_image(parse_yaml(sources.front(), diagnostics), sources);
  REQUIRE(diagnostics.empty());
  const YamlNode root = tree_of_image(image, sources, ImageDetail::decisions);
  const auto lets = [](const YamlNode& rule) {
    std::string names;
    for (const YamlMember& let : rule.find("let")->members) names += let.key.text.text + " ";
    return names;
  };
  const YamlNode& first = root.members.at(0).value.items.at(0);
  CHECK(lets(first) == "one two ");
  CHECK(lets(rule_of_image(image, sources, first.image_place)) == "one shown two ");
  CHECK(lets(root.members.at(0).value.items.at(1)) == "any ");  // a script may read every let
}

TEST_CASE("the image of a folder has every place in its own file", "[dsl][yaml]") {
  const auto text = [](const char* name, const char* text) {
    return std::make_shared<const Source>(Source{name, text});
  };
  const PackSource pack{text("pack.yaml", "kdiag: 1\npack: {name: p}\nrules:\n- rule: p.first\n  title: t\n"),
                        {{text("one.yaml", "kdiag: 1\nrule: p.one\ntitle: t\nwhen: w\n"),
                          text("tests/one.yaml", "kdiag_test: 1\nrule: p.one\ntests:\n- name: n\n")},
                         {text("two.yaml", "kdiag: 1\nrule: p.two\ntitle: t\nwhen: w\n"), nullptr}}};
  Diagnostics diagnostics;
  const YamlNode root = pack_tree(pack, diagnostics);
  REQUIRE(diagnostics.empty());
  const std::vector<SourcePtr> sources = pack.all();
  const std::string image = yaml_image(root, sources);
  require_equal(tree_of_image(image, sources), root);
  const YamlNode decisions = tree_of_image(image, sources, ImageDetail::decisions);
  const YamlNode& last = decisions.find("rules")->items.at(2);
  CHECK(last.span.source->name == "two.yaml");
  CHECK(rule_of_image(image, sources, last.image_place).find("title")->span.source->name == "two.yaml");
}

/// The pack of which these are all() texts.
PackSource pack_of(std::span<const SourcePtr> files) {
  PackSource pack{files.front(), {}};
  for (const SourcePtr& file : files.subspan(1)) pack.rules.push_back({file, nullptr});
  return pack;
}

TEST_CASE("texts are packed and unpacked", "[base]") {
  const std::string text = "kdiag_test: 1\nrule: host.sync-stall\ntests: []\n";
  std::string texts;
  for (int i = 0; i < 1000; ++i) texts += text;
  for (const std::string& some : {std::string(), text, texts}) CHECK(unpack_text(pack_text(some), some.size()) == some);
  CHECK(pack_text(texts).size() < texts.size() / 100);
}

TEST_CASE("the built-in packs' images are the trees of their texts", "[dsl][yaml]") {
  REQUIRE(builtin_packs().size() > 10);
  const std::vector<SourcePtr> files = unpack_files(builtin_rule_texts());
  std::size_t at = 0;
  for (const BuiltinPack& builtin : builtin_packs()) {
    REQUIRE(at + builtin.files.size() <= files.size());
    const PackSource pack = pack_of(std::span(files).subspan(at, builtin.files.size()));
    at += builtin.files.size();
    CAPTURE(pack.pack->name);
    Diagnostics diagnostics;
    require_equal(tree_of_image(builtin.image, pack.all()), pack_tree(pack, diagnostics));
    REQUIRE(diagnostics.empty());
  }
}

}  // namespace
}  // namespace kdiag
