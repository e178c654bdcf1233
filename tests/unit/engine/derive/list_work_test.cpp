// SPDX-License-Identifier: Apache-2.0
// Operators on lists of tensors, whose element types kernels tell, and fused kernels, of which the least is known.
#include <cmath>
#include <string>

#include "engine/derive/derive.hpp"
#include "engine/derive/work/kernel_element.hpp"
#include "engine/derive/work/operator_work.hpp"
#include "tests/catch.hpp"
#include "tests/support/trace.hpp"

using namespace kdiag;
using kdiag::tests::Trace;
using kdiag::work::Amount;

namespace {

const std::string opaque_halves =
    "void at::native::(anonymous namespace)::CatArrayBatchedCopy<at::native::(anonymous namespace)::OpaqueType<2u>, "
    "unsigned int, 4, 64, 64>(at::native::(anonymous namespace)::OpaqueType<2u>*)";

std::string on_lists(const std::string& functor) {
  return "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::"
         "TensorListMetadata<2>, at::native::(anonymous namespace)::" +
         functor + ", std::plus<float>, float>(int)";
}

/// One operator on an A100 and the kernel that it launched.
struct Launching {
  std::string op, shapes, types, kernel, arguments = {};

  FactStore facts() const {
    Trace trace;
    trace.batch.set(trace.batch.device(0), column("devices.name"), "NVIDIA A100-SXM4-80GB");
    const Row row = trace.op(trace.thread(1), op, 0, 1000);
    trace.batch.set(row, column("ops.shapes"), shapes);
    trace.batch.set(row, column("ops.types"), types);
    if (!arguments.empty()) trace.batch.set(row, column("ops.arguments"), arguments);
    trace.batch.set(trace.kernel(0, kernel, 2000, 90'000), column("kernels.op"), row);
    FactStore out = trace.store();
    derive(out, {});
    return out;
  }
  std::int64_t bytes() const { return facts().integer(column("ops.bytes_moved"), 0); }
};

}  // namespace

TEST_CASE("kernels on lists name their elements", "[derive][work]") {
  CHECK(work::element_bytes_named(opaque_halves) == 2);
  CHECK(work::element_bytes_named(on_lists("BinaryOpScalarFunctor<c10::BFloat16, 1, 1, 0>")) == 2);
  CHECK(work::element_bytes_named(on_lists("FusedAdamMathFunctor<float, 4, (ADAM_MODE)0, false>")) == 4);
  for (const char* name : {"", "OpaqueType<", "OpaqueType<u>", "OpaqueType<99999999999u>", "OpaqueType<0u>",
                           "multi_tensor_apply_kernel<", "multi_tensor_apply_kernel<AFunctor<mine, 1>>", "sgemm"})
    CHECK(work::element_bytes_named(name) == 0);
}

TEST_CASE("a concatenation reads all parts and writes them once", "[derive][work]") {
  const std::string types = R"(["TensorList", "Scalar"])";
  CHECK(Launching{"aten::cat", "[[[8, 16], [8, 48]], []]", types, opaque_halves}.bytes() == 2 * 2 * 8 * 64);
  // A kernel that says nothing of its elements, and a list that was too long for the record.
  CHECK(Launching{"aten::cat", "[[[8, 16], [8, 48]], []]", types, "copy"}.bytes() == absent_integer);
  CHECK(Launching{"aten::cat", "[[], []]", types, opaque_halves}.bytes() == absent_integer);
}

TEST_CASE("operators on lists read each of them and write the first", "[derive][work]") {
  const std::string floats = on_lists("BinaryOpListAlphaFunctor<float, 2, 2, 0>");
  CHECK(Launching{"aten::_foreach_add_", "[[[8, 16], []], [[8, 16], []], []]",
                  R"(["TensorList", "TensorList", "Scalar"])", floats}
            .bytes() == 4 * 3 * (8 * 16 + 1));
  CHECK(Launching{"aten::_foreach_mul_", "[[[100], [28]], []]", R"(["TensorList", "Scalar"])", floats}.bytes() ==
        4 * 2 * 128);
  CHECK(Launching{"aten::_foreach_addcdiv_", "[[[128]], [[128]], [[128]], []]",
                  R"(["TensorList", "TensorList", "TensorList", "Scalar"])", floats}
            .bytes() == 4 * 4 * 128);
  CHECK(Launching{"aten::_foreach_norm", "[[[128]], []]", R"(["TensorList", "Scalar"])", floats}.bytes() == 4 * 128);
  CHECK(Launching{"aten::_foreach_add_", "[[[128]], [], []]", R"(["TensorList", "TensorList", "Scalar"])", floats}
            .bytes() == absent_integer);
}

TEST_CASE("a fused optimizer reads parameters, gradients and state, and writes all but the gradients",
          "[derive][work]") {
  const std::string kernel = on_lists("FusedAdamMathFunctor<float, 4, (ADAM_MODE)0, false>");
  const auto bytes = [&](const std::string& largest, const std::string& scale) {
    const std::string lists = "[[100], [28]], ";
    return Launching{
        "aten::_fused_adamw_",
        "[" + lists + lists + lists + lists + (largest == "True" ? lists : "[], ") +
            "[[], []], [], [], [], [], [], [], [], [], []]",
        R"(["TensorList", "TensorList", "TensorList", "TensorList", "TensorList", "TensorList", "Scalar", )"
        R"("Scalar", "Scalar", "Scalar", "Scalar", "Scalar", "Scalar", ")" +
            scale + R"(", ""])",
        kernel,
        R"(["", "", "", "", "", "", "0.1", "0.9", "0.99", "0.", "1e-8", ")" + largest + R"(", "False", "", ""])"}
        .bytes();
  };
  CHECK(bytes("False", "") == 4 * 7 * 128);
  CHECK(bytes("True", "") == 4 * 9 * 128);
  CHECK(bytes("False", "float") == 4 * 8 * 128);  // gradients are written without their scale
  CHECK(bytes("", "") == absent_integer);
}

