// SPDX-License-Identifier: Apache-2.0
#include "report/phrases/table.hpp"

#include <cstdint>
#include <string>

#include "base/escape.hpp"
#include "base/utf8.hpp"
#include "report/phrases/signature.hpp"
#include "tests/catch.hpp"

namespace kdiag::report {
namespace {

ValueEntry text(std::string value) { return {std::move(value), "text"}; }

Table sample() {
  return {{"name", "calls", "total"},
          {{text("gemm"), {std::int64_t{12'000}, "1"}, {std::int64_t{9'240'000}, "ns"}},
           {text("=1+1"), {}, {2.5, "ns"}},
           {text("a,\"b\"\n\x1b"), {std::int64_t{-1}, "1"}, {}}}};
}

}  // namespace

TEST_CASE("tables of text are aligned, quantities to the right", "[report][table]") {
  CHECK(table_text(sample()) ==
        "name             calls    total\n"
        "gemm            12,000  9.24 ms\n"
        "=1+1           unknown     3 ns\n"
        "a,\"b\"\\x0a\\x1b       -1  unknown\n");
  CHECK(table_text({{"name"}, {}}) == "name\n(no rows)\n");
}

TEST_CASE("tables of JSON are lists of objects in base units", "[report][table]") {
  CHECK(table_json(sample()) ==
        "[\n"
        "  {\"name\": \"gemm\", \"calls\": 12000, \"total\": 9240000},\n"
        "  {\"name\": \"=1+1\", \"calls\": null, \"total\": 2.5},\n"
        "  {\"name\": \"a,\\\"b\\\"\\n\\u001b\", \"calls\": -1, \"total\": null}\n"
        "]\n");
}

TEST_CASE("no cell of a CSV runs as a formula", "[report][table]") {
  CHECK(table_csv(sample()) ==
        "name,calls,total\n"
        "gemm,12000,9240000\n"
        "'=1+1,,2.5\n"
        "\"a,\"\"b\"\"\n\\x1b\",-1,\n");
  for (const char* formula : {"=x", "+x", "-x", "@x", "\tx"})
    CHECK(table_csv({{"c"}, {{text(formula)}}}).substr(2, 1) == "'");
}

TEST_CASE("the widest columns give way first", "[report][table]") {
  const auto lines = align_columns({{"a_very_long_kernel_name_indeed", "short", "7"}}, {false, false, true}, 30);
  CHECK(lines == std::vector<std::string>{"a_very_long_k…indeed  short  7"});
}

TEST_CASE("a column is no wider than what is left of its signatures", "[report][table]") {
  const std::string name =
      "void cudnn::detail::dgrad_engine<float, 512, 6, 5, 3, 3, 3, false>(int, int, int, float const*, int)";
  const auto lines = align_columns({{"kernels", "calls"}, {name, "162"}}, {false, true}, 95);
  CHECK(lines == std::vector<std::string>{"kernels                      calls", "cudnn::detail::dgrad_engine    162"});
}

TEST_CASE("signatures of kernels give way from their ends", "[report][table]") {
  const std::string name = "void at::native::(anonymous namespace)::reduce_kernel<512, Op<float> >(Op<float>)";
  CHECK(shorten_signature(name, 100) == name);
  CHECK(shorten_signature(name, 30) == "at::native::reduce_kernel");
  CHECK(shorten_signature(name, 20) == "reduce_kernel");
  CHECK(shorten_signature(name, 10) == "reduce…nel");
  const std::string loop = "void at::native::elementwise_kernel<128, 4, at::native::CompareEqFunctor<float> >(int)";
  CHECK(shorten_signature(loop, 40) == "elementwise_kernel<CompareEqFunctor>");
  CHECK(shorten_signature(loop, 30) == "elementwise…<CompareEqFunctor>");
  CHECK(count_code_points(shorten_signature(loop, 20)) == 20);
  CHECK(shorten_signature("saxpy(double *, double *, double)", 12) == "saxpy");
  CHECK(shorten_signature("a_very_long_kernel_name_indeed", 20) == "a_very_long_k…indeed");
  CHECK(shorten_signature("<barrier of all threads>", 10) == "<barri…ds>");
  CHECK(count_code_points(shorten_signature("(anonymous namespace)::(anonymous namespace)::", 10)) == 10);
}

TEST_CASE("names with brackets that are no parameters keep both ends", "[report][table]") {
  CHECK(shorten_name("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 30) ==
        shorten_middle("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", 30));
  CHECK(shorten_name("void at::native::reduce_kernel<512, 1>(at::native::ReduceOp<float>)", 30) ==
        "at::native::reduce_kernel");
}

TEST_CASE("signatures that read alike keep the part in which they differ", "[report][table]") {
  const std::vector<std::string> names{"void of::some::library::for_each_kernel<128, 4, AddFunctor<float> >(int)",
                                       "void of::some::library::for_each_kernel<128, 4, FillFunctor<float> >(int)",
                                       "gemm"};
  CHECK(shorten_signatures(names, 50) == std::vector<std::string>{"of::some::library::for_each_kernel…AddFunctor",
                                                                  "of::some::library::for_each_kernel…FillFunctor",
                                                                  "gemm"});
  CHECK(shorten_signatures(names, 100) == names);
  CHECK(shorten_signatures({names[0], names[0]}, 40) ==
        std::vector<std::string>(2, "of::some::library::for_each_kernel"));
  CHECK(shorten_signatures({"sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x64x8_stage3",
                            "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize32x32x8_stage3"},
                           30) ==
        std::vector<std::string>{"sm80_xmma_gemm…lesize128x64x8_", "sm80_xmma_gemm…lesize32x32x8_s"});
  // Copies of a library for each type of elements: the type, not the number of its lambda.
  const auto copy_of = [](const char* lambdas) {
    return "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::"
           "{lambda()#3}::operator()() const::" +
           std::string(lambdas) + ", at::detail::Array<char*, 2> >(int)";
  };
  CHECK(shorten_signatures({copy_of("{lambda()#7}::operator()() const::{lambda(float)#1}"),
                            copy_of("{lambda()#10}::operator()() const::{lambda(c10::Half)#1}")},
                           44) == std::vector<std::string>{"unrolled_ele…<direct_copy_kernel_cuda>…float",
                                                           "unrolled_elem…<direct_copy_kernel_cuda>…Half"});
  // A type that two of them have tells nothing.
  const std::vector<std::string> three =
      shorten_signatures({copy_of("{lambda()#7}::operator()() const::{lambda(float)#1}"),
                          copy_of("{lambda()#8}::operator()() const::{lambda(c10::complex<c10::Half>)#1}"),
                          copy_of("{lambda()#9}::operator()() const::{lambda(float)#1}")},
                         70);
  CHECK(three[1].ends_with("…complex<c10::Half>"));
  CHECK(three[0] != three[2]);
  CHECK(shorten_signatures({copy_of("{lambda()#7}::operator()() const::{lambda(float)#1}"),
                            copy_of("{lambda()#8}::operator()() const::{lambda(float)#1}")},
                           60)
            .back() == "unrolled_elementwis…nel_cuda>…8}::operator()() const::{lambd");
  for (const std::string& name : shorten_signatures(names, 10)) CHECK(count_code_points(name) <= 10);
}

TEST_CASE("rows of evidence may differ in their columns", "[report][table]") {
  const Table table = table_of({{{"a", text("1")}}, {{"b", text("2")}, {"a", text("3")}}});
  CHECK(table.columns == std::vector<std::string>{"a", "b"});
  CHECK(table_text(table) == "a  b\n1  unknown\n3  2\n");
}

}  // namespace kdiag::report
