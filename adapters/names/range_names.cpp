// SPDX-License-Identifier: Apache-2.0
#include "adapters/names/range_names.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "adapters/names/comm_names.hpp"
#include "base/parse_number.hpp"
#include "base/text.hpp"

namespace kdiag::adapters {
namespace {

constexpr std::string_view iteration_words[] = {"step", "iter", "iteration", "batch"};
constexpr std::string_view data_load = "dataload";
constexpr std::string_view load_words[] = {"loaddata", "loadingdata", "loadbatch", "loadingbatch"};
// In which such words lie: no more of a long name is looked at for each of its words.
constexpr std::size_t load_bytes = 32;
constexpr std::string_view optimizer_word = "optim";

/// The letters of a name in lower case: "Data Loading" is "dataloading".
std::string letters_of(std::string_view name) {
  std::string letters;
  for (char c : name)
    if (is_letter(c)) letters += static_cast<char>(c | 0x20);
  return letters;
}

/// "load_data", "LoadBatch 3" and "my load data" load; "reload_database" and "upload data" do something else.
bool names_load(std::string_view name) {
  char before = ' ';
  for (std::size_t at = 0; at < name.size(); before = name[at++]) {
    const bool starts_word = is_letter(name[at]) && (!is_letter(before) || (is_lower(before) && is_upper(name[at])));
    if (!starts_word || lower(name[at]) != 'l') continue;
    const std::string rest = letters_of(name.substr(at, load_bytes));
    for (const std::string_view word : load_words)
      if (rest.starts_with(word) && !rest.substr(word.size()).starts_with("base")) return true;
  }
  return false;
}

/// PyTorch's own ranges around the fetch of a batch, Lightning's, and what people call theirs.
bool is_data_loading(std::string_view name) {
  return name.starts_with("enumerate(DataLoader)#") || name.starts_with("enumerate(DataPipe)#") ||
         name.ends_with("dataloader_next") || letters_of(name).find(data_load) != std::string::npos || names_load(name);
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
