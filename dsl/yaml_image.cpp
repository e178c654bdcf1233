// SPDX-License-Identifier: Apache-2.0
#include "dsl/yaml_image.hpp"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace kdiag {
namespace {

constexpr std::string_view passed_over = "tests";

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
      case YamlNode::Kind::mapping:
        number(node.members.size());
        for (const YamlMember& member : node.members) {
          this->node(member.key);
          if (member.key.text.text == passed_over) sized(member.value);
          else this->node(member.value);
        }
        return;
      case YamlNode::Kind::null:
      case YamlNode::Kind::invalid: return;
    }
  }

  std::string take() && { return std::move(out_); }

 private:
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) out_ += static_cast<char>(0x80U | (value & 0x7FU));
    out_ += static_cast<char>(value);
  }

  /// A node behind the number of its bytes.
  void sized(const YamlNode& node) {
    ImageWriter apart;
    apart.node(node);
    number(apart.out_.size());
    out_ += apart.out_;
  }

  void scalar(const YamlNode& node) {
    number(static_cast<std::uint64_t>(node.style));
    const std::vector<std::uint32_t>& origin = node.text.origin;
    const std::size_t size = node.text.text.size();
    // Most scalars stand in the file as they are.
    const bool as_written = origin.size() == size + 1 && origin.back() == origin.front() + size &&
                            node.text.source->text.compare(origin.front(), size, node.text.text) == 0;
    number(2 * size + (as_written ? 1 : 0));
    if (as_written) return number(origin.front());
    out_ += node.text.text;
    for (std::size_t begin = 0; begin < origin.size();) {
      std::size_t end = begin + 1;
      while (end < origin.size() && origin[end] == origin[end - 1] + 1) ++end;
      number(end - begin);
      number(origin[begin]);
      begin = end;
    }
    number(0);
  }

  std::string out_;
};

class ImageReader {
 public:
  ImageReader(std::string_view image, const SourcePtr& source, ImageTests tests)
      : image_(image), source_(source), tests_(tests) {}

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
      case YamlNode::Kind::mapping: members(out.members); break;
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

  void members(std::vector<YamlMember>& out) {
    const std::size_t count = number();
    out.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
      YamlNode key = node();
      if (key.text.text == passed_over) {
        const std::size_t size = number();
        if (tests_ == ImageTests::leave_out) {
          at_ += size;
          continue;
        }
      }
      out.push_back({std::move(key), node()});
    }
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
    out.text.origin.reserve(size + 1);  // folded ones and those in quotes have about as many
    if (stored % 2 == 1) {
      const auto first = static_cast<std::uint32_t>(number());
      out.text.text = source_->text.substr(first, size);
      for (std::uint32_t i = 0; i <= size; ++i) out.text.origin.push_back(first + i);
      return;
    }
    out.text.text = image_.substr(at_, size);
    at_ += size;
    for (std::size_t run = number(); run > 0; run = number()) {
      const auto first = static_cast<std::uint32_t>(number());
      for (std::uint32_t i = 0; i < run; ++i) out.text.origin.push_back(first + i);
    }
  }

  std::string_view image_;
  const SourcePtr& source_;
  ImageTests tests_;
  std::size_t at_ = 0;
};

}  // namespace

std::string yaml_image(const YamlNode& root) {
  ImageWriter writer;
  writer.node(root);
  return std::move(writer).take();
}

YamlNode tree_of_image(std::string_view image, const SourcePtr& source, ImageTests tests) {
  ImageReader reader(image, source, tests);
  YamlNode root = reader.node();
  assert(reader.at_end());
  return root;
}

}  // namespace kdiag
