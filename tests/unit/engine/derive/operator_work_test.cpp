// SPDX-License-Identifier: Apache-2.0
// Operations and bytes of operators, against closed forms by hand.
#include <string>
#include <vector>

#include "engine/derive/work/operator_work.hpp"
#include "tests/catch.hpp"

using namespace kdiag::work;

namespace {

struct Recorded {
  std::string name;
  std::string shapes;
  std::string types = {};
  std::string arguments = {};
  std::string strides = {};
};

Work work_of(const Recorded& op) { return operator_work(op.name, {op.shapes, op.types, op.strides, op.arguments}); }

Amount flops(const Recorded& op) { return work_of(op).flops; }
Amount bytes(const Recorded& op) { return work_of(op).bytes; }

const Amount no_amount;

}  // namespace

TEST_CASE("a product of matrices takes two operations for each term", "[derive][work]") {
  CHECK(flops({"aten::mm", "[[8, 16], [16, 4]]"}) == 2 * 8 * 16 * 4);
  CHECK(flops({"aten::addmm", "[[4], [8, 16], [16, 4], [], []]"}) == 2 * 8 * 16 * 4);
  CHECK(flops({"aten::bmm", "[[3, 8, 16], [3, 16, 4]]"}) == 3 * 2 * 8 * 16 * 4);
  CHECK(flops({"aten::baddbmm", "[[3, 8, 4], [3, 8, 16], [3, 16, 4], [], []]"}) == 3 * 2 * 8 * 16 * 4);
  CHECK(flops({"aten::linear", "[[2, 5, 16], [4, 16], [4]]"}) == 2 * 10 * 16 * 4);
  CHECK(flops({"aten::mv", "[[8, 16], [16]]"}) == 2 * 8 * 16);
  CHECK(flops({"aten::addmv", "[[8], [8, 16], [16], [], []]"}) == 2 * 8 * 16);
  CHECK(flops({"aten::dot", "[[16], [16]]"}) == 2 * 16);
}

TEST_CASE("matmul broadcasts what is in front of its matrices", "[derive][work]") {
  CHECK(flops({"aten::matmul", "[[8, 16], [16, 4]]"}) == 2 * 8 * 16 * 4);
  CHECK(flops({"aten::matmul", "[[16], [16]]"}) == 2 * 16);
  CHECK(flops({"aten::matmul", "[[8, 16], [16]]"}) == 2 * 8 * 16);
  CHECK(flops({"aten::matmul", "[[16], [16, 4]]"}) == 2 * 16 * 4);
  CHECK(flops({"aten::matmul", "[[5, 1, 8, 16], [3, 16, 4]]"}) == 15 * 2 * 8 * 16 * 4);
  CHECK(flops({"aten::matmul", "[[5, 8, 16], [3, 16, 4]]"}) == no_amount);
}

TEST_CASE("a product reads both operands and what is added, and writes the result", "[derive][work]") {
  const std::string halves = R"(["c10::Half", "c10::Half", "c10::Half", "Scalar", "Scalar"])";
  CHECK(bytes({"aten::mm", "[[8, 16], [16, 4]]", R"(["float", "float"])"}) == 4 * (8 * 16 + 16 * 4 + 8 * 4));
  CHECK(bytes({"aten::addmm", "[[4], [8, 16], [16, 4], [], []]", halves}) == 2 * (4 + 8 * 16 + 16 * 4 + 8 * 4));
  // With a factor of 0 nobody reads what would be added.
  CHECK(bytes({"aten::addmm", "[[4], [8, 16], [16, 4], [], []]", halves, R"(["", "", "", "0", "1"])"}) ==
        2 * (8 * 16 + 16 * 4 + 8 * 4));
  CHECK(bytes({"aten::mm", "[[8, 16], [16, 4]]"}) == no_amount);  // no types, no widths
  CHECK(bytes({"aten::_int_mm", "[[8, 16], [16, 4]]", R"(["signed char", "signed char"])"}) ==
        8 * 16 + 16 * 4 + 4 * 8 * 4);
}

TEST_CASE("an expanded input is read once", "[derive][work]") {
  CHECK(bytes({"aten::bmm", "[[3, 8, 16], [3, 16, 4]]", R"(["float", "float"])", "", "[[0, 16, 1], [64, 4, 1]]"}) ==
        4 * (8 * 16 + 3 * 16 * 4 + 3 * 8 * 4));
}

