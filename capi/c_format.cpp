// SPDX-License-Identifier: Apache-2.0
// The C interface: quantities as reports show them.
#include <kdiag/format.hpp>

#include <array>

#include "capi/c_handles.hpp"

using namespace kdiag;
using namespace kdiag::c_api;

namespace {

constexpr std::array<std::string_view, 8> units{"ns", "bytes", "Hz", "B/s", "W", "degC", "ratio", "1"};

template <class Format>
kdiag_status format_text(kdiag_context* context, kdiag_text** text, Format format) {
  return make_handle(context, text, [&]() -> Result<std::string> { return format(); });
}

/// Evidence as kdiag_finding_evidence gave it, or as a caller made it.
ValueEntry entry_of(const kdiag_evidence& given) {
  ValueEntry entry{.value = {}, .unit = std::string(view_of(given.unit.data, given.unit.size))};
  switch (given.type) {
    case KDIAG_EVIDENCE_UNKNOWN: break;
    case KDIAG_VALUE_BOOLEAN: entry.value = given.boolean != 0; break;
    case KDIAG_VALUE_TEXT: entry.value = std::string(view_of(given.text.data, given.text.size)); break;
    case KDIAG_VALUE_NUMBER:
      if (given.integer != KDIAG_ABSENT_INTEGER) entry.value = given.integer;
      else entry.value = given.number;
      break;
    default: throw BadArgument{KDIAG_ERROR_UNSUPPORTED, "evidence of this type is no single value"};
  }
  if (given.since_start_ns != KDIAG_ABSENT_INTEGER) entry.since_start_ns = given.since_start_ns;
  return entry;
}

const kdiag_evidence& evidence_in(const kdiag_evidence* evidence) {
  require(evidence != nullptr, "the evidence is NULL");
  return *evidence;
}

}  // namespace

kdiag_status kdiag_value_format(kdiag_context* context, double value, const char* unit, kdiag_text** text) {
  return format_text(context, text, [&] {
    const ValueEntry entry{.value = value, .unit = std::string(required_name(unit))};
    require(std::find(units.begin(), units.end(), entry.unit) != units.end(), "there is no such unit");
    return format_value(entry);
  });
}
kdiag_status kdiag_evidence_format(kdiag_context* context, const kdiag_evidence* evidence, kdiag_text** text) {
  return format_text(context, text, [&] { return format_value(entry_of(read_options(&evidence_in(evidence)))); });
}
int kdiag_evidence_is_quantity(const kdiag_evidence* evidence) {
  try {
    return is_quantity(entry_of(read_options(&evidence_in(evidence)))) ? 1 : 0;
  } catch (...) {  // NULL, rows, or no memory for a copy of its text
    return 0;
  }
}

kdiag_status kdiag_duration_format(kdiag_context* context, int64_t ns, kdiag_text** text) {
  return format_text(context, text, [&] { return format_duration(ns); });
}
kdiag_status kdiag_duration_range_format(kdiag_context* context, int64_t low_ns, int64_t high_ns, kdiag_text** text) {
  return format_text(context, text, [&] { return format_duration_range(low_ns, high_ns); });
}
kdiag_status kdiag_share_format(kdiag_context* context, double share, kdiag_text** text) {
  return format_text(context, text, [&] { return format_share(share); });
}
kdiag_status kdiag_share_range_format(kdiag_context* context, double low, double high, kdiag_text** text) {
  return format_text(context, text, [&] { return format_share_range(low, high); });
}
kdiag_status kdiag_count_format(kdiag_context* context, int64_t count, kdiag_text** text) {
  return format_text(context, text, [&] { return format_count(count); });
}
kdiag_status kdiag_number_format(kdiag_context* context, double number, kdiag_text** text) {
  return format_text(context, text, [&] { return format_number(number); });
}
kdiag_status kdiag_factor_format(kdiag_context* context, double factor, kdiag_text** text) {
  return format_text(context, text, [&] { return format_factor(factor); });
}

kdiag_status kdiag_did_you_mean(kdiag_context* context, const char* word, const char* const* names, size_t count,
                                kdiag_text** text) {
  return format_text(context, text, [&] {
    const std::vector<std::string> known = read_names(names, count);
    return did_you_mean(required_name(word), {known.begin(), known.end()});
  });
}
