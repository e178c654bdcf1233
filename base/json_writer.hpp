// SPDX-License-Identifier: Apache-2.0
// Writes one JSON document, keys in the order in which they are given, the same bytes for the same values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/interrupt.hpp"

namespace kdiag {

/// How the members of an object or array are laid out.
enum class Layout : bool { lines, line };

/// An ordered JSON writer. Doubles take the shortest form that reads back as the same number; what is no finite
/// number becomes null; strings are always valid UTF-8. Objects and arrays take their body as a callable, so they
/// cannot be left open.
///
/// Example:
///     JsonWriter json;
///     json.object([&] {
///       json.member("ns", std::int64_t{26});
///       json.array("spans", Layout::line, [&] { json.value(1.5); });
///     });
///     std::string text = json.take();
class JsonWriter {
 public:
  JsonWriter() = default;
  /// Throws Interrupted at the next object or array once the flag is set.
  explicit JsonWriter(CancelFlag stop) : stop_(stop) {}

  template <class Body>
  void object(Layout layout, Body body) {
    nest('{', layout, '}', body);
  }
  template <class Body>
  void object(Body body) {
    object(Layout::lines, body);
  }
  template <class Body>
  void object(std::string_view name, Layout layout, Body body) {
    key(name);
    object(layout, body);
  }
  template <class Body>
  void object(std::string_view name, Body body) {
    object(name, Layout::lines, body);
  }

  template <class Body>
  void array(Layout layout, Body body) {
    nest('[', layout, ']', body);
  }
  template <class Body>
  void array(std::string_view name, Layout layout, Body body) {
    key(name);
    array(layout, body);
  }
  /// An array with one element per item of a range; `write` writes that element.
  template <class Range, class Write>
  void list(std::string_view name, const Range& range, Write write) {
    array(name, Layout::lines, [&] {
      for (const auto& item : range) write(item);
    });
  }

  /// The key of the value, object or array that is written next.
  void key(std::string_view name);

  void value(std::string_view text);
  void value(const char* text) { value(std::string_view(text)); }
  void value(std::int64_t number);
  void value(int number) { value(static_cast<std::int64_t>(number)); }
  void value(std::uint64_t number);
  void value(double number);
  void value(bool flag);
  void null();
  template <class T>
  void value(const std::optional<T>& maybe) {
    if (maybe) value(*maybe);
    else null();
  }

  template <class T>
  void member(std::string_view name, const T& item) {
    key(name);
    value(item);
  }
  void null_member(std::string_view name) {
    key(name);
    null();
  }
  /// A text whose emptiness means that it is not known: null.
  void text_or_null(std::string_view name, std::string_view text) {
    key(name);
    if (text.empty()) null();
    else value(text);
  }

  /// The document, ending in a newline. The writer is empty afterwards.
  std::string take();

 private:
  template <class Body>
  void nest(char open, Layout layout, char close, Body& body) {
    stop_if(stop_);
    before_value();
    const Level outer = level_;
    level_ = {outer.layout == Layout::line ? Layout::line : layout, outer.depth + 1, true};
    out_ += open;
    body();
    const bool empty = level_.empty;
    const Layout used = level_.layout;
    level_ = outer;
    level_.empty = false;
    if (!empty && used == Layout::lines) new_line();
    out_ += close;
  }

  struct Level {
    Layout layout = Layout::lines;
    std::size_t depth = 0;
    bool empty = true;
  };

  void before_value();
  void separate();
  void new_line();

  CancelFlag stop_ = nullptr;
  std::string out_;
  Level level_;
  bool after_key_ = false;
};

}  // namespace kdiag