TEST_CASE("a convolution takes two operations for each term of each element of its result", "[derive][work]") {
  // The first layer of ResNet-50: 224 -> 112; 0.236 GFLOP an image.
  const std::string arguments = R"(["", "", "", "[2, 2]", "[3, 3]", "[1, 1]", "False", "[0, 0]", "1"])";
  const std::string types =
      R"(["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar", "ScalarList", "Scalar"])";
  const Recorded stem{"aten::convolution", "[[32, 3, 224, 224], [64, 3, 7, 7], [], [], [], [], [], [], []]", types,
                      arguments};
  CHECK(flops(stem) == 2LL * 32 * 64 * 112 * 112 * 3 * 7 * 7);
  CHECK(bytes(stem) == 4LL * (32 * 3 * 224 * 224 + 64 * 3 * 7 * 7 + 32 * 64 * 112 * 112));
  CHECK(flops({stem.name, stem.shapes, types}) == no_amount);  // by the shapes alone no stride is known
}

TEST_CASE("groups, dilation, words for padding and missing batches are understood", "[derive][work]") {
  const auto conv = [](const std::string& in, const std::string& weight, const std::string& arguments) {
    return flops({"aten::conv2d", "[" + in + ", " + weight + ", [], [], [], [], []]", "", arguments});
  };
  CHECK(conv("[2, 8, 10, 10]", "[16, 2, 3, 3]", R"(["", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "4"])") ==
        2 * 2 * 16 * 100 * 2 * 9);
  CHECK(conv("[2, 8, 10, 10]", "[16, 8, 3, 3]", R"(["", "", "", "[1]", "[0]", "[2]", "1"])") ==
        2 * 2 * 16 * 36 * 8 * 9);
  CHECK(conv("[2, 8, 10, 10]", "[16, 8, 3, 3]", R"(["", "", "", "[1]", "same", "[1]", "1"])") ==
        2 * 2 * 16 * 100 * 8 * 9);
  CHECK(conv("[2, 8, 10, 10]", "[16, 8, 3, 3]", R"(["", "", "", "[1]", "valid", "[1]", "1"])") ==
        2 * 2 * 16 * 64 * 8 * 9);
  CHECK(conv("[8, 10, 10]", "[16, 8, 3, 3]", R"(["", "", "", "[1]", "[1]", "[1]", "1"])") == 2 * 16 * 100 * 8 * 9);
  CHECK(conv("[8, 10, 10]", "[16, 8, 3, 3]", R"(["", "", "", "[0]", "[1]", "[1]", "1"])") == no_amount);
  CHECK(conv("[8, 2, 2]", "[16, 8, 3, 3]", R"(["", "", "", "[1]", "[0]", "[1]", "1"])") == no_amount);
}

TEST_CASE("a stride longer than the kernel leaves positions out", "[derive][work]") {
  const Recorded shortcut{"aten::conv2d", "[[2, 8, 10, 10], [16, 8, 1, 1], [], [], [], [], []]",
                          R"(["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar"])",
                          R"(["", "", "", "[2, 2]", "[0, 0]", "[1, 1]", "1"])"};
  CHECK(flops(shortcut) == 2 * 2 * 16 * 25 * 8);
  CHECK(bytes(shortcut) == 4 * (2 * 8 * 25 + 16 * 8 + 2 * 16 * 25));
}

TEST_CASE("of a transposed convolution each element of the input meets the kernel", "[derive][work]") {
  CHECK(flops({"aten::conv_transpose2d", "[[2, 8, 10, 10], [8, 16, 3, 3], [], [], [], [], [], []]"}) ==
        2 * 2 * 8 * 100 * 16 * 9);
}

