// SPDX-License-Identifier: Apache-2.0
#include "dsl/pack_tree.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include <kdiag/error_ids.hpp>

#include "base/diagnostic.hpp"
#include "dsl/edition.hpp"
#include "dsl/expect_kind.hpp"
#include "dsl/kept_trees.hpp"

namespace kdiag {
namespace {

/// A mapping's member of the name, which is added when there is none: empty, with its place at the begin of the
/// mapping.
YamlNode& member_of(YamlNode& mapping, std::string_view name, YamlNode::Kind kind) {
  for (YamlMember& member : mapping.members)
    if (member.key.text.text == name) return member.value;
  YamlMember member;
  member.key.kind = YamlNode::Kind::scalar;
  member.key.span = mapping.span;
  member.key.text.text = name;
  member.key.text.source = mapping.span.source;
  member.key.text.whole = mapping.span;
  member.value.kind = kind;
  member.value.span = mapping.span;
  mapping.members.push_back(std::move(member));
  return mapping.members.back().value;
}

/// Whether a key of a file with one rule is one of the file, as `import` is, and not one of the rule. A test holds
/// these against the tables of keys, which the program that embeds the built-in packs does not have.
bool is_of_file(std::string_view key) {
  constexpr std::string_view keys[] = {"kdiag", "pack", "import", "define", "ladders", "rules", "overrides"};
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

class TreeMaker {
 public:
  TreeMaker(Diagnostics& diagnostics, CancelFlag cancel, KeptTrees* kept)
      : diagnostics_(diagnostics), cancel_(cancel), kept_(kept) {}

  YamlNode make(const PackSource& source) {
    if (!source.pack) return alone(source.rules.front());
    YamlNode root = parse(source.pack);
    if (source.rules.empty() && root.find("rule") != nullptr && root.find("rules") == nullptr) return alone(root);
    for (const PackSource::OfRule& file : source.rules) add(file, root);
    return root;
  }

 private:
  YamlNode parse(const SourcePtr& source) {
    return kept_ != nullptr ? parse_yaml(source, diagnostics_, cancel_, *kept_)
                            : parse_yaml(source, diagnostics_, cancel_);
  }

  /// One rule that is no part of a pack: what a file has beside its rules it may have, too.
  YamlNode alone(const PackSource::OfRule& file) {
    YamlNode root = parse(file.rule);
    add_tests(file.tests, root);
    return alone(root);
  }

  static YamlNode alone(YamlNode& rule) {
    if (!rule.is(YamlNode::Kind::mapping)) return std::move(rule);
    YamlNode root;
    root.kind = YamlNode::Kind::mapping;
    root.span = rule.span;
    const auto of_rule = std::stable_partition(rule.members.begin(), rule.members.end(), [](const YamlMember& member) {
      return is_of_file(member.key.text.text);
    });
    root.members.assign(std::make_move_iterator(rule.members.begin()), std::make_move_iterator(of_rule));
    rule.members.erase(rule.members.begin(), of_rule);
    place(rule);
    member_of(root, "rules", YamlNode::Kind::sequence).items.push_back(std::move(rule));
    return root;
  }

  /// A rule begins with its first key, not with what stands before it in the file.
  static void place(YamlNode& rule) {
    if (!rule.members.empty()) rule.span = rule.members.front().key.span;
  }

  void add(const PackSource::OfRule& file, YamlNode& root) {
    YamlNode rule = parse(file.rule);
    if (rule.is(YamlNode::Kind::null)) return tell_empty(file.rule, rules_edition, diagnostics_);
    if (!expect_kind(rule, YamlNode::Kind::mapping, "a rule file", diagnostics_)) return;
    check_edition(rule, rules_edition, diagnostics_);
    std::erase_if(rule.members, [](const YamlMember& member) { return member.key.text.text == rules_edition; });
    place(rule);
    add_tests(file.tests, rule);
    if (!root.is(YamlNode::Kind::mapping)) return;
    YamlNode& rules = member_of(root, "rules", YamlNode::Kind::sequence);
    if (rules.is(YamlNode::Kind::sequence)) rules.items.push_back(std::move(rule));
  }

  void add_tests(const SourcePtr& source, YamlNode& rule) {
    if (!source) return;
    YamlNode file = parse(source);
    if (file.is(YamlNode::Kind::null)) return tell_empty(source, tests_edition, diagnostics_);
    if (!expect_kind(file, YamlNode::Kind::mapping, "a test file", diagnostics_)) return;
    check_edition(file, tests_edition, diagnostics_);
    check_rule(file, rule);
    for (YamlMember& member : file.members) {
      const std::string& key = member.key.text.text;
      if (key == tests_edition || key == "rule" || key.starts_with("x-")) continue;
      if (key == "tests") take_tests(member, rule);
      else
        diagnostics_.push_back(make_error(error_id::unknown_key, member.key.span,
                                          "a file of one rule's tests has no `" + key + "`", {},
                                          "it has `kdiag_test`, `rule` and `tests`"));
    }
  }

  /// Whether the tests are those of the rule that their file is named after.
  void check_rule(const YamlNode& tests, const YamlNode& rule) {
    const YamlNode *const wanted = tests.find("rule"), *const id = rule.find("rule");
    if (id == nullptr || !id->is(YamlNode::Kind::scalar)) return;
    if (wanted == nullptr)
      diagnostics_.push_back(
          make_error(error_id::missing_key, tests.span, "a file of one rule's tests has no `rule`", {},
                     "it is named after a rule file, so it begins with `rule: " + id->text.text + "`"));
    else if (!wanted->is(YamlNode::Kind::scalar) || wanted->text.text != id->text.text)
      diagnostics_.push_back(make_error(error_id::unknown_rule, wanted->span, "these are not the tests of this rule",
                                        "the rule file of that name has rule '" + id->text.text + "'",
                                        "tests/NAME.yaml holds the tests of the rule in NAME.yaml"));
  }

  static void take_tests(YamlMember& tests, YamlNode& rule) {
    for (YamlMember& member : rule.members) {
      if (member.key.text.text != "tests") continue;
      if (!member.value.is(YamlNode::Kind::sequence)) return;
      std::move(tests.value.items.begin(), tests.value.items.end(), std::back_inserter(member.value.items));
      return;
    }
    rule.members.push_back(std::move(tests));
  }

  Diagnostics& diagnostics_;
  CancelFlag cancel_;
  KeptTrees* kept_;
};

}  // namespace

std::vector<SourcePtr> PackSource::all() const {
  std::vector<SourcePtr> out;
  if (pack) out.push_back(pack);
  for (const OfRule& file : rules) {
    out.push_back(file.rule);
    if (file.tests) out.push_back(file.tests);
  }
  return out;
}

PackSource pack_of_text(const SourcePtr& source) { return {.pack = source, .rules = {}}; }

YamlNode pack_tree(const PackSource& source, Diagnostics& diagnostics, CancelFlag cancel, KeptTrees* kept) {
  return TreeMaker(diagnostics, cancel, kept).make(source);
}

}  // namespace kdiag
