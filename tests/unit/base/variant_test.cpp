// SPDX-License-Identifier: Apache-2.0
#include <kdiag/variant.hpp>

#include <stdexcept>
#include <string>
#include <vector>

#include "tests/catch.hpp"

namespace kdiag {
namespace {

/// Copies fail once the count is used up, as where memory runs out.
struct Costly {
  static inline int copies_left = 0;
  Costly() = default;
  Costly(const Costly&) {
    if (copies_left-- == 0) throw std::runtime_error("no more copies");
  }
  Costly(Costly&&) noexcept = default;
  Costly& operator=(const Costly&) = default;
  Costly& operator=(Costly&&) noexcept = default;
};

TEST_CASE("a copy of a variant that fails leaves nothing half made", "[hostile]") {
  using Value = Variant<std::monostate, std::string, std::vector<Costly>>;
  const Value value = std::vector<Costly>(3);
  for (int copies = 0; copies < 3; ++copies) {
    Costly::copies_left = copies;
    CHECK_THROWS_AS(Value(value), std::runtime_error);
  }
  Costly::copies_left = 3;
  const Value copy = value;
  CHECK(std::get<std::vector<Costly>>(copy).size() == 3);
}

TEST_CASE("a variant is compared, visited and converted as std::variant is") {
  using Value = Variant<bool, double, std::string>;
  Value value = std::string("text");
  CHECK(std::holds_alternative<std::string>(value));
  CHECK(value == Value(std::string("text")));
  value = 2.5;
  CHECK(std::visit([](const auto& one) { return sizeof one; }, value) == sizeof(double));
  CHECK(*std::get_if<double>(&value) == 2.5);
}

}  // namespace
}  // namespace kdiag
