// SPDX-License-Identifier: Apache-2.0
// The meaning of single JSON values: strings, numbers, exact times, and the many spellings of "missing".
#include "adapters/json/json.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>

#include "adapters/json/json_text.hpp"
#include "base/parse_number.hpp"
#include "base/parse_real.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view replacement_character = "\xEF\xBF\xBD";  // U+FFFD

__extension__ using Wide = unsigned __int128;

/// The text of a number: without quotes and blanks.
std::string_view number_text(Token token) {
  std::string_view text = token.text;
  if (token.is_string()) text = text.substr(1, text.size() < 2 ? 0 : text.size() - 2);
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

/// digits * 10^exponent, with `more` if non-zero digits were cut off behind that.
struct Decimal {
  bool negative = false;
  Wide digits = 0;
  std::int64_t exponent = 0;
  bool more = false;
};

constexpr int max_digits = 28;  // so that digits * unit fits 128 bits for every unit up to a second

std::optional<Decimal> parse_decimal(std::string_view text) {
  Decimal number;
  std::size_t at = 0;
  if (at < text.size() && text[at] == '-') {
    number.negative = true;
    ++at;
  }
  int kept = 0;
  bool any = false;
  bool fraction = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !fraction) {
      fraction = true;
      continue;
    }
    if (!is_digit(c)) break;
    any = true;
    if (kept < max_digits) {
      number.digits = number.digits * 10 + static_cast<unsigned>(c - '0');
      kept += number.digits != 0 ? 1 : 0;
      number.exponent -= fraction ? 1 : 0;
    } else {
      number.more = number.more || c != '0';
      number.exponent += fraction ? 0 : 1;
    }
  }
  if (!any) return std::nullopt;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && text[at] == '+') ++at;
    std::int64_t exponent = 0;
    const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), exponent);
    if (error == std::errc::invalid_argument) return std::nullopt;
    constexpr std::int64_t far = 1'000'000'000;  // beyond any number of digits in memory
    if (error == std::errc::result_out_of_range) exponent = text[at] == '-' ? -far : far;
    number.exponent += std::clamp(exponent, -far, far);
    at = static_cast<std::size_t>(end - text.data());
  }
  if (at != text.size()) return std::nullopt;
  return number;
}

enum class Fraction { round_half_up, refuse };

/// The number times `unit` as an integer. Nothing when it does not fit, or has a fraction that is refused.
std::optional<std::int64_t> scaled(const Decimal& number, std::int64_t unit, Fraction rule) {
  constexpr Wide limit = static_cast<Wide>(std::numeric_limits<std::int64_t>::max());
  Wide value = number.digits * static_cast<Wide>(unit);
  bool exact = !number.more;
  if (value == 0) return 0;
  for (std::int64_t i = 0; i < number.exponent && value <= limit; ++i) value *= 10;
  if (number.exponent < 0) {
    constexpr std::int64_t most_digits = 38;  // of what 128 bits hold
    Wide divisor = 1;
    for (std::int64_t i = 0; i < std::min(-number.exponent, most_digits); ++i) divisor *= 10;
    if (-number.exponent > most_digits) divisor = ~Wide{0};
    const Wide rest = value % divisor;
    value /= divisor;
    const Wide to_next = divisor - rest;
    const bool above_half = rest > to_next || (rest == to_next && !exact);
    const bool half = rest == to_next && exact;
    exact = exact && rest == 0;
    if (rule == Fraction::round_half_up && (above_half || (half && !number.negative))) ++value;
  }
  if (rule == Fraction::refuse && !exact) return std::nullopt;
  if (value > limit) return std::nullopt;
  const auto magnitude = static_cast<std::int64_t>(value);
  return number.negative ? -magnitude : magnitude;
}

/// Reads digits at the front, at most 18 so that they fit; returns how many.
std::size_t read_digits(std::string_view text, std::int64_t& value) {
  constexpr std::uint64_t ones = 0x0101010101010101U;
  std::size_t at = 0;
  // Eight at a time: pairs of digits, then pairs of pairs, then both halves.
  while (text.size() - at >= 8 && at < 16) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof word);
    const std::uint64_t digits = word - '0' * ones;
    if (((word + (0x7F - '9') * ones) | digits) & (0x80 * ones)) break;
    const std::uint64_t pairs = (digits * 10 + (digits >> 8)) & 0x00FF00FF00FF00FFU;
    const std::uint64_t fours = (pairs * 100 + (pairs >> 16)) & 0x0000FFFF0000FFFFU;
    value = value * 100'000'000 + static_cast<std::int64_t>((fours * 10'000 + (fours >> 32)) & 0xFFFFFFFFU);
    at += 8;
  }
  for (; at < text.size() && at < 18 && is_digit(text[at]); ++at) value = value * 10 + (text[at] - '0');
  return at;
}

