// SPDX-License-Identifier: Apache-2.0
// Small JSON documents as trees: a recursive reader that forgives what can be understood all the same.
#include <algorithm>
#include <utility>

#include <kdiag/note_ids.hpp>

#include "adapters/io/input.hpp"
#include "adapters/io/input_window.hpp"
#include "adapters/io/kept_records.hpp"
#include "adapters/json/json.hpp"
#include "adapters/json/json_envelope.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

/// RFC 8259's grammar of numbers, with leading zeros.
bool is_json_number(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const auto digits = [&] {
    const std::size_t before = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at != before;
  };
  if (!digits()) return false;
  if (at < text.size() && text[at] == '.') {
    ++at;
    if (!digits()) return false;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (!digits()) return false;
  }
  return at == text.size();
}

class ValueReader {
 public:
  explicit ValueReader(std::string_view text) : text_(text) {}

  enum class Outcome {
    complete,
    broken,
    cut_off,  ///< the text ends within the value
  };

  Outcome read(JsonValue& value, std::size_t depth = 0) {
    skip_blanks();
    if (at_ == text_.size()) return Outcome::cut_off;
    switch (text_[at_]) {
      case '{': return depth == deepest_value ? Outcome::broken : read_object(value, depth);
      case '[': return depth == deepest_value ? Outcome::broken : read_array(value, depth);
      case '"': value.kind = JsonValue::Kind::string; return read_string(value.text);
      default: return read_word(value);
    }
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(json_blanks, at_), text_.size()); }
  std::size_t position() const { return at_; }

 private:
  Outcome read_object(JsonValue& value, std::size_t depth) {
    value.kind = JsonValue::Kind::object;
    ++at_;
    for (;;) {
      skip_blanks();
      if (at_ == text_.size()) return Outcome::cut_off;
      if (take('}')) return Outcome::complete;  // also behind a trailing comma
      if (text_[at_] != '"') return Outcome::broken;
      auto& [key, member] = value.members.emplace_back();
      if (const Outcome outcome = read_string(key); outcome != Outcome::complete) return outcome;
      skip_blanks();
      if (at_ == text_.size()) return Outcome::cut_off;
      if (!take(':')) return Outcome::broken;
      if (const Outcome outcome = read(member, depth + 1); outcome != Outcome::complete) return outcome;
      if (const Outcome outcome = read_separator('}'); outcome != Outcome::complete) return outcome;
    }
  }

  Outcome read_array(JsonValue& value, std::size_t depth) {
    value.kind = JsonValue::Kind::array;
    ++at_;
    for (;;) {
      skip_blanks();
      if (at_ == text_.size()) return Outcome::cut_off;
      if (take(']')) return Outcome::complete;
      if (const Outcome outcome = read(value.items.emplace_back(), depth + 1); outcome != Outcome::complete)
        return outcome;
      if (const Outcome outcome = read_separator(']'); outcome != Outcome::complete) return outcome;
    }
  }

  /// Passes a comma; leaves a closing bracket.
  Outcome read_separator(char close) {
    skip_blanks();
    if (at_ == text_.size()) return Outcome::cut_off;
    return take(',') || text_[at_] == close ? Outcome::complete : Outcome::broken;
  }

  Outcome read_string(std::string& text) {
    std::size_t end = at_ + 1;
    while ((end = text_.find_first_of("\"\\", end)) != std::string_view::npos && text_[end] == '\\') end += 2;
    if (end == std::string_view::npos) return Outcome::cut_off;
    std::string scratch;
    text = decode(Token{text_.substr(at_, end + 1 - at_)}, scratch);
    at_ = end + 1;
    return Outcome::complete;
  }

  Outcome read_word(JsonValue& value) {
    const std::size_t end = std::min(text_.find_first_of(",:{}[]\" \t\r\n", at_), text_.size());
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end;
    if (word == "true" || word == "false") {
      value.kind = JsonValue::Kind::boolean;
      value.boolean = word == "true";
    } else if (is_json_number(word)) {
      value.kind = JsonValue::Kind::number;
      value.text = word;
    } else if (word.empty() || !Token{word}.is_missing()) {             // null, NaN, Infinity, N/A
      return end == text_.size() ? Outcome::cut_off : Outcome::broken;  // "fal" may go on
    }
    return Outcome::complete;
  }

  bool take(char c) {
    if (text_[at_] != c) return false;
    ++at_;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

constexpr std::size_t first_read_bytes = 64 * 1024;
constexpr std::size_t large_document_bytes = 4 * 1024 * 1024;  // what its tree takes is counted; judgement

/// The state of read_documents: a window of the input that starts where the next document is expected.
class DocumentReader {
 public:
  DocumentReader(Input& input, FactSink& sink, const std::function<void(JsonValue, std::uint64_t)>& document)
      : window_(input, first_read_bytes), sink_(sink), document_(document) {}

  std::uint64_t run() {
    while (!sink_.cancelled() && find_start()) read_one();
    note_read_errors(window_.errors(), window_.end(), sink_);
    return count_;
  }

 private:
  /// Goes to the next byte that is no blank. False when there is none.
  bool find_start() {
    do {
      const std::string_view rest = window_.rest();
      window_.skip(std::min(rest.find_first_not_of(json_blanks), rest.size()));
    } while (window_.rest().empty() && window_.grow());
    return !window_.rest().empty();
  }

  void read_one() {
    if (window_.rest().front() != '{' && window_.rest().front() != '[') return skip_broken();
    KeptRecords kept(sink_);
    for (;;) {
      kept.count(tree_of(window_.rest()));
      if (sink_.cancelled()) return;
      JsonValue value;
      ValueReader reader(window_.rest());
      switch (reader.read(value)) {
        case ValueReader::Outcome::complete:
          ++count_;
          document_(std::move(value), window_.position());
          window_.skip(reader.position());
          return;
        case ValueReader::Outcome::broken: return skip_broken();
        case ValueReader::Outcome::cut_off:
          if (window_.rest().size() > most_document_bytes) return skip_large();
          if (!window_.grow()) return skip_cut_off();
          break;
      }
    }
  }

  std::string where() const { return "byte " + std::to_string(window_.position()); }

  void skip_broken() {
    sink_.note(note_id::unreadable_record, where());
    next_line();
  }

  /// The document never ends: a record of a log that was cut off when others follow, else the input was.
  void skip_cut_off() {
    const std::string start = where();
    const std::string end = "byte " + std::to_string(window_.end());
    if (next_line()) sink_.note(note_id::unreadable_record, start);
    else sink_.note(note_id::input_cut, end);
  }

  /// What the tree of a text may take, where that is much.
  static Kept tree_of(std::string_view text) {
    Kept out;
    if (text.size() > large_document_bytes)
      out.add_bytes(static_cast<std::size_t>(std::count(text.begin(), text.end(), ',')) * sizeof(JsonMember));
    return out;
  }

  void skip_large() {
    sink_.note(note_id::record_too_large, where());
    ValueScan scan;
    do {
      window_.skip(scan.feed(window_.rest()));
    } while (!scan.ended() && window_.grow());
  }

  /// Goes to the next line that starts with a bracket. False, at the end, when there is none.
  bool next_line() {
    for (;;) {
      const std::string_view rest = window_.rest();
      const std::size_t line = std::min(rest.find("\n{"), rest.find("\n["));
      if (line != rest.npos) {
        window_.skip(line + 1);
        return true;
      }
      // The last byte may be the line's end.
      if (!window_.ended() && !rest.empty()) window_.skip(rest.size() - 1);
      if (!window_.grow()) {
        window_.skip_all();
        return false;
      }
    }
  }

  InputWindow window_;
  FactSink& sink_;
  const std::function<void(JsonValue, std::uint64_t)>& document_;
  std::uint64_t count_ = 0;
};

}  // namespace

const JsonValue& JsonValue::operator[](std::string_view key) const {
  static const JsonValue none;
  for (const auto& [name, value] : members)
    if (name == key) return value;
  return none;
}

std::optional<std::int64_t> JsonValue::integer() const {
  const bool has_text = kind == Kind::number || kind == Kind::string;
  return has_text ? to_integer(Token{text}) : std::nullopt;
}

std::optional<double> JsonValue::real() const {
  const bool has_text = kind == Kind::number || kind == Kind::string;
  return has_text ? to_real(Token{text}) : std::nullopt;
}

std::optional<JsonValue> parse_json(std::string_view text) {
  ValueReader reader(text);
  JsonValue value;
  if (reader.read(value) != ValueReader::Outcome::complete) return std::nullopt;
  reader.skip_blanks();
  if (reader.position() != text.size()) return std::nullopt;
  return value;
}

Result<std::uint64_t> read_documents(Input& input, FactSink& sink,
                                     const std::function<void(JsonValue, std::uint64_t offset)>& document) {
  const std::uint64_t count = DocumentReader(input, sink, document).run();
  return count;
}

}  // namespace kdiag::adapters
