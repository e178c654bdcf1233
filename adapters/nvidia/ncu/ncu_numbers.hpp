// SPDX-License-Identifier: Apache-2.0
// Numbers and units as Nsight Compute prints them: by the user's locale, with units of its own.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace kdiag::adapters {

/// Numbers of one report. The locale groups digits and chooses the decimal sign, and no line says which: "1.234" is
/// 1234 in a report that has "9,00" somewhere. So every value is shown before any is read.
class NcuNumbers {
 public:
  /// Looks at a value for proof of a decimal comma: "9,00", "1.234,5", "1.234.567".
  void see(std::string_view value);
  bool decimal_comma() const { return decimal_comma_; }
  /// The number as plain decimal text, "1187.5" of "1,187.50" or "1.187,50"; of values with instances, "12 (4; 8)", the
  /// first. Nothing when it is none.
  std::optional<std::string> plain(std::string_view value) const;

 private:
  bool decimal_comma_ = false;
};

/// How many ns a unit of time has: "usecond" and "us" are 1000. Nothing for other units.
std::optional<std::int64_t> ncu_time_unit(std::string_view unit);

/// How many Hz a unit of frequency has: "Ghz" and "cycle/nsecond" are 1e9. Nothing for other units.
std::optional<double> ncu_frequency_unit(std::string_view unit);

/// How many bytes a unit has, per block or not: "Kbyte/block" is 1000. Nothing for other units.
std::optional<std::int64_t> ncu_byte_unit(std::string_view unit);

}  // namespace kdiag::adapters
