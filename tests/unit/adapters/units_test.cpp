// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <vector>

#include "adapters/text/calendar_time.hpp"
#include "adapters/text/html_text.hpp"
#include "adapters/text/units.hpp"
#include "tests/catch.hpp"

using namespace kdiag;
using namespace kdiag::adapters;

TEST_CASE("words that mean no value are missing, zero is not", "[adapters][units]") {
  for (std::string_view word : {"", "  ", "-", "N/A", "n/a", "[N/A]", "[Not Supported]", "[Unknown Error]", "nan",
                                "NaN", "inf", "None", "null"}) {
    CAPTURE(word);
    CHECK(is_missing_word(word));
    CHECK_FALSE(parse_measured(word));
  }
  for (std::string_view word : {"0", "-1", "no", "[1", "P0"}) {
    CAPTURE(word);
    CHECK_FALSE(is_missing_word(word));
  }
}

TEST_CASE("numbers are read with their units and separators", "[adapters][units]") {
  struct Case {
    std::string_view text;
    double value;
    std::string_view unit;
  };
  for (const Case& c :
       {Case{"62.33 W", 62.33, "W"}, Case{"35 %", 35, "%"}, Case{"1,187.50", 1187.5, ""},
        Case{"1,073,741,824 B", 1073741824, "B"}, Case{"9,00", 9, ""}, Case{"1,000", 1000, ""},
        Case{"-7362", -7362, ""}, Case{"6.68812e+07", 66881200, ""}, Case{"31.74 GB", 31.74, "GB"},
        Case{"5 eV", 5, "eV"}, Case{"+3", 3, ""}, Case{" 1410MHz ", 1410, "MHz"}, Case{".5", 0.5, ""}}) {
    CAPTURE(c.text);
    const auto number = parse_measured(c.text);
    REQUIRE(number);
    CHECK(number->value == Approx(c.value).epsilon(1e-15));
    CHECK(number->unit == c.unit);
  }
  CHECK(parse_measured("9,00")->decimal_comma);
  CHECK_FALSE(parse_measured("1,000")->decimal_comma);
  for (std::string_view text : {"abc", "1.2.3", "1,2,3", "1.234,5", "--5", "-", ".", "1e999", "W 5", "0x10 W.."}) {
    CAPTURE(text);
    const auto number = parse_measured(text);
    CHECK((!number || !number->unit.empty()));
  }
}

TEST_CASE("units scale to the base unit of their dimension", "[adapters][units]") {
  CHECK(to_base_unit(1410, "MHz", Unit::frequency) == 1.41e9);
  CHECK(to_base_unit(2, "MiB", Unit::bytes) == 2097152.0);
  CHECK(to_base_unit(9.18, "%", Unit::ratio) == 0.0918);
  CHECK(to_base_unit(55.51, "%", Unit::ratio) == 0.5551);
  CHECK(to_base_unit(100, "%", Unit::ratio) == 1.0);
  CHECK(to_base_unit(0, "%", Unit::ratio) == 0.0);
  CHECK(to_base_unit(98140, "mW", Unit::power) == 98.14);
  CHECK(to_base_unit(1.7e308, "%", Unit::ratio) == Approx(1.7e306));
  CHECK_FALSE(to_base_unit(1.7e308, "GHz", Unit::frequency));  // no double holds it
  CHECK_FALSE(to_base_unit(1, "MHz", Unit::power));
  CHECK_FALSE(to_base_unit(1, "", Unit::frequency));
  CHECK(to_whole(1.9) == 1);
  CHECK_FALSE(to_whole(1e19));
  CHECK(base_unit(Unit::temperature) == "degC");
}

