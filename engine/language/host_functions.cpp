// SPDX-License-Identifier: Apache-2.0
#include "engine/language/host_functions.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <kdiag/refusal_ids.hpp>

#include "engine/language/functions.hpp"

namespace kdiag {
namespace {

bool is_identifier(const std::string& name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  return !name.empty() && letter(name.front()) &&
         std::all_of(name.begin(), name.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::optional<Type> value_type(const std::string& word) {
  const std::optional<Type> type = param_type(word);
  return type && (type->is(Kind::list) || type->is(Kind::regex)) ? std::nullopt : type;
}

class FunctionChecker {
 public:
  void check(const Shared<HostFunction>& function) {
    if (!function) return refuse("a function of the host is null");
    const std::string& name = function->name;
    if (!is_identifier(name)) return refuse("'" + name + "' is no name of a function", "Letters, digits and `_`.");
    if (find_function(name) != nullptr) return refuse("the function '" + name + "' is a built-in one");
    if (!function->call) return refuse("the function '" + name + "' has nothing to call");
    CheckedHostFunction checked{.function = function, .parameters = {}, .result = {}};
    for (const std::string& word : function->parameters)
      if (const auto type = read_type(name, word)) checked.parameters.push_back(*type);
    if (const auto type = read_type(name, function->result)) checked.result = *type;
    if (!out_.emplace(name, std::move(checked)).second) refuse("the function '" + name + "' is given twice");
  }

  Result<HostFunctions> take() && {
    if (!mistakes_.empty()) return std::move(mistakes_);
    return std::move(out_);
  }

 private:
  std::optional<Type> read_type(const std::string& name, const std::string& word) {
    const auto type = value_type(word);
    if (!type)
      refuse("the function '" + name + "' has the unknown type '" + word + "'",
             "Types are number, ratio, time, bytes, frequency, bandwidth, power, temperature, bool and string.");
    return type;
  }

  void refuse(std::string title, std::string help = "This is a mistake in the program that uses kdiag.") {
    Diagnostic error;
    error.id = refusal_id::host_function;
    error.title = std::move(title);
    error.help = std::move(help);
    mistakes_.push_back(std::move(error));
  }

  HostFunctions out_;
  Diagnostics mistakes_;
};

FunctionValue argument_of(const Value& value) {
  if (const auto* range = value.as<Range>()) return range->low.real();
  if (const auto* truth = value.as<bool>()) return *truth;
  return *value.as<std::string>();
}

/// Whole numbers stay exact, so that times and counts print as such.
Number number_of(double value) {
  constexpr double exact = 9007199254740992.0;  // 2^53
  if (std::trunc(value) == value && std::abs(value) <= exact) return static_cast<std::int64_t>(value);
  return value;
}

Value result_of(const FunctionValue& value, const Type& type, const std::string& name) {
  if (const auto* number = std::get_if<double>(&value); number != nullptr && type.numeric())
    return std::isfinite(*number) ? of(number_of(*number)) : unknown_reason(name + "() gave no finite number");
  if (const auto* truth = std::get_if<bool>(&value); truth != nullptr && type.is(Kind::boolean)) return of(*truth);
  if (const auto* text = std::get_if<std::string>(&value); text != nullptr && type.is(Kind::text)) return of(*text);
  return unknown_reason(name + "() gave a value of another type than it declares");
}

thread_local CancelFlag flag_of_call = nullptr;

/// Sets it while a function runs, which may use the library itself.
class FlagOfCall {
 public:
  explicit FlagOfCall(CancelFlag flag) : before_(std::exchange(flag_of_call, flag)) {}
  ~FlagOfCall() { flag_of_call = before_; }
  FlagOfCall(const FlagOfCall&) = delete;
  FlagOfCall& operator=(const FlagOfCall&) = delete;

 private:
  CancelFlag before_;
};

}  // namespace

std::string CheckedHostFunction::signature() const {
  std::string out = function->name + "(";
  for (const std::string& word : function->parameters) out += (out.back() == '(' ? "" : ", ") + word;
  out += ") -> " + function->result;
  return function->doc.empty() ? out : out + ": " + function->doc;
}

Result<HostFunctions> check_host_functions(const std::vector<Shared<HostFunction>>& functions) {
  FunctionChecker checker;
  for (const Shared<HostFunction>& function : functions) checker.check(function);
  return std::move(checker).take();
}

CancelFlag calling_host() { return flag_of_call; }

Value call_host(const HostFunction& function, const Type& result, const std::vector<Value>& arguments,
                CancelFlag cancel) {
  const FlagOfCall during_the_call(cancel);
  std::vector<FunctionValue> values;
  values.reserve(arguments.size());
  for (const Value& argument : arguments) values.push_back(argument_of(argument));
  try {
    if (const std::optional<FunctionValue> value = function.call(values))
      return result_of(*value, result, function.name);
    return unknown_reason(function.name + "() does not know");
  } catch (...) {
    return unknown_reason(function.name + "() failed");
  }
}

}  // namespace kdiag
