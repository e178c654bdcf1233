// SPDX-License-Identifier: Apache-2.0
#include "base/names/function_name.hpp"

#include <algorithm>
#include <cstddef>

#include "base/ascii.hpp"
#include "base/parse_number.hpp"
#include "base/text.hpp"

namespace kdiag {
namespace {

constexpr std::string_view anonymous = "(anonymous namespace)";

// Templates of CUTLASS, and of copies of it inside other libraries, that are launched with the kernel as their
// argument.
constexpr std::string_view carriers[] = {"Kernel", "Kernel2", "device_kernel", "enable_sm80_to_sm89", "enable_sm90"};
// PyTorch's loops over the elements of tensors.
constexpr std::string_view loops[] = {"elementwise_kernel", "reduce_kernel", "multi_tensor_apply_kernel",
                                      "grid_stride_kernel"};
// What stands between a loop and its function, and says nothing of what is computed.
constexpr std::string_view wrappers[] = {"AUnaryFunctor", "BUnaryFunctor", "BinaryFunctor", "ReduceOp"};

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// The names of `_ZN5aiter12add_rmsnormI...`, joined, up to the first that is no plain name: its template arguments.
std::string unmangled(std::string_view name) {
  name.remove_prefix(2);
  if (name.starts_with('N')) name.remove_prefix(1);
  if (name.starts_with('L')) name.remove_prefix(1);  // internal linkage
  std::string out;
  while (!name.empty() && name.front() >= '0' && name.front() <= '9') {
    const auto length = take_number<std::size_t>(name);
    if (!length || *length > name.size()) break;
    if (!out.empty()) out += "::";
    out += name.substr(0, *length);
    name.remove_prefix(*length);
  }
  return out;
}

/// The template arguments of a signature and what follows them, as far as names that say something reach.
std::string_view behind_angle(std::string_view name) {
  constexpr std::size_t furthest = 2048;  // what reads this takes the square of it
  const std::size_t open = name.find('<');
  return open == std::string_view::npos ? std::string_view() : name.substr(open + 1, furthest);
}

/// Template arguments up to the first of the characters `ends` that stands in no arguments within them.
std::string_view up_to(std::string_view ends, std::string_view arguments) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (depth == 0 && contains(ends, arguments.substr(i, 1))) return arguments.substr(0, i);
    if (arguments[i] == '<') ++depth;
    else if (arguments[i] == '>' && depth > 0) --depth;
  }
  return arguments;
}

/// Whether what stands behind a name makes it a function of tensors: its template arguments if any, then its own.
bool takes_tensors(std::string_view rest) {
  if (rest.starts_with('<')) rest.remove_prefix(std::min(up_to(">", rest.substr(1)).size() + 2, rest.size()));
  return rest.starts_with("(at::Tensor");
}

/// What a loop does to each element: the function that set the loop up, else the innermost functor. Empty when neither
/// is named.
std::string_view what_loop_does(std::string_view arguments) {
  std::string_view functor;
  while (!arguments.empty()) {
    const std::size_t length =
        static_cast<std::size_t>(std::find_if_not(arguments.begin(), arguments.end(), is_word) - arguments.begin());
    const std::string_view word = arguments.substr(0, length);
    arguments.remove_prefix(std::max(length, std::size_t{1}));
    if (length == 0 || contains(word, "gpu_kernel_impl")) continue;
    if (takes_tensors(arguments)) return word;
    const bool is_functor = contains(word, "Functor") || word.ends_with("_functor") || word.ends_with("Ops");
    if (is_functor && std::ranges::find(wrappers, word) == std::end(wrappers)) functor = word;
  }
  return functor;
}

/// Whether a template argument names a function or a functor, rather than a type of data or a lambda.
bool names_functor(std::string_view name) {
  constexpr std::string_view data[] = {"int",  "unsigned", "long",   "short", "char",
                                       "bool", "float",    "double", "void",  "std::pair"};
  return !name.empty() && std::ranges::find(data, name.substr(0, name.find(' '))) == std::end(data) &&
         std::ranges::all_of(name, [](char c) { return is_word(c) || c == ':'; });
}

/// What a library launches as the argument of the one kernel that it has: of Kokkos on CUDA and HIP the functor of
/// "Kokkos::Impl::ParallelFor<Functor, Policy>", of Thrust that of "ParallelForAgent<Functor>", else the agent. Empty
/// for other kernels, and where no functor is named.
std::string launched_by_library(std::string_view function, std::string_view own, std::string_view arguments) {
  const bool of_kokkos = function.starts_with("Kokkos::") && contains(own, "_parallel_launch_");
  const bool of_thrust = function.starts_with("thrust::") && own == "_kernel_agent";
  if (!of_kokkos && !of_thrust) return {};
  const std::string_view pattern = up_to(",>", arguments);
  std::string agent = function_name(pattern);
  const bool has_functor = of_kokkos || agent.ends_with("ParallelForAgent");
  const std::string functor = has_functor ? function_name(up_to(",>", behind_angle(pattern))) : std::string();
  if (names_functor(functor)) return functor;
  return of_thrust && names_functor(agent) ? agent : std::string();
}

/// What an anonymous namespace leaves of a qualified name is two colons.
std::string without_empty_scopes(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const bool is_empty = name.starts_with("::") && (out.empty() || out.ends_with("::"));
    if (!is_empty) out += name.front();
    name.remove_prefix(is_empty ? 2 : 1);
  }
  return out;
}

/// Whether the blank at `at` ends a return type that has template arguments of its own.
bool ends_type(std::string_view name, std::size_t at) { return at + 1 < name.size() && begins_name(name[at + 1]); }

}  // namespace

std::string function_name(std::string_view name) {
  if (name.starts_with("_Z"))
    if (std::string names = unmangled(name); !names.empty()) return names;
  if (name.starts_with("void ")) name.remove_prefix(5);
  std::string out;
  std::size_t depth = 0;
  bool has_arguments = false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') {
      ++depth;
      has_arguments = true;
    } else if (name[i] == '>' && depth > 0) {
      --depth;
    } else if (depth > 0) {
      continue;
    } else if (name.substr(i).starts_with(anonymous)) {
      i += anonymous.size() - 1;
    } else if (name[i] == '(') {
      break;
    } else if (name[i] == ' ' && has_arguments && ends_type(name, i)) {
      out.clear();
      has_arguments = false;
    } else {
      out += name[i];
    }
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

std::string spoken_name(std::string_view name) {
  std::string function = without_empty_scopes(function_name(name));
  const std::string own = function.substr(function.rfind(':') + 1);
  const std::string_view arguments = behind_angle(name);
  if (arguments.empty()) return function;
  const bool of_cutlass = contains(function, "cutlass") || function.starts_with("flash::");
  if (of_cutlass && std::ranges::find(carriers, own) != std::end(carriers))
    if (std::string carried = spoken_name(up_to(",>", arguments)); !carried.empty()) return carried;
  if (std::string launched = launched_by_library(function, own, arguments); !launched.empty()) return launched;
  if (!function.starts_with("at::native::") || !contains_any(own, loops)) return function;
  const std::string_view done = what_loop_does(arguments);
  return done.empty() ? function : own + "<" + std::string(done) + ">";
}

std::string base_function_name(std::string_view name) {
  const std::string qualified = function_name(name);
  const std::size_t last = qualified.rfind("::");
  return last == std::string::npos ? qualified : qualified.substr(last + 2);
}

}  // namespace kdiag
