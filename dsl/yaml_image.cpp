// SPDX-License-Identifier: Apache-2.0
#include "dsl/yaml_image.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

#include "base/names/contains_word.hpp"

namespace kdiag {
namespace {

/// Written in the place of a kind: the number of a member's bytes stands before it.
constexpr std::uint64_t apart_as_logic = 5, apart_as_finding = 6, apart_as_comparing = 7, apart_as_define = 8;

/// Written in the place of a kind: the number of the text that the node and what it holds stand in, then the node.
constexpr std::uint64_t in_source = 9;

/// Whether a rule is not judged unless the user says so.
bool is_unjudged(const YamlNode& rule) {
  const YamlNode* status = rule.find("status");
  return status != nullptr && (status->text.text == "incubating" || status->text.text == "deprecated");
}

bool is_one_of(std::string_view key, std::initializer_list<std::string_view> keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Whether a key of a rule says what the rule is, whatever it decides.
bool in_outline(std::string_view key) {
  return is_one_of(
      key, {"rule", "status", "enabled", "role", "for_each", "params", "explains", "replaces", "symptom_of", "script"});
}

/// Whether a key of a rule says whether it fires; of `let` the members that deciding_lets names.
bool in_decision(std::string_view key) { return is_one_of(key, {"applies", "requires", "let", "when"}); }

/// The lets of a rule on which its conditions rest: those whose names stand in them, or in lets that do. A column or a
/// text can have such a name, too: then one is read too many.
std::set<std::string_view> deciding_lets(const YamlNode& rule) {
  std::set<std::string_view> out;
  const YamlNode* const lets = rule.find("let");
  if (lets == nullptr) return out;
  std::vector<std::string_view> texts;
  for (const std::string_view key : {"applies", "when"})
    if (const YamlNode* condition = rule.find(key)) texts.push_back(condition->text.text);
  for (; !texts.empty();) {
    const std::string_view text = texts.back();
    texts.pop_back();
    for (const YamlMember& let : lets->members) {
      const std::string_view name = let.key.text.text;
      if (contains_word(text, name) && out.insert(name).second) texts.push_back(let.value.text.text);
    }
  }
  return out;
}

class ImageWriter {
 public:
  explicit ImageWriter(std::span<const SourcePtr> sources) : sources_(sources) {}

  void node(const YamlNode& node) {
    const std::size_t outer = source_;
    if (node.span.source != sources_[source_]) enter(node.span.source);
    content(node);
    source_ = outer;
  }

  std::string take() && { return std::move(out_); }

 private:
  void enter(const SourcePtr& source) {
    const auto found = std::find(sources_.begin(), sources_.end(), source);
    assert(found != sources_.end());
    source_ = static_cast<std::size_t>(found - sources_.begin());
    number(in_source);
    number(source_);
  }

  void content(const YamlNode& node) {
    head(node);
    switch (node.kind) {
      case YamlNode::Kind::scalar: return scalar(node);
      case YamlNode::Kind::sequence:
        number(node.items.size());
        for (const YamlNode& item : node.items) this->node(item);
        return;
      case YamlNode::Kind::mapping: return members(node);
      case YamlNode::Kind::null:
      case YamlNode::Kind::invalid: return;
    }
  }

  void head(const YamlNode& node) {
    number(static_cast<std::uint64_t>(node.kind));
    number(node.span.offset);
    number(node.span.length);
  }

  void members(const YamlNode& mapping) {
    if (const YamlNode* pack = mapping.find("pack"))
      if (const YamlNode* compares = pack->find("compares")) compares_ = compares->text.text == "true";
    number(mapping.members.size());
    if (mapping.find("rule") != nullptr) return members_of_rule(mapping);
    for (const YamlMember& member : mapping.members) {
      if (compares_ && member.key.text.text == "define") apart(apart_as_define, member);
      else this->member(member);
    }
  }

  void members_of_rule(const YamlNode& rule) {
    const bool unjudged = is_unjudged(rule);
    const bool by_script = rule.find("script") != nullptr;  // which may read every let
    for (const YamlMember& member : rule.members) {
      const std::string_view key = member.key.text.text;
      if (key == "params") params(member, unjudged ? apart_as_logic : compares_ ? apart_as_comparing : 0);
      else if (in_outline(key)) this->member(member);
      else if (unjudged) apart(apart_as_logic, member);
      else if (!in_decision(key)) apart(apart_as_finding, member);
      else if (compares_) apart_as_decision(member, rule);
      else if (key == "let" && !by_script) lets(member, deciding_lets(rule));
      else this->member(member);
    }
  }

  /// Parameters with their values, `apart_default` as what unless it is 0; their ranges are for who sets them.
  void params(const YamlMember& params, std::uint64_t apart_default) {
    if (!params.value.is(YamlNode::Kind::mapping)) return member(params);
    node(params.key);
    head(params.value);
    number(params.value.members.size());
    for (const YamlMember& param : params.value.members) {
      if (!param.value.is(YamlNode::Kind::mapping)) {
        member(param);
        continue;
      }
      node(param.key);
      head(param.value);
      number(param.value.members.size());
      for (const YamlMember& member : param.value.members) {
        const std::string_view key = member.key.text.text;
        if (key == "range" || key == "doc") apart(apart_as_finding, member);
        else if (key == "default" && apart_default != 0) apart(apart_default, member);
        else this->member(member);
      }
    }
  }

  /// What decides whether a rule that compares fires.
  void apart_as_decision(const YamlMember& member, const YamlNode& rule) {
    ImageWriter part(*this, {});
    if (member.key.text.text == "let") part.lets(member, deciding_lets(rule));
    else part.member(member);
    append(apart_as_comparing, part);
  }

  void lets(const YamlMember& lets, const std::set<std::string_view>& deciding) {
    node(lets.key);
    head(lets.value);
    number(lets.value.members.size());
    for (const YamlMember& let : lets.value.members)
      if (deciding.contains(let.key.text.text)) member(let);
      else apart(apart_as_finding, let);
  }

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) out_ += static_cast<char>(0x80U | (value & 0x7FU));
    out_ += static_cast<char>(value);
  }

