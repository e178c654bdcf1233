// SPDX-License-Identifier: Apache-2.0
#include "adapters/rows/python_frames.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "base/parse_number.hpp"

namespace kdiag::adapters {
namespace {

/// `text` without surrounding blanks.
std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

/// "item" of `<built-in method item of Tensor object at 0x7f00>`; other texts only lose an address.
std::string_view built_in_name(std::string_view text) {
  for (const std::string_view prefix :
       {std::string_view("<built-in method "), std::string_view("<built-in function ")}) {
    if (!text.starts_with(prefix)) continue;
    text.remove_prefix(prefix.size());
    return text.substr(0, text.find_first_of(" >"));
  }
  return text.substr(0, text.find(" at 0x"));
}

/// The first `most_frames` parts of a `;`-joined stack.
std::string_view innermost_frames(std::string_view stack) {
  std::size_t end = stack.find(';');
  for (std::size_t frames = 1; end != std::string_view::npos && frames < most_frames; ++frames)
    end = stack.find(';', end + 1);
  return stack.substr(0, end);
}

}  // namespace

FrameName parse_frame(std::string_view text, std::string_view how) {
  text = without_blanks(text);
  constexpr std::string_view module = "nn.Module: ";
  if (text.starts_with(module)) return {.function = text.substr(module.size()), .how = "module"};
  const std::size_t close = text.find("): ");
  const std::size_t open = close == std::string_view::npos ? close : text.rfind('(', close);
  if (open != std::string_view::npos && open != 0) {
    FrameName frame{.file = text.substr(0, open), .function = text.substr(close + 3), .how = how};
    if (const auto line = parse_number<std::int64_t>(text.substr(open + 1, close - open - 1))) {
      frame.line = *line;
      return frame;
    }
  }
  if (text.starts_with('<')) text = built_in_name(text);
  return {.function = text, .how = "function"};
}

Row stack_frame(Batch& batch, std::string_view stack) {
  Row caller;
  stack = innermost_frames(stack);
  while (!stack.empty()) {
    const std::size_t cut = stack.rfind(';');
    const std::string_view text = without_blanks(cut == std::string_view::npos ? stack : stack.substr(cut + 1));
    stack = cut == std::string_view::npos ? std::string_view{} : stack.substr(0, cut);
    if (text.empty()) continue;
    const FrameName frame = parse_frame(text, "line");
    caller = batch.frame(frame.file, frame.line, frame.function, frame.how, caller);
  }
  return caller;
}

std::uint32_t CallPaths::name(std::string_view text) {
  const auto [found, added] = ids_.try_emplace(std::string(text), static_cast<std::uint32_t>(names_.size()));
  if (added) names_.push_back(&found->first);
  return found->second;
}

std::uint32_t CallPaths::path(std::uint32_t caller, std::uint32_t name) {
  const std::uint32_t depth = caller == none ? 1 : nodes_[caller].depth + 1;
  if (depth > most_frames) return path(none, name);  // starts over: what is innermost is what reports show
  const auto [found, added] =
      children_.try_emplace((std::uint64_t{caller} << 32U) | name, static_cast<std::uint32_t>(nodes_.size()));
  if (added) nodes_.push_back({caller, name, depth});
  return found->second;
}

std::vector<std::uint32_t> CallPaths::at(std::vector<PythonCall>& calls, const std::vector<std::int64_t>& instants) {
  const auto outer_first = [](const PythonCall& a, const PythonCall& b) {
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  };
  if (!std::is_sorted(calls.begin(), calls.end(), outer_first))
    std::stable_sort(calls.begin(), calls.end(), outer_first);
  struct Open {
    std::int64_t end;
    std::uint32_t path;
  };
  std::vector<Open> open;
  std::vector<std::uint32_t> paths;
  paths.reserve(instants.size());
  std::size_t next = 0;
  const auto leave = [&open](std::int64_t now) {
    while (!open.empty() && open.back().end <= now) open.pop_back();
  };
  const auto enter_until = [&](std::int64_t instant) {
    for (; next < calls.size() && calls[next].start <= instant; ++next) {
      PythonCall& call = calls[next];
      // What is over by then needs no path, and neither do its callees.
      if (call.end <= instant && !call.is_long()) continue;
      leave(call.start);
      call.path = path(open.empty() ? none : open.back().path, call.name);
      open.push_back({call.end, call.path});
    }
  };
  for (const std::int64_t instant : instants) {
    enter_until(instant);
    leave(instant);
    paths.push_back(open.empty() ? none : open.back().path);
  }
  enter_until(std::numeric_limits<std::int64_t>::max());
  return paths;
}

Row CallPaths::frame(Batch& batch, std::uint32_t path, std::unordered_map<std::uint32_t, Row>& known) const {
  std::vector<std::uint32_t> missing;
  Row caller;
  for (std::uint32_t node = path; node != none; node = nodes_[node].caller) {
    if (const auto found = known.find(node); found != known.end()) {
      caller = found->second;
      break;
    }
    missing.push_back(node);
  }
  for (; !missing.empty(); missing.pop_back()) {
    const FrameName name = parse_frame(*names_[nodes_[missing.back()].name], "function");
    caller = batch.frame(name.file, name.line, name.function, name.how, caller);
    known.emplace(missing.back(), caller);
  }
  return caller;
}

}  // namespace kdiag::adapters
