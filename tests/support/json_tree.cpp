// SPDX-License-Identifier: Apache-2.0
#include "tests/support/json_tree.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/utf8.hpp"

namespace kdiag::tests {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<JsonTree> document() {
    JsonTree tree;
    if (!value(tree)) return std::nullopt;
    space();
    if (at_ != text_.size()) return std::nullopt;
    return tree;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void space() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  bool take(std::string_view token) {
    if (!text_.substr(at_).starts_with(token)) return false;
    at_ += token.size();
    return true;
  }
  std::size_t digits() {
    const std::size_t start = at_;
    while (peek() >= '0' && peek() <= '9') ++at_;
    return at_ - start;
  }

  bool value(JsonTree& tree) {
    space();
    if (take("null")) return true;
    tree.text = text_.substr(at_, peek() == 't' ? 4 : 5);
    if (take("true") || take("false")) return tree.kind = JsonTree::Kind::boolean, true;
    if (peek() == '"') return tree.kind = JsonTree::Kind::string, string(tree.text);
    if (peek() == '{') return tree.kind = JsonTree::Kind::object, items(tree, '}');
    if (peek() == '[') return tree.kind = JsonTree::Kind::array, items(tree, ']');
    return tree.kind = JsonTree::Kind::number, number(tree.text);
  }

  bool number(std::string& out) {
    const std::size_t start = at_;
    take("-");
    if (!take("0") && digits() == 0) return false;
    if (take(".") && digits() == 0) return false;
    if (take("e") || take("E")) {
      if (!take("+")) take("-");
      if (digits() == 0) return false;
    }
    out = text_.substr(start, at_ - start);
    return true;
  }

  bool string(std::string& out) {
    const std::size_t start = ++at_;
    while (peek() != '"') {
      if (at_ >= text_.size() || static_cast<unsigned char>(peek()) < 0x20) return false;
      if (take("\\")) {
        if (take("u")) {
          if (text_.substr(at_, 4).find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos ||
              at_ + 4 > text_.size())
            return false;
          at_ += 4;
        } else if (std::string_view("\"\\/bfnrt").find(peek()) == std::string_view::npos) {
          return false;
        } else {
          ++at_;
        }
      } else {
        const CodePoint point = code_point_at(text_, at_);
        if (!point.valid) return false;
        at_ += point.length;
      }
    }
    out = text_.substr(start, at_ - start);
    ++at_;
    return true;
  }

