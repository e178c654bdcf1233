// SPDX-License-Identifier: Apache-2.0
// Formulas against an independent count: small operators are computed element by element, by loops over their
// definitions, with numbers that count what is done to them and elements that remember whether they were touched.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/derive/work/operator_work.hpp"
#include "tests/catch.hpp"

using kdiag::work::operator_work;
using kdiag::work::Work;

namespace {

/// Counts multiplications and additions of single values.
struct Counter {
  std::int64_t operations = 0;
  void multiply_add(double& sum, double a, double b) {
    sum += a * b;
    operations += 2;
  }
};

/// An array of which each element remembers whether it was read or written.
class Elements {
 public:
  explicit Elements(std::int64_t count) : values_(static_cast<std::size_t>(count), 1.0), touched_(values_.size()) {}
  double& operator[](std::int64_t at) {
    touched_[static_cast<std::size_t>(at)] = true;
    return values_[static_cast<std::size_t>(at)];
  }
  std::int64_t size() const { return static_cast<std::int64_t>(values_.size()); }
  std::int64_t touched() const { return std::count(touched_.begin(), touched_.end(), true); }

 private:
  std::vector<double> values_;
  std::vector<bool> touched_;
};

std::string list(std::initializer_list<std::int64_t> values) {
  std::string out;
  for (const std::int64_t value : values) out += (out.empty() ? "[" : ", ") + std::to_string(value);
  return out + "]";
}

constexpr std::int64_t float_bytes = 4;

}  // namespace

TEST_CASE("products have the operations and bytes of three loops", "[derive][work]") {
  const std::int64_t m = GENERATE(1, 3, 8), n = GENERATE(1, 5), k = GENERATE(1, 7);
  Counter counter;
  Elements a(m * k), b(k * n), c(m * n);
  for (std::int64_t row = 0; row < m; ++row)
    for (std::int64_t column = 0; column < n; ++column)
      for (std::int64_t i = 0; i < k; ++i) counter.multiply_add(c[row * n + column], a[row * k + i], b[i * n + column]);
  const Work work =
      operator_work("aten::mm", {"[" + list({m, k}) + ", " + list({k, n}) + "]", R"(["float", "float"])", {}, {}});
  CHECK(work.flops == counter.operations);
  CHECK(work.bytes == float_bytes * (a.touched() + b.touched() + c.touched()));
}

TEST_CASE("convolutions and each of their gradients have the operations of seven loops", "[derive][work]") {
  const std::int64_t batch = 2, in = 4, out = 6, size = 6, width = GENERATE(1, 3), stride = GENERATE(1, 2);
  const std::int64_t dilation = GENERATE(1, 2), groups = GENERATE(1, 2), padding = width / 2 * dilation;
  const std::int64_t padded = size + 2 * padding, each = in / groups;
  const std::int64_t result = (padded - dilation * (width - 1) - 1) / stride + 1;
  CAPTURE(width, stride, dilation, groups);
  Counter forward, of_input, of_weight;
  Elements x(batch * in * size * size), w(out * each * width * width), y(batch * out * result * result);
  std::vector<double> gradient(static_cast<std::size_t>(padded * padded), 1), weight_gradient(1, 0);
  for (std::int64_t image = 0; image < batch; ++image)
    for (std::int64_t o = 0; o < out; ++o)
      for (std::int64_t row = 0; row < result; ++row)
        for (std::int64_t column = 0; column < result; ++column)
          for (std::int64_t c = 0; c < each; ++c)
            for (std::int64_t i = 0; i < width; ++i)
              for (std::int64_t j = 0; j < width; ++j) {
                const std::int64_t down = row * stride + i * dilation, right = column * stride + j * dilation;
                const std::int64_t channel = o / (out / groups) * each + c;
                const bool inside = down >= padding && down < size + padding && right >= padding &&
                                    right < size + padding;  // terms that fall on padding are computed as well
                double zero = 0;
                double& value =
                    inside ? x[((image * in + channel) * size + down - padding) * size + right - padding] : zero;
                double& result_value = y[((image * out + o) * result + row) * result + column];
                const double weight = w[((o * each + c) * width + i) * width + j];
                forward.multiply_add(result_value, value, weight);
                of_input.multiply_add(gradient[static_cast<std::size_t>(down * padded + right)], result_value, weight);
                of_weight.multiply_add(weight_gradient[0], result_value, value);
              }
  const std::string in_shape = list({batch, in, size, size}), weight_shape = list({out, each, width, width});
  const std::string both = "\"" + list({stride, stride}) + "\", \"" + list({padding, padding}) + "\", \"" +
                           list({dilation, dilation}) + "\"";
  const Work work =
      operator_work("aten::conv2d", {"[" + in_shape + ", " + weight_shape + ", [], [], [], [], []]",
                                     R"(["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar"])",
                                     {},
                                     R"(["", "", "", )" + both + ", \"" + std::to_string(groups) + "\"]"});
  CHECK(work.flops == forward.operations);
  // Steps of more than one leave rows or positions between that nobody reads, and that count all the same: memory hands
  // out whole lines.
  const std::int64_t read = float_bytes * (x.touched() + w.touched() + y.touched());
  if (stride == 1) CHECK(work.bytes == read);
  else CHECK((work.bytes.least() >= read && work.bytes.least() <= read + float_bytes * (x.size() - x.touched())));
  for (const bool input : {true, false}) {
    const Work backward = operator_work(
        "aten::convolution_backward",
        {"[" + list({batch, out, result, result}) + ", " + in_shape + ", " + weight_shape +
             ", [], [], [], [], [], [], [], []]",
         R"(["float", "float", "float", "ScalarList", "ScalarList", "ScalarList", "ScalarList", "Scalar", )"
         R"("ScalarList", "Scalar", "ScalarList"])",
         {},
         R"(["", "", "", "[0]", )" + both + R"(, "False", "[0, 0]", ")" + std::to_string(groups) +
             (input ? R"(", "[True, False, False]"])" : R"(", "[False, True, False]"])")});
    CHECK(backward.flops == (input ? of_input : of_weight).operations);
  }
}

