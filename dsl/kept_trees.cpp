// SPDX-License-Identifier: Apache-2.0
#include "dsl/kept_trees.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <kdiag/file_reader.hpp>

#include "base/ascii.hpp"

namespace kdiag {
namespace {

using Kind = YamlNode::Kind;

constexpr std::size_t most_kept_bytes = most_yaml_bytes;  // trees take some thirty times as much; judgement

// What stands around a piece while it is parsed: whether YAML ends well depends on what follows.
constexpr std::string_view around_item = "k:\n", next_item = "- k: 1\n", next_key = "k-next: 1\n";

struct Piece {
  std::size_t begin = 0, end = 0;
  bool is_item = false;  ///< of the list of the key before
};

/// Nothing where a line at the first column is neither of a key nor of an item.
std::optional<std::vector<Piece>> pieces_of(std::string_view text) {
  std::vector<Piece> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const char first = text[at], second = at + 1 < end ? text[at + 1] : '\n';
    const bool is_item = first == '-' && (second == ' ' || second == '\r' || second == '\n');
    const bool begins = is_item || is_letter(first);
    const bool goes_on = first == ' ' || first == '#' || first == '\r' || first == '\n';
    if ((!begins && !goes_on) || (is_item && out.empty())) return std::nullopt;
    if (begins) out.push_back({at, end, is_item});
    else if (!out.empty()) out.back().end = end;
    at = end;
  }
  if (out.empty()) return std::nullopt;
  return out;
}

/// Moves a tree by so many bytes, into a source.
void move_to(YamlNode& node, const SourcePtr& source, std::size_t by) {
  const auto move = [&](Span& span) {
    if (!span.source) return;
    span.source = source;
    span.offset += by;
  };
  move(node.span);
  if (node.text.source) {
    node.text.source = source;
    node.text.origin.move(by);
    move(node.text.whole);
  }
  for (YamlNode& item : node.items) move_to(item, source, by);
  for (YamlMember& member : node.members) {
    move_to(member.key, source, by);
    move_to(member.value, source, by);
  }
}

/// Takes off the mapping that was parsed what follows the piece. Whether it was there, and the piece is one key and, of
/// an item, one item.
bool take_off(YamlNode& root, std::string_view before, std::string_view behind) {
  if (!root.is(Kind::mapping)) return false;
  if (behind == next_key) {
    if (root.members.size() != 2 || root.members.back().key.text.text != "k-next") return false;
    root.members.pop_back();
  }
  if (root.members.size() != 1) return false;
  YamlNode& value = root.members.front().value;
  if (behind == next_item) {
    if (!value.is(Kind::sequence) || value.items.size() != (before.empty() ? 1 : 2)) return false;
    value.items.pop_back();
  }
  return before.empty() || (value.is(Kind::sequence) && value.items.size() == 1);
}

class PieceReader {
 public:
  PieceReader(const SourcePtr& source, KeptTrees& kept, CancelFlag cancel)
      : source_(source), kept_(kept), cancel_(cancel) {}

  /// The tree of the whole; nothing where a piece has a mistake or they do not fit together.
  std::optional<YamlNode> read() {
    const auto pieces = pieces_of(source_->text);
    if (!pieces) return std::nullopt;
    YamlNode root;
    std::set<std::string> keys;
    bool in_list = false;
    for (std::size_t i = 0; i < pieces->size(); ++i) {
      const Piece& piece = (*pieces)[i];
      const bool last = i + 1 == pieces->size();
      const bool item_follows = !last && (*pieces)[i + 1].is_item;
      std::optional<YamlNode> tree = tree_of(piece, last ? "" : item_follows ? next_item : next_key);
      if (!tree) return std::nullopt;
      YamlMember& member = tree->members.front();
      if (piece.is_item && in_list) {
        root.members.back().value.items.push_back(std::move(member.value.items.front()));
      } else if (piece.is_item) {
        root.members.back().value = std::move(member.value);
        in_list = true;
      } else {
        in_list = false;
        if (!keys.insert(member.key.text.text).second) return std::nullopt;
        if (root.members.empty()) root = std::move(*tree);
        else root.members.push_back(std::move(member));
      }
    }
    return root;
  }

 private:
  /// A mapping of one key: the piece, or what holds the list of the piece.
  std::optional<YamlNode> tree_of(const Piece& piece, std::string_view behind) {
    const std::string_view before = piece.is_item ? around_item : std::string_view();
    std::string text(before);
    text.append(source_->text, piece.begin, piece.end - piece.begin);
    text += behind;
    const std::string name = (piece.is_item ? "item " : "key ") + text;
    auto known = kept_.pieces.find(name);
    if (known == kept_.pieces.end()) {
      Diagnostics mistakes;
      YamlNode tree =
          parse_yaml(std::make_shared<const Source>(Source{source_->name, std::move(text)}), mistakes, cancel_);
      if (!mistakes.empty() || !take_off(tree, before, behind)) return std::nullopt;
      if (kept_.bytes + name.size() > most_kept_bytes) kept_ = {};
      kept_.bytes += name.size();
      known = kept_.pieces.emplace(name, std::move(tree)).first;
    }
    YamlNode tree = known->second;
    move_to(tree, source_, piece.begin - before.size());
    return tree;
  }

  const SourcePtr& source_;
  KeptTrees& kept_;
  CancelFlag cancel_;
};

}  // namespace

std::shared_ptr<KeptTrees> keep_trees() { return std::make_shared<KeptTrees>(); }

YamlNode parse_yaml(const SourcePtr& source, Diagnostics& diagnostics, CancelFlag cancel, KeptTrees& kept) {
  if (source->text.size() <= most_yaml_bytes)
    if (std::optional<YamlNode> tree = PieceReader(source, kept, cancel).read()) return std::move(*tree);
  return parse_yaml(source, diagnostics, cancel);
}

}  // namespace kdiag
