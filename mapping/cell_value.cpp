// SPDX-License-Identifier: Apache-2.0
#include "mapping/cell_value.hpp"

#include <algorithm>
#include <limits>

#include "adapters/json/json.hpp"
#include "adapters/names/comm_names.hpp"
#include "adapters/names/copy_names.hpp"
#include "adapters/text/instants.hpp"
#include "adapters/text/units.hpp"
#include "base/parse_number.hpp"
#include "base/text.hpp"
#include "dsl/expressions/number_text.hpp"
#include "engine/language/dimension.hpp"

namespace kdiag::mapping {
namespace {

using adapters::Token;

/// A number as it is written, taken apart.
struct WrittenNumber {
  bool negative = false;
  std::string digits;  ///< "12", "1.5", "2e3"
  std::string_view unit;
};

/// Whether each of the separators has exactly three digits behind it.
bool groups_thousands(std::string_view number, char separator) {
  for (std::size_t at = number.find(separator); at != std::string_view::npos; at = number.find(separator, at + 1)) {
    const std::size_t end = std::min(number.find_first_not_of("0123456789", at + 1), number.size());
    if (at == 0 || end - at != 4) return false;
  }
  return true;
}

/// Takes digits with a point, and separators of thousands, off the front.
std::optional<std::string> take_decimal(std::string_view& text, bool decimal_comma) {
  const char point = decimal_comma ? ',' : '.';
  const char thousands = decimal_comma ? '.' : ',';
  const std::size_t end = std::min(text.find_first_not_of("0123456789.,"), text.size());
  std::string_view whole = text.substr(0, end);
  text.remove_prefix(end);
  std::string_view fraction;
  if (const std::size_t at = whole.find(point); at != std::string_view::npos) {
    fraction = whole.substr(at + 1);
    whole = whole.substr(0, at);
  }
  const bool plain_fraction = std::all_of(fraction.begin(), fraction.end(), is_digit);
  if ((whole.empty() && fraction.empty()) || !plain_fraction || !groups_thousands(whole, thousands)) return {};
  std::string digits;
  std::copy_if(whole.begin(), whole.end(), std::back_inserter(digits), is_digit);
  if (digits.empty()) digits = "0";
  if (!fraction.empty()) digits.append(".").append(fraction);
  return digits;
}

std::optional<WrittenNumber> take_apart(std::string_view text, bool decimal_comma) {
  WrittenNumber out;
  out.negative = text.starts_with('-');
  if (out.negative || text.starts_with('+')) text.remove_prefix(1);
  auto digits = take_decimal(text, decimal_comma);
  if (!digits) return {};
  out.digits = std::move(*digits);
  if (text.starts_with('e') || text.starts_with('E')) {
    std::size_t end = text.size() > 1 && (text[1] == '+' || text[1] == '-') ? 2 : 1;
    const std::size_t first = end;
    while (end < text.size() && is_digit(text[end])) ++end;
    if (end > first) {
      out.digits += text.substr(0, end);
      text.remove_prefix(end);
    }
  }
  out.unit = adapters::trim(text);
  return out;
}

std::optional<std::int64_t> read_time(const WrittenNumber& number, std::string_view unit) {
  const UnitInfo* known = find_unit(unit);
  if (known == nullptr || known->dimension != dimensions::time) return {};
  constexpr std::int64_t second = 1'000'000'000;  // the largest unit that to_ns takes
  const auto scale = static_cast<std::int64_t>(known->scale);
  auto ns = adapters::to_ns(Token{number.digits}, std::min(scale, second));
  if (ns && scale > second && __builtin_mul_overflow(*ns, scale / second, &*ns)) return {};
  ns = adapters::in_range(ns);
  return ns && number.negative ? -*ns : ns;
}

/// A number of a dimension in its base unit, exact where that is possible.
std::optional<Number> read_quantity(const WrittenNumber& number, std::string_view unit, Unit dimension) {
  NumberLiteral read;
  const bool bare = dimension == Unit::none || unit == "ratio";  // a plain number, a share of 1
  if (bare && !number.unit.empty()) return {};
  if (bare || find_unit(unit) != nullptr) {
    if (read_number(number.digits, bare ? std::string_view() : unit, read) != NumberProblem::none) return {};
    if (read.dimension != dimension_of(dimension)) return {};
  } else {  // as tools spell units: "C", "kB", "mW"
    if (read_number(number.digits, {}, read) != NumberProblem::none) return {};
    const auto based = adapters::to_base_unit(read.value.real(), unit, dimension);
    if (!based) return {};
    read.value = *based;
  }
  return number.negative ? -read.value : read.value;
}

std::optional<CellValue> as_type(Number number, ColumnType type) {
  if (type == ColumnType::real) return number.finite() ? std::optional<CellValue>(number.real()) : std::nullopt;
  if (!number.exact()) {
    const double real = number.real();
    if (!(real > -9e18 && real < 9e18) || real != static_cast<double>(number.rounded())) return {};
  }
  const std::int64_t whole = number.rounded();
  const bool small = type == ColumnType::small_integer;
  if (whole == absent_integer || (small && (whole > std::numeric_limits<std::int32_t>::max() || whole <= absent_small)))
    return {};
  return whole;
}

std::optional<Number> read_hex(std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) text.remove_prefix(2);
  const auto value = parse_hexadecimal<std::uint64_t>(text);
  if (!value || *value > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) return {};
  return static_cast<std::int64_t>(*value);
}

std::optional<CellValue> read_number_cell(std::string_view text, const MappedValue& value, const ValueKind& kind,
                                          bool decimal_comma) {
  if (value.form == CellForm::hex || (kind.unit == Unit::none && (text.starts_with("0x") || text.starts_with("0X")))) {
    const auto number = read_hex(text);
    return number ? as_type(*number, kind.type) : std::nullopt;
  }
  const auto number = take_apart(text, decimal_comma);
  if (!number) return {};
  const std::string_view unit = number->unit.empty() ? std::string_view(value.unit) : number->unit;
  if (kind.unit == Unit::time) {
    const auto ns = read_time(*number, unit);
    return ns ? as_type(*ns, kind.type) : std::nullopt;
  }
  const auto quantity = read_quantity(*number, unit, kind.unit);
  return quantity ? as_type(*quantity, kind.type) : std::nullopt;
}

std::optional<CellValue> read_boolean(std::string_view text) {
  for (const std::string_view word : {"true", "True", "TRUE", "1", "yes"})
    if (text == word) return true;
  for (const std::string_view word : {"false", "False", "FALSE", "0", "no"})
    if (text == word) return false;
  return {};
}

/// A text of the column; of columns that hold certain words one of these, in the spellings of tools that kdiag knows.
std::optional<CellValue> read_text(std::string_view text, ColumnId about) {
  if (about == column("comms.op"))
    if (auto name = adapters::collective_name(text)) return std::move(*name);
  const std::span<const std::string_view> words = info(about).traits.words;
  if (words.empty() || std::find(words.begin(), words.end(), text) != words.end()) return std::string(text);
  if (about == column("copies.kind"))
    if (const std::string_view kind = adapters::parse_copy_name(text).kind; !kind.empty()) return std::string(kind);
  return {};
}

}  // namespace