TEST_CASE("each gradient of a convolution takes as much as the forward pass", "[derive][work]") {
  const std::string shapes = "[[2, 16, 5, 5], [2, 8, 10, 10], [16, 8, 3, 3], [], [], [], [], [], [], [], []]";
  const std::string types =
      R"(["float", "float", "float", "ScalarList", "ScalarList", "ScalarList", "ScalarList", "Scalar", "ScalarList",)"
      R"( "Scalar", "ScalarList"])";
  const auto arguments = [](const std::string& mask) {
    return R"(["", "", "", "[16]", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", ")" + mask + R"("])";
  };
  const std::int64_t forward = 2 * 2 * 16 * 25 * 8 * 9;
  const Recorded both{"aten::convolution_backward", shapes, types, arguments("[True, True, False]")};
  CHECK(flops(both) == 2 * forward);
  CHECK(bytes(both) == 4 * (2 * 16 * 25 + 2 * (2 * 8 * 100 + 16 * 8 * 9)));
  CHECK(flops({both.name, shapes, types, arguments("[False, True, True]")}) == forward);
  // Operators of 2021 without values: by the sizes of gradient, input and weights, one or both of the gradients.
  const Amount range = flops({"aten::cudnn_convolution_backward",
                              "[[2, 8, 10, 10], [2, 16, 5, 5], [16, 8, 3, 3], [], [], [], [], [], [], [], []]"});
  CHECK(range == Amount::between(forward, 2 * forward));
  CHECK(flops({"aten::cudnn_convolution_backward_input", "[[], [2, 16, 5, 5], [16, 8, 3, 3]]"}) == forward);
}

TEST_CASE("attention multiplies queries by keys and the result by values", "[derive][work]") {
  const std::string shapes = "[[2, 4, 128, 64], [2, 4, 128, 64], [2, 4, 128, 32], [], [], [], []]";
  const std::string types = R"(["c10::Half", "c10::Half", "c10::Half", "Scalar", "Scalar", "Scalar", "Scalar"])";
  const Recorded full{"aten::_scaled_dot_product_flash_attention", shapes, types,
                      R"(["", "", "", "0.", "False", "False", "0.125"])"};
  CHECK(flops(full) == 2 * 2 * 4 * 128 * 128 * (64 + 32));
  CHECK(bytes(full) == 2 * 2 * 4 * 128 * (64 + 64 + 32 + 32));
  // Of 128 x 128 pairs a causal mask leaves 1 + 2 + ... + 128.
  const Recorded causal{full.name, shapes, types, R"(["", "", "", "0.", "True", "False", "0.125"])"};
  CHECK(flops(causal) == 2 * 2 * 4 * (128 * 129 / 2) * (64 + 32));
  CHECK(flops({full.name, shapes, types}) == Amount::between(flops(causal), flops(full)));
}

TEST_CASE("heads of keys may serve several heads of queries", "[derive][work]") {
  const std::string arguments = R"(["", "", "", "", "0.", "False", "", "True"])";
  CHECK(flops({"aten::scaled_dot_product_attention",
               "[[2, 8, 100, 64], [2, 2, 300, 64], [2, 2, 300, 64], [], [], [], [], []]", "", arguments}) ==
        2 * 2 * 8 * 100 * 300 * 128);
  CHECK(flops({"aten::scaled_dot_product_attention",
               "[[2, 8, 100, 64], [2, 3, 300, 64], [2, 3, 300, 64], [], [], [], [], []]", "", arguments}) == no_amount);
}

TEST_CASE("where queries and keys are not as many the diagonal decides", "[derive][work]") {
  const auto masked = [](const std::string& kind) {
    return flops({"aten::_efficient_attention_forward",
                  "[[1, 2, 1, 8], [1, 5, 1, 8], [1, 5, 1, 8], [], [], [], [], [], [], [], [], [], []]", "",
                  R"(["", "", "", "", "", "", "", "", "0.", ")" + kind + R"(", "", "", ""])"});
  };
  CHECK(masked("0") == 2 * 2 * 5 * 16);
  CHECK(masked("1") == 2 * (1 + 2) * 16);
  CHECK(masked("2") == 2 * (4 + 5) * 16);
  CHECK(masked("7") == Amount::between(2 * 3 * 16, 2 * 10 * 16));
}

