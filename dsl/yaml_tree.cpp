// SPDX-License-Identifier: Apache-2.0
// Collects the events of yaml-cpp's parser into a tree. Its node interface is not used: that one loses duplicate
// keys, expands aliases without bound and knows no places of keys.
#include "dsl/yaml_tree.hpp"

#include <exception>
#include <istream>
#include <iterator>
#include <new>
#include <optional>
#include <streambuf>
#include <unordered_map>
#include <utility>

#include <kdiag/error_ids.hpp>

#include <yaml-cpp/depthguard.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "base/diagnostic.hpp"
#include "base/utf8.hpp"
#include "dsl/yaml_layout.hpp"

namespace kdiag {
namespace {

constexpr std::string_view block_help =
    "text with special characters stands in quotes, or in a block: a line `when: |`, then the text indented on the "
    "next line";

constexpr std::string_view tag_help =
    "`!` begins a tag; write `not` in expressions, and put text that begins with ! in quotes";

using Kind = YamlNode::Kind;

/// Places in a file as yaml-cpp counts them: bytes, without the byte-order mark.
class Places {
 public:
  explicit Places(SourcePtr source)
      : source_(std::move(source)), shift_(source_->text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0) {}

  const SourcePtr& source() const { return source_; }
  std::size_t offset(const YAML::Mark& mark) const {
    return mark.pos < 0 ? 0 : std::min(static_cast<std::size_t>(mark.pos) + shift_, source_->text.size());
  }
  Span span(const YAML::Mark& mark, std::size_t length = 1) const { return {source_, offset(mark), length}; }
  /// The rest of the line, without blanks at its end.
  Span line(const YAML::Mark& mark) const {
    const std::size_t begin = offset(mark);
    std::size_t end = std::min(source_->text.find_first_of("\r\n", begin), source_->text.size());
    while (end > begin + 1 && source_->text[end - 1] == ' ') --end;
    return {source_, begin, end - begin};
  }

 private:
  SourcePtr source_;
  std::size_t shift_;
};

/// How many brackets a text opens and does not close, quoted parts left out.
int open_brackets(std::string_view text) {
  int open = 0;
  char quote = 0;
  for (const char c : text) {
    if (quote != 0) quote = c == quote ? 0 : quote;
    else if (c == '"' || c == '\'') quote = c;
    else if (c == '(' || c == '[') ++open;
    else if (c == ')' || c == ']') --open;
  }
  return open;
}

/// A value in { } that a comma ended inside its brackets, as in `{a: sum(kernels, dur)}`: YAML takes the rest for keys.
struct CutValue {
  std::size_t member = 0;  ///< of the mapping
  int open = 0;            ///< brackets that wait for their end
};

/// A node whose end has not come yet.
struct Open {
  YamlNode node;
  YamlNode key;  ///< of a mapping: the key that waits for its value
  bool has_key = false;
  std::optional<CutValue> cut;
  std::unordered_map<std::string, std::size_t> seen;  ///< key -> its place among the members
};

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const Places& places, Diagnostics& diagnostics, CancelFlag cancel)
      : places_(places), diagnostics_(diagnostics), cancel_(cancel) {}

