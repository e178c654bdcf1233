// SPDX-License-Identifier: Apache-2.0
#include "dsl/yaml_image.hpp"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace kdiag {
namespace {

/// Written in the place of a kind: the number of a member's bytes stands before it.
constexpr std::uint64_t apart_as_test = 5, apart_as_logic = 6;

/// Whether a mapping is a rule that is not judged unless the user says so.
bool is_unjudged_rule(const YamlNode& mapping) {
  const YamlNode* status = mapping.find("status");
  return mapping.find("rule") != nullptr && status != nullptr &&
         (status->text.text == "incubating" || status->text.text == "deprecated");
}

/// Whether a key of a rule says what the rule is, whatever it decides.
bool in_outline(std::string_view key) {
  constexpr std::string_view keys[] = {"rule",   "status",   "enabled",  "role",       "for_each",
                                       "params", "explains", "replaces", "symptom_of", "script"};
  return std::find(std::begin(keys), std::end(keys), key) != std::end(keys);
}

class ImageWriter {
 public:
  void node(const YamlNode& node) {
    number(static_cast<std::uint64_t>(node.kind));
    number(node.span.offset);
    number(node.span.length);
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

  std::string take() && { return std::move(out_); }

 private:
  void members(const YamlNode& mapping) {
    const bool unjudged = is_unjudged_rule(mapping);
    number(mapping.members.size());
    for (const YamlMember& member : mapping.members) {
      const std::string_view key = member.key.text.text;
      node(member.key);
      if (key == "tests") apart(apart_as_test, member.value);
      else if (unjudged && !in_outline(key)) apart(apart_as_logic, member.value);
      else node(member.value);
    }
  }

  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) out_ += static_cast<char>(0x80U | (value & 0x7FU));
    out_ += static_cast<char>(value);
  }

  void apart(std::uint64_t as, const YamlNode& node) {
    ImageWriter part;
    part.node(node);
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

  std::string out_;
};

class ImageReader {
 public:
  ImageReader(std::string_view image, const SourcePtr& source, ImageDetail detail)
      : image_(image), source_(source), detail_(detail) {}

  YamlNode node() {
    YamlNode out;
    out.kind = static_cast<YamlNode::Kind>(number());
    out.span = span();
    switch (out.kind) {
      case YamlNode::Kind::scalar: scalar(out); break;
      case YamlNode::Kind::sequence:
        out.items.resize(number());
        for (YamlNode& item : out.items) item = node();
        break;
      case YamlNode::Kind::mapping: members(out); break;
      case YamlNode::Kind::null:
      case YamlNode::Kind::invalid: break;
    }
    return out;
  }

  bool at_end() const { return at_ == image_.size(); }

 private:
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
      YamlNode key = node();
      if (const std::size_t part = size_apart(mapping); part > 0) at_ += part;
      else mapping.members.push_back({std::move(key), node()});
    }
  }

  /// How many bytes to pass over for the next value, 0: none, it is wanted.
  std::size_t size_apart(YamlNode& mapping) {
    const auto as = static_cast<unsigned char>(image_[at_]);
    if (as != apart_as_test && as != apart_as_logic) return 0;
    ++at_;
    const std::size_t size = number();
    const ImageDetail wanted_up_to = as == apart_as_test ? ImageDetail::whole : ImageDetail::without_tests;
    if (detail_ <= wanted_up_to) return 0;
    mapping.outline = mapping.outline || as == apart_as_logic;
    return size;
  }

  Span span() {
    const std::size_t offset = number();
    return {source_, offset, number()};
  }

  void scalar(YamlNode& out) {
    out.style = static_cast<ScalarStyle>(number());
    const std::size_t stored = number(), size = stored / 2;
    out.text.source = source_;
    out.text.whole = out.span;
    if (stored % 2 == 1) {
      const std::size_t first = number();
      out.text.text.assign(source_->text, first, size);
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
  const SourcePtr& source_;
  ImageDetail detail_;
  std::size_t at_ = 0;
};

}  // namespace

std::string yaml_image(const YamlNode& root) {
  ImageWriter writer;
  writer.node(root);
  return std::move(writer).take();
}

YamlNode tree_of_image(std::string_view image, const SourcePtr& source, ImageDetail detail) {
  ImageReader reader(image, source, detail);
  YamlNode root = reader.node();
  assert(reader.at_end());
  return root;
}

}  // namespace kdiag