TEST_CASE("attention backward makes five products where forward makes two", "[derive][work]") {
  const Recorded forward{"aten::_scaled_dot_product_flash_attention",
                         "[[2, 4, 128, 64], [2, 4, 128, 64], [2, 4, 128, 64], [], [], [], []]", "",
                         R"(["", "", "", "0.", "True", "False", ""])"};
  const std::string tensor = "[2, 4, 128, 64], ";
  const Recorded backward{
      "aten::_scaled_dot_product_flash_attention_backward",
      "[" + tensor + tensor + tensor + tensor + tensor + "[2, 4, 128], [], [], [], [], [], [], [], [], []]", "",
      R"(["", "", "", "", "", "", "", "", "128", "128", "0.", "True", "", "", "0.125"])"};
  CHECK(Amount(2) * flops(backward) == Amount(5) * flops(forward));
}

TEST_CASE("packed sequences of unknown lengths give no figure", "[derive][work]") {
  CHECK(flops({"aten::_flash_attention_forward", "[[1, 197, 12, 64], [1, 197, 12, 64], [1, 197, 12, 64], [5], [5]]"}) ==
        no_amount);
}

TEST_CASE("elements are read and written once, what broadcasts as often as it is there", "[derive][work]") {
  CHECK(bytes({"aten::add", "[[8, 16], [16], []]", R"(["float", "float", "Scalar"])"}) == 4 * (8 * 16 + 16 + 8 * 16));
  CHECK(bytes({"aten::add_", "[[8, 16], [8, 16], []]", R"(["float", "float", "Scalar"])"}) == 4 * 3 * 8 * 16);
  CHECK(bytes({"aten::mul", "[[8, 16], []]", R"(["c10::BFloat16", "double"])"}) == 2 * 2 * 8 * 16 + 8);
  CHECK(bytes({"aten::mul", "[[8, 16], [8, 1]]", R"(["c10::BFloat16", "float"])"}) == 2 * 128 + 4 * 8 + 4 * 128);
  CHECK(bytes({"aten::eq", "[[8, 16], []]", R"(["long int", "Scalar"])"}) == 8 * 128 + 128);
  CHECK(bytes({"aten::copy_", "[[8, 16], [8, 16], []]", R"(["float", "c10::Half", "Scalar"])"}) == 128 * (4 + 2));
  CHECK(bytes({"aten::fill_", "[[8, 16], []]", R"(["float", "Scalar"])"}) == 4 * 128);
  CHECK(bytes({"aten::div", "[[8, 16], []]", R"(["long int", "Scalar"])"}) == no_amount);  // becomes floats
  CHECK(bytes({"aten::add", "[[8, 16], [5], []]", R"(["float", "float", "Scalar"])"}) == no_amount);
  // The tensor that the result goes into is not read.
  CHECK(bytes({"aten::add", "[[8], [8], [], [8]]", R"(["float", "float", "Scalar", "float"])"}) == 4 * 3 * 8);
  CHECK(flops({"aten::add", "[[8, 16], [16], []]", R"(["float", "float", "Scalar"])"}) == no_amount);
}

TEST_CASE("norms, softmax and reductions read what they combine", "[derive][work]") {
  CHECK(bytes({"aten::native_layer_norm", "[[8, 16], [], [16], [16], []]",
               R"(["float", "ScalarList", "float", "float", "Scalar"])"}) == 4 * (2 * 128 + 2 * 16));
  CHECK(bytes({"aten::_softmax", "[[8, 16], [], []]", R"(["c10::Half", "Scalar", "Scalar"])",
               R"(["", "-1", "True"])"}) == 128 * (2 + 4));
  CHECK(bytes({"aten::sum", "[[8, 16], [], [], []]", R"(["float", "ScalarList", "Scalar", ""])",
               R"(["", "[-1]", "False", ""])"}) == 4 * (128 + 8));
  CHECK(bytes({"aten::sum", "[[8, 16], []]", R"(["float", ""])"}) == 4 * (128 + 1));
  CHECK(bytes({"aten::native_layer_norm_backward", "[[8, 16], [8, 16], [], [8, 1], [8, 1], [16], [16], []]",
               R"(["float", "float", "ScalarList", "float", "float", "float", "float", "ScalarList"])",
               R"(["", "", "[16]", "", "", "", "", "[True, True, True]"])"}) ==
        4 * (2 * 128 + 8 + 8 + 16 + 128 + 16 + 16));
}

