// SPDX-License-Identifier: Apache-2.0
#include "adapters/names/range_names.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include "adapters/names/comm_names.hpp"
#include "base/parse_number.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view iteration_words[] = {"step", "iter", "iteration", "batch"};
constexpr std::string_view loading_words[] = {"dataload", "loaddata", "loadbatch"};
constexpr std::string_view optimizer_word = "optim";

/// The letters of a name in lower case: "Data Loading" is "dataloading".
std::string letters_of(std::string_view name) {
  std::string letters;
  for (char c : name)
    if (is_letter(c)) letters += static_cast<char>(c | 0x20);
  return letters;
}

bool names_any(std::string_view text, std::span<const std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [text](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

/// PyTorch's own ranges around the fetch of a batch, Lightning's, and what people call theirs.
bool is_data_loading(std::string_view name) {
  return name.starts_with("enumerate(DataLoader)#") || name.starts_with("enumerate(DataPipe)#") ||
         name.ends_with("dataloader_next") || names_any(letters_of(name), loading_words);
}

}  // namespace

std::string_view range_kind(std::string_view name) {
  if (is_communication_range(name) || name.starts_with("NCCL:")) return "communication";
  return is_data_loading(name) ? "data_loading" : "user";
}

std::optional<StepName> parse_step_name(std::string_view name) {
  while (!name.empty() && (name.back() == ' ' || name.back() == ']' || name.back() == ')')) name.remove_suffix(1);
  std::size_t digits = 0;
  while (digits < name.size() && is_digit(name[name.size() - 1 - digits])) ++digits;
  StepName step{name.substr(0, name.size() - digits)};
  const auto number = parse_number<decltype(step.number)>(name.substr(step.family.size()));
  if (!number || step.family.ends_with('.')) return std::nullopt;
  step.number = *number;
  const std::string letters = letters_of(step.family);
  const bool iteration = std::any_of(std::begin(iteration_words), std::end(iteration_words),
                                     [&](std::string_view word) { return letters.ends_with(word); });
  if (!iteration || letters.find(optimizer_word) != std::string::npos) return std::nullopt;
  return step;
}

}  // namespace kdiag::adapters