TEST_CASE("of a fused kernel the least time is known, and not its bytes", "[derive][work]") {
  const std::string name = "triton_poi_fused__unsafe_view_mul_silu_2";
  const std::string types = R"(["c10::BFloat16", "c10::BFloat16", "Scalar"])";
  const Launching whole{name, "[[8, 1024, 1024], [8192, 1024], []]", types, name, R"(["", "", "8388608"])"};
  const FactStore facts = whole.facts();
  CHECK_FALSE(facts.has(column("ops.bytes_moved")));
  CHECK(facts.integer(column("ops.attainable"), 0) == std::llround(2.0 * 2 * 8388608 / 2039e9 * 1e9));
  // Of a tensor that is larger than what is computed nobody knows which part is reached, and how often.
  const Launching table{name, "[[8, 1024, 1024], [16384, 1024], []]", types, name, whole.arguments};
  CHECK(table.facts().integer(column("ops.attainable"), 0) == std::llround(2.0 * 8388608 / 2039e9 * 1e9));
  const Launching slice{name, whole.shapes, types, name, R"(["", "", "4194304"])"};
  CHECK_FALSE(slice.facts().has(column("ops.attainable")));
  // A size of one dimension beside the points of all of them.
  const Launching dynamic{name, "[[8, 1024, 1024], [16384, 1024], [], []]",
                          R"(["c10::BFloat16", "c10::BFloat16", "Scalar", "Scalar"])", name,
                          R"(["", "", "8", "8388608"])"};
  CHECK(dynamic.facts().integer(column("ops.attainable"), 0) == std::llround(2.0 * 8388608 / 2039e9 * 1e9));
  const std::string looking_up = "triton_poi_fused_embedding_0";
  const Launching rows{looking_up, whole.shapes, types, looking_up, whole.arguments};
  CHECK_FALSE(rows.facts().has(column("ops.attainable")));
  const Launching unsized{name, whole.shapes, types, name};
  CHECK_FALSE(unsized.facts().has(column("ops.attainable")));
}

TEST_CASE("a look-up has the time of what it reads at least", "[derive][work]") {
  const Launching rows{"aten::embedding", "[[1000, 64], [8, 4], [], [], []]",
                       R"(["float", "long int", "Scalar", "Scalar", "Scalar"])", "indexSelectLargeIndex"};
  const FactStore facts = rows.facts();
  CHECK_FALSE(facts.has(column("ops.bytes_moved")));
  CHECK(facts.integer(column("ops.attainable"), 0) == std::llround((8 * 32 + 4 * 64 * 33) / 2039.0));
}

