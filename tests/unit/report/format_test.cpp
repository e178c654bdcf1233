// SPDX-License-Identifier: Apache-2.0
#include <kdiag/format.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <tuple>

#include "tests/catch.hpp"

namespace kdiag {

TEST_CASE("durations have one unit and three digits", "[report][format]") {
  const auto [ns, text] = GENERATE(Catch::Generators::table<std::int64_t, std::string>({
      {0, "0 ns"},
      {26, "26 ns"},
      {999, "999 ns"},
      {1'000, "1 us"},
      {9'239'289, "9.24 ms"},
      {999'499, "999 us"},
      {999'500, "1 ms"},
      {999'600'000, "1 s"},
      {6'286'787'000, "6.29 s"},
      {119'000'000'000, "119 s"},
      {120'000'000'000, "2 min"},
      {725'000'000'000, "12 min 5 s"},
      {11'040'000'000'000, "3 h 4 min"},
      {180'000'000'000'000, "2 d 2 h"},
      {-1'500, "-1.5 us"},
      {std::numeric_limits<std::int64_t>::max(), "106752 d"},
      {std::numeric_limits<std::int64_t>::min(), "-106752 d"},
  }));
  CHECK(format_duration(ns) == text);
}

TEST_CASE("ranges of durations are as coarse as they are unsure", "[report][format]") {
  CHECK(format_duration_range(3'913'330'000, 4'545'730'000) == "3.9 to 4.5 s");
  CHECK(format_duration_range(0, 4'545'730'000) == "up to 4.55 s");
  CHECK(format_duration_range(4'545'730'000, 4'545'730'000) == "4.55 s");
  CHECK(format_duration_range(4'510'000'000, 4'540'000'000) == "4.51 to 4.54 s");
  CHECK(format_duration_range(4'545'730'000, 4'545'730'009) == "4.55 s");
  CHECK(format_duration_range(20'000'000, 4'500'000'000) == "0.02 to 4.5 s");
  CHECK(format_duration_range(60'000'000'000, 300'000'000'000) == "60 s to 5 min");
}

TEST_CASE("shares have decimals near both ends only", "[report][format]") {
  const auto [share, text] = GENERATE(Catch::Generators::table<double, std::string>({
      {0, "0 %"},
      {0.0004, "<0.1 %"},
      {0.0073, "0.7 %"},
      {0.0918, "9.2 %"},
      {0.09996, "10 %"},
      {0.5551, "56 %"},
      {0.994, "99.4 %"},
      {0.9998, ">99.9 %"},
      {1, "100 %"},
      {1.5, "150 %"},
      {-0.05, "-5 %"},
      {std::numeric_limits<double>::quiet_NaN(), "unknown"},
  }));
  CHECK(format_share(share) == text);
}

TEST_CASE("ranges of shares name both ends once", "[report][format]") {
  CHECK(format_share_range(0.622, 0.723) == "62-72 %");
  CHECK(format_share_range(0, 0.723) == "up to 72 %");
  CHECK(format_share_range(0.7231, 0.7232) == "72 %");
  CHECK(format_share_range(0, 0.0001) == "<0.1 %");
  CHECK(format_share_range(0.9999, 1) == ">99.9 %");
}

TEST_CASE("values are printed by their unit", "[report][format]") {
  const auto value = [](auto number, const char* unit) { return format_value({number, unit}); };
  CHECK(value(std::int64_t{4096}, "bytes") == "4 KiB");
  CHECK(value(std::int64_t{1} << 40, "bytes") == "1 TiB");
  CHECK(value(25.6e9, "B/s") == "25.6 GB/s");
  CHECK(value(1.155e9, "Hz") == "1155 MHz");
  CHECK(value(312.4, "W") == "312 W");
  CHECK(value(std::int64_t{83}, "degC") == "83 °C");
  CHECK(value(0.0918, "ratio") == "9.18 %");
  CHECK(value(1.32e-7, "ratio") == "<0.01 %");
  CHECK(value(0.0, "ratio") == "0 %");
  CHECK(value(9.99, "ratio") == "999 %");
  CHECK(value(10.0, "ratio") == "10x");
  CHECK(value(57.19, "ratio") == "57x");
  CHECK(value(1e308, "ratio") == "1.00e+308x");
  CHECK(value(-1e308, "ratio") == "-1.00e+308x");
  CHECK(value(-2e300, "B/s") == "-2.00e+288 TB/s");
  CHECK(value(5e-324, "W") == "4.94e-324 W");
  CHECK(value(std::int64_t{11'791}, "1") == "11,791");
  CHECK(value(0.75, "1") == "0.75");
  CHECK(value(12'400.4, "1") == "12,400");
  CHECK(value(1.234e18, "1") == "1.23e+18");
  CHECK(value(1e300, "ns") == format_duration(9'200'000'000'000'000'000));
  CHECK(value(std::string("x"), "text") == "x");
  CHECK(value(true, "bool") == "yes");
  CHECK(value(std::numeric_limits<double>::infinity(), "W") == "unknown");
  CHECK(format_value({}) == "unknown");
}

TEST_CASE("factors are finer where they are small", "[report][format]") {
  CHECK(format_factor(3.606) == "3.6x");
  CHECK(format_factor(std::numeric_limits<double>::quiet_NaN()) == "unknown");
  CHECK(format_share(1e308) == "unknown");  // a hundred times that is no number
  CHECK(format_factor(1e300) == "1.00e+300x");
  CHECK(format_share(1e300) == "1.00e+302 %");
  CHECK(format_factor(1.04) == "1.04x");
  CHECK(format_factor(1.996) == "2x");
  CHECK(format_factor(12.4) == "12x");
}

}  // namespace kdiag