TEST_CASE("local times are read to the nanosecond", "[adapters][units]") {
  CHECK(parse_local_time("1970/01/01 00:00:00.000") == 0);
  CHECK(parse_local_time("2026/01/03 15:36:53.507") == 1767454613507000000);
  CHECK(parse_local_time("2026-01-03T15:36:53") == 1767454613000000000);
  CHECK(parse_local_time("2024/02/29 23:59:60.000000001") == 1709251200000000001);
  for (std::string_view text :
       {"", "2026", "2023/02/29 00:00:00", "2026/13/01 00:00:00", "2026/01/03 24:00:00", "2026/01/03 15:36:5",
        "2026/01/03 15:36:53.50x", "1969/12/31 23:59:59", "9999/01/01 00:00:00", "2026/01/03 15:36:53.1234567891",
        "-026/01/03 15:36:53", "2026/+1/03 15:36:53"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_local_time(text));
  }
}

TEST_CASE("calendar times may name their zone", "[adapters][units]") {
  const auto ns = [](std::string_view text) { return parse_calendar_time(text).value_or(CalendarTime{-1}).ns; };
  const auto zoned = [](std::string_view text) { return parse_calendar_time(text).value_or(CalendarTime{}).zoned; };
  const std::int64_t instant = 1767454613507000000;  // 2026-01-03 15:36:53.507 UTC
  for (std::string_view text :
       {"2026-01-03T15:36:53.507Z", "2026-01-03T23:36:53.507+08:00", "2026-01-03 10:06:53,507-0530",
        "2026/01/03 16:36:53.507 +01", "2026-01-03 15:36:53.507 UTC"}) {
    CAPTURE(text);
    CHECK(ns(text) == instant);
    CHECK(zoned(text));
  }
  CHECK(ns("2026/01/03 15:36:53,507") == instant);
  CHECK_FALSE(zoned("2026/01/03 15:36:53,507"));
  for (std::string_view text :
       {"", "Z", "+08:00", "2026-01-03T15:36:53+", "2026-01-03T15:36:53+8", "2026-01-03T15:36:53+08:60",
        "2026-01-03T15:36:53+08:00:00", "2026-01-03T15:36:53+19:00", "2026-01-03T15:36:53+-8:00"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_calendar_time(text));
  }
}

TEST_CASE("calendar times as C prints them", "[adapters][units]") {
  CHECK(parse_asctime("Sat Jan  3 15:36:53 2026") == 1767454613000000000);
  CHECK(parse_asctime("Tue Feb 29 23:59:59 2028") == parse_local_time("2028-02-29 23:59:59"));
  for (std::string_view text : {"", "Sat Jan  3 15:36:53 26", "Sat Jax  3 15:36:53 2026", "Sat anF  3 15:36:53 2026",
                                "Sat Jan 32 15:36:53 2026", "Sat Jan  3 15:36:53 1926"}) {
    CAPTURE(text);
    CHECK_FALSE(parse_asctime(text));
  }
}

TEST_CASE("HTML fragments become plain text", "[adapters][units]") {
  CHECK(html_text("<b>Kernel: 5us</b><br>a &lt; b &amp;&amp; c") == "Kernel: 5usa < b && c");
  CHECK(html_text("a < 5 and\n\n b") == "a < 5 and b");
  CHECK(html_text("cut <a href=") == "cut");
  CHECK(html_text("<hr/>GPU 1:") == "GPU 1:");
  CHECK(html_list_items("<ul><li>one</li><li> <b>two</b><li></li></ul>") == std::vector<std::string>{"one", "two"});
  CHECK(html_list_items("no list").empty());
  CHECK(html_list_items("").empty());
}

TEST_CASE("units of a dimension that has none are not known, whatever the dimension", "[adapters][hostile]") {
  for (int unit = 0; unit < 32; ++unit) CHECK_FALSE(to_base_unit(1, "Gop", static_cast<Unit>(unit)));
  CHECK(to_base_unit(2, "TFLOP", Unit::operations) == 2e12);
  CHECK(to_base_unit(3, "GFLOP/s", Unit::operation_rate) == 3e9);
}