TEST_CASE("a look-up reads between one row and all that it names", "[derive][work]") {
  const Amount found = bytes({"aten::embedding", "[[1000, 64], [8, 4], [], [], []]",
                              R"(["float", "long int", "Scalar", "Scalar", "Scalar"])"});
  CHECK(found == Amount::between(8 * 32 + 4 * 64 * (1 + 32), 8 * 32 + 4 * 64 * (32 + 32)));
}

TEST_CASE("twice the size is twice the work", "[derive][work]") {
  const auto of = [](std::int64_t m, std::int64_t k, std::int64_t n) {
    const auto text = [](std::int64_t size) { return std::to_string(size); };
    return flops({"aten::mm", "[[" + text(m) + "," + text(k) + "],[" + text(k) + "," + text(n) + "]]"});
  };
  const std::int64_t m = GENERATE(1, 7, 512), k = GENERATE(1, 33, 4096), n = GENERATE(1, 5, 30522);
  CHECK(of(2 * m, k, n) == Amount(2) * of(m, k, n));
  CHECK(of(m, 2 * k, n) == Amount(2) * of(m, k, n));
  CHECK(of(m, k, 2 * n) == Amount(2) * of(m, k, n));
}

TEST_CASE("sizes that nobody can allocate and texts that are no shapes give no figure", "[derive][work][hostile]") {
  const std::string huge = "1000000000000000000";
  CHECK(flops({"aten::mm", "[[" + huge + ", " + huge + "], [" + huge + ", 4]]"}) == no_amount);
  CHECK(flops({"aten::mm", "[[-8, 16], [16, 4]]"}) == no_amount);
  CHECK(flops({"aten::mm", "[[99999999999999999999, 16], [16, 4]]"}) == no_amount);
  CHECK(flops({"aten::_scaled_dot_product_flash_attention",
               "[[1, 1, " + huge + ", 1], [1, 1, " + huge + ", 1], [1, 1, " + huge + ", 1]]"}) == no_amount);
  CHECK(flops({"aten::conv2d", "[[1, 1, " + huge + ", 4], [1, 1, 3, 3], [], [], [], [], []]", "",
               R"(["", "", "", "[1]", "[)" + huge + R"(]", "[1]", "1"])"}) == no_amount);
  CHECK(bytes({"aten::add", "[[" + huge + ", 4], [4]]", R"(["double", "double"])"}) == no_amount);
  for (const char* text : {"", "[", "]", "[[", "[[8, 16], [16, 4]", "[[8 16], [16, 4]]", "[8, 16]", "[[8, 16]]", "[]",
                           "[[[8, 16]], [[16, 4]]]", "[\"", "[[8, 16], [17, 4]]", "[[], []]", "]["})
    CHECK(flops({"aten::mm", text}) == no_amount);
  CHECK(flops({"aten::mm", "[" + std::string(100'000, '[')}) == no_amount);
  CHECK(flops({"aten::mm", "[" + std::string(100'000, ',') + "]"}) == no_amount);
  CHECK(flops({"aten::mm", ""}) == no_amount);
  CHECK(flops({"aten::nothing_known", "[[8, 16], [16, 4]]"}) == no_amount);
  CHECK(flops({"_", "[[8, 16], [16, 4]]"}) == no_amount);
}

TEST_CASE("lists of every operator that is known stand any number of inputs", "[derive][work][hostile]") {
  const std::string name = GENERATE(
      "aten::mm", "aten::addmm", "aten::bmm", "aten::matmul", "aten::linear", "aten::mv", "aten::dot", "aten::_int_mm",
      "aten::convolution", "aten::conv2d", "aten::conv_transpose2d", "aten::cudnn_convolution",
      "aten::convolution_backward", "aten::cudnn_convolution_backward_input", "aten::scaled_dot_product_attention",
      "aten::_flash_attention_backward", "aten::add", "aten::where", "aten::copy_", "aten::_softmax",
      "aten::native_layer_norm", "aten::native_layer_norm_backward", "aten::sum", "aten::embedding");
  for (const std::string tensor : {"[]", "[0]", "[0, 0]", "[1, 1, 1]", "[0, 0, 0, 0]", "[2, 2, 2, 2, 2, 2]"}) {
    std::string shapes, types, values;
    for (int count = 0; count < 12; ++count) {
      shapes += (count > 0 ? ", " : "") + tensor;
      types += (count > 0 ? ", " : "") + std::string("\"float\"");
      values += (count > 0 ? ", " : "") + std::string("\"[0, 0]\"");
      const Work work = work_of({name, "[" + shapes + "]", "[" + types + "]", "[" + values + "]"});
      CHECK((!work.flops.known() || work.flops.least() >= 0));
    }
  }
}

TEST_CASE("sizes that nobody can allocate give no figure, and a zero among them is no divisor",
          "[derive][work][hostile]") {
  const std::string huge = "4611686018427387904";
  const std::string zero_heads =
      "[[" + huge + ", 4, 8, 8], [" + huge + ", " + huge + ", 0, 8], [" + huge + ", " + huge + ", 0, 8]]";
  for (const char* name : {"aten::_flash_attention_forward", "aten::_efficient_attention_forward",
                           "aten::scaled_dot_product_attention", "aten::mm", "aten::convolution", "aten::sum"}) {
    CAPTURE(name);
    CHECK_FALSE(flops({name, zero_heads}).known());
  }
  CHECK(product(std::vector<std::int64_t>{1LL << 62, 1LL << 62, 0}) == 0);
}

TEST_CASE("attention that sees a window of keys has no operations, complex products neither", "[derive][work]") {
  const std::string shapes = "[[2, 64, 4, 8], [2, 64, 4, 8], [2, 64, 4, 8], [], [], [], [], []]";
  const std::string types = R"(["float", "float", "float", "Scalar", "Scalar", "", "Scalar", "Scalar"])";
  const auto package = [&](const std::string& left, const std::string& right) {
    return flops({"flash_attn::_flash_attn_forward", shapes, types,
                  R"(["", "", "", "0.", "1.", "False", ")" + left + R"(", ")" + right + R"("])"});
  };
  CHECK(package("-1", "-1") == 2 * (2 * 4) * 64 * 64 * (8 + 8));
  CHECK_FALSE(package("16", "0").known());
  CHECK_FALSE(package("-1", "0").known());
  const std::string complex = R"(["c10::complex<float>", "c10::complex<float>"])";
  CHECK_FALSE(flops({"aten::mm", "[[8, 16], [16, 4]]", complex}).known());
  CHECK(bytes({"aten::mm", "[[8, 16], [16, 4]]", complex}) == 8 * (8 * 16 + 16 * 4 + 8 * 4));
}

TEST_CASE("a factor of zero is zero however it is written, and dimensions that are not there reduce nothing",
          "[derive][work]") {
  const std::string halves = R"(["c10::Half", "c10::Half", "c10::Half", "Scalar", "Scalar"])";
  CHECK(bytes({"aten::addmm", "[[4], [8, 16], [16, 4], [], []]", halves, R"(["", "", "", "0.", "1"])"}) ==
        2 * (8 * 16 + 16 * 4 + 8 * 4));
  const auto sum_over = [&](const std::string& dimensions) {
    return bytes({"aten::sum", "[[8, 16], [], [], []]", R"(["float", "", "Scalar", ""])",
                  R"(["", ")" + dimensions + R"(", "False", ""])"});
  };
  CHECK(sum_over("[1]") == 4 * (8 * 16 + 8));
  CHECK(sum_over("[-1]") == 4 * (8 * 16 + 8));
  CHECK_FALSE(sum_over("[2]").known());
  CHECK_FALSE(sum_over("[9223372036854775807]").known());
}

TEST_CASE("gradients of a convolution count that of its bias where it is asked for", "[derive][work]") {
  const std::string shapes = "[[2, 4, 6, 6], [2, 3, 8, 8], [4, 3, 3, 3], [], [], [], [], [], [], [], []]";
  const std::string types =
      R"(["float", "float", "float", "ScalarList", "ScalarList", "ScalarList", "ScalarList", "Scalar", "ScalarList", "Scalar", ""])";
  const auto asked = [&](const std::string& mask) {
    return bytes({"aten::convolution_backward", shapes, types,
                  R"(["", "", "", "[4]", "[1, 1]", "[0, 0]", "[1, 1]", "False", "[0, 0]", "1", ")" + mask + R"("])"});
  };
  CHECK(asked("[True, True, True]").exact());
  CHECK(asked("[True, True, True]").least() == asked("[True, True, False]").least() + 4 * 4);
}
