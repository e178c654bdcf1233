// SPDX-License-Identifier: Apache-2.0
#include "tests/robustness/mutation/mutate.hpp"

#include <string>
#include <vector>

#include "tests/support/inert.hpp"

namespace kdiag::mutation {

using namespace std::string_view_literals;

std::string_view extreme_number(Choices& choices) {
  static const std::string_view numbers[] = {
      "0",
      "-0",
      "-1",
      "1",
      "9223372036854775807",
      "9223372036854775808",
      "-9223372036854775808",
      "-9223372036854775809",
      "18446744073709551615",
      "18446744073709551616",
      "4611686018427387904",
      "4600000000000000000",
      "-4600000000000000000",
      "4294967295",
      "4294967296",
      "2147483647",
      "-2147483648",
      "65535",
      "9007199254740993",
      "1e15",
      "1e18",
      "1e19",
      "1e38",
      "1e300",
      "1.7976931348623157e308",
      "1e309",
      "-1e309",
      "4.9e-324",
      "1e-400",
      "0.1",
      "0.9999999999999999",
      "99.999999999",
      "1e",
      "1e+",
      ".5",
      "5.",
      "-.5",
      "+1",
      "0x10",
      "1_000",
      "1,5",
      "NaN",
      "nan",
      "-nan",
      "Infinity",
      "inf",
      "-inf",
      "null",
      "",
      "--1",
      "00000000000000000000000000000000000000000000000000000000000000000001",
      "123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890"};
  return choices.one_of(numbers);
}

std::string_view hostile_text(Choices& choices) {
  // What a reader, a decoder or a rule takes for more than a text; what an output does is of the others.
  static const std::string_view texts[] = {"",
                                           " ",
                                           "\0\0"sv,
                                           "\xFF\xFE"sv,
                                           "\xC0\xAF"sv,
                                           "\xED\xA0\x80"sv,
                                           "\xF4\x90\x80\x80"sv,
                                           "\\u0000",
                                           "\\ud800",
                                           "\\",
                                           "\"",
                                           "''",
                                           "%s%n",
                                           "'; DROP TABLE x; --",
                                           "../../etc/passwd",
                                           "aten::item",
                                           "cudaLaunchKernel",
                                           "ncclDevKernel_AllReduce",
                                           "ProfilerStep#1",
                                           "ProfilerStep#99999999999999999999",
                                           "Memcpy HtoD (Pageable -> Device)",
                                           "N/A",
                                           "[N/A]",
                                           "true",
                                           "{}",
                                           "[]",
                                           "void k<int, (anonymous namespace)::f<long> >(int*)",
                                           "kernels #",
                                           "${x}"};
  if (choices.once_in(2)) return choices.one_of(texts);
  const std::vector<std::string>& outputs = tests::hostile_texts();
  return outputs[choices.below(outputs.size())];
}

void mutate_structure(std::string& bytes, Structure structure, Choices& choices) {
  for (std::size_t n = 1 + choices.below(4); n > 0; --n) switch (structure) {
      case Structure::text: mutate_text(bytes, choices); break;
      case Structure::database: mutate_database(bytes, choices); break;
      case Structure::wire: mutate_wire(bytes, choices); break;
    }
}

}  // namespace kdiag::mutation