  YamlNode root() { return std::move(root_); }
  /// Of the innermost node that waits for its end, if it began with a bracket or a brace.
  Span open_bracket() const {
    if (open_.empty()) return {};
    Span out = open_.back().node.span;
    const char first = out.offset < out.source->text.size() ? out.source->text[out.offset] : '\0';
    out.length = 1;
    return first == '[' || first == '{' ? out : Span{};
  }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (ignored_ > 0) return;
    YamlNode node = begin(Kind::null, mark, "", anchor);
    node.span.length = 0;
    add(std::move(node));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    if (ignored_ > 0) return;
    report(error_id::anchor, places_.line(mark), "aliases are not allowed",
           "`*` refers to an anchor; in an expression it has to stand in a block (`when: |`)");
    YamlNode node;
    node.kind = Kind::invalid;
    node.span = places_.span(mark);
    add(std::move(node));
  }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    if (ignored_ > 0) return;
    YamlNode node = begin(Kind::scalar, mark, tag, anchor);
    const std::size_t at = node.span.offset;
    node.style = scalar_style(places_.source()->text, at);
    ScalarMap map = map_scalar(places_.source()->text, at, value);
    node.span.length = map.end - at;
    if (map.unclosed) {
      report(error_id::invalid_yaml, {places_.source(), at, 1}, "this is not valid YAML: the closing quote is missing",
             "");
      node.kind = Kind::invalid;
    }
    node.text = {value, places_.source(), std::move(map.origin), node.span};
    add(std::move(node));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Kind::sequence, mark, tag, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Kind::mapping, mark, tag, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  void report(std::string_view id, Span span, std::string title, std::string help) {
    diagnostics_.push_back(make_error(id, std::move(span), std::move(title), {}, std::move(help)));
  }

  YamlNode begin(Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    stop_if(cancel_);
    YamlNode node;
    node.kind = kind;
    node.span = places_.span(mark);
    if (anchor != 0)
      report(error_id::anchor, places_.line(mark), "anchors are not allowed",
             "`&` names a node; in an expression it has to stand in a block (`when: |`)");
    if (!tag.empty() && tag != "?" && tag != "!") {
      report(error_id::yaml_tag, places_.line(mark), "YAML tags are not allowed", std::string(tag_help));
      node.kind = Kind::invalid;
    }
    return node;
  }

  void open(Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    if (ignored_ > 0 || open_.size() == deepest_yaml) {
      if (ignored_++ == 0)
        report(error_id::file_limit, places_.span(mark),
               "nested deeper than " + std::to_string(deepest_yaml) + " levels", "");
      return;
    }
    Open opened;
    opened.node = begin(kind, mark, tag, anchor);
    open_.push_back(std::move(opened));
  }

  void close() {
    if (ignored_ > 0) {
      if (--ignored_ > 0) return;
      YamlNode node;  // what was too deep
      node.kind = Kind::invalid;
      add(std::move(node));
      return;
    }
    YamlNode node = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(node));
  }

  void add(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Kind::sequence) {
      parent.node.items.push_back(std::move(node));
    } else if (!parent.has_key) {
      parent.key = std::move(node);
      parent.has_key = true;
    } else {
      parent.has_key = false;
      add_member(parent, std::move(parent.key), std::move(node));
    }
  }

  void add_member(Open& parent, YamlNode key, YamlNode value) {
    if (key.kind == Kind::invalid) return;
    if (parent.cut && continues_cut(parent, key, value)) return;
    if (key.kind != Kind::scalar) {
      report(error_id::invalid_yaml, key.span, "a key must be a word", "");
      return;
    }
    const std::string& name = key.text.text;
    if (name == "<<") {
      report(error_id::anchor, key.span, "merge keys are not allowed", "write the values out");
      return;
    }
    const auto [found, added] = parent.seen.try_emplace(name, parent.node.members.size());
    if (!added) {
      Diagnostic twice = make_error(error_id::repeated_key, key.span, "the key '" + name + "' stands here twice");
      twice.labels.push_back({parent.node.members[found->second].key.span, "first here"});
      diagnostics_.push_back(std::move(twice));
      return;
    }
    if (value.kind == Kind::null) value.span = key.span;  // yaml-cpp puts it at the next token
    if (value.kind == Kind::scalar && value.style == ScalarStyle::plain && ends_at_comma(value.span))
      if (const int open = open_brackets(value.text.text); open > 0)
        parent.cut = CutValue{parent.node.members.size(), open};
    parent.node.members.push_back({std::move(key), std::move(value)});
  }

  bool ends_at_comma(const Span& span) const {
    const std::string& text = places_.source()->text;
    const std::size_t next = text.find_first_not_of(" \t\r\n", span.offset + span.length);
    return next != text.npos && text[next] == ',';
  }

  /// Whether a member is the rest of a value that a comma ended; says so at its last part.
  bool continues_cut(Open& parent, const YamlNode& key, const YamlNode& value) {
    CutValue& cut = *parent.cut;
    if (key.kind != Kind::scalar || value.kind != Kind::null) {
      parent.cut.reset();
      return false;
    }
    cut.open += open_brackets(key.text.text);
    if (cut.open > 0) return true;
    YamlNode& first = parent.node.members[cut.member].value;
    const std::size_t begin = first.span.offset;
    const Span whole{places_.source(), begin, key.span.offset + key.span.length - begin};
    report(error_id::invalid_yaml, whole, "inside { } a comma ends a value",
           "put it in quotes: '" + places_.source()->text.substr(whole.offset, whole.length) + "'");
    first.kind = Kind::invalid;
    parent.cut.reset();
    return true;
  }

  const Places& places_;
  Diagnostics& diagnostics_;
  CancelFlag cancel_;
  std::vector<Open> open_;
  std::size_t ignored_ = 0;  ///< levels beyond the limit that are open
  YamlNode root_;
};