ValueKind kind_of(const MappedColumn& mapped) {
  if (!mapped.column.valid())
    return {.type = ColumnType::integer,
            .unit = mapped.name == "end" ? Unit::time : Unit::none,
            .instant = mapped.name == "end",
            .column = {}};
  const ColumnInfo& about = info(mapped.column);
  if (about.type == ColumnType::reference)
    return {.type = ColumnType::integer, .unit = {}, .instant = {}, .column = {}};
  return {.type = about.type, .unit = about.unit, .instant = is_instant(about), .column = mapped.column};
}

ValueKind kind_of_series(const SeriesInfo& series) {
  return {.type = ColumnType::real, .unit = series.unit, .instant = false, .column = {}};
}

bool says_missing(std::string_view text, const MappedValue& value, const ValueKind& kind, const LoadedMap& map) {
  if (text.empty()) return true;
  const auto listed = [text](const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), text) != words.end();
  };
  if (listed(map.missing) || listed(value.missing)) return true;
  return kind.type != ColumnType::string && value.form != CellForm::name && adapters::is_missing_word(text);
}

std::optional<CellValue> read_cell(std::string_view text, const MappedValue& value, const ValueKind& kind,
                                   bool decimal_comma) {
  if (kind.type == ColumnType::string) return read_text(text, kind.column);
  if (kind.type == ColumnType::boolean) return read_boolean(text);
  return read_number_cell(text, value, kind, decimal_comma);
}

std::string units_of(Unit unit) {
  std::string out;
  for (const UnitInfo& known : all_units())
    if (known.dimension == dimension_of(unit)) out.append(out.empty() ? "" : ", ").append(known.name);
  if (unit == Unit::ratio) out += ", ratio";
  return out;
}

}  // namespace kdiag::mapping
