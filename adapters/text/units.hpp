// SPDX-License-Identifier: Apache-2.0
// Numbers as tools print them for people: with units, thousands separators, and words that mean "no value".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <kdiag/catalogue.hpp>

namespace kdiag::adapters {

/// Without blanks, tabs and carriage returns at both ends.
std::string_view trim(std::string_view text);

/// The parts of a text between runs of blanks, tabs and carriage returns.
std::vector<std::string_view> words(std::string_view text);
/// The same into `words`, instead of what is there: for every line of an input.
void split_words(std::string_view text, std::vector<std::string_view>& words);
/// The parts of a text between runs of separators.
std::vector<std::string_view> words(std::string_view text, std::string_view separators);

/// The parts of a text that are two blanks or more apart: columns whose cells have blanks in them.
std::vector<std::string_view> phrases(std::string_view text);

/// Whether a cell says that there is no value: nothing, `-`, `N/A`, `n/a`, `nan`, `inf`, `None`, `null`, and anything
/// in brackets, as nvidia-smi writes `[N/A]`, `[Not Supported]` or `[Unknown Error]`. Missing is not zero.
bool is_missing_word(std::string_view text);

/// A number and the text behind it: "1,410.5 MHz" is 1410.5 and "MHz".
struct Measured {
  double value = 0;
  std::string_view unit;
  bool decimal_comma = false;  ///< a single comma was read as the decimal point: "9,00"
};

/// Reads a decimal number, with an exponent or thousands separators if it has some, and what follows it as unit.
/// With both `,` and `.` the commas group; with commas only, they group when three digits follow each of them,
/// otherwise one comma is a decimal point. Nothing when the text is missing (is_missing_word) or is no such number.
std::optional<Measured> parse_measured(std::string_view text);

/// A quantity in the base unit of its dimension: (1410, "MHz", Unit::frequency) is 1.41e9, (9.18, "%", Unit::ratio)
/// is 0.0918, exactly the double of that decimal. Frequencies, powers and times scale by 1000, KiB/MiB/GiB by 1024.
/// Nothing for units it does not know.
std::optional<double> to_base_unit(double value, std::string_view unit, Unit dimension);

/// A duration as profilers print it for people, in ns: "65.799ms", "1.40625s", "576ns", "12 us". Nothing without a
/// unit.
std::optional<std::int64_t> parse_duration(std::string_view text);

/// The integer part of a number; nothing when it does not fit.
std::optional<std::int64_t> to_whole(double value);

}  // namespace kdiag::adapters