  void member(const YamlMember& member) {
    node(member.key);
    node(member.value);
  }

  /// A member, so that who does not want it passes over its key, too.
  void apart(std::uint64_t as, const YamlMember& member) {
    ImageWriter part(*this, {});
    part.member(member);
    append(as, part);
  }

  /// Writes a part of what another one writes.
  ImageWriter(const ImageWriter& whole, std::string out)
      : sources_(whole.sources_), source_(whole.source_), out_(std::move(out)) {}

  void append(std::uint64_t as, const ImageWriter& part) {
    number(as);
    number(part.out_.size());
    out_ += part.out_;
  }

  void scalar(const YamlNode& node) {
    number(static_cast<std::uint64_t>(node.style));
    const TextOrigin& origin = node.text.origin;
    const std::size_t size = node.text.text.size();
    // Most scalars stand in the file as they are.
    const bool as_written = origin.size() == size + 1 && origin.back() == origin.front() + size &&
                            node.text.source->text.compare(origin.front(), size, node.text.text) == 0;
    number(2 * size + (as_written ? 1 : 0));
    if (as_written) return number(origin.front());
    out_ += node.text.text;
    for (const TextOrigin::Run& run : origin.runs()) {
      number(run.count);
      number(run.place);
    }
    number(0);
  }

  std::span<const SourcePtr> sources_;
  std::size_t source_ = 0;  ///< which of them the nodes that are written stand in
  std::string out_;
  bool compares_ = false;  ///< the pack does
};

class ImageReader {
 public:
  ImageReader(std::string_view image, std::span<const SourcePtr> sources, ImageDetail detail, std::size_t place = 0)
      : image_(image), sources_(sources), detail_(detail), at_(place) {}

