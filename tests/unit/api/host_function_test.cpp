// SPDX-License-Identifier: Apache-2.0
// Functions of a host in rules and queries.
#include <kdiag/host_function.hpp>
#include <kdiag/kdiag.hpp>
#include <kdiag/rule_tests.hpp>

#include <atomic>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "tests/catch.hpp"

using namespace kdiag;

namespace {

using Arguments = std::span<const FunctionValue>;

Shared<HostFunction> function(std::string name, std::vector<std::string> parameters, std::string result,
                              decltype(HostFunction::call) call) {
  return std::make_shared<const HostFunction>(HostFunction{.name = std::move(name),
                                                           .parameters = std::move(parameters),
                                                           .result = std::move(result),
                                                           .doc = {},
                                                           .call = std::move(call)});
}

RuleOptions with(std::vector<Shared<HostFunction>> functions) {
  RuleOptions options;
  options.functions = std::move(functions);
  return options;
}

const std::vector<Shared<HostFunction>> functions = {
    function("half", {"time"}, "time",
             [](Arguments a) { return std::optional<FunctionValue>(std::get<double>(a[0]) / 2); }),
    function("is_gemm", {"string"}, "bool",
             [](Arguments a) { return std::optional<FunctionValue>(std::get<std::string>(a[0]) == "gemm"); }),
    function("kind", {"bool"}, "string",
             [](Arguments a) { return std::optional<FunctionValue>(std::get<bool>(a[0]) ? "good" : "bad"); }),
    function("nobody_knows", {}, "number", [](Arguments) { return std::optional<FunctionValue>(); }),
    function("throws", {}, "number", [](Arguments) -> std::optional<FunctionValue> { throw std::runtime_error("x"); }),
    function("no_memory", {}, "number", [](Arguments) -> std::optional<FunctionValue> { throw std::bad_alloc(); }),
    function("not_finite", {}, "number",
             [](Arguments) { return std::optional<FunctionValue>(std::numeric_limits<double>::infinity()); }),
    function("other_type", {}, "number", [](Arguments) { return std::optional<FunctionValue>("text"); }),
};

std::string ask(std::string_view expression) {
  static const RuleSet rules = *builtin_rules(with(functions));
  static const Facts facts =
      *load_trace("table", std::span<const char>(std::string_view("Kernel Latency Tensor DRAM\n"
                                                                  "gemm | 8000 0.5 0.2\nrelu | 4000 0.0 0.6\n")));
  const auto answer = query(facts, rules, expression);
  return answer ? answer->text : render(answer.error());
}

}  // namespace

TEST_CASE("functions of the host compute values and columns", "[api][function]") {
  CHECK(ask("half(30us)") == "15 us\n");
  CHECK(ask("sum(kernels, half(dur))") == "6 us\n");
  CHECK(ask("sum(kernels where is_gemm(name), dur)") == "8 us\n");
  CHECK(ask("kind(is_gemm(\"relu\"))") == "bad\n");
  CHECK(ask("half(0)") == "0 ns\n");
}

TEST_CASE("what a function of the host does not know is unknown, with the reason", "[api][function]") {
  CHECK(ask("nobody_knows()") == "unknown (nobody_knows() does not know)\n");
  CHECK(ask("throws()") == "unknown (throws() failed)\n");
  CHECK(ask("no_memory()") == "unknown (no_memory() failed)\n");
  CHECK(ask("not_finite()") == "unknown (not_finite() gave no finite number)\n");
  CHECK(ask("other_type()") == "unknown (other_type() gave a value of another type than it declares)\n");
  CHECK(ask("half(device.sm_clock_rated * 1s * 1s)").find("unknown") != std::string::npos);
  CHECK(ask("default(nobody_knows(), 3)") == "3\n");
}

TEST_CASE("calls of functions of the host are checked", "[api][function]") {
  CHECK(ask("half(3)").find("error[K204]: wrong arguments for half") != std::string::npos);
  CHECK(ask("half(3)").find("half(time) -> time") != std::string::npos);
  CHECK(ask("half()").find("needs 1 argument") != std::string::npos);
  CHECK(ask("halv(3us)").find("did you mean 'half'?") != std::string::npos);
}

TEST_CASE("functions that cannot be called are refused when rules are loaded", "[api][function]") {
  const auto nothing = [](Arguments) { return std::optional<FunctionValue>(); };
  const auto refused = builtin_rules(with({function("sum", {}, "time", nothing), function("a b", {}, "time", nothing),
                                           function("f", {"tiem"}, "time", nothing), function("g", {}, "time", nullptr),
                                           function("h", {}, "time", nothing), function("h", {}, "time", nothing)}));
  REQUIRE_FALSE(refused);
  std::string titles;
  for (const Diagnostic& error : refused.error()) titles += error.id + " " + error.title + "\n";
  CHECK(titles ==
        "K763 the function 'sum' is a built-in one\n"
        "K763 'a b' is no name of a function\n"
        "K763 the function 'f' has the unknown type 'tiem'\n"
        "K763 the function 'g' has nothing to call\n"
        "K763 the function 'h' is given twice\n");
}

TEST_CASE("rules call functions of the host, in their tests too", "[api][function]") {
  constexpr std::string_view text = R"(kdiag: 1
rules:
- rule: cost.half
  title: half of it
  for_each: run
  when: half(sum(kernels, dur)) > 3us
  impact: half(sum(kernels, dur))
  tests:
    - facts: {kernels: [{name: gemm, dur: 8us}]}
      expect: fired
    - facts: {kernels: [{name: gemm, dur: 5us}]}
      expect: clear
)";
  RuleOptions options = with(functions);
  options.builtin = false;
  const auto rules = load_rules_text("cost.yaml", text, options);
  INFO((rules ? std::string() : render(rules.error())));
  REQUIRE(rules);
  const auto tested = test_rules(*rules);
  REQUIRE(tested);
  CHECK(tested->count(TestStatus::passed) == 2);
}

TEST_CASE("rows that the host computes stop when it asks", "[api][function]") {
  std::atomic<bool> cancel = false;
  int calls = 0;
  const RuleSet rules = *builtin_rules(with({function("stopping", {"time"}, "time", [&](Arguments a) {
    ++calls;
    cancel = true;
    return std::optional<FunctionValue>(std::get<double>(a[0]));
  })}));
  const Facts facts = *load_trace(
      "table", std::span<const char>(std::string_view("Kernel Latency\ngemm | 8000\nrelu | 4000\nnorm | 3000\n")));
  QueryOptions options;
  options.cancel = &cancel;
  const auto answer = query(facts, rules, "sum(kernels, stopping(dur))", options);
  REQUIRE_FALSE(answer);
  CHECK(render(answer.error()).find("K690") != std::string::npos);
  CHECK(calls == 1);
}