/// Sees only whether there is a document at all.
class NextDocument : public YAML::EventHandler {
 public:
  YAML::Mark mark;
  void OnDocumentStart(const YAML::Mark& at) override { mark = at; }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

/// Reads from memory without a copy.
class View : public std::streambuf {
 public:
  explicit View(const std::string& text) {
    char* begin = const_cast<char*>(text.data());  // never written to: no put area is set
    setg(begin, begin, begin + text.size());
  }
};

/// What yaml-cpp says, in words of authors of rules where its own are of no use to them.
std::string words_for(const std::string& message) {
  constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"end of map not found",
       "this is not valid YAML: a key of the mapping is indented wrongly, or its value holds a character that YAML "
       "gives a meaning"},
      {"end of sequence not found", "this is not valid YAML: an item of the list is indented wrongly"},
      {"end of map flow not found", "this is not valid YAML: the closing '}' is missing"},
      {"end of sequence flow not found", "this is not valid YAML: the closing ']' is missing"},
      {"unexpected character in block scalar", "this is not valid YAML: `>` and `|` begin a block of text here"},
      {"illegal map value", "this is not valid YAML: ': ' is not allowed here"},
      {"unknown token", "this is not valid YAML: a value cannot begin with this character"},
      {"bad file", "nested too deeply"},
      {"illegal tab when looking for indentation",
       "this is not valid YAML: lines are indented with blanks, not with tabs"},
      {"illegal EOF in scalar", "this is not valid YAML: the closing quote is missing"},
  };
  for (const auto& [theirs, ours] : known)
    if (message == theirs) return std::string(ours);
  return "this is not valid YAML: " + message;
}

/// Whether a value of the line of a byte began with `!`, as in `when: !(a > b)`.
bool behind_tag(std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, at);
  return before.substr(before.rfind('\n') + 1).find(": !") != std::string_view::npos;
}

bool readable(const SourcePtr& source, Diagnostics& diagnostics) {
  const std::string& text = source->text;
  if (text.size() > most_yaml_bytes) {
    diagnostics.push_back(make_error(error_id::file_limit, {source, 0, 1},
                                     "the file is larger than " + std::to_string(most_yaml_bytes / 1024) + " KiB", {},
                                     "split the pack into several files"));
    return false;
  }
  if (const std::size_t broken = first_invalid_utf8(text); broken < text.size()) {
    diagnostics.push_back(make_error(error_id::not_plain_text, {source, broken, 1}, "the file is not UTF-8 text", {},
                                     "save it as UTF-8"));
    return false;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && text[i] != '\n' && text[i] != '\r' && text[i] != '\t') || byte == 0x7F) {
      diagnostics.push_back(make_error(error_id::not_plain_text, {source, i, 1}, "control characters are not allowed",
                                       {}, "write it as an escape in a double-quoted string"));
      return false;
    }
  }
  return true;
}

YamlNode invalid_node(const SourcePtr& source) {
  YamlNode node;
  node.kind = Kind::invalid;
  node.span = {source, 0, 0};
  return node;
}

}  // namespace

const YamlNode* YamlNode::find(std::string_view key) const {
  for (const YamlMember& member : members)
    if (member.key.text.text == key) return &member.value;
  return nullptr;
}

YamlNode parse_yaml(const SourcePtr& source, Diagnostics& diagnostics, CancelFlag cancel) {
  if (!readable(source, diagnostics)) return invalid_node(source);
  const Places places(source);
  TreeBuilder builder(places, diagnostics, cancel);
  try {
    View view(source->text);
    std::istream stream(&view);
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return {};
    NextDocument second;
    if (parser.HandleNextDocument(second))
      diagnostics.push_back(make_error(error_id::second_document, places.line(second.mark),
                                       "a file is one YAML document", "a second one begins here"));
    return builder.root();
  } catch (const YAML::DeepRecursion& error) {
    diagnostics.push_back(make_error(error_id::file_limit, places.span(error.mark),
                                     "nested deeper than " + std::to_string(deepest_yaml) + " levels"));
  } catch (const YAML::Exception& error) {
    const std::size_t at = places.offset(error.mark);
    if (auto known = layout_mistake(source, at, error.msg == "illegal map value")) {
      diagnostics.push_back(std::move(*known));
      return invalid_node(source);
    }
    if (const Span bracket = builder.open_bracket(); bracket.source && error.msg.ends_with("flow not found")) {
      diagnostics.push_back(make_error(error_id::invalid_yaml, bracket, words_for(error.msg), "opened here"));
      return invalid_node(source);
    }
    const bool anchor = error.msg.find("anchor") != std::string::npos;
    diagnostics.push_back(anchor ? make_error(error_id::anchor, places.line(error.mark),
                                              "anchors and aliases are not allowed", {},
                                              "in an expression `*` and `&` have to stand in a block (`when: |`)")
                                 : make_error(error_id::invalid_yaml, places.line(error.mark), words_for(error.msg), {},
                                              std::string(behind_tag(source->text, at) ? tag_help : block_help)));
  } catch (const std::bad_alloc&) {
    throw;  // no mistake of the file
  } catch (const std::exception& error) {
    diagnostics.push_back(
        make_error(error_id::invalid_yaml, {source, 0, 1}, std::string("this is not valid YAML: ") + error.what()));
  }
  return invalid_node(source);
}

}  // namespace kdiag