TEST_CASE("attention has the operations of its two products, of the pairs that its mask leaves", "[derive][work]") {
  const std::int64_t heads = 4, sets = GENERATE(1, 2, 4), n = GENERATE(1, 5), d = 3;
  const bool causal = GENERATE(false, true);
  CAPTURE(sets, n, causal);
  Counter counter;
  Elements q(heads * n * d), k(sets * n * d), v(sets * n * d), y(heads * n * d);
  for (std::int64_t head = 0; head < heads; ++head)
    for (std::int64_t query = 0; query < n; ++query)
      for (std::int64_t key = 0; key < (causal ? query + 1 : n); ++key) {
        const std::int64_t set = head / (heads / sets);
        double score = 0;
        for (std::int64_t i = 0; i < d; ++i)
          counter.multiply_add(score, q[(head * n + query) * d + i], k[(set * n + key) * d + i]);
        for (std::int64_t i = 0; i < d; ++i)
          counter.multiply_add(y[(head * n + query) * d + i], score, v[(set * n + key) * d + i]);
      }
  const std::string own = list({1, heads, n, d}), shared = list({1, sets, n, d});
  const Work work =
      operator_work("aten::scaled_dot_product_attention",
                    {"[" + own + ", " + shared + ", " + shared + ", [], [], [], [], []]",
                     R"(["float", "float", "float", "", "Scalar", "Scalar", "", "Scalar"])",
                     {},
                     std::string(R"(["", "", "", "", "0.", ")") + (causal ? "True" : "False") + R"(", "", "True"])"});
  CHECK(work.flops == counter.operations);
  CHECK(work.bytes == float_bytes * (q.touched() + k.touched() + v.touched() + y.touched()));
}

TEST_CASE("operators on each element move what a loop over them touches", "[derive][work]") {
  const std::int64_t rows = GENERATE(1, 6), columns = GENERATE(1, 5);
  Elements a(rows * columns), b(columns), c(rows * columns);
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t column = 0; column < columns; ++column)
      c[row * columns + column] = a[row * columns + column] + b[column];
  const Work work = operator_work("aten::add", {"[" + list({rows, columns}) + ", " + list({columns}) + ", []]",
                                                R"(["float", "float", "Scalar"])",
                                                {},
                                                R"(["", "", "1"])"});
  CHECK(work.bytes == float_bytes * (a.touched() + b.touched() + c.touched()));
}

TEST_CASE("a convolution of twice the size has twice the work", "[derive][work]") {
  const auto flops = [](std::int64_t batch, std::int64_t in, std::int64_t out, std::int64_t size) {
    return operator_work("aten::conv2d",
                         {"[" + list({batch, in, size, size}) + ", " + list({out, in, 3, 3}) + ", [], [], [], [], []]",
                          {},
                          {},
                          R"(["", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "1"])"})
        .flops;
  };
  const std::int64_t batch = GENERATE(1, 32), in = GENERATE(3, 64), out = GENERATE(8, 128), size = GENERATE(4, 56);
  using kdiag::work::Amount;
  CHECK(flops(2 * batch, in, out, size) == Amount(2) * flops(batch, in, out, size));
  CHECK(flops(batch, 2 * in, out, size) == Amount(2) * flops(batch, in, out, size));
  CHECK(flops(batch, in, 2 * out, size) == Amount(2) * flops(batch, in, out, size));
  CHECK(flops(batch, in, out, 2 * size) == Amount(4) * flops(batch, in, out, size));
}

TEST_CASE("attention of twice the queries and keys has four times the work", "[derive][work]") {
  const auto flops = [](std::int64_t batch, std::int64_t heads, std::int64_t n, std::int64_t d) {
    const std::string tensor = list({batch, heads, n, d});
    return operator_work("aten::_scaled_dot_product_flash_attention",
                         {"[" + tensor + ", " + tensor + ", " + tensor + ", [], [], [], []]",
                          {},
                          {},
                          R"(["", "", "", "0.", "False", "False", ""])"})
        .flops;
  };
  using kdiag::work::Amount;
  const std::int64_t n = GENERATE(1, 77, 4096), d = GENERATE(32, 128);
  CHECK(flops(1, 8, 2 * n, d) == Amount(4) * flops(1, 8, n, d));
  CHECK(flops(2, 8, n, d) == Amount(2) * flops(1, 8, n, d));
  CHECK(flops(1, 16, n, d) == Amount(2) * flops(1, 8, n, d));
  CHECK(flops(1, 8, n, 2 * d) == Amount(2) * flops(1, 8, n, d));
}