/// "123" or "123.4567" with few enough digits for 64 bits throughout: nearly every time of nearly every trace.
bool plain_ns(std::string_view text, std::int64_t unit_ns, std::int64_t& value) {
  constexpr std::int64_t powers[] = {1,       10,        100,        1'000,       10'000,
                                     100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
  std::int64_t whole = 0;
  const std::size_t whole_digits = read_digits(text, whole);
  if (whole_digits == 0 || whole > std::numeric_limits<std::int64_t>::max() / unit_ns - 1) return false;
  value = whole * unit_ns;
  if (whole_digits == text.size()) return true;
  if (text[whole_digits] != '.') return false;
  std::int64_t part = 0;
  const std::size_t part_digits = read_digits(text.substr(whole_digits + 1), part);
  if (part_digits >= std::size(powers) || whole_digits + 1 + part_digits != text.size()) return false;
  const std::int64_t power = powers[part_digits];
  value += (part * unit_ns + power / 2) / power;
  return true;
}

/// The rest: signs, exponents, more digits.
std::optional<std::int64_t> exact_ns(std::string_view text, std::int64_t unit_ns) {
  const std::optional<Decimal> number = parse_decimal(text);
  return number ? scaled(*number, unit_ns, Fraction::round_half_up) : std::nullopt;
}

std::optional<std::int64_t> exact_integer(std::string_view text) {
  if (const auto value = parse_number<std::int64_t>(text)) return value;
  const std::optional<Decimal> number = parse_decimal(text);
  return number ? scaled(*number, 1, Fraction::refuse) : std::nullopt;
}

void append_code_point(std::string& out, std::uint32_t code) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

/// The number behind `\u` at the front, or nothing.
std::optional<std::uint32_t> unicode_escape(std::string_view text) {
  if (text.size() < 6 || !text.starts_with("\\u")) return std::nullopt;
  std::uint32_t code = 0;
  const char* const end = text.data() + 6;
  const auto [stop, error] = std::from_chars(text.data() + 2, end, code, 16);
  if (error != std::errc() || stop != end) return std::nullopt;
  return code;
}

/// Appends what the escape at the front means and returns its length. What is no escape (Windows paths) stays.
std::size_t append_escape(std::string_view text, std::string& out) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
  const std::size_t simple = text.size() < 2 ? std::string_view::npos : letters.find(text[1]);
  if (simple != std::string_view::npos) {
    out += meanings[simple];
    return 2;
  }
  const std::optional<std::uint32_t> first = unicode_escape(text);
  if (!first) {
    out += '\\';
    return 1;
  }
  if (*first >= 0xD800 && *first < 0xDC00) {
    const std::optional<std::uint32_t> second = unicode_escape(text.substr(6));
    if (second && *second >= 0xDC00 && *second < 0xE000) {
      append_code_point(out, 0x10000 + ((*first - 0xD800) << 10) + (*second - 0xDC00));
      return 12;
    }
  }
  if (*first >= 0xD800 && *first < 0xE000) out += replacement_character;
  else append_code_point(out, *first);
  return 6;
}

}  // namespace

bool Token::is_missing_word() const {
  // Compared without case; formats write all of these.
  constexpr std::string_view spellings[] = {"",
                                            "null",
                                            "none",
                                            "nan",
                                            "-nan",
                                            "inf",
                                            "-inf",
                                            "infinity",
                                            "-infinity",
                                            "-",
                                            "n/a",
                                            "[n/a]",
                                            "undefined",
                                            "[not supported]",
                                            "[unknown error]"};
  constexpr std::size_t longest = 17;
  const std::string_view value = number_text(*this);
  if (value.size() > longest) return false;
  constexpr std::string_view first_letters = "ni-[u";
  if (!value.empty() && first_letters.find(lower(value.front())) == first_letters.npos) return false;
  const auto same = [value](std::string_view spelling) { return equal_but_for_case(value, spelling); };
  return std::any_of(std::begin(spellings), std::end(spellings), same);
}

std::string_view decode(Token token, std::string& scratch) {
  if (!token.is_string()) return token.text;
  std::string_view text = token.text.substr(1, token.text.size() < 2 ? 0 : token.text.size() - 2);
  std::size_t plain = plain_length(text);
  if (plain == text.size()) return text;
  scratch.clear();
  for (;;) {
    scratch += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return scratch;
    std::size_t used = 1;
    if (text.front() == '\\') used = append_escape(text, scratch);
    else scratch += replacement_character;
    text.remove_prefix(used);
    plain = plain_length(text);
  }
}

std::optional<std::int64_t> to_integer(Token token) {
  std::int64_t value = 0;
  const std::size_t digits = read_digits(token.text, value);
  if (digits != 0 && digits == token.text.size()) return value;
  return exact_integer(number_text(token));
}

std::optional<double> to_real(Token token) {
  const std::string_view text = number_text(token);
  if (text.empty() || !(is_digit(text.back()) || text.back() == '.')) return std::nullopt;  // nan, inf
  const auto value = parse_real(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::int64_t> to_ns(Token token, std::int64_t unit_ns) {
  std::int64_t value = 0;
  if (plain_ns(token.text, unit_ns, value)) return value;
  const std::string_view text = number_text(token);
  if (plain_ns(text, unit_ns, value)) return value;
  return exact_ns(text, unit_ns);
}

}  // namespace kdiag::adapters
