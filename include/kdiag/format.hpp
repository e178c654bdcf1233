// SPDX-License-Identifier: Apache-2.0
// Quantities as people read them: three significant digits, one unit, the same on every machine and locale.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <kdiag/export.hpp>
#include <kdiag/report.hpp>

namespace kdiag {

/// "26 ns", "9.24 ms", "6.29 s", "12 min 5 s", "3 h 4 min".
KDIAG_API std::string format_duration(std::int64_t ns);

/// "3.9 to 4.5 s", "up to 4.5 s" when the low end is 0, "4.55 s" when both ends read the same.
KDIAG_API std::string format_duration_range(std::int64_t low_ns, std::int64_t high_ns);

/// A share for an overview: "72 %", "9.2 %", "<0.1 %", "99.4 %": decimals only near both ends, where they matter.
KDIAG_API std::string format_share(double share);

/// "62-72 %", "up to 72 %", "72 %".
KDIAG_API std::string format_share_range(double low, double high);

/// A count with thousands separated: "11,791".
KDIAG_API std::string format_count(std::int64_t value);

/// A plain number with at most four significant digits: "0.7512", "12,400", "1.2e+18".
KDIAG_API std::string format_number(double value);

/// "3.6x", "1.04x", "12x".
KDIAG_API std::string format_factor(double factor);

/// The words for a quantity by its unit (ns, bytes, Hz, B/s, FLOP, FLOP/s, W, degC, ratio, 1, text, bool), "+1.4 s" for
/// an instant that is so long after the run's start; "unknown" for no value and for what is no number. Text comes back
/// as it is, unescaped.
KDIAG_API std::string format_value(const ValueEntry& entry);

/// Whether a value reads as a quantity, so that a column of them is aligned to the right.
KDIAG_API bool is_quantity(const ValueEntry& entry);

}  // namespace kdiag