TEST_CASE("gradients of poolings, norms and look-ups write what they are the gradient of", "[derive][work]") {
  const auto bytes = [](const char* name, const char* shapes, const char* types, const char* arguments = "") {
    return work::operator_work(name, {shapes, types, "", arguments}).bytes;
  };
  CHECK(bytes("aten::max_pool2d_with_indices_backward",
              "[[2, 4, 5, 5], [2, 4, 10, 10], [], [], [], [], [], [2, 4, 5, 5]]",
              R"(["float", "float", "ScalarList", "ScalarList", "ScalarList", "ScalarList", "Scalar", "long int"])") ==
        (4 + 8) * 200 + 4 * 800);
  CHECK(bytes("aten::cudnn_batch_norm_backward", "[[2, 4, 10, 10], [2, 4, 10, 10], [4], [4], [4], [4], [4], [], [0]]",
              R"(["float", "float", "float", "float", "float", "float", "float", "Scalar", "unsigned char"])") ==
        4 * (3 * 800 + 5 * 4));
  CHECK(bytes("aten::embedding_dense_backward", "[[8, 4, 64], [8, 4], [], [], []]",
              R"(["float", "long int", "Scalar", "Scalar", "Scalar"])",
              R"(["", "", "1000", "-1", "False"])") == 4 * 32 * 64 + 8 * 32 + 4 * 1000 * 64);
  // Drawing random numbers takes longer than writing them.
  CHECK_FALSE(bytes("aten::normal_", "[[8, 16], [], [], []]", R"(["float", "Scalar", "Scalar", ""])").known());
  CHECK(bytes("aten::gather", "[[8, 16], [], [8, 4], []]", R"(["float", "Scalar", "long int", "Scalar"])") ==
        Amount::between(8 * 32 + 4 * 33, 8 * 32 + 4 * 64));
  CHECK(bytes("aten::_scaled_mm", "[[8, 16], [16, 4]]", R"(["c10::Float8_e4m3fn", "c10::Float8_e4m3fn"])") ==
        Amount::between(8 * 16 + 16 * 4 + 32, 8 * 16 + 16 * 4 + 4 * 32));
}

TEST_CASE("lists and counts that cannot be give no figure", "[derive][work][hostile]") {
  const std::string huge = "4611686018427387904";
  const std::string list = GENERATE(as<std::string>{}, "[[4611686018427387904, 4611686018427387904]]", "[[-1]]",
                                    "[[8], 5]", "[[8], [[8]]]", "[8]", "[]", "x", "[[8]", "");
  const std::string lists = list + ", " + list + ", " + list + ", " + list + ", " + list + ", " + list;
  const std::string types = R"("TensorList", "TensorList", "TensorList", "TensorList", "TensorList", "TensorList")";
  for (const char* name : {"aten::cat", "aten::_foreach_add_", "aten::_foreach_addcdiv_", "aten::_foreach_norm",
                           "aten::_fused_adamw_", "aten::_fused_adagrad_"}) {
    CAPTURE(name, list);
    const std::string arguments =
        R"(["", "", "", "", "", "", "", "", "", "", "", "False", "", ""])";  // nothing is the largest
    const work::Work work = work::operator_work(
        name, {"[" + lists + ", [], [], [], [], [], [], [], []]",
               "[" + types + R"(, "Scalar", "Scalar", "Scalar", "Scalar", "Scalar", "Scalar", "Scalar", "Scalar"])", "",
               arguments});
    CHECK_FALSE(work.list_elements.known());
  }
  const std::string table = R"(["float", "long int", "Scalar"])";
  CHECK_FALSE(work::operator_work("aten::embedding_dense_backward",
                                  {"[[8, 4, 64], [8, 4], []]", table, "", R"(["", "", ")" + huge + R"("])"})
                  .bytes.known());
  for (const std::string& count : {std::string("-1"), std::string("x"), std::string(), huge})
    CHECK_FALSE(work::operator_work("triton_poi_fused_add_0",
                                    {"[[8], []]", R"(["float", "Scalar"])", "", R"(["", ")" + count + R"("])"})
                    .bytes.known());
}
