// SPDX-License-Identifier: Apache-2.0
// Which names of two runs are told as what changed most.
#include <string>
#include <vector>

#include "engine/compare/function_comparison_names.hpp"
#include "engine/compare/work.hpp"
#include "tests/catch.hpp"

using namespace kdiag;

namespace {

NamedWork operators(const char* name, std::int64_t before, std::int64_t after) {
  NamedWork work;
  work.name = name;
  work.in_normal = work.in_abnormal = true;
  work.calls_normal = work.calls_abnormal = 40;
  work.ns_normal = before;
  work.ns_abnormal = after;
  return work;
}

std::vector<std::string> names(const Work& work, std::size_t most = 20) {
  std::vector<std::string> out;
  for (const ChangeEntry& change : largest_changes(work, {}, most, nullptr)) out.push_back(change.name);
  return out;
}

}  // namespace

TEST_CASE("of operators that only enclose one another the outermost is told, but no range of the user's", "[compare]") {
  Work work;
  work.operators = {operators("model_inference", 2'000'000, 1'000'000), operators("aten::linear", 1'990'000, 995'000),
                    operators("aten::addmm", 1'980'000, 990'000), operators("aten::softmax", 400'000, 200'000)};
  CHECK(names(work) == std::vector<std::string>{"aten::linear", "aten::softmax"});
  CHECK(names(work, 1) == std::vector<std::string>{"aten::linear"});
}

TEST_CASE("functions that one run names alone are those of the other by their signature", "[compare]") {
  const auto joined = joined_names({"gemm", "relu"}, {"void blas::gemm<float>(int)", "gemm_old", "relu"});
  CHECK(joined.at("void blas::gemm<float>(int)") == "gemm");
  CHECK(joined.at("gemm") == "gemm");
  CHECK(joined.count("relu") == 0);
  // Where both runs have signatures, one that is called alike is another function.
  CHECK(joined_names({"gemm", "void a::b<int>()"}, {"void blas::gemm<float>(int)"}).empty());
}