  /// Into a node that is empty.
  void read(YamlNode& out) {
    const std::size_t place = at_, outer = source_;
    if (static_cast<unsigned char>(image_[at_]) == in_source) {
      ++at_;
      source_ = number();
    }
    content(out);
    if (out.parts != RuleParts::whole) out.image_place = place;
    source_ = outer;
  }

  bool at_end() const { return at_ == image_.size(); }

 private:
  void content(YamlNode& out) {
    out.kind = static_cast<YamlNode::Kind>(number());
    out.span = span();
    switch (out.kind) {
      case YamlNode::Kind::scalar: scalar(out); break;
      case YamlNode::Kind::sequence:
        out.items.resize(number());
        for (YamlNode& item : out.items) read(item);
        break;
      case YamlNode::Kind::mapping: members(out); break;
      case YamlNode::Kind::null:
      case YamlNode::Kind::invalid: break;
    }
  }

  std::size_t number() {
    std::size_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      assert(at_ < image_.size());
      const auto byte = static_cast<unsigned char>(image_[at_++]);
      value |= static_cast<std::size_t>(byte & 0x7FU) << shift;
      if (byte < 0x80) return value;
    }
  }

  void members(YamlNode& mapping) {
    const std::size_t count = number();
    mapping.members.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      if (const std::size_t part = size_apart(mapping); part > 0) {
        at_ += part;
        continue;
      }
      YamlMember& member = mapping.members.emplace_back();
      read(member.key);
      read(member.value);
    }
  }

  /// How many bytes to pass over for the next member, 0: none, it is wanted.
  std::size_t size_apart(YamlNode& mapping) {
    const auto as = static_cast<unsigned char>(image_[at_]);
    if (as < apart_as_logic || as > apart_as_define) return 0;
    ++at_;
    const std::size_t size = number();
    if (detail_ <= wanted_up_to(as)) return 0;
    mapping.parts = std::max(mapping.parts, parts_without(as));
    return size;
  }

  static ImageDetail wanted_up_to(std::uint64_t as) {
    if (as == apart_as_define) return ImageDetail::without_comparing;
    return as == apart_as_comparing ? ImageDetail::decisions : ImageDetail::whole;
  }

  static RuleParts parts_without(std::uint64_t as) {
    if (as == apart_as_logic) return RuleParts::outline;
    return as == apart_as_comparing || as == apart_as_define ? RuleParts::compared : RuleParts::decision;
  }

  Span span() {
    const std::size_t offset = number();
    return {sources_[source_], offset, number()};
  }

  void scalar(YamlNode& out) {
    out.style = static_cast<ScalarStyle>(number());
    const std::size_t stored = number(), size = stored / 2;
    out.text.source = sources_[source_];
    out.text.whole = out.span;
    if (stored % 2 == 1) {
      const std::size_t first = number();
      out.text.text.assign(sources_[source_]->text, first, size);
      out.text.origin = TextOrigin(first, size + 1);
      return;
    }
    out.text.text = image_.substr(at_, size);
    at_ += size;
    for (std::size_t run = number(); run > 0; run = number()) {
      const auto place = static_cast<std::uint32_t>(number());
      out.text.origin.append({place, static_cast<std::uint32_t>(run)});
    }
  }

  std::string_view image_;
  std::span<const SourcePtr> sources_;
  ImageDetail detail_;
  std::size_t at_;
  std::size_t source_ = 0;  ///< which of them the nodes that are read stand in
};

}  // namespace

std::string yaml_image(const YamlNode& root, std::span<const SourcePtr> sources) {
  ImageWriter writer(sources);
  writer.node(root);
  return std::move(writer).take();
}

YamlNode tree_of_image(std::string_view image, std::span<const SourcePtr> sources, ImageDetail detail) {
  ImageReader reader(image, sources, detail);
  YamlNode root;
  reader.read(root);
  assert(reader.at_end());
  return root;
}

YamlNode rule_of_image(std::string_view image, std::span<const SourcePtr> sources, std::size_t place) {
  YamlNode rule;
  ImageReader(image, sources, ImageDetail::whole, place).read(rule);
  return rule;
}

}  // namespace kdiag