  bool items(JsonTree& tree, char close) {
    ++at_;
    space();
    if (peek() == close) return ++at_, true;
    while (true) {
      std::string key;
      if (close == '}') {
        space();
        if (peek() != '"' || !string(key) || tree.find(key) != nullptr) return false;
        space();
        if (!take(":")) return false;
      }
      tree.members.push_back({key, {}});
      if (!value(tree.members.back().value)) return false;
      space();
      if (peek() == close) return ++at_, true;
      if (!take(",")) return false;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::string_view type_of(const JsonTree& tree) {
  switch (tree.kind) {
    case JsonTree::Kind::null: return "null";
    case JsonTree::Kind::boolean: return "boolean";
    case JsonTree::Kind::number: return tree.text.find_first_of(".eE") == std::string::npos ? "integer" : "number";
    case JsonTree::Kind::string: return "string";
    case JsonTree::Kind::array: return "array";
    case JsonTree::Kind::object: return "object";
  }
  return "";
}

class Checker {
 public:
  explicit Checker(const JsonTree& root) : root_(root) {}

  void check(const JsonTree& schema, const JsonTree& tree, const std::string& path) {
    if (const JsonTree* ref = schema.find("$ref")) {
      const std::string name = ref->text.substr(ref->text.rfind('/') + 1);
      return check(root_.at("$defs").at(name), tree, path);
    }
    if (const JsonTree* condition = schema.find("if")) {
      Checker trial(root_);
      trial.check(*condition, tree, path);
      check(schema.at(trial.errors.empty() ? "then" : "else"), tree, path);
    }
    if (const JsonTree* any = schema.find("anyOf")) check_any(*any, tree, path);
    if (const JsonTree* type = schema.find("type")) check_type(*type, tree, path);
    if (const JsonTree* only = schema.find("const")) expect(only->text == tree.text, path, "is not " + only->text);
    if (const JsonTree* list = schema.find("enum"))
      expect(
          std::any_of(list->members.begin(), list->members.end(),
                      [&](const auto& item) { return item.value.kind == tree.kind && item.value.text == tree.text; }),
          path, "'" + tree.text + "' is not allowed");
    if (const JsonTree* least = schema.find("minimum"); least != nullptr && tree.kind == JsonTree::Kind::number)
      expect(std::strtod(tree.text.c_str(), nullptr) >= std::strtod(least->text.c_str(), nullptr), path,
             "is too small");
    if (tree.kind == JsonTree::Kind::object) check_object(schema, tree, path);
    if (tree.kind == JsonTree::Kind::array) check_array(schema, tree, path);
  }

  std::vector<std::string> errors;

 private:
  void expect(bool good, const std::string& path, const std::string& what) {
    if (!good) errors.push_back(path + " " + what);
  }

  void check_any(const JsonTree& any, const JsonTree& tree, const std::string& path) {
    std::vector<std::string> all;
    for (const auto& [name, option] : any.members) {
      Checker trial(root_);
      trial.check(option, tree, path);
      if (trial.errors.empty()) return;
      all.insert(all.end(), trial.errors.begin(), trial.errors.end());
    }
    errors.insert(errors.end(), all.begin(), all.end());
  }

  void check_type(const JsonTree& type, const JsonTree& tree, const std::string& path) {
    const std::string_view have = type_of(tree);
    const auto fits = [have](const std::string& wanted) {
      return wanted == have || (wanted == "number" && have == "integer");
    };
    bool good = fits(type.text);
    for (const auto& [name, option] : type.members) good = good || fits(option.text);
    expect(good, path, "has type " + std::string(have));
  }

  void check_object(const JsonTree& schema, const JsonTree& tree, const std::string& path) {
    for (const auto& [index, name] : schema.at("required").members)
      expect(tree.find(name.text) != nullptr, path, "lacks " + name.text);
    const JsonTree* rest = schema.find("additionalProperties");
    const bool closed = rest == nullptr ? schema.find("properties") != nullptr : rest->text == "false";
    for (const auto& [name, item] : tree.members) {
      const std::string below = path + "/" + name;
      if (const JsonTree* property = schema.at("properties").find(name)) check(*property, item, below);
      else if (matches(schema.at("patternProperties"), name)) continue;
      else if (rest != nullptr && rest->kind != JsonTree::Kind::boolean) check(*rest, item, below);
      else expect(!closed, below, "is not in the schema");
    }
  }

  /// Patterns are beginnings of names here: "^x-".
  static bool matches(const JsonTree& patterns, const std::string& name) {
    return std::any_of(patterns.members.begin(), patterns.members.end(),
                       [&](const auto& pattern) { return name.starts_with(pattern.name.substr(1)); });
  }

  void check_array(const JsonTree& schema, const JsonTree& tree, const std::string& path) {
    const std::size_t size = tree.members.size();
    if (const JsonTree* least = schema.find("minItems"))
      expect(size >= std::strtoul(least->text.c_str(), nullptr, 10), path, "has too few items");
    if (const JsonTree* most = schema.find("maxItems"))
      expect(size <= std::strtoul(most->text.c_str(), nullptr, 10), path, "has too many items");
    if (const JsonTree* items = schema.find("items"))
      for (std::size_t i = 0; i < size; ++i) check(*items, tree.members[i].value, path + "/" + std::to_string(i));
  }

  const JsonTree& root_;
};

}  // namespace

const JsonTree* JsonTree::find(std::string_view name) const {
  for (const auto& [key, item] : members)
    if (key == name) return &item;
  return nullptr;
}

const JsonTree& JsonTree::at(std::string_view name) const {
  static const JsonTree none;
  const JsonTree* found = find(name);
  return found == nullptr ? none : *found;
}

std::optional<JsonTree> parse_json(std::string_view text) { return Reader(text).document(); }

std::vector<std::string> schema_errors(const JsonTree& schema, const JsonTree& document) {
  Checker checker(schema);
  checker.check(schema, document, "");
  return std::move(checker.errors);
}

}  // namespace kdiag::tests
